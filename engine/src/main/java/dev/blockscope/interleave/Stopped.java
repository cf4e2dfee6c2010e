package dev.blockscope.interleave;

import dev.blockscope.BlockSource;
import org.jspecify.annotations.Nullable;

/**
 * Who stopped a computation.
 *
 * @param block the block's text
 * @param line the line that called {@code stop}, 1-based
 * @param reason what the block said, or null
 * @since 0.1
 */
public record Stopped(BlockSource block, int line, @Nullable String reason) {
    /** Returns the place, and the reason if there is one. */
    @Override
    public String toString() {
        String place = block.file() + ":" + line;
        return reason == null ? place : place + ": " + reason;
    }
}
