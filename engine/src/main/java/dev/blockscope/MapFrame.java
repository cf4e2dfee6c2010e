package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A frame whose locals are a map of the host. */
final class MapFrame extends Frame {
    private final MapLocals locals;
    private final Globals globals;

    MapFrame(Map<String, @Nullable Object> locals, Globals globals, FrameCode code) {
        super(code);
        this.locals = new MapLocals(requireNonNull(locals, "locals"));
        this.globals = requireNonNull(globals, "globals");
    }

    @Override
    public Globals globals() {
        return globals;
    }

    @Override
    public Map<String, @Nullable Object> snapshot() {
        try {
            return new LinkedHashMap<>(locals.map());
        } catch (ConcurrentModificationException e) {
            throw new ConcurrentModificationException(
                    "the locals of the frame changed while a snapshot of them was taken; capture under the lock that guards the map, or use a concurrent map",
                    e);
        }
    }

    @Override
    public void push(Map<String, ? extends @Nullable Object> bindings) {
        Push.into(locals, bindings);
    }

    @Override
    public String toString() {
        return "Frame" + locals.map().keySet();
    }
}
