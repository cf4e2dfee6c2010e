package dev.blockscope;

/** A run has reached a limit in code of ours; it becomes the run's {@link BlockException}. */
final class LimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ReachedLimit limit;

    LimitException(ReachedLimit limit) {
        super(limit.toString(), null, false, false);
        this.limit = limit;
    }

    ReachedLimit limit() {
        return limit;
    }
}
