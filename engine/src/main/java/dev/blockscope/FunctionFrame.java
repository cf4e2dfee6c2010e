package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A frame whose locals one function of the host reads and another one writes. */
final class FunctionFrame extends Frame {
    private final Supplier<? extends Map<String, ? extends @Nullable Object>> getter;
    private final BiConsumer<String, @Nullable Object> setter;
    private final Globals globals;

    FunctionFrame(
            Supplier<? extends Map<String, ? extends @Nullable Object>> getter,
            BiConsumer<String, @Nullable Object> setter,
            Globals globals,
            FrameCode code) {
        super(code);
        this.getter = requireNonNull(getter, "getter");
        this.setter = requireNonNull(setter, "setter");
        this.globals = requireNonNull(globals, "globals");
    }

    @Override
    public Globals globals() {
        return globals;
    }

    @Override
    public Map<String, @Nullable Object> snapshot() {
        return new LinkedHashMap<>(
                requireNonNull(getter.get(), "the getter of the frame's locals returned null"));
    }

    @Override
    public void push(Map<String, ? extends @Nullable Object> bindings) {
        Push.into(new Variables(), bindings);
    }

    @Override
    public String toString() {
        return "Frame[%s]".formatted(code().file());
    }

    /** The locals during one push. */
    private final class Variables implements Locals {
        private @Nullable Map<String, @Nullable Object> before;

        @Override
        public @Nullable Object valueOf(String name) {
            if (before == null) {
                before = snapshot();
            }
            return before.getOrDefault(name, ABSENT);
        }

        @Override
        public void set(String name, @Nullable Object value) {
            setter.accept(name, value);
        }

        @Override
        public void unset(String name) {
            setter.accept(name, null);
            if (snapshot().containsKey(name)) {
                throw new IllegalStateException(
                        "it was not there before and is null now, for a setter cannot remove it");
            }
        }
    }
}
