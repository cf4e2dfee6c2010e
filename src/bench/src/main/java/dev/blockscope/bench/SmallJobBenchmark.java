package dev.blockscope.bench;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import java.util.Map;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The {@link SmallJob} as a block, and as a function called by hand. */
@State(Scope.Thread)
public class SmallJobBenchmark extends Measured {
    private final Map<String, @Nullable Object> locals = SmallJob.locals();
    private final Map<String, @Nullable Object> known = SmallJob.localsAndResults();

    private BlockEngine engine;
    private Frame frame;
    private Block block;
    private Block blockOfKnownNames;
    private Context context;
    private Value function;

    /** Captures the blocks, and makes the function. */
    @Setup(Level.Trial)
    public void open() {
        engine = BlockEngine.create();
        frame = Frame.of(locals);
        block = engine.capture(SmallJob.TEXT, frame);
        blockOfKnownNames = engine.capture(SmallJob.TEXT, Frame.of(known));
        context = Context.create("js");
        function = context.eval("js", SmallJob.FUNCTION);
    }

    /** Closes both engines. */
    @TearDown(Level.Trial)
    public void close() {
        engine.close();
        context.close();
    }

    /** The function, with the copies by hand. */
    @Benchmark
    public @Nullable Object function() {
        Value results =
                function.execute(
                        locals.get("price"),
                        locals.get("quantity"),
                        locals.get("discount"),
                        locals.get("tax"),
                        locals.get("shipping"));
        locals.put("subtotal", results.getArrayElement(0).as(Object.class));
        locals.put("total", results.getArrayElement(1).as(Object.class));
        return SmallJob.checked(locals);
    }

    /** A captured block, run again; the two names it assigns are new to its snapshot. */
    @Benchmark
    public @Nullable Object block() {
        block.run();
        return SmallJob.checked(locals);
    }

    /** A captured block, run again; the two names it assigns have values already. */
    @Benchmark
    public @Nullable Object blockOfKnownNames() {
        blockOfKnownNames.run();
        return SmallJob.checked(known);
    }

    /** What a rule with new values each time takes: capture in one frame, then run. */
    @Benchmark
    public @Nullable Object capturedEachTime() {
        engine.capture(SmallJob.TEXT, frame).run();
        return SmallJob.checked(locals);
    }

    /** The same in a frame of its own each time. */
    @Benchmark
    public @Nullable Object frameEachTime() {
        Map<String, @Nullable Object> fresh = SmallJob.locals();
        engine.capture(SmallJob.TEXT, Frame.of(fresh)).run();
        return SmallJob.checked(fresh);
    }
}
