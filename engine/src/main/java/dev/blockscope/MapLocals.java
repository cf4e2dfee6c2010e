package dev.blockscope;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A map of the host as the locals of a frame. */
record MapLocals(Map<String, @Nullable Object> map) implements Locals {
    @Override
    public @Nullable Object valueOf(String name) {
        Object value = map.get(name);
        return value != null || map.containsKey(name) ? value : ABSENT;
    }

    @Override
    public void set(String name, @Nullable Object value) {
        map.put(name, value);
    }

    @Override
    public void unset(String name) {
        map.remove(name);
    }
}
