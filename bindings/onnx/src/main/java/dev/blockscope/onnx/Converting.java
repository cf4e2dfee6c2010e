package dev.blockscope.onnx;

/** Converts elements between types, and refuses those that the other type cannot hold. */
final class Converting {
    private Converting() {}

    /** Returns the elements of another type as a tensor of its own. */
    static Tensor to(DType dtype, Tensor source) {
        if (dtype == DType.BOOL) {
            return source.ne(0);
        }
        Tensor converted = new Tensor(dtype, Layout.rowMajor(source.shape()));
        if (dtype.isFloatingPoint()) {
            Elementwise.write(converted, source, source, dtype, (_, _, _) -> {}, (_, _, _) -> {});
            return converted;
        }
        Storage from = source.storage();
        Storage to = converted.storage();
        boolean fractions = source.dtype().isFloatingPoint();
        int step = Rows.step(source.layout());
        int[] next = {0};
        Rows.walk(
                (starts, count) -> {
                    for (int i = 0; i < count; i++) {
                        int at = starts[0] + i * step;
                        to.setLong(
                                next[0]++, fractions ? to.whole(from.get(at)) : from.getLong(at));
                    }
                },
                source.layout());
        return converted;
    }

    /** Returns the elements of a type, side by side in row-major order. */
    static Tensor flat(DType dtype, Tensor source) {
        return source.to(dtype).contiguous();
    }
}
