package dev.blockscope;

import com.google.common.collect.MapMaker;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The use that one trace makes of the stores its blocks share. When the last trace that uses a
 * store is over, the store is what it was before the first: what the blocks bound for each other is
 * gone, and so is the guest context that a frame kept only for that.
 *
 * <p>Not safe for use by several threads; each trace has its own.
 *
 * @since 0.1
 */
public final class SharedUse implements AutoCloseable {
    private static final ConcurrentMap<SharedLocals, Usage> USED =
            new MapMaker().weakKeys().makeMap();

    private final Map<SharedLocals, Block> stores = new LinkedHashMap<>();
    private boolean closed;
    private boolean left;

    private SharedUse(Collection<Block> blocks) {
        for (Block block : blocks) {
            SharedLocals store = block.frame().shared();
            if (stores.putIfAbsent(store, block) == null) {
                USED.compute(store, SharedUse::begun);
            }
        }
    }

    /** Begins to use the stores of these blocks' frames; {@link #close} ends it. */
    public static SharedUse of(Collection<Block> blocks) {
        return new SharedUse(blocks);
    }

    /** Binds for the blocks what an earlier trace has left. */
    public void bring(Map<SharedLocals, SharedLocals> kept) {
        stores.keySet()
                .forEach(store -> {
                    SharedLocals bindings = kept.get(store);
                    if (bindings != null) {
                        store.putAll(bindings);
                    }
                });
    }

    /**
     * Returns what the stores hold now, to be brought to a later trace. The guest contexts that it
     * lives in stay with their frames until {@link #release}.
     */
    public Map<SharedLocals, SharedLocals> leave() {
        left = true;
        Map<SharedLocals, SharedLocals> bindings = new LinkedHashMap<>();
        stores.keySet().forEach(store -> bindings.put(store, store.copy()));
        return bindings;
    }

    /** Ends the use. Closing a second time does nothing. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        stores.forEach((store, block) -> {
            if (USED.compute(store, SharedUse::ended) == null && !left) {
                release(block);
            }
        });
    }

    /** Frees the guest contexts of blocks' frames as far as nothing lives on in them. */
    public static void release(Collection<Block> blocks) {
        blocks.forEach(SharedUse::release);
    }

    private static void release(Block block) {
        Frame tenant = block.frame().tenant(block.engine());
        tenant.tenancy(block.engine()).release(tenant);
    }

    private static Usage begun(SharedLocals store, @Nullable Usage usage) {
        return usage == null
                ? new Usage(store.copy(), 1)
                : new Usage(usage.before(), usage.users() + 1);
    }

    private static @Nullable Usage ended(SharedLocals store, @Nullable Usage usage) {
        if (usage == null) {
            throw new AssertionError("the use of a store was ended twice");
        }
        if (usage.users() > 1) {
            return new Usage(usage.before(), usage.users() - 1);
        }
        store.clear();
        store.putAll(usage.before());
        return null;
    }

    /** How many traces use a store, and what it held before the first of them. */
    private record Usage(SharedLocals before, int users) {}
}
