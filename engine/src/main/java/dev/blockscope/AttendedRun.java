package dev.blockscope;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A run of a block on a thread of its own that another thread waits for, as a computation does for
 * the blocks that are in step with it. Whoever waits asks now and then whether to wait on: a run
 * that was stopped, or has reached a limit, and does not come home from a host function or a
 * builtin is left behind.
 *
 * <p>{@link Block#evaluate(StopSignal)} sees to all of that by itself.
 *
 * @since 0.1
 */
public final class AttendedRun {
    private final Block block;
    private final StopSignal signal;
    private final Allowance allowance;
    private final Attended attended;
    private final Runnable toEnd;

    /** When the run was first seen to be about to end, or 0. */
    private volatile long endingSince;

    private AttendedRun(Block block, StopSignal signal, Runnable toEnd) {
        BlockEngine engine = block.engine();
        this.block = block;
        this.signal = signal;
        this.allowance = Allowance.guarded(block.limits(), engine.guest(), block.source(), signal);
        this.attended = new Attended(allowance, engine.overdue());
        this.toEnd = toEnd;
    }

    /** Returns a run that has not begun; the time that it may take counts from now on. */
    public static AttendedRun of(Block block, StopSignal signal) {
        return of(block, signal, () -> {});
    }

    /**
     * The same.
     *
     * @param toEnd told when its time or memory is used up, on a thread that must not be held up
     */
    static AttendedRun of(Block block, StopSignal signal, Runnable toEnd) {
        return new AttendedRun(block, requireNonNull(signal, "signal"), toEnd);
    }

    /**
     * Runs the block without a push, on this thread. To be called once.
     *
     * @throws BlockException if the block fails or is stopped
     * @throws IllegalStateException if the engine is closed
     */
    public BlockResult evaluate() {
        attended.begins();
        try {
            return block.attended(signal, allowance, toEnd);
        } finally {
            // What is left of an interrupt was meant for the run.
            var _ = attended.ends();
        }
    }

    /**
     * Interrupts the host code that the run, which was stopped, may be in. One whose time is up is
     * interrupted by itself.
     */
    public void interrupt() {
        markEnding();
        attended.tell(0);
    }

    private void markEnding() {
        if (endingSince == 0) {
            endingSince = System.nanoTime() | 1;
        }
    }

    /**
     * Leaves the run behind if it was to end and has had half a second for it, or a shorter while
     * if it is seen to be in host code, or to wait for a run that was left behind. It then counts
     * among {@link BlockEngine#overdueRuns} until it ends.
     *
     * @return why it was to end, or null if it need not, may still come home, or has come
     */
    public @Nullable BlockException leaveIfOverdue() {
        if (!allowance.isToEnd() || attended.isOver()) {
            return null;
        }
        markEnding();
        long ending = System.nanoTime() - endingSince;
        attended.tell(ending);
        return attended.hadItsTime(ending) && attended.leave() ? allowance.failure() : null;
    }

    /** Whether the run has come to its end. */
    boolean isOver() {
        return attended.isOver();
    }
}
