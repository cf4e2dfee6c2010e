package dev.blockscope.interleave;

/** What a block waits for. */
sealed interface Wait {
    /** One visit of one point. */
    record ForPoint(HookPoint<?> point, int visit) implements Wait {}

    /** The first point below a part that is visited so many times. */
    record ForAny(HookNode part, int visit) implements Wait {}

    /** The others that a barrier waits for. */
    record AtBarrier(Barrier barrier) implements Wait {}
}
