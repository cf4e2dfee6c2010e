package dev.blockscope.bench;

import java.util.Map;
import javax.script.Bindings;
import javax.script.Compilable;
import javax.script.CompiledScript;
import javax.script.ScriptEngine;
import javax.script.ScriptEngineManager;
import javax.script.ScriptException;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The {@link SmallJob} as a compiled script of {@code javax.script} with new bindings each time, by
 * our engine and by that of GraalJS.
 */
@State(Scope.Thread)
public class ScriptEngineBenchmark extends Measured {
    private final Map<String, @Nullable Object> locals = SmallJob.localsAndResults();

    /** Our script engine. */
    @State(Scope.Thread)
    public static class Ours extends Compiled {
        /** Finds it by its name. */
        public Ours() {
            super("blockscope");
        }
    }

    /** GraalJS's script engine. */
    @State(Scope.Thread)
    public static class GraalJs extends Compiled {
        /** Finds it by its name. */
        public GraalJs() {
            super("graal.js");
        }
    }

    /** The text, compiled by an engine. */
    public abstract static class Compiled {
        private final String name;
        ScriptEngine engine;
        CompiledScript script;

        Compiled(String name) {
            this.name = name;
        }

        /** Compiles the text. */
        @Setup(Level.Trial)
        public void open() throws ScriptException {
            engine = new ScriptEngineManager().getEngineByName(name);
            script = ((Compilable) engine).compile(SmallJob.TEXT);
        }

        /** Closes the engine. */
        @TearDown(Level.Trial)
        public void close() throws Exception {
            ((AutoCloseable) engine).close();
        }
    }

    /** Our engine. */
    @Benchmark
    public @Nullable Object blockscope(Ours ours) throws ScriptException {
        Bindings bindings = ours.engine.createBindings();
        run(ours.script, bindings);
        return SmallJob.checked(locals);
    }

    /** GraalJS's engine, whose bindings hold a context that must be closed. */
    @Benchmark
    public @Nullable Object graalJs(GraalJs theirs) throws Exception {
        Bindings bindings = theirs.engine.createBindings();
        try (AutoCloseable _ = (AutoCloseable) bindings) {
            run(theirs.script, bindings);
        }
        return SmallJob.checked(locals);
    }

    private void run(CompiledScript script, Bindings bindings) throws ScriptException {
        SmallJob.IN.forEach(name -> bindings.put(name, locals.get(name)));
        script.eval(bindings);
        SmallJob.OUT.forEach(name -> locals.put(name, bindings.get(name)));
    }
}
