package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Stops runs from another thread. A signal is given to any number of runs; once stopped it stays
 * stopped, and a run that begins with it then does not start.
 *
 * <p>A run that calls itself to the end of its stack, and catches that over and over, may have no
 * stack left to be stopped with.
 *
 * <p>A stopped run ends with a {@link BlockException} of kind {@link BlockException.Kind#CANCELLED}
 * as soon as its guest code comes by: no {@code catch} or {@code finally} of the block holds it up.
 * A run that is inside a host function ends when that function returns.
 *
 * @since 0.1
 */
public final class StopSignal {
    private final Set<Run> runs = ConcurrentHashMap.newKeySet();
    private volatile @Nullable String reason;

    /** Creates a signal that is not stopped. */
    public StopSignal() {}

    /** Stops every run that has this signal. Stopping again asks again. */
    public void stop() {
        stop("the block was stopped");
    }

    /**
     * Stops every run that has this signal, and says why.
     *
     * @param why becomes the message of the runs' exceptions; the first reason given stays
     */
    public void stop(String why) {
        requireNonNull(why, "why");
        if (reason == null) {
            reason = why;
        }
        runs.forEach(Run::stop);
    }

    /** Returns whether {@link #stop} was called. */
    public boolean isStopped() {
        return reason != null;
    }

    @Nullable String reason() {
        return reason;
    }

    void add(Run run) {
        runs.add(run);
    }

    void remove(Run run) {
        runs.remove(run);
    }
}
