package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** How long the tensors are good that a model lends to the blocks of a trace, and their memory. */
final class Term {
    private final Buffers buffers;
    private final List<Storage> lent = new ArrayList<>();

    /** Seen by whatever thread a tensor was taken to. */
    private volatile boolean over;

    /**
     * Begins it.
     *
     * @param buffers where the memory of the tensors comes from
     */
    Term(Buffers buffers) {
        this.buffers = buffers;
    }

    /** Returns a storage with a copy of {@code bytes}, in memory that is lent until the end. */
    synchronized Storage copyOf(DType dtype, ByteBuffer bytes) {
        ByteBuffer memory = buffers.take(bytes.remaining());
        memory.duplicate().put(bytes);
        Storage storage = Storage.in(dtype, memory);
        lent.add(storage);
        return storage;
    }

    /** Returns what a tensor of a hook point is lent by. */
    Loan at(String point) {
        return new Loan(this, point);
    }

    boolean isOver() {
        return over;
    }

    /** Ends it: who uses one of its tensors from now on is told. */
    void end() {
        over = true;
    }

    /**
     * Gives the memory to the next runs. It has ended, and no block is in the middle of using it;
     * what has been shown as an array keeps its values.
     */
    synchronized void giveBack() {
        for (Storage storage : lent) {
            storage.unshared().ifPresent(buffers::giveBack);
        }
        lent.clear();
    }
}
