package dev.blockscope.bench;

import groovy.lang.GroovyShell;
import groovy.lang.Script;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.commons.jexl3.JexlBuilder;
import org.apache.commons.jexl3.JexlFeatures;
import org.apache.commons.jexl3.JexlScript;
import org.apache.commons.jexl3.MapContext;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The {@link SmallJob} done the ways it is done without us, each with its text parsed beforehand
 * and its names read from a map and written to it.
 */
@State(Scope.Thread)
public class TodayBenchmark extends Measured {
    private final Map<String, @Nullable Object> locals = SmallJob.localsAndResults();

    /** One engine for many contexts, so that the text is parsed once. */
    @State(Scope.Thread)
    public static class Engines {
        private Engine engine;

        /** Makes the engine. */
        @Setup(Level.Trial)
        public void open() {
            engine = Engine.create("js");
        }

        /** Closes it. */
        @TearDown(Level.Trial)
        public void close() {
            engine.close(true);
        }
    }

    /** A context for all runs. */
    @State(Scope.Thread)
    public static class SharedContext {
        private Context context;
        private Value with;

        /** Makes the context. */
        @Setup(Level.Trial)
        public void open() {
            context = Context.create("js");
            with =
                    context.eval(
                            "js",
                            "(function (scope) { with (scope) { %s } })".formatted(SmallJob.TEXT));
        }

        /** Closes it. */
        @TearDown(Level.Trial)
        public void close() {
            context.close();
        }
    }

    /** Rhino, which compiles to byte code. */
    @State(Scope.Thread)
    public static class Rhino {
        private final ContextFactory factory = new ContextFactory();
        private ScriptableObject builtins;
        private org.mozilla.javascript.Script script;

        /** Compiles the text and makes the builtins. */
        @Setup(Level.Trial)
        public void open() {
            builtins = factory.call(cx -> cx.initStandardObjects(null, true));
            script = factory.call(cx -> cx.compileString(SmallJob.TEXT, "job.js", 1, null));
        }
    }

    /** JEXL. */
    @State(Scope.Thread)
    public static class Jexl {
        private final JexlScript script =
                new JexlBuilder()
                        .features(JexlFeatures.createDefault().sideEffectGlobal(true))
                        .create()
                        .createScript(SmallJob.TEXT);
    }

    /** Groovy, its text compiled to a class. */
    @State(Scope.Thread)
    public static class Groovy {
        private final Script script = new GroovyShell().parse(SmallJob.TEXT);
    }

    /** A context for this run alone, of a shared engine. */
    @Benchmark
    public @Nullable Object freshContext(Engines engines) {
        try (Context context = Context.newBuilder("js").engine(engines.engine).build()) {
            evaluate(context);
        }
        return SmallJob.checked(locals);
    }

    /** One context; the names are its global ones. */
    @Benchmark
    public @Nullable Object sharedContext(SharedContext shared) {
        evaluate(shared.context);
        return SmallJob.checked(locals);
    }

    /** One context; the text in a {@code with} over the map. */
    @Benchmark
    public @Nullable Object withOverProxy(SharedContext shared) {
        shared.with.executeVoid(new MapProxy(locals));
        return SmallJob.checked(locals);
    }

    /** Rhino, with a scope for this run alone over the shared builtins. */
    @Benchmark
    public @Nullable Object rhino(Rhino rhino) {
        return rhino.factory.call(cx -> {
            Scriptable scope = cx.newObject(rhino.builtins);
            scope.setPrototype(rhino.builtins);
            scope.setParentScope(null);
            copyIn((name, value) -> scope.put(name, scope, value));
            rhino.script.exec(cx, scope, scope);
            copyOut(name -> scope.get(name, scope));
            return SmallJob.checked(locals);
        });
    }

    /** JEXL, straight on the map. */
    @Benchmark
    public @Nullable Object jexl(Jexl jexl) {
        jexl.script.execute(new MapContext(locals));
        return SmallJob.checked(locals);
    }

    /** Groovy, with a binding for this run alone. */
    @Benchmark
    public @Nullable Object groovy(Groovy groovy) {
        groovy.lang.Binding binding = new groovy.lang.Binding();
        copyIn(binding::setVariable);
        groovy.script.setBinding(binding);
        groovy.script.run();
        copyOut(binding::getVariable);
        return SmallJob.checked(locals);
    }

    private void evaluate(Context context) {
        Value bindings = context.getBindings("js");
        copyIn(bindings::putMember);
        context.eval(SmallJob.SOURCE);
        copyOut(name -> bindings.getMember(name).as(Object.class));
    }

    private void copyIn(BiConsumer<String, @Nullable Object> names) {
        for (String name : SmallJob.IN) {
            names.accept(name, locals.get(name));
        }
    }

    private void copyOut(Function<String, @Nullable Object> names) {
        for (String name : SmallJob.OUT) {
            locals.put(name, names.apply(name));
        }
    }

    /** A map as a guest object. */
    private record MapProxy(Map<String, @Nullable Object> map) implements ProxyObject {
        @Override
        public @Nullable Object getMember(String key) {
            return map.get(key);
        }

        @Override
        public Object getMemberKeys() {
            return ProxyArray.fromArray(map.keySet().toArray());
        }

        @Override
        public boolean hasMember(String key) {
            return map.containsKey(key);
        }

        @Override
        public void putMember(String key, Value value) {
            map.put(key, value.as(Object.class));
        }
    }
}
