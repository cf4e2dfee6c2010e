package dev.blockscope;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.MapMaker;
import java.util.Collections;
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
 * Host code that it is in is interrupted. If that does not hear, or the run is in a builtin that
 * nothing reaches, whoever waits for the run goes on after half a second at most, and the run ends
 * as soon as it comes back to guest code; {@link BlockEngine#overdueRuns} counts it until then.
 *
 * @since 0.1
 */
public final class StopSignal {
    private final Set<Run> runs = ConcurrentHashMap.newKeySet();
    private final Set<Runnable> listeners = ConcurrentHashMap.newKeySet();
    private final Set<StopSignal> children =
            Collections.newSetFromMap(new MapMaker().weakKeys().makeMap());
    private volatile @Nullable String reason;
    private volatile boolean keeping;

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
        listeners.forEach(Runnable::run);
        children.forEach(child -> child.stop(why));
    }

    /**
     * Ends every run that has this signal where it is, as if its text ended there: what it has
     * bound is its result. A run that has not begun is cancelled.
     */
    public void end() {
        keeping = true;
        stop("the block was ended");
    }

    /** Returns a new signal that is stopped with this one, and can be stopped by itself. */
    public StopSignal child() {
        StopSignal child = new StopSignal();
        adopt(child);
        return child;
    }

    /** Stops another signal with this one. */
    void adopt(StopSignal other) {
        children.add(other);
        String stopped = reason;
        if (stopped != null) {
            other.stop(stopped);
        }
    }

    /** Returns whether {@link #stop} was called. */
    public boolean isStopped() {
        return reason != null;
    }

    /** Whether what the stopped runs have bound is their result. */
    boolean isKeeping() {
        return keeping;
    }

    /** Returns why the runs were stopped, or null if they were not. */
    public @Nullable String reason() {
        return reason;
    }

    /** Has something done by whoever stops this signal; it may be stopped already. */
    void addListener(Runnable listener) {
        listeners.add(listener);
    }

    void removeListener(Runnable listener) {
        listeners.remove(listener);
    }

    void add(Run run) {
        runs.add(run);
    }

    void remove(Run run) {
        runs.remove(run);
    }
}
