package dev.blockscope.bench;

import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import java.util.Map;
import org.graalvm.polyglot.Context;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The first run of a text that was never seen, parse included, with guest code interpreted. */
@State(Scope.Thread)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "-Xms2g",
            "-Xmx2g",
            "-Xmn512m",
            "-XX:+AlwaysPreTouch",
            "-Dtruffle.UseFallbackRuntime=true"
        })
public class FirstRunBenchmark extends Measured {
    /** Without let, const and class at its top level, which a context takes only once. */
    private static final String TEXT =
            """
            function rounded(x) { return Math.round(x * 100) / 100 }
            fee = 0
            for (let i = 0; i < quantity; i++) fee += 0.25
            total = rounded(price * quantity * (1 - discount) + fee + %d)
            """;

    private final Map<String, @Nullable Object> locals = SmallJob.locals();

    private BlockEngine engine;
    private Frame frame;
    private Context context;
    private int texts;

    /** Warms the realm and the context. */
    @Setup(Level.Trial)
    public void open() {
        engine = BlockEngine.create();
        if (engine.isCompiled()) {
            throw new IllegalStateException("this is about the interpreter: " + engine.runtime());
        }
        frame = Frame.of(locals);
        context = Context.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();
        SmallJob.locals().forEach(context.getBindings("js")::putMember);
    }

    /** Closes both engines. */
    @TearDown(Level.Trial)
    public void close() {
        engine.close();
        context.close();
    }

    /** Capture, run and push. */
    @Benchmark
    public @Nullable Object block() {
        return engine.capture(TEXT.formatted(texts++), frame).run().value();
    }

    /** The same text as a script. */
    @Benchmark
    public double eval() {
        return context.eval("js", TEXT.formatted(texts++)).asDouble();
    }
}
