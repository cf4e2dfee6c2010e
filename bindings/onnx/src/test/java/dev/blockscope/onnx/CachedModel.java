package dev.blockscope.onnx;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A language model of one attention with a cache, and the inputs that exporters give such models.
 * Its weights are random: what it says is nonsense, but each word of it depends on all before.
 */
final class CachedModel {
    static final int WORDS = 23;
    private static final int WIDTH = 8;
    private static final int POSITIONS = 64;

    private final Random random;
    private final TinyModel model = new TinyModel();

    private CachedModel(long seed) {
        this.random = new Random(seed);
    }

    /** Opens a model; another seed gives other weights. */
    static OnnxModel open(long seed) {
        try {
            Path folder = Files.createTempDirectory("cached");
            folder.toFile().deleteOnExit();
            Path file = new CachedModel(seed).build().writeTo(folder);
            file.toFile().deleteOnExit();
            return OnnxModel.open(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private TinyModel build() {
        String width = Integer.toString(WIDTH);
        model.input("input_ids", DType.INT64, "batch", "length")
                .input("attention_mask", DType.INT64, "batch", "past_length + length")
                .input("position_ids", DType.INT64, "batch", "length");
        for (String part : List.of("key", "value")) {
            model.input(
                            "past_key_values.0." + part,
                            DType.FLOAT32,
                            "batch",
                            "1",
                            "past_length",
                            width)
                    .output("present.0." + part, DType.FLOAT32);
        }
        model.output("logits", DType.FLOAT32);
        weights("words", WORDS, WIDTH);
        weights("places", POSITIONS, WIDTH);
        weights("out", WIDTH, WORDS);
        model.floats("lowest", List.of(1L), -1e9f);
        model.whole("one", 1).wholes("first", 1).wholes("second", 2).wholes("outer", 1, 3);
        model.wholes("middle", 1, 2);
        embed();
        attend();
        model.node("Add", "/h.0/Add", "x attended", "hidden")
                .node("MatMul", "/lm_head/MatMul", "hidden out", "logits");
        return model;
    }

    private void embed() {
        model.node("Gather", "/wte/Gather", "words input_ids", "meaning")
                .node("Gather", "/wpe/Gather", "places position_ids", "place")
                .node("Add", "/embed/Add", "meaning place", "x");
    }

    private void attend() {
        for (String part : List.of("query", "key", "value")) {
            weights("w_" + part, WIDTH, WIDTH);
            model.node("MatMul", "/h.0/" + part + "/MatMul", "x w_" + part, "flat_" + part)
                    .node("Unsqueeze", "/h.0/Unsqueeze_" + part, "flat_" + part + " first", part);
        }
        List<WireWriter> behind = List.of(integer("axis", 2));
        for (String part : List.of("key", "value")) {
            model.node(
                    "Concat",
                    "/h.0/Concat_" + part,
                    "past_key_values.0." + part + " " + part,
                    "present.0." + part,
                    behind);
        }
        // A position may look at those up to its own.
        model.node("CumSum", "/h.0/CumSum", "attention_mask one", "counted")
                .node("Sub", "/h.0/Sub", "counted one", "theirs")
                .node("Unsqueeze", "/h.0/Unsqueeze_theirs", "theirs middle", "of_keys")
                .node("Unsqueeze", "/h.0/Unsqueeze_own", "position_ids outer", "of_queries")
                .node("LessOrEqual", "/h.0/LessOrEqual", "of_keys of_queries", "allowed")
                .node("Transpose", "/h.0/Transpose", "present.0.key", "turned", List.of(turn()))
                .node("MatMul", "/h.0/MatMul", "query turned", "scores")
                .node("Where", "/h.0/Where", "allowed scores lowest", "masked")
                .node("Softmax", "/h.0/Softmax", "masked", "shares", List.of(integer("axis", -1)))
                .node("MatMul", "/h.0/MatMul_1", "shares present.0.value", "mixed")
                .node("Squeeze", "/h.0/Squeeze", "mixed first", "attended");
    }

    private void weights(String name, int rows, int columns) {
        float[] values = new float[rows * columns];
        IntStream.range(0, values.length).forEach(i -> values[i] = (float) random.nextGaussian());
        model.floats(name, List.of((long) rows, (long) columns), values);
    }

    private static WireWriter integer(String name, long value) {
        return new WireWriter().text(1, name).integer(3, value).integer(20, 2);
    }

    private static WireWriter turn() {
        WireWriter order = new WireWriter().text(1, "perm").integer(20, 7);
        List.of(0, 1, 3, 2).forEach(axis -> order.integer(8, axis));
        return order;
    }
}
