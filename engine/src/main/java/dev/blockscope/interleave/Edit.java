package dev.blockscope.interleave;

import dev.blockscope.Block;

/**
 * A block kept on a computation: it takes part in each trace, before the trace's own blocks, until
 * it is closed.
 *
 * @since 0.1
 */
public final class Edit implements AutoCloseable {
    private final Interleaver interleaver;
    private final Block block;

    Edit(Interleaver interleaver, Block block) {
        this.interleaver = interleaver;
        this.block = block;
    }

    /** Returns the block. */
    public Block block() {
        return block;
    }

    /** Takes the edit off its computation; traces that run go on with it. Twice does no harm. */
    @Override
    public void close() {
        interleaver.remove(this);
    }
}
