package dev.blockscope.onnx;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A language model of attentions with a cache, and the inputs that exporters give such models. Its
 * weights are random: what it says is nonsense, but each word of it depends on all before.
 */
final class CachedModel {
    static final int WORDS = 23;
    private static final int WIDTH = 8;
    private static final int POSITIONS = 64;

    private final Random random;
    private final int layers;
    private final TinyModel model = new TinyModel();

    private CachedModel(long seed, int layers) {
        this.random = new Random(seed);
        this.layers = layers;
    }

    /** Opens a model of one layer; another seed gives other weights. */
    static OnnxModel open(long seed) {
        return open(seed, 1);
    }

    /** Opens a model of some layers. */
    static OnnxModel open(long seed, int layers) {
        try {
            Path folder = Files.createTempDirectory("cached");
            folder.toFile().deleteOnExit();
            Path file = new CachedModel(seed, layers).build().writeTo(folder);
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
        for (int layer = 0; layer < layers; layer++) {
            for (String part : List.of("key", "value")) {
                String cache = layer + "." + part;
                model.input(
                                "past_key_values." + cache,
                                DType.FLOAT32,
                                "batch",
                                "1",
                                "past_length",
                                width)
                        .output("present." + cache, DType.FLOAT32);
            }
        }
        model.output("logits", DType.FLOAT32);
        weights("words", WORDS, WIDTH);
        weights("places", POSITIONS, WIDTH);
        weights("out", WIDTH, WORDS);
        model.floats("lowest", List.of(1L), -1e9f);
        model.whole("one", 1).wholes("first", 1).wholes("second", 2).wholes("outer", 1, 3);
        model.wholes("middle", 1, 2);
        embed();
        mask();
        IntStream.range(0, layers).forEach(this::attend);
        return model.node("MatMul", "/lm_head/MatMul", "x" + layers + " out", "logits");
    }

    private void embed() {
        model.node("Gather", "/wte/Gather", "words input_ids", "meaning")
                .node("Gather", "/wpe/Gather", "places position_ids", "place")
                .node("Add", "/embed/Add", "meaning place", "x0");
    }

    /** A position may look at those up to its own. */
    private void mask() {
        model.node("CumSum", "/mask/CumSum", "attention_mask one", "counted")
                .node("Sub", "/mask/Sub", "counted one", "theirs")
                .node("Unsqueeze", "/mask/Unsqueeze_theirs", "theirs middle", "of_keys")
                .node("Unsqueeze", "/mask/Unsqueeze_own", "position_ids outer", "of_queries")
                .node("LessOrEqual", "/mask/LessOrEqual", "of_keys of_queries", "allowed");
    }

    /** A layer reads {@code x0}, {@code x1} and so on, and adds to it in a module of its own. */
    private void attend(int layer) {
        String scope = "/h.%d/".formatted(layer);
        String in = "x" + layer;
        for (String part : List.of("query", "key", "value")) {
            weights("w_" + part + layer, WIDTH, WIDTH);
            String flat = "flat_" + part + layer;
            model.node("MatMul", scope + part + "/MatMul", in + " w_" + part + layer, flat)
                    .node("Unsqueeze", scope + "Unsqueeze_" + part, flat + " first", part + layer);
        }
        List<WireWriter> behind = List.of(integer("axis", 2));
        for (String part : List.of("key", "value")) {
            String cache = layer + "." + part;
            model.node(
                    "Concat",
                    scope + "Concat_" + part,
                    "past_key_values." + cache + " " + part + layer,
                    "present." + cache,
                    behind);
        }
        List<WireWriter> last = List.of(integer("axis", -1));
        String shares = "shares" + layer;
        String present = "present." + layer;
        model.node("Transpose", scope + "Transpose", present + ".key", "t" + layer, List.of(turn()))
                .node("MatMul", scope + "MatMul", "query%1$d t%1$d".formatted(layer), "s" + layer)
                .node("Where", scope + "Where", "allowed s" + layer + " lowest", "masked" + layer)
                .node("Softmax", scope + "Softmax", "masked" + layer, shares, last)
                .node("MatMul", scope + "MatMul_1", shares + " " + present + ".value", "m" + layer)
                .node("Squeeze", scope + "Squeeze", "m" + layer + " first", "attended" + layer)
                .node(
                        "Add",
                        "/residual.%d/Add".formatted(layer),
                        in + " attended" + layer,
                        "x" + (layer + 1));
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
