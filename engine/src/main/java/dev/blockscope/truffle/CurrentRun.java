package dev.blockscope.truffle;

import org.jspecify.annotations.Nullable;

/** What a thread is in the middle of, in one context. */
final class CurrentRun {
    /** The innermost run of a watched text. */
    @Nullable Harvest run;

    /** The origin of what the innermost run makes; null if nobody follows its functions. */
    @Nullable Object origin;

    /** What counts what the thread does, or null if nobody wants to know. */
    @Nullable Meter meter;
}
