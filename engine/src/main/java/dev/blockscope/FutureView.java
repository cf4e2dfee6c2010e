package dev.blockscope;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * A future of the host's as guest code sees it: something to {@code await}, and to call {@code
 * then} of. Whatever thread completes it, the block goes on in its own.
 */
record FutureView(CompletionStage<?> host) implements FixedView {
    private static final Set<String> METHODS = Set.of("then", "catch", "finally");

    @Override
    public @Nullable Object getMember(String key) {
        return METHODS.contains(key) ? (ProxyExecutable) given -> call(key, given) : null;
    }

    private Value call(String method, Value... given) {
        return Run.underWay().promiseOf(host).invokeMember(method, (Object[]) given);
    }

    @Override
    public Object getMemberKeys() {
        return ProxyArray.fromArray();
    }

    @Override
    public boolean hasMember(String key) {
        return METHODS.contains(key);
    }

    @Override
    public String toString() {
        return HostView.nameOf(host);
    }
}
