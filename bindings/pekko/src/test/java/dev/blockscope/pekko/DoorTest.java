package dev.blockscope.pekko;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.MappingIterator;
import com.sun.net.httpserver.HttpServer;
import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.Limits;
import dev.blockscope.wire.DispatchException;
import dev.blockscope.wire.Dispatcher;
import dev.blockscope.wire.Envelope;
import dev.blockscope.wire.EnvelopeRunner;
import dev.blockscope.wire.RemoteRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Authors who reach a gateway through its door, with all nodes in this JVM and encrypted. */
@Timeout(60)
final class DoorTest {
    @TempDir private static Path folder;
    private static WorkerProcess.Tools tools;
    private static BlockEngine engine;
    private static BlockEngine workers;
    private static Gateway gateway;
    private static Worker worker;
    private static Door door;

    @BeforeAll
    static void open() throws Exception {
        Certificates.make(folder, List.of("gateway", "worker"), "ann", "mallory");
        Certificates.believe(folder, "authors", List.of("ann"));
        tools = new WorkerProcess.Tools(folder.resolve("journal"));
        engine = BlockEngine.create();
        workers = BlockEngine.create();
        EnvelopeRunner runner = new EnvelopeRunner(workers, tools.vocabulary(), Limits.NONE);
        gateway =
                Gateway.builder()
                        .tls(Certificates.tls(folder, "gateway"))
                        .terms(Terms.DEFAULT.queues(3, 2).largest(1 << 20))
                        .start();
        worker =
                Worker.builder(gateway.address())
                        .tls(Certificates.tls(folder, "worker"))
                        .grace(Duration.ofSeconds(1))
                        .runner(runner)
                        .model("tools", runner)
                        .start();
        worker.ready().get();
        door =
                Door.builder(gateway)
                        .tls(Certificates.tls(folder, "gateway"))
                        .token("secret of ann", "ann")
                        .token("secret of bob", "bob")
                        .open();
    }

    @AfterAll
    static void close() {
        door.close();
        worker.close();
        gateway.close();
        workers.close();
        engine.close();
    }

    private static DoorCarrier carrier(String token) throws IOException {
        return DoorCarrier.builder(door.address())
                .tls(Certificates.tls(folder, "ann"))
                .token(token)
                .build();
    }

    private static Dispatcher dispatcher(String token) throws IOException {
        return Dispatcher.over(carrier(token), tools.vocabulary());
    }

    private static Block block(String text, Map<String, Object> locals) {
        return engine.capture(BlockSource.javaScript(text, "rules.js"), Frame.of(locals));
    }

    private static Map<String, Object> locals() {
        return new HashMap<>(Map.of("sleep", tools.sleep));
    }

    private static Throwable causeOf(RemoteRun run) {
        return catchThrowableOfType(ExecutionException.class, () -> run.future().get()).getCause();
    }

    @Test
    void aBlockRunsBehindTheDoorAsItDoesHere() throws Exception {
        Map<String, Object> locals = new HashMap<>(Map.of("price", 3, "quantity", 4));
        Heard heard = new Heard();
        List<String> events = Collections.synchronizedList(new ArrayList<>());
        String text =
                "total = price * quantity; console.progress(1, 2); for (let i = 0; i < 2000; i++) console.log(i); console.progress(2, 2)";
        try (Dispatcher dispatcher = dispatcher("secret of ann")) {
            Block block = block(text, locals).withOutput(heard);
            dispatcher.submit(block, event -> events.add(event.worker())).future().get();
            assertThat(locals).containsEntry("total", 12);
            List<String> expected = new ArrayList<>(List.of("1 of 2"));
            IntStream.range(0, 2000).forEach(i -> expected.add(String.valueOf(i)));
            expected.add("2 of 2");
            assertThat(heard.all).isEqualTo(expected);
            assertThat(events).hasSize(1);
            Throwable failure = causeOf(dispatcher.submit(block("1\n  boom()", locals())));
            assertThat(((BlockException) failure).traceback().innermost().line()).isEqualTo(2);
        }
    }

    @Test
    void whatIsNotTakenIsToldAsInTheSameJvm() throws Exception {
        try (DoorCarrier carrier = carrier("secret of ann");
                Dispatcher dispatcher = Dispatcher.over(carrier, tools.vocabulary())) {
            assertThat(carrier.models()).containsExactly("tools");
            assertThatThrownBy(() -> dispatcher.toModel("tool").submit(block("1", locals())))
                    .isInstanceOfSatisfying(
                            DispatchException.class,
                            e ->
                                    assertThat(e.kind())
                                            .isEqualTo(DispatchException.Kind.NO_SUCH_MODEL))
                    .hasMessageContaining("the nearest of 1 names are [tools]");
            Map<String, Object> large = new HashMap<>(Map.of("values", new byte[2 << 20]));
            assertThatThrownBy(() -> dispatcher.submit(block("values[0]", large)))
                    .isInstanceOfSatisfying(
                            DispatchException.class,
                            e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.TOO_LARGE))
                    .hasMessageMatching("the block is 209\\d{4} bytes with .*");
        }
    }

    @Test
    void anAuthorWhoseShareIsFullIsToldTheNumbersAndAnotherIsLetIn() throws Exception {
        try (Dispatcher ann = dispatcher("secret of ann");
                Dispatcher bob = dispatcher("secret of bob")) {
            CountDownLatch started = new CountDownLatch(1);
            RemoteRun running =
                    ann.submit(block("sleep(30000)", locals()), event -> started.countDown());
            started.await();
            RemoteRun waiting = ann.submit(block("1", locals()));
            ann.submit(block("2", locals()));
            assertThatThrownBy(() -> ann.submit(block("3", locals())))
                    .hasMessageStartingWith(
                            "2 blocks wait for a slot, 2 of them yours, and no more than 3 may wait, 2 of them yours");
            RemoteRun other = bob.submit(block("4", locals()));
            running.cancel();
            assertThat(other.future().get().value()).isEqualTo(4);
            assertThat(waiting.future().get().value()).isEqualTo(1);
        }
    }

    @Test
    void aBlockThatLoopsIsCancelledThroughTheDoorWithinASecond() throws Exception {
        try (Dispatcher dispatcher = dispatcher("secret of ann")) {
            // The first time, what cancels is loaded and compiled.
            assertThat(stopOneThatLoops(dispatcher)).isPositive();
            assertThat(stopOneThatLoops(dispatcher)).isLessThan(Duration.ofSeconds(1));
        }
    }

    /** Returns how long it took from the call until the next block had run in the only slot. */
    private static Duration stopOneThatLoops(Dispatcher dispatcher) throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        RemoteRun run =
                dispatcher.submit(block("for (;;);", locals()), event -> started.countDown());
        started.await();
        long cancelled = System.nanoTime();
        run.cancel();
        assertThatThrownBy(() -> run.future().get()).isInstanceOf(CancellationException.class);
        assertThat(dispatcher.submit(block("1", locals())).future().get().value()).isEqualTo(1);
        return Duration.ofNanos(System.nanoTime() - cancelled);
    }

    /**
     * Case H5: written by hand after the page "The envelope", by a program with no class of ours.
     */
    @ParameterizedTest
    @CsvSource({
        "01, ended, 6576616c7565fb401a000000000000", // "value": 6.5
        "02, ended, is of version 2"
    })
    void anotherProgramCanBeAnAuthor(String version, String event, String outcome)
            throws Exception {
        byte[] envelope =
                HexFormat.of()
                        .parseHex(
                                ("a7 6a626c6f636b73636f7065" + version) // "blockscope"
                                        .concat("686c616e6775616765 626a73") // "language"
                                        .concat("666f726967696e 83 64612e6a73 03 05")
                                        .concat("656672616d65 83 64612e6a73 01 60")
                                        .concat("6474657874 6578202b2079") // "x + y"
                                        .concat("6676616c756573 a2 6178 05")
                                        .concat("6179 fb3ff8000000000000")
                                        .concat("666c696d697473 a0")
                                        .replace(" ", ""));
        try (HttpClient foreign =
                HttpClient.newBuilder()
                        .sslContext(Certificates.tls(folder, "ann").context())
                        .build()) {
            HttpRequest request =
                    HttpRequest.newBuilder(door.address().resolve("/v1/jobs"))
                            .header("Authorization", "Bearer secret of ann")
                            .POST(HttpRequest.BodyPublishers.ofByteArray(envelope))
                            .build();
            HttpResponse<byte[]> answer = foreign.send(request, BodyHandlers.ofByteArray());
            assertThat(answer.statusCode()).isEqualTo(200);
            String text = new String(answer.body(), ISO_8859_1);
            assertThat(text).contains(event);
            assertThat(outcome.startsWith("65") ? HexFormat.of().formatHex(answer.body()) : text)
                    .contains(outcome);
        }
    }

    /** All as the page "Elsewhere" has it. */
    @Test
    void aJobIsCancelledByItsAuthorOnly() throws Exception {
        try (HttpClient foreign = foreign()) {
            byte[] envelope =
                    Envelope.of(block("sleep(30000)", locals())).toBytes(tools.vocabulary());
            HttpResponse<InputStream> answer =
                    foreign.send(
                            request("/v1/jobs", "ann")
                                    .POST(HttpRequest.BodyPublishers.ofByteArray(envelope))
                                    .build(),
                            BodyHandlers.ofInputStream());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type"))
                    .contains("application/cbor-seq");
            try (InputStream body = answer.body();
                    MappingIterator<Map<String, Object>> events =
                            DoorEvent.MAPPER.readerFor(Map.class).readValues(body)) {
                Map<String, Object> taken = events.next();
                assertThat(taken).containsEntry("event", "taken");
                assertThat(events.next())
                        .containsEntry("event", "started")
                        .containsEntry("attempt", 1)
                        .containsKey("worker");
                String job = "/v1/jobs/" + taken.get("job");
                HttpRequest ofBob = request(job, "bob").DELETE().build();
                assertThat(foreign.send(ofBob, BodyHandlers.ofString()))
                        .satisfies(it -> assertThat(it.statusCode()).isEqualTo(404))
                        .satisfies(it -> assertThat(it.body()).startsWith("you have no job"));
                HttpRequest ofAnn = request(job, "ann").DELETE().build();
                assertThat(foreign.send(ofAnn, BodyHandlers.discarding()).statusCode())
                        .isEqualTo(204);
                assertThat(lastOf(events))
                        .containsEntry("event", "CLOSED")
                        .containsEntry("text", "the job was cancelled");
            }
        }
    }

    private static Map<String, Object> lastOf(MappingIterator<Map<String, Object>> events)
            throws IOException {
        Map<String, Object> last = Map.of();
        while (events.hasNextValue()) {
            last = events.nextValue();
        }
        return last;
    }

    private static HttpClient foreign() throws IOException {
        return HttpClient.newBuilder()
                .sslContext(Certificates.tls(folder, "ann").context())
                .build();
    }

    private static HttpRequest.Builder request(String path, String author) {
        return HttpRequest.newBuilder(door.address().resolve(path))
                .header("Authorization", "Bearer secret of " + author);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/jobs, 405, this path is for POST",
        "POST, /v1/jobs/1, 405, this path is for DELETE",
        "POST, /v1/models, 405, this path is for GET",
        "DELETE, /v1/jobs/1, 404, you have no job \"1\"",
        "GET, /v1/jobsmore, 404, there is nothing at /v1/jobsmore",
        "GET, /, 404, there is nothing at /"
    })
    void aRequestThatIsNoneIsToldWhatIs(String method, String path, int status, String told)
            throws Exception {
        try (HttpClient foreign = foreign()) {
            HttpRequest request =
                    request(path, "ann")
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build();
            HttpResponse<String> answer = foreign.send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(status);
            assertThat(answer.body()).startsWith(told);
            assertThat(answer.headers().firstValue("Allow"))
                    .isEqualTo(
                            status == 405
                                    ? Optional.of(told.substring(told.lastIndexOf(' ') + 1))
                                    : Optional.empty());
        }
    }

    @Test
    void whoHasNoTokenIsNotLetIn() throws Exception {
        try (Dispatcher nobody = dispatcher("a guess")) {
            assertThatThrownBy(() -> nobody.submit(block("1", locals())))
                    .isInstanceOfSatisfying(
                            DispatchException.class,
                            e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.REFUSED))
                    .hasMessageContaining("status 401");
        }
    }

    @Test
    void plaintextToTheDoorIsToldOnBothSides() throws Exception {
        URI plain = URI.create("http://127.0.0.1:" + door.address().getPort());
        PrintStream err = System.err;
        ByteArrayOutputStream logged = new ByteArrayOutputStream();
        System.setErr(new PrintStream(logged, true, UTF_8));
        try (DoorCarrier carrier = DoorCarrier.builder(plain).build()) {
            assertThatThrownBy(carrier::models)
                    .isInstanceOfSatisfying(DispatchException.class, DoorTest::isClosed)
                    .hasMessageContaining("it speaks TLS only; give its address with https");
            while (!logged.toString(UTF_8).contains("asked for nothing")) {
                Thread.sleep(10);
            }
        } finally {
            System.setErr(err);
        }
        assertThat(logged.toString(UTF_8))
                .containsPattern("WARN dev.blockscope.pekko.Door - \\S*/127.0.0.1:\\d+ came to")
                .contains("who is there speaks no TLS 1.3")
                .contains("authors come to %s by a DoorCarrier".formatted(door.address()));
    }

    @Test
    void tlsToADoorWithoutItIsTold() throws Exception {
        try (Door open = Door.builder(gateway).open();
                DoorCarrier carrier =
                        DoorCarrier.builder(URI.create("https://" + open.address().getAuthority()))
                                .connecting(Duration.ofMillis(300))
                                .build()) {
            assertThatThrownBy(carrier::models)
                    .isInstanceOfSatisfying(DispatchException.class, DoorTest::isClosed)
                    .hasMessageContaining("if the door speaks none, give its address with http");
        }
    }

    @Test
    void aCertificateOfTheDoorThatIsNotBelievedIsTold() throws Exception {
        // It believes what the JDK believes, and that is not the door's own certificate.
        try (DoorCarrier trusting = DoorCarrier.builder(door.address()).build();
                DoorCarrier other =
                        DoorCarrier.builder(door.address())
                                .tls(Certificates.tls(folder, "ann", "authors"))
                                .build()) {
            assertThatThrownBy(trusting::models)
                    .isInstanceOfSatisfying(DispatchException.class, DoorTest::isClosed)
                    .hasMessageContaining("none that this JVM believes; give the carrier a Tls");
            assertThatThrownBy(other::models)
                    .hasMessageContaining("none that %s knows", folder.resolve("authors.p12"));
        }
    }

    private static void isClosed(DispatchException e) {
        assertThat(e.kind()).isEqualTo(DispatchException.Kind.CLOSED);
    }

    @Test
    void aDoorForCertificatesKnowsAuthorsByThem() throws Exception {
        try (Door certified =
                        Door.builder(gateway)
                                .tls(Certificates.tls(folder, "gateway", "authors"))
                                .certificates()
                                .open();
                DoorCarrier ann = of(certified, "ann")) {
            assertThat(ann.models()).containsExactly("tools");
            // A request may be under way when the door says no; what an author hears is the same.
            for (int time = 0; time < 20; time++) {
                refuses(certified);
            }
        }
    }

    private static void refuses(Door certified) throws IOException {
        try (DoorCarrier mallory = of(certified, "mallory")) {
            assertThatThrownBy(mallory::models)
                    .isInstanceOfSatisfying(DispatchException.class, DoorTest::isClosed)
                    .hasMessageContaining(
                            "it does not believe the certificate in %s",
                            folder.resolve("mallory.p12"));
        }
    }

    private static DoorCarrier of(Door certified, String name) throws IOException {
        return DoorCarrier.builder(certified.address()).tls(Certificates.tls(folder, name)).build();
    }

    @Test
    void aDoorThatClosesTellsItsAuthors() throws Exception {
        Door other =
                Door.builder(gateway)
                        .tls(Certificates.tls(folder, "gateway"))
                        .token("secret of ann", "carl")
                        .open();
        try (Dispatcher dispatcher =
                Dispatcher.over(
                        DoorCarrier.builder(other.address())
                                .tls(Certificates.tls(folder, "ann"))
                                .token("secret of ann")
                                .build(),
                        tools.vocabulary())) {
            CountDownLatch started = new CountDownLatch(1);
            RemoteRun run =
                    dispatcher.submit(
                            block("sleep(30000)", locals()), event -> started.countDown());
            started.await();
            other.close();
            assertThat(causeOf(run))
                    .isInstanceOfSatisfying(
                            DispatchException.class,
                            e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.CLOSED));
        }
    }

    /** As one whose machine has lost its power: its connections do not end. */
    @Test
    void aDoorThatSaysNothingMoreIsTakenForGone() throws Exception {
        byte[] taken = DoorEvent.MAPPER.writeValueAsBytes(DoorEvent.taken("ann-1"));
        CountDownLatch over = new CountDownLatch(1);
        HttpServer silent =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        silent.setExecutor(Thread::startVirtualThread);
        silent.createContext(
                "/",
                exchange -> {
                    exchange.getRequestBody().readAllBytes();
                    exchange.sendResponseHeaders(200, 0);
                    exchange.getResponseBody().write(taken);
                    exchange.getResponseBody().flush();
                    awaitQuietly(over);
                });
        silent.start();
        URI address = URI.create("http://127.0.0.1:" + silent.getAddress().getPort());
        try (Dispatcher dispatcher =
                Dispatcher.over(
                        DoorCarrier.builder(address).silence(Duration.ofMillis(400)).build(),
                        tools.vocabulary())) {
            assertThat(causeOf(dispatcher.submit(block("1", locals()))))
                    .isInstanceOfSatisfying(
                            DispatchException.class,
                            e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.CLOSED))
                    .hasMessageContaining("nothing was heard from it for 400 ms");
        } finally {
            over.countDown();
            silent.stop(0);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aPortInUseAndAKeyStoreThatIsNotThereAreNamed() {
        int port = door.address().getPort();
        assertThatThrownBy(() -> Door.builder(gateway).port(port).open())
                .isInstanceOf(BindException.class)
                .hasMessageContaining("the door cannot listen on port %d of 127.0.0.1", port);
        assertThatThrownBy(() -> Gateway.builder().port(port).start())
                .isInstanceOf(BindException.class)
                .hasMessageContaining("the gateway cannot listen on port %d of 127.0.0.1", port);
        Tls none = Certificates.tls(folder.resolve("nowhere"), "ann");
        assertThatThrownBy(() -> Gateway.builder().tls(none).start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no key store %s", none.keyStore());
    }

    @Test
    void offLoopbackNothingIsOpenToAnybody() {
        assertThatThrownBy(() -> Gateway.builder().host("0.0.0.0").start())
                .hasMessageContaining("give the node a Tls");
        assertThatThrownBy(() -> Door.builder(gateway).host("0.0.0.0").open())
                .hasMessageContaining("give the door a Tls");
        assertThatThrownBy(() ->
                        Door.builder(gateway)
                                .host("0.0.0.0")
                                .tls(Certificates.tls(folder, "gateway"))
                                .open())
                .hasMessageContaining("by which tokens or certificates");
        assertThatThrownBy(() ->
                        Door.builder(gateway)
                                .tls(Certificates.tls(folder, "gateway"))
                                .certificates()
                                .open())
                .hasMessageContaining(
                        "could join the gateway as workers; give the door a trust store");
        assertThatThrownBy(() -> DoorCarrier.builder(URI.create("http://192.0.2.1:80")))
                .hasMessageContaining("is not encrypted");
    }

    @Test
    void aWorkerWithoutACertificateOrWithThatOfAnAuthorCannotJoin() throws Exception {
        String[] common = {"-Dpekko.cluster.shutdown-after-unsuccessful-join-seed-nodes=5s"};
        try (WorkerProcess plain =
                        WorkerProcess.launch(
                                gateway.address(), "plain", folder.resolve("journal"), common);
                WorkerProcess author =
                        WorkerProcess.launch(
                                gateway.address(),
                                "author",
                                folder.resolve("journal"),
                                common[0],
                                "-Dkeys=" + folder,
                                "-Didentity=ann")) {
            assertThatThrownBy(plain::awaitReady)
                    .hasMessageContaining("could not join the gateway at " + gateway.address())
                    .hasMessageContaining("it speaks TLS only; give the worker a Tls");
            assertThatThrownBy(author::awaitReady)
                    .hasMessageContaining("could not join the gateway at " + gateway.address())
                    .hasMessageContaining("it does not believe the certificate in " + folder);
            assertThat(plain.awaitExit()).isEqualTo(3);
            assertThat(author.awaitExit()).isEqualTo(3);
        }
        assertThat(gateway.awaitSlots(1, Duration.ofSeconds(1))).isTrue();
        assertThat(gateway.state().workers()).hasSize(1);
    }
}
