package dev.blockscope;

import org.jspecify.annotations.Nullable;

/** A run has reached a limit in code of ours; it becomes the run's {@link BlockException}. */
final class LimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ReachedLimit limit;
    private final boolean handingOver;
    private final @Nullable String name;

    LimitException(ReachedLimit limit) {
        this(limit, false, null);
    }

    private LimitException(ReachedLimit limit, boolean handingOver, @Nullable String name) {
        // With a stack trace: without one Truffle notes no lines of the guest on what passes.
        super(limit.toString());
        this.limit = limit;
        this.handingOver = handingOver;
        this.name = name;
    }

    /** Creates one of a value that is too large or too deep to be handed over. */
    static LimitException handingOver(ReachedLimit limit) {
        return new LimitException(limit, true, null);
    }

    /** Returns the same, found while the value of a name was handed over. */
    LimitException in(String name) {
        return new LimitException(limit, handingOver, name);
    }

    ReachedLimit limit() {
        return limit;
    }

    /** Whether a value was being handed over, as opposed to code that ran. */
    boolean isHandingOver() {
        return handingOver;
    }

    /** Returns the name whose value it was, or null if it was what the block came to. */
    @Nullable String name() {
        return name;
    }
}
