package dev.blockscope.samples;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.blockscope.BlockEngine;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.onnx.RemoteModel;
import dev.blockscope.pekko.DoorCarrier;
import dev.blockscope.wire.Dispatcher;
import dev.blockscope.wire.RemoteTrace;
import dev.blockscope.wire.Vocabulary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs traces of a model on a cluster of real processes, and kills one of them in the middle. */
@Command(
        name = "samples/run cluster",
        sortOptions = false,
        description = {
            "Starts a gateway and two workers with the model all-MiniLM-L6-v2, each in a process",
            "of its own on 127.0.0.1, sends them traces, and kills a worker in the middle. A",
            "table shows what waits, runs and is done; a picture shows what was where when.",
            ""
        },
        footer = {
            "",
            "Names the block sees:",
            "  model     the modules of the model, as in samples/run steer-minilm",
            "  tokens    the tokens of the trace's sentence, an array of strings"
        })
final class Cluster extends Recipe {
    private static final String MODEL = "minilm";
    private static final List<String> WORKERS = List.of("first", "second");
    private static final int SLOTS = 2;
    private static final int LEASE_MILLIS = 2000;
    private static final double ROW_SECONDS = 0.25;
    private static final int COMPARED = 10;

    private static final List<String> WHO = List.of("cook", "driver", "teacher", "child", "storm");
    private static final List<String> DOES =
            List.of("finds", "carries", "breaks", "forgets", "sees", "moves", "wants", "loses");
    private static final List<String> WHAT =
            List.of("the bread", "an old engine", "a small house", "the letter", "every window");

    @Option(
            names = "--traces",
            paramLabel = "N",
            description = "how many traces are sent (default: ${DEFAULT-VALUE})",
            defaultValue = "200")
    private int traces = 200;

    @Option(names = "--spare", description = "kills nobody")
    private boolean spare;

    @Option(
            names = "--most",
            paramLabel = "SECONDS",
            description = "how long the traces may take (default: ${DEFAULT-VALUE})",
            defaultValue = "120")
    private int most = 120;

    /** What has been pushed into the frame of each trace. */
    private final List<Map<String, @Nullable Object>> frames = new ArrayList<>();

    private final List<RemoteTrace<?>> sent = new ArrayList<>();

    Cluster() {
        super("cluster");
    }

    /** Runs the sample; the exit status is 1 if a trace came to nothing, 2 for wrong arguments. */
    public static void main(String[] args) {
        System.exit(new Cluster().commandLine().execute(args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        if (traces < 1) {
            throw wrong("%d traces are none; send 1 or more".formatted(traces));
        }
        BlockSource source = block();
        try (BlockEngine engine = BlockEngine.create();
                Minilm minilm = Minilm.open();
                LocalCluster cluster = started(minilm)) {
            Thread ending = Thread.ofPlatform().unstarted(() -> end(cluster));
            Runtime.getRuntime().addShutdownHook(ending);
            int status = run(engine, minilm, cluster, source);
            Runtime.getRuntime().removeShutdownHook(ending);
            return status;
        }
    }

    /** Ctrl-C ends this process before its {@code try} has closed anything. */
    private void end(LocalCluster cluster) {
        try {
            cluster.close();
        } catch (IOException e) {
            err().printf("cluster: %s%n", e.getMessage());
        }
    }

    private LocalCluster started(Minilm minilm) throws IOException {
        try (Progress progress = Progress.of(1)) {
            progress.step("starting the gateway and %d workers".formatted(WORKERS.size()));
            return new LocalCluster(LEASE_MILLIS, MODEL, minilm.file(), WORKERS, SLOTS);
        }
    }

    private int run(BlockEngine engine, Minilm minilm, LocalCluster cluster, BlockSource source)
            throws IOException, InterruptedException, ExecutionException {
        print("gateway  door at %s", cluster.door());
        print("workers  %s, %d slots each%n", String.join(", ", WORKERS), SLOTS);
        Timeline timeline = new Timeline(traces);
        try (DoorCarrier carrier = DoorCarrier.builder(cluster.door()).build()) {
            Dispatcher dispatcher = Dispatcher.over(carrier, Vocabulary.EMPTY).toModel(MODEL);
            RemoteModel model = RemoteModel.of(dispatcher);
            Future<?> sending =
                    CompletableFuture.runAsync(() -> send(engine, minilm, model, source, timeline));
            watch(cluster, timeline, sending);
            require(sending);
        }
        for (RemoteTrace<?> trace : sent) {
            require(trace.future());
        }
        print(
                "%n%d traces came to a result in %.1f s; %d were begun again, and no result was taken twice",
                traces, timeline.now(), timeline.counts().retried());
        if (isOwnBlock()) {
            showResults();
        }
        print("%s", difference(engine, minilm, source));
        draw(png -> TimelinePicture.write(png, "What ran where", timeline.attempts(), SLOTS));
        return CommandLine.ExitCode.OK;
    }

    private static String sentence(int number) {
        String who = WHO.get(number % WHO.size());
        String does = DOES.get(number / WHO.size() % DOES.size());
        String what = WHAT.get(number / WHO.size() / DOES.size() % WHAT.size());
        return "The %s %s %s.".formatted(who, does, what);
    }

    private Minilm.Batch inputs(Minilm minilm, int number) {
        return minilm.batch(List.of(minilm.encode(sentence(number)).orElseThrow()));
    }

    private static Map<String, @Nullable Object> locals(Object model, Minilm.Batch inputs) {
        Map<String, @Nullable Object> locals = new LinkedHashMap<>();
        locals.put("model", model);
        locals.put("tokens", inputs.strings().getFirst());
        return locals;
    }

    private void send(
            BlockEngine engine,
            Minilm minilm,
            RemoteModel model,
            BlockSource source,
            Timeline timeline) {
        for (int i = 0; i < traces; i++) {
            int number = i;
            Minilm.Batch inputs = inputs(minilm, i);
            Map<String, @Nullable Object> locals = locals(model.envoy(), inputs);
            RemoteTrace<?> trace =
                    model.session()
                            .trace(inputs.inputs(), engine.capture(source, Frame.of(locals)))
                            .submit(event -> timeline.heard(number, event));
            var _ = trace.future().whenComplete((result, failure) -> timeline.ended(number));
            frames.add(locals);
            sent.add(trace);
        }
    }

    /** Shows how it goes, and kills a worker when half of it is done. */
    private void watch(LocalCluster cluster, Timeline timeline, Future<?> sending)
            throws IOException, InterruptedException {
        print(" time   queue  running  done  retried");
        boolean killed = spare;
        double next = 0;
        while (timeline.counts().done() < traces && sending.state() != Future.State.FAILED) {
            if (timeline.now() > most) {
                throw new IOException(
                        "of %d traces %d are done after %d s; --most gives them more time"
                                .formatted(traces, timeline.counts().done(), most));
            }
            if (timeline.now() >= next) {
                show(timeline);
                next = timeline.now() + ROW_SECONDS;
            }
            // One that has nothing to do would be killed for nothing.
            if (!killed
                    && 2 * timeline.counts().done() >= traces
                    && timeline.isBusy(WORKERS.getLast())) {
                cluster.kill(WORKERS.getLast());
                print("        the worker %s is killed", WORKERS.getLast());
                killed = true;
            }
            Thread.sleep(10);
        }
        show(timeline);
    }

    private void show(Timeline timeline) {
        Timeline.Counts counts = timeline.counts();
        print(
                "%5.2f  %6d  %7d  %4d  %7d",
                timeline.now(),
                counts.waiting(),
                counts.running(),
                counts.done(),
                counts.retried());
    }

    private static void require(Future<?> result) throws InterruptedException, ExecutionException {
        try {
            result.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    private void showResults() {
        print("%nthe word that is loudest at layer 3, in how many sentences");
        frames.stream()
                .collect(groupingBy(locals -> String.valueOf(locals.get("loudest")), counting()))
                .entrySet()
                .stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(5)
                .forEach(word -> print("  %-10s %d", word.getKey(), word.getValue()));
        print("");
    }

    /** Runs some of the traces here, which must come to the same. */
    private String difference(BlockEngine engine, Minilm minilm, BlockSource source) {
        int compared = Math.min(COMPARED, traces);
        int different = 0;
        for (int i = 0; i < compared; i++) {
            Minilm.Batch inputs = inputs(minilm, i);
            Map<String, @Nullable Object> here = locals(minilm.model().envoy(), inputs);
            minilm.model().trace(inputs.inputs(), engine.capture(source, Frame.of(here)));
            Map<String, @Nullable Object> there = new HashMap<>(frames.get(i));
            here.remove("model");
            there.remove("model");
            different += text(here).equals(text(there)) ? 0 : 1;
        }
        return "of %d traces that were run here as well, %d came to something else"
                .formatted(compared, different);
    }

    private static String text(Map<String, @Nullable Object> locals) {
        return new TreeMap<>(locals).toString();
    }
}
