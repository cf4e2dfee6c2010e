package dev.blockscope.interleave;

import dev.blockscope.Block;
import org.jspecify.annotations.Nullable;

/**
 * A block's part in one trace.
 *
 * @param rows the rows of the values that it sees; null for all
 */
record Invoke(Block block, @Nullable RowRange rows) {
    /** A block that sees whole values. */
    static Invoke of(Block block) {
        return new Invoke(block, null);
    }
}
