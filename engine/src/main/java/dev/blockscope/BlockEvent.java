package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * Something that an engine has done with a block, as its {@linkplain BlockEngine.Builder#onEvent
 * listener} is told. The Flight Recorder of the JVM has the same as {@code dev.blockscope.Capture},
 * {@code dev.blockscope.Run} and so on.
 *
 * @param kind what was done
 * @param block the block's text; of a visit, that of the first block of the trace
 * @param what the point and the visit, the names that were pushed, or the message of an error
 * @param duration how long it took
 * @since 0.1
 */
public record BlockEvent(Kind kind, BlockSource block, String what, Duration duration) {
    /** What was done. */
    public enum Kind {
        /** A block was captured. */
        CAPTURE,
        /** A block ran, with all its waits, and ended well. */
        RUN,
        /** A block in step waited. */
        WAIT,
        /** A computation visited a point that blocks waited for. */
        VISIT,
        /** What a run assigned was written into its frame. */
        PUSH,
        /** A block ran and failed. */
        ERROR
    }

    /** Checks the parts. */
    public BlockEvent {
        requireNonNull(kind, "kind");
        requireNonNull(block, "block");
        requireNonNull(what, "what");
        requireNonNull(duration, "duration");
    }

    /** Returns the event in one line. */
    @Override
    public String toString() {
        return "%s %s %s(%d µs)"
                .formatted(
                        kind, block, what.isEmpty() ? "" : what + " ", duration.toNanos() / 1_000);
    }
}
