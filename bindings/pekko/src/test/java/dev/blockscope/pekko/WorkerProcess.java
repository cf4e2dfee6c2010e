package dev.blockscope.pekko;

import dev.blockscope.BlockEngine;
import dev.blockscope.Limits;
import dev.blockscope.wire.EnvelopeRunner;
import dev.blockscope.wire.Vocabulary;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A worker in a JVM of its own, which tests kill and freeze. It has the model {@code tools}, whose
 * functions sleep, fail, and note what was begun in a file that survives it; and the model {@code
 * strict}, whose blocks may do little.
 */
final class WorkerProcess implements AutoCloseable {
    /** What the model {@code strict} allows, whatever a block allows itself. */
    static final Limits STRICT = Limits.builder().statements(10_000).outputBytes(100).build();

    private final String name;
    private final Process process;
    private final BufferedReader output;

    private WorkerProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.output = process.inputReader();
    }

    /** Starts a worker of four slots and waits until it is ready. */
    static WorkerProcess start(String gateway, String name, Path journal, String... options)
            throws IOException {
        WorkerProcess worker = launch(gateway, name, journal, options);
        worker.awaitReady();
        return worker;
    }

    /** Starts a worker of four slots. */
    static WorkerProcess launch(String gateway, String name, Path journal, String... options)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--sun-misc-unsafe-memory-access=allow",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dpolyglot.engine.WarnInterpreterOnly=false",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"));
        command.addAll(Arrays.asList(options));
        command.addAll(
                List.of(
                        "-cp",
                        ClassPath.ofThisJvm(),
                        WorkerProcess.class.getName(),
                        gateway,
                        name,
                        journal.toString()));
        return new WorkerProcess(
                name,
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    void awaitReady() throws IOException {
        String line = output.readLine();
        if (!"ready".equals(line)) {
            throw new IOException("the worker said \"%s\" and not \"ready\"".formatted(line));
        }
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it as a crash does, and waits for that. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Asks it to end. */
    void terminate() {
        process.destroy();
    }

    int awaitExit() throws InterruptedException {
        if (!process.waitFor(40, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the worker has not ended");
        }
        return process.exitValue();
    }

    /** Stops it where it is, as a pulled cable or a long pause does. */
    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit =
                new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                        .start()
                        .waitFor();
        if (exit != 0) {
            throw new IOException("kill -%s ended with %d".formatted(name, exit));
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** What blocks on a worker can use, here and there. */
    static final class Tools {
        final Consumer<Object> sleep = this::sleep;
        final Consumer<Object> note = this::note;
        final Consumer<Object> hang = this::hang;
        final Consumer<Object> fail = this::fail;
        private final Path journal;

        Tools(Path journal) {
            this.journal = journal;
        }

        Vocabulary vocabulary() {
            return Vocabulary.builder()
                    .reference("sleep", sleep)
                    .reference("note", note)
                    .reference("hang", hang)
                    .reference("fail", fail)
                    .build();
        }

        /** Sleeps whatever is asked of its thread. */
        private void hang(Object millis) {
            long end = System.nanoTime() + ((Number) millis).longValue() * 1_000_000;
            while (System.nanoTime() < end) {
                LockSupport.parkNanos(1_000_000);
            }
        }

        private void sleep(Object millis) {
            try {
                Thread.sleep(((Number) millis).longValue());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void fail(Object why) {
            throw Unshared.exception(why.toString());
        }

        private void note(Object what) {
            try {
                Files.writeString(
                        journal, what + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The worker's own side: gateway, name and journal. */
    public static void main(String[] args) throws IOException {
        Tools tools = new Tools(Path.of(args[2]));
        BlockEngine engine = BlockEngine.create();
        EnvelopeRunner runner = new EnvelopeRunner(engine, tools.vocabulary(), Limits.NONE);
        Worker.Builder builder =
                Worker.builder(args[0])
                        .name(args[1])
                        .slots(4)
                        .runner(runner)
                        .model("tools", runner)
                        .model("strict", new EnvelopeRunner(engine, tools.vocabulary(), STRICT))
                        .largest(Integer.getInteger("largest", 1 << 28))
                        .protocol(Integer.getInteger("protocol", Message.PROTOCOL))
                        .grace(Duration.ofSeconds(2))
                        // On a machine that is busy with other builds.
                        .patience(Duration.ofSeconds(60));
        String keys = System.getProperty("keys");
        if (keys != null) {
            builder.tls(Certificates.tls(Path.of(keys), System.getProperty("identity")));
        }
        Worker worker = builder.start();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> worker.drain(Duration.ofSeconds(20))));
        try {
            worker.ready().join();
            System.out.println("ready");
        } catch (CompletionException e) {
            System.out.println(e.getCause().getMessage());
            Runtime.getRuntime().halt(3);
        }
        worker.ended().join();
        engine.close();
    }
}
