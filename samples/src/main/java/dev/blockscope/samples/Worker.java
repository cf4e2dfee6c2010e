package dev.blockscope.samples;

import static java.util.stream.Collectors.joining;

import dev.blockscope.BlockEngine;
import dev.blockscope.Limits;
import dev.blockscope.onnx.ModelVocabulary;
import dev.blockscope.onnx.OnnxModel;
import dev.blockscope.pekko.Tls;
import dev.blockscope.wire.DispatchException;
import dev.blockscope.wire.EnvelopeRunner;
import dev.blockscope.wire.Vocabulary;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts a worker of a cluster, beside the models it has. */
@Command(
        name = "samples/run worker",
        sortOptions = false,
        description = {
            "Joins a gateway and runs blocks for it, with the models that it opens. It prints",
            "\"ready\" when the gateway knows it. Asked to end, it takes no more blocks and waits",
            "for those that run.",
            ""
        },
        exitCodeListHeading = NodeSample.STATUS_HEADING,
        exitCodeList = {
            NodeSample.STATUS_FAULT,
            NodeSample.STATUS_USAGE,
            " 3:the gateway is not there, does not believe it, or is of another version",
            NodeSample.STATUS_ENDED
        })
final class Worker extends NodeSample {
    @Parameters(
            paramLabel = "GATEWAY",
            description = "the address that the gateway tells for workers, host:port")
    private String gateway = "";

    @Option(
            names = "--model",
            paramLabel = "NAME=FILE",
            description = "an ONNX file and what authors call it; any number of times")
    private Map<String, Path> files = new LinkedHashMap<>();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "what it is called (default: worker and its process's number)")
    private String name = "worker-" + ProcessHandle.current().pid();

    @Option(
            names = "--slots",
            paramLabel = "N",
            description = "how many blocks run at once (default: one for each processor)")
    private int slots = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--time",
            paramLabel = "SECONDS",
            description = "how long a block runs at most (default: ${DEFAULT-VALUE})",
            defaultValue = "60")
    private int time = 60;

    @Option(
            names = "--memory",
            paramLabel = "MIB",
            description = "how much a block allocates at most (default: ${DEFAULT-VALUE})",
            defaultValue = "512")
    private int memory = 512;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = "how long it tries to join the gateway (default: ${DEFAULT-VALUE})",
            defaultValue = "20")
    private int wait = 20;

    @Option(
            names = "--drain",
            paramLabel = "SECONDS",
            description = "how long it waits for its blocks to end (default: ${DEFAULT-VALUE})",
            defaultValue = "30")
    private int drain = 30;

    Worker() {
        super("worker");
    }

    /** Runs the sample; {@code --help} says what the exit status tells. */
    public static void main(String[] args) {
        System.exit(new Worker().commandLine().execute(args));
    }

    @Override
    void serve() throws Exception {
        Map<String, OnnxModel> models = new LinkedHashMap<>();
        try (BlockEngine engine = BlockEngine.create()) {
            open(models);
            run(builder(engine, models));
        } finally {
            models.values().forEach(OnnxModel::close);
        }
    }

    private void open(Map<String, OnnxModel> models) throws IOException {
        for (Map.Entry<String, Path> file : files.entrySet()) {
            models.put(file.getKey(), OnnxModel.open(requireFile(file.getValue())));
        }
    }

    private dev.blockscope.pekko.Worker.Builder builder(
            BlockEngine engine, Map<String, OnnxModel> models) throws IOException {
        Limits limits =
                Limits.UNTRUSTED.toBuilder()
                        .time(Duration.ofSeconds(time))
                        .allocatedBytes((long) memory << 20)
                        .build();
        Vocabulary hosted = ModelVocabulary.hosting(models);
        var builder =
                dev.blockscope.pekko.Worker.builder(gateway)
                        .name(name)
                        .host(host())
                        .slots(slots)
                        .patience(Duration.ofSeconds(wait))
                        .runner(new EnvelopeRunner(engine, Vocabulary.EMPTY, limits));
        for (String called : models.keySet()) {
            builder.model(called, new EnvelopeRunner(engine, hosted, limits));
        }
        Tls tls = tls();
        return tls == null ? builder : builder.tls(tls);
    }

    private void run(dev.blockscope.pekko.Worker.Builder builder) throws Exception {
        try (var worker = builder.start()) {
            whenAskedToEnd(() -> end(worker));
            print("worker     %s, %d slots", name, slots);
            print(
                    "models     %s",
                    files.isEmpty() ? "none" : files.keySet().stream().collect(joining(", ")));
            print("gateway    %s", gateway);
            ready(worker);
            print("ready");
            worker.ended().get();
        }
    }

    private static void ready(dev.blockscope.pekko.Worker worker) throws Exception {
        try {
            worker.ready().get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof DispatchException why ? why : e;
        }
    }

    private void end(dev.blockscope.pekko.Worker worker) {
        if (!worker.drain(Duration.ofSeconds(drain))) {
            err().printf(
                            "%s: not all blocks had ended after %d s; the rest is begun elsewhere%n",
                            name(), drain);
        }
    }
}
