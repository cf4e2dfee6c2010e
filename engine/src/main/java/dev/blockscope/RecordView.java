package dev.blockscope;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/** A record by its components, read-only. */
record RecordView(Record host) implements ProxyObject, HostView {
    @Override
    public @Nullable Object getMember(String key) {
        RecordComponent component = component(key);
        if (component == null) {
            return null;
        }
        try {
            component.getAccessor().setAccessible(true);
            return HostToGuest.convert(component.getAccessor().invoke(host));
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException(
                    "cannot read \"%s\" of %s; open its package to dev.blockscope.engine or make the record public in an exported package"
                            .formatted(key, host.getClass().getName()),
                    e);
        }
    }

    @Override
    public Object getMemberKeys() {
        return ProxyArray.fromArray(
                Arrays.stream(components()).map(RecordComponent::getName).toArray());
    }

    @Override
    public boolean hasMember(String key) {
        return component(key) != null;
    }

    @Override
    public boolean removeMember(String key) {
        throw new IllegalArgumentException(
                "cannot delete \"%s\" of the record %s: records do not change"
                        .formatted(key, host.getClass().getName()));
    }

    @Override
    public void putMember(String key, Value value) {
        throw new IllegalArgumentException(
                "cannot write \"%s\" to the record %s: records do not change"
                        .formatted(key, host.getClass().getName()));
    }

    @Override
    public String toString() {
        return HostView.nameOf(host);
    }

    private RecordComponent[] components() {
        return host.getClass().getRecordComponents();
    }

    private @Nullable RecordComponent component(String name) {
        return Arrays.stream(components())
                .filter(component -> component.getName().equals(name))
                .findFirst()
                .orElse(null);
    }
}
