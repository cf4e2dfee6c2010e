package dev.blockscope;

import java.util.Arrays;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * A host object by what its class exports, which for most is nothing. The language would show it
 * all the same, but drop what sloppy code writes to a member that there is not.
 */
final class ObjectView implements ProxyObject, HostView {
    private final Object host;

    ObjectView(Object host) {
        this.host = host;
    }

    @Override
    public Object host() {
        return host;
    }

    @Override
    public @Nullable Object getMember(String key) {
        Value member = exported().getMember(key);
        if (member != null && member.canExecute()) {
            return (ProxyExecutable) arguments -> shown(member.execute(received(arguments)));
        }
        return shown(member);
    }

    @Override
    public Object getMemberKeys() {
        return ProxyArray.fromArray(exported().getMemberKeys().toArray());
    }

    @Override
    public boolean hasMember(String key) {
        return exported().hasMember(key);
    }

    @Override
    public void putMember(String key, Value value) {
        Value exported = exported();
        if (!exported.hasMember(key)) {
            throw FixedView.lost(
                    key,
                    host,
                    "blocks reach only what its class exports; export the member with @HostAccess.Export, pass a map, or capture the block in Frame.ofBean(object)");
        }
        try {
            exported.putMember(key, received(value)[0]);
        } catch (UnsupportedOperationException e) {
            throw FixedView.lost(key, host, "it is no field that can be set");
        } catch (IllegalArgumentException | ClassCastException e) {
            throw FixedView.lost(
                    key, host, "the field does not take " + GuestToHost.argument(value));
        }
    }

    @Override
    public boolean removeMember(String key) {
        if (hasMember(key)) {
            throw FixedView.lost(key, host, "members of a class cannot be deleted");
        }
        return false;
    }

    @Override
    public String toString() {
        return HostView.nameOf(host);
    }

    /** Returns the object as the language itself shows it in the context that asks. */
    private Value exported() {
        return Context.getCurrent().asValue(host);
    }

    private static @Nullable Object shown(@Nullable Value value) {
        return value != null && value.isHostObject()
                ? HostToGuest.convert(value.asHostObject())
                : value;
    }

    /** What the host sees of arguments is its own objects, not views of them. */
    private static Object[] received(Value... arguments) {
        return Arrays.stream(arguments)
                .map(value ->
                        value.isProxyObject() && value.asProxyObject() instanceof HostView view
                                ? view.host()
                                : value)
                .toArray();
    }
}
