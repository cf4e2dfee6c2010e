package dev.blockscope;

/** A run that was begun on its caller's thread may not end by itself after all. It did nothing. */
final class GuardNeededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GuardNeededException() {
        super("the run needs somebody who waits for it", null, false, false);
    }
}
