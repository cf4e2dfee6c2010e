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
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * What blocks in all-MiniLM-L6-v2 cost, against the bare model on one thread. All contenders take
 * turns in each round, so that a busy machine slows all of them, and the fastest round counts.
 */
public final class Models {
    /** So that guest code, which only runs once in each trace, is compiled. */
    private static final int ROUNDS_OF_SHORT = 80;

    private static final int ROUNDS_OF_LONG = 15;

    /**
     * In a row: each contender has a copy of the weights in the form of its own sessions, and the
     * first runs after another's bring them back into the processor's cache.
     */
    private static final int RUNS = 25;

    private static final int OPENINGS = 5;
    private static final int SHORT = 10;
    private static final int LONG = 112;

    private static final String EDIT_24 =
            """
            for (const layer of model.encoder.layer) {
              layer.attention.self.output.mul_(1)
              layer.attention.module('output').output.mul_(1)
              layer.intermediate.output.mul_(1)
              layer.output.mul_(1)
            }
            """;

    private final OnnxModel model;
    private final OnnxModel inline;
    private final BlockEngine engine;
    private final Frame frame;
    private final List<Row> rows = new ArrayList<>();

    private Models(OnnxModel model, OnnxModel inline, BlockEngine engine) {
        this.model = model;
        this.inline = inline;
        this.engine = engine;
        this.frame = Frame.of(new HashMap<>(Map.of("model", model.envoy())));
    }

    /**
     * Prints the table.
     *
     * @param args nothing, or what a JVM of its own does to have its memory looked at
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path file = Files.createTempFile("minilm-", ".onnx");
        try {
            try (InputStream bytes =
                    requireNonNull(Models.class.getResourceAsStream("/all-minilm-l6-v2.onnx"))) {
                // Not by way of the heap, which would count in the peak of memory.
                Files.copy(bytes, file, StandardCopyOption.REPLACE_EXISTING);
            }
            if (args.length > 0) {
                System.out.println(PeakMemory.MARK + alone(file, args[0]));
                return;
            }
            System.out.println(Row.HEADER);
            rows(file).forEach(row -> System.out.println(row.line()));
        } finally {
            Files.delete(file);
        }
    }

    private static List<Row> rows(Path file) throws IOException, InterruptedException {
        try (OnnxModel model = OnnxModel.open(file);
                OnnxModel inline = OnnxModel.builder().inline(true).open(file);
                BlockEngine engine = BlockEngine.create()) {
            Models models = new Models(model, inline, engine);
            models.times(SHORT);
            models.times(LONG);
            models.secondTrace();
            models.rows.add(opening(file));
            models.rows.add(PeakMemory.row());
            return models.rows;
        }
    }

    private void times(int length) {
        Map<String, Tensor> inputs = inputs(length);
        Map<String, Runnable> contenders = new LinkedHashMap<>();
        contenders.put("bare", () -> model.run(inputs));
        contenders.put("one", tracing(inputs, "hidden = model.encoder.layer[3].output"));
        contenders.put(
                "six",
                tracing(
                        inputs,
                        "hidden = [0, 1, 2, 3, 4, 5].map(i => model.encoder.layer[i].output)"));
        contenders.put("edit", tracing(inputs, "model.encoder.layer[3].output.mul_(2)"));
        contenders.put("edits", tracing(inputs, EDIT_24));
        Frame ofInline = Frame.of(new HashMap<>(Map.of("model", inline.envoy())));
        Block none = engine.capture("nothing = 1", ofInline);
        contenders.put("hooked", () -> inline.trace(inputs, none));
        Block edits = engine.capture(EDIT_24, ofInline);
        contenders.put("inline edits", () -> inline.trace(inputs, edits));
        Block early = engine.capture("hidden = model.encoder.layer[0].output", frame);
        contenders.put("early", () -> model.probe(inputs, early));
        boolean brief = length == SHORT;
        Map<String, Double> best = best(contenders, brief ? ROUNDS_OF_SHORT : ROUNDS_OF_LONG);
        row(best, "one", "reads of one layer", length, 1.1);
        row(best, "six", "reads of six layers", length, 1.15);
        row(best, "edit", "one edit", length, brief ? 1.15 : 1.1);
        row(best, "edits", "24 edits", length, 1.4);
        row(best, "hooked", "inline, all modules hooked and no block waiting", length, 1.15);
        row(best, "inline edits", "inline, 24 edits", length, 1.4);
        row(best, "early", "a probe of layer 0", length, 0.35);
    }

    private Runnable tracing(Map<String, Tensor> inputs, String text) {
        Block block = engine.capture(text, frame);
        return () -> model.trace(inputs, block);
    }

    /** Returns the microseconds of the fastest run of each. */
    private static Map<String, Double> best(Map<String, Runnable> contenders, int rounds) {
        Map<String, Double> best = new HashMap<>();
        for (int round = 0; round < rounds; round++) {
            contenders.forEach((name, contender) -> {
                for (int run = 0; run < RUNS; run++) {
                    best.merge(name, microseconds(contender), Math::min);
                }
            });
        }
        return best;
    }

    private static double microseconds(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e3;
    }

    private void row(Map<String, Double> best, String name, String what, int length, double limit) {
        double ours = requireNonNull(best.get(name));
        double bare = requireNonNull(best.get("bare"));
        rows.add(
                new Row(
                        "MiniLM, %d tokens: %s, against the bare model".formatted(length, what),
                        Row.ofMicroseconds(ours),
                        Row.ofMicroseconds(bare),
                        ours / bare,
                        limit,
                        false));
    }

    private void secondTrace() {
        Map<String, Tensor> inputs = inputs(SHORT);
        Block block = engine.capture(EDIT_24 + "; again = model.encoder.output", frame);
        model.trace(inputs, block);
        long before = model.statistics().builds();
        model.trace(inputs, block);
        long added = model.statistics().builds() - before;
        rows.add(
                new Row(
                        "MiniLM: sessions after a second trace, against the first",
                        String.valueOf(before + added),
                        String.valueOf(before),
                        (before + added) / (double) before,
                        1,
                        false));
    }

    /** The classes are loaded: the model is open already. */
    private static Row opening(Path file) throws IOException {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < OPENINGS; i++) {
            long start = System.nanoTime();
            OnnxModel.open(file).close();
            best = Math.min(best, (System.nanoTime() - start) / 1e3);
        }
        double limit = 150_000;
        return new Row(
                "MiniLM: opening (map, tree, plan), against 150 ms",
                Row.ofMicroseconds(best),
                Row.ofMicroseconds(limit),
                best / limit,
                1,
                false);
    }

    /** Runs the bare model, or one with 24 hooks, and returns the peak memory of this process. */
    private static long alone(Path file, String what) throws IOException {
        try (OnnxModel model = OnnxModel.open(file);
                BlockEngine engine = BlockEngine.create()) {
            Models models = new Models(model, model, engine);
            Map<String, Tensor> inputs = inputs(LONG);
            Runnable run =
                    what.equals(PeakMemory.HOOKED)
                            ? models.tracing(inputs, EDIT_24)
                            : () -> model.run(inputs);
            for (int i = 0; i < RUNS; i++) {
                run.run();
            }
            return PeakMemory.ofThisProcess();
        }
    }

    static Map<String, Tensor> inputs(int length) {
        long[] ids = LongStream.range(0, length).map(i -> 2000 + 37 * i).toArray();
        ids[0] = 101;
        ids[length - 1] = 102;
        long[] ones = new long[length];
        Arrays.fill(ones, 1);
        return Map.of(
                "input_ids", Tensor.of(ids, 1, length),
                "attention_mask", Tensor.of(ones, 1, length),
                "token_type_ids", Tensor.of(new long[length], 1, length));
    }

    static String mebibytes(long kibibytes) {
        return String.format(Locale.ROOT, "%d MiB", kibibytes >> 10);
    }
}
