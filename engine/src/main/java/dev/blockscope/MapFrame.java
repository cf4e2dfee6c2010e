package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A frame whose locals are a map of the host. */
final class MapFrame extends Frame {
    private final Map<String, @Nullable Object> locals;
    private final Globals globals;
    private final FrameCode code;

    MapFrame(Map<String, @Nullable Object> locals, Globals globals, FrameCode code) {
        this.locals = requireNonNull(locals, "locals");
        this.globals = requireNonNull(globals, "globals");
        this.code = requireNonNull(code, "code");
    }

    @Override
    public FrameCode code() {
        return code;
    }

    @Override
    public Globals globals() {
        return globals;
    }

    @Override
    public Map<String, @Nullable Object> snapshot() {
        return new LinkedHashMap<>(locals);
    }

    @Override
    public void push(Map<String, ? extends @Nullable Object> bindings) {
        MapPush.into(locals, bindings);
    }

    @Override
    public String toString() {
        return "Frame" + locals.keySet();
    }
}
