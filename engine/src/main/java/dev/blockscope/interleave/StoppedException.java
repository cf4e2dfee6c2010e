package dev.blockscope.interleave;

/** Unwinds a computation that a block has stopped. */
final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient TraceRun run;

    StoppedException(TraceRun run, Stopped by) {
        super("the computation was stopped by " + by, null, false, false);
        this.run = run;
    }

    /** Whether an exception comes from the stop of a run, be it wrapped or not. */
    static boolean isBehind(Throwable thrown, TraceRun run) {
        int depth = 0;
        for (Throwable e = thrown; e != null && depth < 100; e = e.getCause()) {
            if (e instanceof StoppedException stopped && stopped.run == run) {
                return true;
            }
            depth++;
        }
        return false;
    }
}
