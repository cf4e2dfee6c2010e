package dev.blockscope.wire;

import dev.blockscope.HostPart;
import java.util.Set;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * What a block holds in its hand for a computation that is elsewhere, or for a part of it. It
 * travels as its name and place; here it is worth nothing, and says so.
 */
final class RemoteEnvoy implements HostPart, ProxyObject {
    /** Names that the guest language itself asks of any object, as when it is printed. */
    private static final Set<String> PROTOCOL =
            Set.of("then", "toJSON", "toString", "valueOf", "constructor", "length", "inspect");

    private final String name;
    private final @Nullable Object place;

    private RemoteEnvoy(String name, @Nullable Object place) {
        this.name = name;
        this.place = place;
    }

    /** Returns what stands for a whole computation. */
    static RemoteEnvoy of(String name) {
        return new RemoteEnvoy(name, null);
    }

    /** Returns the name by which workers know the computation. */
    String name() {
        return name;
    }

    boolean isWhole() {
        return place == null;
    }

    @Override
    public Object whole() {
        return of(name);
    }

    @Override
    public Object place() {
        if (place == null) {
            throw new AssertionError("the whole of %s travels by its name".formatted(name));
        }
        return place;
    }

    @Override
    public HostPart partAt(Object there) {
        return new RemoteEnvoy(name, there);
    }

    @Override
    public Object getMember(String member) {
        throw elsewhere(member);
    }

    @Override
    public void putMember(String member, Value value) {
        throw elsewhere(member);
    }

    @Override
    public boolean hasMember(String member) {
        return !PROTOCOL.contains(member);
    }

    @Override
    public Object getMemberKeys() {
        return ProxyArray.fromArray();
    }

    private IllegalStateException elsewhere(String member) {
        return new IllegalStateException(
                "\"%s\" has no value here, its computation is elsewhere: run the block in a trace of it"
                        .formatted(member));
    }

    @Override
    public String toString() {
        return place == null
                ? "\"%s\" elsewhere".formatted(name)
                : "%s of \"%s\" elsewhere".formatted(place, name);
    }
}
