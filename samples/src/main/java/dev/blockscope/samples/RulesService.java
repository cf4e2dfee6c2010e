package dev.blockscope.samples;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Runs other people's rules in an HTTP service, with limits, under load.
 *
 * <p>{@link RuleServer} is the service, {@link RuleLoad} its clients.
 */
@Command(
        name = "samples/run rules-service",
        sortOptions = false,
        description = {
            "Starts a service on 127.0.0.1 that keeps rules, texts of JavaScript, in an embedded",
            "database and runs them against JSON; then posts to it from many threads and prints",
            "what came of it, and whether anything was left behind.",
            ""
        },
        footer = {
            "",
            "With --serve, try:",
            "  curl -X PUT  --data 'price * quantity' ADDRESS/total",
            "  curl -X POST --data '{\"price\": 3, \"quantity\": 4}' ADDRESS/total"
        })
final class RulesService implements Callable<Integer> {

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "how long the load runs (default: ${DEFAULT-VALUE})",
            defaultValue = "30")
    private int seconds = 30;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "how many threads post (default: ${DEFAULT-VALUE})",
            defaultValue = "8")
    private int clients = 8;

    @Option(names = "--serve", description = "no load: serves until it is interrupted")
    private boolean serve;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "the port (default: a free one)",
            defaultValue = "0")
    private int port;

    @Option(
            names = "--data",
            paramLabel = "FILE",
            description = "where rules are kept (default: in memory)")
    private @Nullable Path data;

    @Spec private CommandSpec command = CommandSpec.create();

    private RulesService() {}

    /** Runs the sample; the exit status is 1 if anything was left behind. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return Sample.withHelp(new RulesService());
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = command.commandLine().getOut();
        RuleStore store = data == null ? RuleStore.inMemory() : RuleStore.in(data);
        try (RuleServer server = RuleServer.builder().store(store).port(port).start()) {
            Thread ending = Thread.ofPlatform().unstarted(() -> close(server));
            Runtime.getRuntime().addShutdownHook(ending);
            out.println("rules at   " + server.address());
            if (serve) {
                out.println("end it with Ctrl-C");
                new CountDownLatch(1).await();
            }
            boolean clean = load(server, out);
            Runtime.getRuntime().removeShutdownHook(ending);
            return clean ? 0 : 1;
        }
    }

    /** A first part of the load fills caches and pools; what is held then may not grow. */
    private boolean load(RuleServer server, PrintWriter out) throws Exception {
        RuleLoad load = new RuleLoad(server.address());
        load.prepare();
        Duration time = Duration.ofSeconds(seconds);
        load.run(clients, time.dividedBy(5));
        Footprint before = Footprint.of(server);
        RuleLoad.Report report = load.run(clients, time);
        out.printf(
                Locale.ROOT,
                "load       %d clients, %.1f s, %d requests, %.0f in a second%n",
                clients,
                time.toMillis() / 1e3,
                report.nanos().length,
                report.rate());
        out.printf(
                Locale.ROOT,
                "latency    p50 %.2f ms, p99 %.2f ms, longest %.0f ms%n",
                report.percentile(0.5),
                report.percentile(0.99),
                report.percentile(1));
        out.printf(
                Locale.ROOT,
                "runs       %d right, %d failed in the rule, %d stopped, %d rejected%n",
                report.right(),
                report.failed(),
                report.stopped(),
                report.rejected());
        out.println("faulty     " + String.join("%n           ".formatted(), load.failure()));
        Footprint after = Footprint.of(server);
        boolean clean = after.isNoMoreThan(before, clients);
        out.println("before     " + before);
        out.println("after      " + after + (clean ? ": nothing leaks" : ": SOMETHING LEAKS"));
        return clean;
    }

    private static void close(RuleServer server) {
        try {
            server.close();
        } catch (SQLException e) {
            System.err.println(
                    "samples/run rules-service: the database did not close: " + e.getMessage());
        }
    }
}
