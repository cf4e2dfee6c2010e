package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A frame whose locals are the properties of an object of the host: a record or a bean. */
final class BeanFrame extends Frame {
    private final Object bean;
    private final BeanProperties properties;
    private final Globals globals;

    BeanFrame(Object bean, Globals globals, FrameCode code) {
        super(code);
        this.bean = requireNonNull(bean, "bean");
        this.globals = requireNonNull(globals, "globals");
        this.properties = BeanProperties.of(bean.getClass());
    }

    @Override
    public Globals globals() {
        return globals;
    }

    @Override
    public Map<String, @Nullable Object> snapshot() {
        return properties.valuesOf(bean);
    }

    @Override
    public void push(Map<String, ? extends @Nullable Object> bindings) {
        Push.into(new Variables(), bindings);
    }

    @Override
    public String toString() {
        return "Frame[%s]".formatted(bean.getClass().getName());
    }

    private final class Variables implements Locals {
        @Override
        public @Nullable Object accepted(String name, @Nullable Object value) {
            return properties.get(name).accepted(value);
        }

        @Override
        public @Nullable Object valueOf(String name) {
            return properties.get(name).valueOf(bean);
        }

        @Override
        public void set(String name, @Nullable Object value) {
            properties.get(name).set(bean, value);
        }

        @Override
        public void unset(String name) {
            throw new AssertionError("a property is never absent");
        }
    }
}
