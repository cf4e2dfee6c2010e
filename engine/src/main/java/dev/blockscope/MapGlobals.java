package dev.blockscope;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A map of the host as globals. */
record MapGlobals(Map<String, ? extends @Nullable Object> map) implements Globals {
    @Override
    public Optional<Binding> find(String name) {
        return map.containsKey(name) ? Optional.of(new Binding(map.get(name))) : Optional.empty();
    }

    @Override
    public Set<String> names() {
        return new LinkedHashSet<>(map.keySet());
    }
}
