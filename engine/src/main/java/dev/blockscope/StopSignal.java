package dev.blockscope;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stops runs from another thread. A signal is given to any number of runs; once stopped it stays
 * stopped, and a run that begins with it then does not start.
 *
 * <p>A stopped run ends with a {@link BlockException} of kind {@link BlockException.Kind#CANCELLED}
 * as soon as its guest code comes by: no {@code catch} or {@code finally} of the block holds it up.
 * A run that is inside a host function ends when that function returns.
 *
 * @since 0.1
 */
public final class StopSignal {
    private final Set<Run> runs = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /** Creates a signal that is not stopped. */
    public StopSignal() {}

    /** Stops every run that has this signal. Stopping again asks again. */
    public void stop() {
        stopped = true;
        runs.forEach(Run::stop);
    }

    /** Returns whether {@link #stop} was called. */
    public boolean isStopped() {
        return stopped;
    }

    void add(Run run) {
        runs.add(run);
    }

    void remove(Run run) {
        runs.remove(run);
    }
}
