package dev.blockscope;

import java.util.List;
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
    private final List<Pending> pending;
    private final List<ShadowedBinding> shadowed;

    /**
     * Creates a result of maps that do not change.
     *
     * @param toPush the bindings as the frame takes them: for guest code's, its own values
     * @param pending what the run left unfinished
     * @param shadowed what the block's own names hid of its siblings'
     */
    BlockResult(
            Block block,
            @Nullable Object value,
            Map<String, @Nullable Object> bindings,
            Map<String, @Nullable Object> toPush,
            List<Pending> pending,
            List<ShadowedBinding> shadowed) {
        this.block = block;
        this.value = value;
        this.bindings = bindings;
        this.toPush = toPush;
        this.pending = pending;
        this.shadowed = shadowed;
    }

    /**
     * Returns the value of the block's last statement, or null if it has none. Of a promise it is
     * what that came to.
     */
    public @Nullable Object value() {
        return value;
    }

    /** Returns the names the block assigned, in order, with their values; null is a value. */
    public Map<String, @Nullable Object> bindings() {
        return bindings;
    }

    /**
     * Returns what the block had begun and left unfinished: timers that had not fired, and futures
     * of the host whose values it had asked for. It has ended with the run. Mostly empty.
     */
    public List<Pending> pending() {
        return pending;
    }

    /**
     * Returns what siblings had bound and the block did not see, since it has the name itself;
     * empty unless the engine {@linkplain BlockEngine.Builder#onShadowed looks for it}.
     */
    public List<ShadowedBinding> shadowed() {
        return shadowed;
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
