package dev.blockscope.bench;

import static java.util.Objects.requireNonNull;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import dev.blockscope.onnx.OnnxModel;
import dev.blockscope.onnx.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One hook in the middle of all-MiniLM-L6-v2 at sequence length 10, against the whole model. */
@State(Scope.Thread)
public class HookBenchmark extends Measured {

    /** "[CLS] the engine makes a very strange noise . [SEP]" */
    private static final long[] TOKENS = {101, 1996, 3194, 3084, 1037, 2200, 4326, 5005, 1012, 102};

    private Path file;
    private OnnxModel model;
    private BlockEngine engine;
    private Block reader;
    private Block editor;
    private Map<String, Tensor> inputs;

    /** Opens the model and captures the blocks. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        file = Files.createTempFile("minilm-", ".onnx");
        try (InputStream bytes =
                requireNonNull(HookBenchmark.class.getResourceAsStream("/all-minilm-l6-v2.onnx"))) {
            Files.write(file, bytes.readAllBytes());
        }
        model = OnnxModel.open(file);
        engine = BlockEngine.create();
        Frame frame = Frame.of(new HashMap<>(Map.of("model", model.envoy())));
        reader = engine.capture("hidden = model.encoder.layer[3].output", frame);
        editor =
                engine.capture(
                        "model.encoder.layer[3].output = model.encoder.layer[3].output.mul(2)",
                        frame);
        long length = TOKENS.length;
        inputs =
                Map.of(
                        "input_ids", Tensor.of(TOKENS, 1, length),
                        "attention_mask", Tensor.of(ones(TOKENS.length), 1, length),
                        "token_type_ids", Tensor.of(new long[TOKENS.length], 1, length));
    }

    /** Closes everything and takes the file away. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        engine.close();
        model.close();
        Files.delete(file);
    }

    /** The whole model, with no block. */
    @Benchmark
    public Map<String, Tensor> baseline() {
        return model.run(inputs);
    }

    /** A block that reads the output of layer 3 and gets it pushed. */
    @Benchmark
    public Map<String, Tensor> hookThatReads() {
        return model.trace(inputs, reader).result();
    }

    /** A block that replaces the output of layer 3. */
    @Benchmark
    public Map<String, Tensor> hookThatReplaces() {
        return model.trace(inputs, editor).result();
    }

    private static long[] ones(int length) {
        long[] ones = new long[length];
        Arrays.fill(ones, 1);
        return ones;
    }
}
