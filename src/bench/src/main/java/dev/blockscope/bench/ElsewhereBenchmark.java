package dev.blockscope.bench;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockResult;
import dev.blockscope.Frame;
import dev.blockscope.wire.Dispatcher;
import dev.blockscope.wire.Envelope;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Blocks as bytes, and blocks that a dispatcher runs in this JVM. */
@State(Scope.Thread)
public class ElsewhereBenchmark extends Measured {
    /** What an envelope may have over the text, the names and the values, in bytes. */
    static final int PAYLOAD = 300;

    private static final int TENSOR = 1 << 18;

    private static final String TEXT = "total = a + b + c + d + e + f + g + h + i + j";

    private final Map<String, @Nullable Object> locals = new HashMap<>();
    private BlockEngine engine;
    private BlockEngine workers;
    private Dispatcher dispatcher;
    private Block block;
    private Block blockOfTensor;
    private float[] tensor;

    /** Captures a block of ten numbers, and one of an array of 1 MB. */
    @Setup(Level.Trial)
    public void open() {
        engine = BlockEngine.create();
        workers = BlockEngine.create();
        dispatcher = Dispatcher.inJvm(workers);
        for (char name = 'a'; name <= 'j'; name++) {
            locals.put(String.valueOf(name), name - 'a' + 0.5);
        }
        block = engine.capture(TEXT, Frame.of(locals));
        tensor = new float[TENSOR];
        Arrays.setAll(new double[TENSOR], i -> tensor[i] = i);
        Map<String, @Nullable Object> held = new LinkedHashMap<>();
        held.put("tensor", tensor);
        blockOfTensor = engine.capture("tensor.length", Frame.of(held));
        requireSmallPayload();
    }

    private void requireSmallPayload() {
        int plain = TEXT.length() + locals.size() * (1 + Double.BYTES);
        int over = Envelope.of(block).toBytes().length - plain;
        if (over > PAYLOAD) {
            throw new IllegalStateException(
                    "the envelope has %d bytes over its text and values, and may have %d"
                            .formatted(over, PAYLOAD));
        }
    }

    /** Closes the engines. */
    @TearDown(Level.Trial)
    public void close() {
        dispatcher.close();
        workers.close();
        engine.close();
    }

    /** A run here. */
    @Benchmark
    public BlockResult here() {
        return block.run();
    }

    /** A run on a thread of the engine's here, so that one thread waits for another. */
    @Benchmark
    public BlockResult onAThread() throws ExecutionException, InterruptedException {
        return block.runAsync().get();
    }

    /** A run by a dispatcher to workers in this JVM. */
    @Benchmark
    public BlockResult dispatched() throws ExecutionException, InterruptedException {
        return dispatcher.submit(block).future().get();
    }

    /** A block with ten numbers to bytes and back. */
    @Benchmark
    public Envelope tenValues() {
        return Envelope.read(Envelope.of(block).toBytes());
    }

    /** A block with an array of 1 MB to bytes and back. */
    @Benchmark
    public Envelope tensor() {
        return Envelope.read(Envelope.of(blockOfTensor).toBytes());
    }

    /** What an array of 1 MB takes that is copied three times. */
    @Benchmark
    public Object copies() {
        return tensor.clone().clone().clone();
    }
}
