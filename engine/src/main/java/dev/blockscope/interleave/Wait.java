package dev.blockscope.interleave;

/** What a block waits for. */
sealed interface Wait {
    /** Returns what is waited for, for people. */
    default String text() {
        return switch (this) {
            case ForPoint one -> "%s, visit %d".formatted(one.point(), one.visit());
            case ForAny any -> "any point, visit %d".formatted(any.visit());
            case AtBarrier at -> "barrier " + at.barrier().name();
        };
    }

    /** One visit of one point. */
    record ForPoint(HookPoint<?> point, int visit) implements Wait {}

    /** The first point below a part that is visited so many times. */
    record ForAny(HookNode part, int visit) implements Wait {}

    /** The others that a barrier waits for. */
    record AtBarrier(Barrier barrier) implements Wait {}
}
