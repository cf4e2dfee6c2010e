package dev.blockscope.onnx;

import java.nio.ByteBuffer;

/**
 * What a tensor of a model is lent to blocks by.
 *
 * @param term how long it is theirs
 * @param point the hook point that offered it
 */
record Loan(Term term, String point) {
    /** Makes the tensor, with a copy of {@code bytes} in native byte order. */
    Tensor ofCopy(DType dtype, long[] shape, ByteBuffer bytes) {
        return new Tensor(term.copyOf(dtype, bytes), Layout.rowMajor(shape)).lent(this);
    }

    /** Makes the tensor of memory in native byte order, which is nobody else's. */
    Tensor of(DType dtype, long[] shape, ByteBuffer memory) {
        return new Tensor(Storage.in(dtype, memory), Layout.rowMajor(shape)).lent(this);
    }

    boolean isOver() {
        return term.isOver();
    }

    /** Makes the error of a tensor that is used after its time. */
    IllegalStateException over(DType dtype, Layout layout) {
        return new IllegalStateException(
                "the tensor %s %s of \"%s\" belonged to a run that is over; keep a copy of it by clone() while the block runs, or assign it to a name of the block, which makes one"
                        .formatted(dtype, layout, point));
    }
}
