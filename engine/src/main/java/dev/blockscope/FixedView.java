package dev.blockscope;

import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * A view without members of its own that guest code could set. It has to be an object at all: a
 * write to what is none is silently dropped by sloppy code.
 */
interface FixedView extends HostView, ProxyObject {
    @Override
    default @Nullable Object getMember(String key) {
        return null;
    }

    @Override
    default Object getMemberKeys() {
        return ProxyArray.fromArray();
    }

    @Override
    default boolean hasMember(String key) {
        return false;
    }

    @Override
    default void putMember(String key, Value value) {
        throw lost(key, host(), "it has no properties that can be set");
    }

    /** Returns the error of a write that would be lost. */
    static IllegalArgumentException lost(String key, Object host, String why) {
        return new IllegalArgumentException(
                "cannot write \"%s\" to %s: %s".formatted(key, host.getClass().getTypeName(), why));
    }
}
