package dev.blockscope;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a block came to: plain Java, which outlives the engine.
 *
 * @since 0.1
 */
public final class BlockResult {
    private final Block block;
    private final @Nullable Object value;
    private final Map<String, @Nullable Object> bindings;
    private final Map<String, @Nullable Object> toPush;

    /**
     * Creates a result of maps that do not change.
     *
     * @param toPush the bindings as the frame takes them: for guest code's, its own values
     */
    BlockResult(
            Block block,
            @Nullable Object value,
            Map<String, @Nullable Object> bindings,
            Map<String, @Nullable Object> toPush) {
        this.block = block;
        this.value = value;
        this.bindings = bindings;
        this.toPush = toPush;
    }

    /** Returns the value of the block's last statement, or null if it has none. */
    public @Nullable Object value() {
        return value;
    }

    /** Returns the names the block assigned, in order, with their values; null is a value. */
    public Map<String, @Nullable Object> bindings() {
        return bindings;
    }

    /**
     * Writes the names the block assigned, and may push, into its frame, all or none.
     *
     * @throws PushException if the frame refuses a name
     */
    public void push() {
        block.push(toPush);
    }

    @Override
    public String toString() {
        return "BlockResult[value=%s, bindings=%s]".formatted(value, bindings);
    }
}
