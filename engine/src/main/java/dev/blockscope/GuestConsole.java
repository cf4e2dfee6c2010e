package dev.blockscope;

import dev.blockscope.OutputLine.Level;
import java.util.Map;
import java.util.function.BiFunction;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * {@code console} and {@code print} of JavaScript: the guest's side, which makes text of values,
 * and what it asks of the host, which is the {@link Console} of the run that is under way.
 */
final class GuestConsole {
    /** Answers an object of the functions, for functions of the host. */
    static final Source SOURCE = GuestScripts.read("console.js");

    /** Of the class only: what guest code holds must not hold the realm that it lives in. */
    private static final ProxyObject HOST =
            ProxyObject.fromMap(
                    Map.of(
                            "write",
                            asked((console, given) -> {
                                console.write(
                                        Level.valueOf(given[0].asString()),
                                        given[1].asString(),
                                        given[2].asInt());
                                return true;
                            }),
                            "skip",
                            asked((console, given) -> console.skip(given[0].asInt())),
                            "trace",
                            asked((console, given) -> {
                                console.trace(given[0].asString());
                                return true;
                            }),
                            "count",
                            asked((console, given) -> console.count(given[0].asString())),
                            "countReset",
                            asked((console, given) -> console.countReset(given[0].asString())),
                            "time",
                            asked((console, given) -> console.time(given[0].asString())),
                            "elapsed",
                            asked((console, given) ->
                                    console.elapsed(given[0].asString(), given[1].asBoolean())),
                            "progress",
                            asked((console, given) -> {
                                console.progress(given[0].asDouble(), given[1].asDouble());
                                return true;
                            }),
                            "group",
                            asked((console, given) -> {
                                console.group(given[0].asInt());
                                return true;
                            })));

    private GuestConsole() {}

    /** Returns what the source is to be called with. */
    static Object[] arguments() {
        return new Object[] {HOST, (ProxyExecutable) given -> formOf(given[0])};
    }

    private static ProxyExecutable asked(BiFunction<Console, Value[], Object> answer) {
        return given -> {
            try {
                return answer.apply(Run.underWay().console(), given);
            } catch (RuntimeException e) {
                throw new CallbackException(e);
            }
        };
    }

    /** Tells how a host value is shown: as a list, as a map, or as text; null if it is none. */
    private static @Nullable String formOf(Value value) {
        if (value.isHostObject()) {
            return textOf(value.asHostObject());
        }
        if (!value.isProxyObject()) {
            return null;
        }
        if (value.hasArrayElements()) {
            return "list";
        }
        if (value.canExecute()) {
            return "[Function (host)]";
        }
        if (!(value.asProxyObject() instanceof HostView view)) {
            return "map";
        }
        Object host = view.host();
        return host instanceof Map || host instanceof Record ? "map" : textOf(host);
    }

    /** An object that a block cannot look into is not to be read by its text either. */
    private static String textOf(Object host) {
        if (host instanceof CallbackException caught) {
            return caught.toString();
        }
        Class<?> type = host.getClass();
        return type.getPackageName().startsWith("java.")
                ? host.toString()
                : "[" + (type.isAnonymousClass() ? "object" : type.getSimpleName()) + "]";
    }
}
