package dev.blockscope.bench;

import static java.util.Objects.requireNonNull;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import dev.blockscope.Limits;
import dev.blockscope.onnx.ModelVocabulary;
import dev.blockscope.onnx.OnnxModel;
import dev.blockscope.onnx.RemoteModel;
import dev.blockscope.onnx.Tensor;
import dev.blockscope.pekko.Gateway;
import dev.blockscope.pekko.Worker;
import dev.blockscope.wire.Dispatcher;
import dev.blockscope.wire.EnvelopeRunner;
import dev.blockscope.wire.Vocabulary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * How much more two workers trace than one, against how much more two plain processes run of the
 * same model. All take turns in each round, and the middle round counts.
 */
public final class Workers {
    private static final int ROUNDS = 9;

    /** Guest code runs once in each trace: it takes some hundred until it is compiled. */
    private static final int WARM_UP = 10;

    private static final int TOKENS = 112;
    private static final long NANOS = 3_000_000_000L;

    /** So many are on their way at once, that no worker waits for the next. */
    private static final int IN_FLIGHT = 8;

    private static final String ALONE = "alone";
    private static final String SHARED = "shared";

    private final Dispatcher dispatcher;
    private final BlockEngine engine;
    private final List<JvmProcess> plain;

    private Workers(Dispatcher dispatcher, BlockEngine engine, List<JvmProcess> plain) {
        this.dispatcher = dispatcher;
        this.engine = engine;
        this.plain = plain;
    }

    /**
     * Prints the table.
     *
     * @param args nothing, or what a process of its own is: {@code worker GATEWAY FILE NAME...} or
     *     {@code plain FILE}
     */
    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            measure();
        } else if (args[0].equals("worker")) {
            work(args[1], Path.of(args[2]), List.of(args).subList(3, args.length));
        } else {
            run(Path.of(args[1]));
        }
    }

    private static void measure() throws Exception {
        Path file = Files.createTempFile("minilm-", ".onnx");
        try {
            try (InputStream bytes =
                    requireNonNull(Workers.class.getResourceAsStream("/all-minilm-l6-v2.onnx"))) {
                Files.write(file, bytes.readAllBytes());
            }
            String model = file.toString();
            try (Gateway gateway = Gateway.builder().start();
                    JvmProcess first =
                            JvmProcess.start(
                                    Workers.class,
                                    "worker",
                                    gateway.address(),
                                    model,
                                    ALONE,
                                    SHARED);
                    JvmProcess second =
                            JvmProcess.start(
                                    Workers.class, "worker", gateway.address(), model, SHARED);
                    JvmProcess one = JvmProcess.start(Workers.class, "plain", model);
                    JvmProcess other = JvmProcess.start(Workers.class, "plain", model);
                    BlockEngine engine = BlockEngine.create();
                    Dispatcher dispatcher =
                            Dispatcher.over(gateway.carrier("bench"), Vocabulary.EMPTY)) {
                for (JvmProcess each : List.of(first, second, one, other)) {
                    each.requireLine("ready");
                }
                Row row = new Workers(dispatcher, engine, List.of(one, other)).row();
                System.out.println(Row.HEADER);
                System.out.println(row.line());
            }
        } finally {
            Files.delete(file);
        }
    }

    private Row row() throws Exception {
        double[] ours = new double[ROUNDS];
        double[] theirs = new double[ROUNDS];
        for (int i = 0; i < WARM_UP; i++) {
            traced(SHARED);
        }
        for (int round = 0; round < ROUNDS; round++) {
            theirs[round] = plainRuns(plain) / plainRuns(plain.subList(0, 1));
            ours[round] = traced(SHARED) / traced(ALONE);
        }
        double gain = middle(ours);
        double of = middle(theirs);
        return new Row(
                "MiniLM, %d tokens: gain of a second worker, against that of a second plain process"
                        .formatted(TOKENS),
                String.format(Locale.ROOT, "%.2f times", gain),
                String.format(Locale.ROOT, "%.2f times", of),
                gain / of,
                0.85,
                true);
    }

    private static double middle(double[] figures) {
        Arrays.sort(figures);
        return figures[figures.length / 2];
    }

    /** Returns how often some plain processes ran the model, all at once. */
    private static double plainRuns(List<JvmProcess> processes) throws IOException {
        for (JvmProcess each : processes) {
            each.say("go");
        }
        double runs = 0;
        for (JvmProcess each : processes) {
            runs += Double.parseDouble(each.line());
        }
        return runs;
    }

    /** Returns how often workers that have a model traced it. */
    private double traced(String name) throws InterruptedException, ExecutionException {
        RemoteModel model = RemoteModel.of(dispatcher.toModel(name));
        Map<String, Tensor> inputs = Models.inputs(TOKENS);
        Block block =
                engine.capture(
                        "size = model.encoder.layer[3].output.norm()",
                        Frame.of(new HashMap<>(Map.of("model", model.envoy()))));
        Queue<Future<?>> onTheWay = new ArrayDeque<>();
        int done = 0;
        long end = System.nanoTime() + NANOS;
        while (System.nanoTime() < end) {
            while (onTheWay.size() < IN_FLIGHT) {
                onTheWay.add(model.trace(inputs, block).future());
            }
            onTheWay.remove().get();
            done++;
        }
        for (Future<?> late : onTheWay) {
            late.get();
        }
        return done;
    }

    /** A worker with one slot, whose models are one file. */
    private static void work(String gateway, Path file, List<String> names) throws Exception {
        try (OnnxModel model = OnnxModel.builder().threads(1).open(file);
                BlockEngine engine = BlockEngine.create()) {
            Worker.Builder builder = Worker.builder(gateway);
            for (String name : names) {
                builder.model(
                        name,
                        new EnvelopeRunner(
                                engine, ModelVocabulary.hosting(Map.of(name, model)), Limits.NONE));
            }
            try (Worker worker = builder.start()) {
                worker.ready().get();
                System.out.println("ready");
                var _ = System.in.readAllBytes();
            }
        }
    }

    /** Runs the bare model for a while at each line of the input. */
    private static void run(Path file) throws IOException {
        try (OnnxModel model = OnnxModel.builder().threads(1).open(file)) {
            Map<String, Tensor> inputs = Models.inputs(TOKENS);
            runs(model, inputs);
            System.out.println("ready");
            while (System.in.read() == 'g') {
                System.in.skipNBytes("o\n".length());
                System.out.println(runs(model, inputs));
            }
        }
    }

    private static int runs(OnnxModel model, Map<String, Tensor> inputs) {
        int runs = 0;
        long end = System.nanoTime() + NANOS;
        while (System.nanoTime() < end) {
            model.run(inputs);
            runs++;
        }
        return runs;
    }
}
