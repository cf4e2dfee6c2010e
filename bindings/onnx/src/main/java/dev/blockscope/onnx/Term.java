package dev.blockscope.onnx;

/** How long the tensors are good that a model lends to the blocks of a trace. */
final class Term {
    /** Seen by whatever thread a tensor was taken to. */
    private volatile boolean over;

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
}
