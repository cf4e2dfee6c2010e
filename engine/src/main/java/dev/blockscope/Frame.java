package dev.blockscope;

import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a block was written: its locals, which {@link #push} may write, its globals, which are the
 * fallback, and its code.
 *
 * <p>A frame's identity matters: blocks captured in the same frame object share what they bind,
 * blocks of two frames never do, even if both frames stand over one map. What they share lives as
 * long as the frame does.
 *
 * <p>A frame may be used from many threads as far as its locals may.
 *
 * @since 0.1
 */
public abstract sealed class Frame permits MapFrame, SerializedFrame {
    private final SharedLocals shared = new SharedLocals();
    private final IdentityHashMap<BlockEngine, Realm> realms = new IdentityHashMap<>(1);
    private volatile @Nullable Realm last;

    Frame() {}

    /** Returns a new frame with no locals and no globals; what is pushed can be read back. */
    public static Frame empty() {
        return of(new LinkedHashMap<>());
    }

    /**
     * Returns a new frame whose locals are a map of the host.
     *
     * @param locals read at each capture, written by each push
     */
    public static Frame of(Map<String, @Nullable Object> locals) {
        return of(locals, Globals.none());
    }

    /** Returns a new frame over a map, with names to fall back to. */
    public static Frame of(Map<String, @Nullable Object> locals, Globals globals) {
        return of(locals, globals, FrameCode.UNKNOWN);
    }

    /**
     * Returns a new frame over a map, with names to fall back to and a place in the user's code.
     */
    public static Frame of(Map<String, @Nullable Object> locals, Globals globals, FrameCode code) {
        return new MapFrame(locals, globals, code);
    }

    /** Returns where the frame's code stands. */
    public abstract FrameCode code();

    /** Returns the names the frame's blocks fall back to. */
    public abstract Globals globals();

    /** Returns a shallow copy of the locals as they are now, in their order. */
    public abstract Map<String, @Nullable Object> snapshot();

    /**
     * Writes names into the frame's locals, all or none: each name is checked before the first is
     * written, and if a write fails, the names written before it get their old values back, the
     * last one first. Locals that throw when they are written count as not written. Other threads
     * that look at the locals meanwhile may see some names new and some old.
     *
     * @param bindings the names and their new values, in the order of writing; null is a value
     * @throws PushException if the locals refuse a name; it also lists what could not be restored
     */
    public abstract void push(Map<String, ? extends @Nullable Object> bindings);

    SharedLocals shared() {
        return shared;
    }

    /** Returns the realm in which this frame's blocks run under an engine. */
    Realm realm(BlockEngine engine) {
        Realm latest = last;
        if (latest != null && latest.engine() == engine && latest.usable()) {
            return latest;
        }
        synchronized (realms) {
            Realm realm =
                    realms.compute(
                            engine,
                            (owner, known) ->
                                    known != null && known.usable() ? known : owner.realmFor(this));
            last = realm;
            return realm;
        }
    }
}
