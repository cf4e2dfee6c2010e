package dev.blockscope.jsr223;

import java.lang.ref.WeakReference;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.script.Bindings;
import org.jspecify.annotations.Nullable;

/**
 * Bindings as the variables of a frame. It does not hold them: who evaluates a script does, and a
 * function that outlives them finds nothing there.
 */
final class WeakVariables extends AbstractMap<String, @Nullable Object> {
    private final WeakReference<Bindings> held;

    WeakVariables(Bindings bindings) {
        this.held = new WeakReference<>(bindings);
    }

    @Override
    public @Nullable Object get(@Nullable Object name) {
        Bindings bindings = asked(name);
        return bindings == null ? null : bindings.get(name);
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        Bindings bindings = asked(name);
        return bindings != null && bindings.containsKey(name);
    }

    @Override
    public @Nullable Object put(String name, @Nullable Object value) {
        Bindings bindings = held.get();
        return bindings == null ? null : bindings.put(name, value);
    }

    @Override
    public @Nullable Object remove(@Nullable Object name) {
        Bindings bindings = asked(name);
        return bindings == null ? null : bindings.remove(name);
    }

    /** Returns a copy of what is there now. */
    @Override
    public Set<Map.Entry<String, @Nullable Object>> entrySet() {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        Bindings bindings = held.get();
        if (bindings != null) {
            copy.putAll(bindings);
        }
        return copy.entrySet();
    }

    /** Bindings have no empty name, and do not want to be asked for it. */
    private @Nullable Bindings asked(@Nullable Object name) {
        return "".equals(name) ? null : held.get();
    }
}
