package dev.blockscope.bench;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Capture of a text that the engine knows, with new values for its names. */
@State(Scope.Thread)
public class CaptureBenchmark extends Measured {
    private final Map<String, @Nullable Object> locals = SmallJob.locals();

    private BlockEngine engine;
    private Frame frame;
    private int price;

    /** Captures the text for the first time. */
    @Setup(Level.Trial)
    public void open() {
        engine = BlockEngine.create();
        frame = Frame.of(locals);
        engine.capture(SmallJob.TEXT, frame).run();
    }

    /** Closes the engine. */
    @TearDown(Level.Trial)
    public void close() {
        engine.close();
    }

    /** A capture. */
    @Benchmark
    public Block capture() {
        locals.put("price", price++);
        return engine.capture(SmallJob.TEXT, frame);
    }

    /** What of it can be done by hand: a copy of the map. */
    @Benchmark
    public Map<String, @Nullable Object> copyByHand() {
        locals.put("price", price++);
        return new HashMap<>(locals);
    }
}
