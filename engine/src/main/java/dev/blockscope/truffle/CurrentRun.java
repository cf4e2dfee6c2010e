package dev.blockscope.truffle;

import org.jspecify.annotations.Nullable;

/** The innermost run of a watched text that a thread is in, in one context. */
final class CurrentRun {
    @Nullable Harvest run;
}
