package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.pekko.DoorCarrier;
import dev.blockscope.pekko.Tls;
import dev.blockscope.wire.DispatchException;
import dev.blockscope.wire.Dispatcher;
import dev.blockscope.wire.RemoteRun;
import dev.blockscope.wire.Vocabulary;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The gateway and the worker that a shell starts, each as a process of its own. */
@Timeout(180)
class NodesTest {
    @TempDir private static Path folder;
    private static Path tokens;
    private static NodeProcess gateway;
    private static String address;
    private static URI door;

    @BeforeAll
    static void start() throws Exception {
        makeKeys("node", "stranger");
        tokens = Files.writeString(folder.resolve("tokens"), "ann secret of ann\n\nbob x\n");
        gateway = NodeProcess.start(Gateway.class, "--tokens", tokens.toString());
        address = gateway.await("gateway ");
        door = URI.create(gateway.await("door "));
        assertThat(gateway.await("ready")).isEmpty();
    }

    @AfterAll
    static void end() {
        gateway.close();
    }

    private final StringWriter err = new StringWriter();

    private int run(NodeSample node, String... arguments) {
        return node.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void aWorkerThatIsAskedToEndEndsItsBlocksFirst() throws Exception {
        String model = "ioi=" + TinyIoi.copyTo(folder);
        try (NodeProcess worker =
                        NodeProcess.start(Worker.class, address, "--model", model, "--slots", "1");
                BlockEngine engine = BlockEngine.create();
                DoorCarrier carrier = DoorCarrier.builder(door).token("secret of ann").build();
                Dispatcher dispatcher = Dispatcher.over(carrier, Vocabulary.EMPTY)) {
            assertThat(worker.await("models ")).isEqualTo("ioi");
            assertThat(worker.await("ready")).isEmpty();
            assertThat(carrier.models()).containsExactly("ioi");

            Map<String, Object> locals = new HashMap<>();
            String text =
                    "print('begun'); await new Promise(later => setTimeout(later, 1500)); kept = 1";
            CountDownLatch begun = new CountDownLatch(1);
            Block block =
                    engine.capture(BlockSource.javaScript(text, "rules.js"), Frame.of(locals))
                            .withOutput(line -> begun.countDown());
            RemoteRun run = dispatcher.submit(block);
            begun.await();
            worker.terminate();

            assertThat(run.future().get().bindings()).containsEntry("kept", 1);
            assertThat(worker.awaitExit()).isEqualTo(143);
        }
    }

    /**
     * Its queue is lost with it, which the author is told; the worker goes on by itself. All that
     * they say is encrypted.
     */
    @Test
    void aGatewayThatIsKilledIsFollowedByTheNextOneAtItsAddress() throws Exception {
        String port = String.valueOf(freePort());
        String doorPort = String.valueOf(freePort());
        String[] ofGateway =
                encrypted(
                        "node",
                        "--port",
                        port,
                        "--door-port",
                        doorPort,
                        "--tokens",
                        tokens.toString());
        String[] ofWorker = encrypted("node", "127.0.0.1:" + port, "--slots", "1");
        try (NodeProcess first = NodeProcess.start(Gateway.class, ofGateway);
                NodeProcess worker = NodeProcess.start(Worker.class, ofWorker);
                BlockEngine engine = BlockEngine.create()) {
            URI address = URI.create(first.await("door "));
            assertThat(address).hasScheme("https");
            worker.await("ready");
            Block block = engine.capture("1 + 1", Frame.of(new HashMap<>()));
            Throwable failure;
            try (Dispatcher dispatcher = dispatcher(address)) {
                assertThat(dispatcher.submit(block).future().get().value()).isEqualTo(2);
                CountDownLatch begun = new CountDownLatch(1);
                RemoteRun run =
                        dispatcher.submit(
                                engine.capture("for (;;);", Frame.of(new HashMap<>())),
                                event -> begun.countDown());
                begun.await();
                first.kill();
                failure =
                        catchThrowableOfType(ExecutionException.class, () -> run.future().get())
                                .getCause();
            }
            assertThat(failure)
                    .isInstanceOfSatisfying(
                            DispatchException.class,
                            e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.CLOSED));

            try (NodeProcess next = NodeProcess.start(Gateway.class, ofGateway)) {
                next.await("ready");
                try (Dispatcher dispatcher = dispatcher(address)) {
                    RemoteRun run = dispatcher.submit(block);
                    assertThat(run.future().get(60, TimeUnit.SECONDS).value()).isEqualTo(2);
                }
                // How they end in order is no matter of this test.
                next.kill();
                worker.kill();
            }
        }
    }

    @Test
    void aWorkerWhoseCertificateIsNotBelievedIsTold() throws Exception {
        try (var encrypted = dev.blockscope.pekko.Gateway.builder().tls(tls("node")).start()) {
            String[] arguments = encrypted("stranger", encrypted.address(), "--wait", "1");
            assertThat(run(new Worker(), arguments)).isEqualTo(3);
            assertThat(err.toString())
                    .contains("it does not believe the certificate in " + store("stranger"))
                    .contains("add that to its trust store");
            assertThat(run(new Worker(), encrypted.address(), "--wait", "1")).isEqualTo(3);
            assertThat(err.toString()).contains("it speaks TLS only");
        }
    }

    /** Makes keys, and a store of the first one's certificate, which is believed. */
    private static void makeKeys(String... names) throws Exception {
        Files.writeString(folder.resolve("passwords"), "of all\nof all\n");
        for (String name : names) {
            String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
            String made =
                    "-genkeypair -keyalg EC -alias node -dname CN=node -ext san=ip:127.0.0.1"
                            + " -storetype PKCS12 -keystore";
            List<String> command = new ArrayList<>(List.of(tool));
            command.addAll(Arrays.asList(made.split(" ", -1)));
            command.addAll(List.of(store(name).toString(), "-storepass", "of all"));
            Process making =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            assertThat(making.waitFor()).isZero();
        }
        believe(names[0]);
    }

    private static void believe(String name) throws IOException, GeneralSecurityException {
        char[] password = "of all".toCharArray();
        KeyStore own = KeyStore.getInstance(store(name).toFile(), password);
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry(name, own.getCertificate("node"));
        try (OutputStream out = Files.newOutputStream(store("trusted"))) {
            trust.store(out, password);
        }
    }

    private static Path store(String name) {
        return folder.resolve(name + ".p12");
    }

    private static Tls tls(String name) {
        return new Tls(store(name), "of all", store("trusted"), "of all");
    }

    /** Returns arguments with those that tell a node of its key, and whom it believes. */
    private static String[] encrypted(String name, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--key-store", store(name).toString()));
        all.addAll(List.of("--trust-store", store("trusted").toString()));
        all.addAll(List.of("--passwords", folder.resolve("passwords").toString()));
        return all.toArray(String[]::new);
    }

    private static Dispatcher dispatcher(URI door) throws IOException {
        DoorCarrier carrier =
                DoorCarrier.builder(door).tls(tls("node")).token("secret of ann").build();
        return Dispatcher.over(carrier, Vocabulary.EMPTY);
    }

    private static int freePort() throws IOException {
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return closed.getLocalPort();
        }
    }

    @Test
    void anAttachedNodeEndsWithWhoeverStartedIt() throws Exception {
        try (NodeProcess other = NodeProcess.start(Gateway.class)) {
            other.await("ready");
            other.detach();
            assertThat(other.awaitExit()).isZero();
        }
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            assertThat(run(new Gateway(), "--port", port)).isEqualTo(3);
            assertThat(err.toString())
                    .startsWith("gateway: the gateway cannot listen on port " + port)
                    .contains("in use", "choose another port");
            assertThat(run(new Gateway(), "--door-port", port)).isEqualTo(3);
            assertThat(err.toString()).contains("the door cannot listen on port " + port);
        }
    }

    @Test
    void wrongArgumentsAreToldInALine() throws Exception {
        assertThat(run(new Worker(), "nowhere")).isEqualTo(2);
        assertThat(run(new Worker(), address, "--model", "ioi=none.onnx")).isEqualTo(2);
        assertThat(run(new Worker(), address, "--host", "0.0.0.0")).isEqualTo(2);
        assertThat(run(new Worker(), address, "--key-store", "a.p12")).isEqualTo(2);
        Path tokens = Files.writeString(folder.resolve("one-word"), "ann 1\nsecret\n");
        assertThat(run(new Gateway(), "--tokens", tokens.toString())).isEqualTo(2);
        assertThat(run(new Gateway(), "--certificates", "authors.p12")).isEqualTo(2);
        assertThat(err.toString().lines())
                .satisfiesExactly(
                        line -> assertThat(line).contains("\"nowhere\" of the gateway has no port"),
                        line -> assertThat(line).contains("there is no file none.onnx"),
                        line -> assertThat(line).contains("give the node a Tls"),
                        line -> assertThat(line).contains("--trust-store and --passwords go"),
                        line -> assertThat(line).contains("line 2 of ").doesNotContain("secret"),
                        line -> assertThat(line).contains("certificates needs --key-store"));
    }

    @Test
    void aFileThatCannotBeUsedIsToldInALine() throws Exception {
        Path none = Files.writeString(folder.resolve("none.onnx"), "no model");
        assertThat(run(new Worker(), address, "--model", "ioi=" + none)).isEqualTo(1);
        Path empty = Files.writeString(folder.resolve("empty.p12"), "");
        String[] arguments = encrypted("node");
        arguments[1] = empty.toString();
        assertThat(run(new Gateway(), arguments)).isEqualTo(1);
        assertThat(err.toString().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("worker: ").contains("none.onnx"),
                        line -> assertThat(line).startsWith("gateway: ").contains("empty.p12"));
    }

    @Test
    void aGatewayThatIsAskedToEndEndsInOrder() throws Exception {
        try (NodeProcess ending = NodeProcess.start(Gateway.class)) {
            ending.await("ready");
            ending.terminate();
            assertThat(ending.awaitExit()).isEqualTo(143);
        }
    }

    @Test
    void aGatewayThatIsNotThereIsToldAfterAWhile() throws Exception {
        String nobody = "127.0.0.1:" + freePort();
        assertThat(run(new Worker(), nobody, "--wait", "1")).isEqualTo(3);
        assertThat(err.toString())
                .contains("could not join the gateway at " + nobody + " within 1 seconds")
                .contains("nobody listens there")
                .contains("start the gateway");
        assertThat(run(new Worker(), door.getAuthority(), "--wait", "1")).isEqualTo(3);
        assertThat(err.toString()).contains("who listens there is no gateway");
    }
}
