package dev.blockscope.interleave;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.blockscope.Conversion;
import dev.blockscope.NearestNames;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** What a block can ask of an envoy besides values, by its name or with a dollar sign in front. */
enum EnvoyCall {
    /** The same part at its n-th visit; the first is 0. */
    VISIT("visit") {
        @Override
        Object call(Envoy envoy, Value[] arguments) {
            return envoy.at(position(arguments, 0, "visit(n)"));
        }
    },
    /** The same part at the visit after this one. */
    NEXT("next") {
        @Override
        Object call(Envoy envoy, Value[] arguments) {
            return envoy.at(envoy.visit() + 1);
        }
    },
    /** A loop over visits; its variable is the part at each of them. */
    ITER("iter") {
        @Override
        Object call(Envoy envoy, Value[] arguments) {
            int from = position(arguments, 0, "iter(from, to)");
            int to = position(arguments, 1, "iter(from, to)");
            checkArgument(
                    from <= to, "iter(%s, %s) runs backwards; say the first visit first", from, to);
            return new VisitLoop(envoy, from, to);
        }
    },
    /** A loop over all visits that come. */
    ALL("all") {
        @Override
        Object call(Envoy envoy, Value[] arguments) {
            return new VisitLoop(envoy, 0, VisitLoop.ALL);
        }
    },
    /** Has the computation leave a module out. */
    SKIP("skip") {
        @Override
        @Nullable Object call(Envoy envoy, Value[] arguments) {
            HookModule<?> module = envoy.node().module();
            if (module == null) {
                throw HookException.notSkippable(
                        envoy.node().path(), envoy.visit(), "it is not a module");
            }
            Object output = arguments.length == 0 ? null : Conversion.toHost(arguments[0]);
            boolean isList = arguments.length == 1 && output instanceof List<?>;
            if (module.hasSeveralOutputs() && !isList) {
                output = Arrays.stream(arguments).map(Conversion::toHost).toList();
            }
            envoy.mediator(module.path()).skip(module, envoy.visit(), output);
            return null;
        }
    },
    /** Waits until as many blocks have come. */
    BARRIER("barrier") {
        @Override
        @Nullable Object call(Envoy envoy, Value[] arguments) {
            Mediator mediator = envoy.mediator("barrier");
            boolean named = arguments.length > 0 && arguments[0].isString();
            String name = named ? arguments[0].asString() : "";
            int at = named ? 1 : 0;
            int needed =
                    arguments.length > at
                            ? position(arguments, at, "barrier(name, n)")
                            : mediator.blocks();
            checkArgument(needed > 0, "barrier(%s) waits for nobody; say how many blocks", needed);
            mediator.meet(name, needed);
            return null;
        }
    },
    /** Ends the computation early. */
    STOP("stop") {
        @Override
        @Nullable Object call(Envoy envoy, Value[] arguments) {
            Object reason = arguments.length == 0 ? null : Conversion.toHost(arguments[0]);
            envoy.mediator("stop").stopComputation(reason == null ? null : String.valueOf(reason));
            return null;
        }
    },
    /** A part that a point of the same name hides. */
    MODULE("module") {
        @Override
        Object call(Envoy envoy, Value[] arguments) {
            checkArgument(
                    arguments.length == 1 && arguments[0].isString(),
                    "module(path) takes the path of a part, such as layer.3.output");
            String path = arguments[0].asString();
            HookNode part =
                    envoy.node() == envoy.points().root()
                            ? envoy.points().part(path)
                            : envoy.node().find(path);
            if (part == null) {
                throw HookException.unknown(path, NearestNames.of(path, envoy.points().paths()));
            }
            return Envoy.of(envoy.points(), part, envoy.visit());
        }
    },
    /** Which visit of its points a part means; no call but a number. */
    INDEX("index") {
        @Override
        Object of(Envoy envoy) {
            return envoy.visit();
        }

        @Override
        Object call(Envoy envoy, Value[] arguments) {
            throw new AssertionError("the index is no call");
        }
    };

    private static final Map<String, EnvoyCall> BY_NAME = new HashMap<>();

    static {
        for (EnvoyCall call : values()) {
            BY_NAME.put(call.name, call);
            BY_NAME.put("$" + call.name, call);
        }
    }

    private final String name;

    EnvoyCall(String name) {
        this.name = name;
    }

    /** Returns the call of a name, with or without a dollar sign, or null. */
    static @Nullable EnvoyCall named(String name) {
        return BY_NAME.get(requireNonNull(name, "name"));
    }

    /** Returns what guest code sees when it names the call. */
    Object of(Envoy envoy) {
        return (ProxyExecutable) arguments -> call(envoy, arguments);
    }

    abstract @Nullable Object call(Envoy envoy, Value[] arguments);

    private static int position(Value[] arguments, int index, String form) {
        checkArgument(
                arguments.length > index
                        && arguments[index].fitsInInt()
                        && arguments[index].asInt() >= 0,
                "%s takes whole numbers from 0, given %s",
                form,
                arguments.length > index ? arguments[index] : "nothing");
        return arguments[index].asInt();
    }
}
