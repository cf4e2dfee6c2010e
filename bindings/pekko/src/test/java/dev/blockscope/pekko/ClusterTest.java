package dev.blockscope.pekko;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockException.Kind;
import dev.blockscope.BlockResult;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.HostFailure;
import dev.blockscope.Limit;
import dev.blockscope.Limits;
import dev.blockscope.OutputLine;
import dev.blockscope.OutputListener;
import dev.blockscope.wire.DispatchException;
import dev.blockscope.wire.Dispatcher;
import dev.blockscope.wire.RemoteRun;
import dev.blockscope.wire.RunEvent;
import dev.blockscope.wire.UnsendableException;
import dev.blockscope.wire.Vocabulary;
import java.io.IOException;
import java.math.BigInteger;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A gateway in this JVM and workers in others, with which nothing goes wrong. */
@Timeout(60)
final class ClusterTest {
    private static final int LARGEST = 24 << 20;

    @TempDir private static Path folder;
    private static WorkerProcess.Tools tools;
    private static Gateway gateway;
    private static BlockEngine engine;
    private static WorkerProcess first;
    private static WorkerProcess second;

    private Dispatcher dispatcher;

    @BeforeAll
    static void open() throws Exception {
        Path journal = folder.resolve("journal");
        tools = new WorkerProcess.Tools(journal);
        engine = BlockEngine.create();
        gateway = Gateway.builder().terms(Terms.DEFAULT.largest(LARGEST)).start();
        first = WorkerProcess.launch(gateway.address(), "first", journal, "-Dlargest=" + LARGEST);
        second = WorkerProcess.launch(gateway.address(), "second", journal, "-Dlargest=" + LARGEST);
        first.awaitReady();
        second.awaitReady();
    }

    @AfterAll
    static void close() {
        first.close();
        second.close();
        gateway.close();
        engine.close();
    }

    @BeforeEach
    void dispatch() {
        dispatcher = Dispatcher.over(gateway.carrier("ann"), tools.vocabulary());
    }

    @AfterEach
    void stop() {
        dispatcher.close();
    }

    private static Block block(String text, Map<String, Object> locals) {
        return engine.capture(BlockSource.javaScript(text, "rules.js"), Frame.of(locals));
    }

    private static Map<String, Object> locals() {
        return new HashMap<>(
                Map.of(
                        "sleep", tools.sleep,
                        "note", tools.note,
                        "hang", tools.hang,
                        "fail", tools.fail));
    }

    private static Throwable causeOf(RemoteRun run) {
        return catchThrowableOfType(ExecutionException.class, () -> run.future().get()).getCause();
    }

    @Test
    void aBlockRunsThereAsItDoesHere() throws Exception {
        Map<String, Object> locals = new HashMap<>(Map.of("price", 3, "quantity", 4));
        BlockResult result =
                dispatcher.submit(block("total = price * quantity", locals)).future().get();
        assertThat(result.value()).isEqualTo(12);
        assertThat(locals).containsEntry("total", 12);
    }

    @Test
    void anErrorThereShowsTheUsersLineHere() {
        Map<String, Object> locals = locals();
        Throwable failure = causeOf(dispatcher.submit(block("kept = 1\n  boom()", locals)));
        assertThat(failure).isInstanceOf(BlockException.class);
        assertThat(((BlockException) failure).traceback().innermost().line()).isEqualTo(2);
        assertThat(locals).doesNotContainKey("kept");
    }

    /** Case H1. */
    @Test
    void aFunctionTakesItsNeighboursAlong() throws Exception {
        String map = "[1, 2, 3].map(v => sq(v) + off).join()";
        Block whole =
                block("function sq(x) { return x * x }\n" + map, new HashMap<>(Map.of("off", 1)));
        assertThat(dispatcher.submit(whole).future().get().value()).isEqualTo("2,5,10");

        Frame frame = Frame.of(new HashMap<>(Map.of("off", 1)));
        engine.capture("function sq(x) { return x * x }", frame).run();
        Block sibling = engine.capture(map, frame);
        assertThat(dispatcher.submit(sibling).future().get().value()).isEqualTo("2,5,10");

        Frame bound = Frame.of(new HashMap<>(Map.of("off", 1)));
        engine.capture("var sq = Math.pow.bind(null, 2)", bound).run();
        assertThatThrownBy(() -> dispatcher.submit(engine.capture(map, bound)))
                .isInstanceOf(UnsendableException.class)
                .hasMessageContaining("'sq'");
    }

    /** Case H3. */
    @Test
    void aHostObjectIsRefusedByItsVariableAndOnlyIfTheBlockReadsIt() throws Exception {
        try (Socket socket = new Socket()) {
            Map<String, Object> locals = new HashMap<>(Map.of("x", 1, "conn", socket));
            assertThat(dispatcher.submit(block("x + 1", locals)).future().get().value())
                    .isEqualTo(2);
            assertThatThrownBy(() -> dispatcher.submit(block("x + 1; conn", locals)))
                    .isInstanceOf(UnsendableException.class)
                    .hasMessageContaining("'conn' (java.net.Socket) cannot be sent");
        }
    }

    /** Case H5: what a block gets and gives is there what it is here. */
    @Test
    void valuesAreOfTheSameTypesThereAsHere() throws Exception {
        Map<String, Object> locals = new HashMap<>();
        locals.put("long", 1L << 40);
        locals.put("big", BigInteger.TWO.pow(100));
        locals.put("time", Instant.EPOCH);
        locals.put("bytes", new byte[] {1, 2, -3});
        locals.put("nothing", null);
        Block block =
                block(
                        "all = [long, big, time, bytes, nothing, typeof long, typeof big, 1, 1.5, [bytes.length]]",
                        locals);
        List<?> here = (List<?>) block.evaluate().bindings().get("all");
        dispatcher.submit(block).future().get();
        List<?> there = (List<?>) locals.get("all");
        assertThat(there).usingRecursiveComparison().withStrictTypeChecking().isEqualTo(here);
    }

    /** Case H6: the class of the exception is on the worker only. */
    @Test
    void anExceptionOfAClassThatIsOnlyThereTellsItsNameAndTheUsersLine() {
        BlockException plain =
                (BlockException)
                        causeOf(dispatcher.submit(block("1;\n  fail('no tea')", locals())));
        assertThat(plain.traceback().innermost().line()).isEqualTo(2);
        assertIsOnlyThere(plain.getCause());
        String wrapping =
                "try { fail('no tea') } catch (e) {\n throw new Error('m', { cause: e }) }";
        BlockException outer =
                (BlockException) causeOf(dispatcher.submit(block(wrapping, locals())));
        assertThat(outer).hasMessage("Error: m");
        assertThat(outer.traceback().innermost().line()).isEqualTo(2);
        assertIsOnlyThere(outer.getCause());
    }

    private static void assertIsOnlyThere(Throwable cause) {
        assertThatThrownBy(() -> Class.forName(Unshared.NAME))
                .isInstanceOf(ClassNotFoundException.class);
        assertThat(cause)
                .isInstanceOfSatisfying(
                        HostFailure.class,
                        it -> assertThat(it.className()).isEqualTo(Unshared.NAME))
                .hasMessage(Unshared.NAME + ": no tea");
    }

    /** Case H6: what the block needs is here only. */
    @Test
    void aReferenceAndATypeThatTheWorkerDoesNotKnowAreNamed() {
        Object ledger = new Object();
        Vocabulary more =
                Vocabulary.builder()
                        .reference("ledger", ledger)
                        .type(
                                "uuid",
                                UUID.class,
                                UUID::toString,
                                text -> UUID.fromString(String.valueOf(text)))
                        .build();
        Dispatcher mine = dispatcher.knowing(more);
        assertThat(causeOf(mine.submit(block("ledger", Map.of("ledger", ledger)))))
                .isInstanceOfSatisfying(
                        DispatchException.class,
                        e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.REFUSED))
                .hasMessageContaining(
                        "the name \"ledger\" refers to nothing here; known names: sleep, note");
        assertThat(causeOf(mine.submit(block("id", Map.of("id", UUID.randomUUID())))))
                .isInstanceOfSatisfying(
                        DispatchException.class,
                        e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.REFUSED))
                .hasMessageContaining(
                        "values of the type \"uuid\" are not known here; add it to the vocabulary");
    }

    @Test
    void whatABlockSaysArrivesInItsOrderAndHowFarItIsAmongIt() throws Exception {
        Heard heard = new Heard();
        String lines = "for (let i = 0; i < 2000; i++) console.log('line ' + i);";
        Block block =
                block(
                        "console.progress(1, 2);" + lines + "console.progress(2, 2); print('end')",
                        locals());
        dispatcher.submit(block.withOutput(heard)).future().get();
        List<String> expected = new ArrayList<>(List.of("1 of 2"));
        IntStream.range(0, 2000).forEach(i -> expected.add("line " + i));
        expected.addAll(List.of("2 of 2", "end"));
        assertThat(heard.all).isEqualTo(expected);
    }

    /** A listener that waits for it would wait for ever if it came with the outcome only. */
    @Test
    void howFarABlockIsIsHeardWhileItRuns() throws Exception {
        CountDownLatch half = new CountDownLatch(1);
        OutputListener listener =
                new OutputListener() {
                    @Override
                    public void print(OutputLine line) {}

                    @Override
                    public void progress(double done, double total) {
                        half.countDown();
                    }
                };
        Block block = block("console.progress(1, 2); for (;;);", locals()).withOutput(listener);
        RemoteRun run = dispatcher.submit(block);
        half.await();
        assertThat(run.future()).isNotDone();
        run.cancel();
        awaitNothingRuns();
    }

    @Test
    void aWorkersOwnLimitsHoldWhateverABlockAllowsItself() throws Exception {
        Dispatcher strict = dispatcher.toModel("strict");
        Limits wide = Limits.builder().statements(1_000_000_000).outputBytes(1 << 20).build();
        assertThat(limitOf(strict, block("for (;;);", locals()).within(wide)))
                .isEqualTo(Limit.STATEMENTS);
        assertThat(limitOf(strict, block("print('x'.repeat(101))", locals()).within(wide)))
                .isEqualTo(Limit.OUTPUT);
        assertThat(
                        strict.submit(block("print('x'.repeat(100)); 1", locals()))
                                .future()
                                .get()
                                .value())
                .isEqualTo(1);
    }

    private static Limit limitOf(Dispatcher there, Block block) {
        return ((BlockException) causeOf(there.submit(block))).limit().orElseThrow().limit();
    }

    @Test
    void moreThanIsKeptOfWhatABlockSaysIsToldByItsNumber() throws Exception {
        List<OutputLine> said = Collections.synchronizedList(new ArrayList<>());
        String text =
                "for (let i = 0; i < 30; i++) console.log('x'.repeat(1 << 21)); console.log(1)";
        dispatcher.submit(block(text, locals()).withOutput(said::add)).future().get();
        assertThat(said.getLast().text()).isEqualTo("1");
        assertThat(said.stream().filter(line -> line.text().contains("lines were dropped here")))
                .isNotEmpty();
    }

    /** What it does not take is kept by the worker, which drops the oldest, and by nobody else. */
    @Test
    void aListenerThatIsSlowerThanABlockHearsTheLastLinesAndHowManyAreMissing() throws Exception {
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        OutputListener slow =
                line -> {
                    if (heard.isEmpty()) {
                        awaitNoted("all is said");
                    }
                    heard.add(line.text());
                };
        String text =
                "for (let i = 0; i < 100000; i++) console.log('line ' + i); note('all is said')";
        dispatcher.submit(block(text, locals()).withOutput(slow)).future().get();
        assertThat(heard).startsWith("line 0").endsWith("line 99999");
        assertThat(heard).hasSizeLessThan(60_000);
        assertThat(heard)
                .filteredOn(line -> !line.startsWith("line "))
                .singleElement(STRING)
                .matches("\\d+ lines were dropped here: more was said than is kept");
    }

    @Test
    void anArrayOfManyMessagesComesBackAsItWent() throws Exception {
        float[] values = new float[4 << 20];
        Arrays.setAll(new double[values.length], i -> values[i] = i);
        Map<String, Object> locals = new HashMap<>(Map.of("values", values));
        dispatcher.submit(block("values[1] = 7; kept = values; 0", locals)).future().get();
        values[1] = 7;
        assertThat(locals.get("kept")).isEqualTo(values);
    }

    @Test
    void whatIsTooLargeIsToldWithItsSizeOnTheWayThereAndBack() {
        Map<String, Object> locals = new HashMap<>(Map.of("values", new byte[LARGEST]));
        assertThatThrownBy(() -> dispatcher.submit(block("values[0]", locals)))
                .isInstanceOfSatisfying(
                        DispatchException.class,
                        e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.TOO_LARGE))
                .hasMessageContaining("and no more than " + LARGEST + " are sent");
        Block block = block("small = 1; big = new ArrayBuffer(%d); 0".formatted(LARGEST), locals());
        assertThat(causeOf(dispatcher.submit(block)))
                .isInstanceOfSatisfying(
                        DispatchException.class,
                        e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.TOO_LARGE))
                .hasMessageContaining("of which 'big' is");
    }

    @Test
    void aModelThatNoWorkerHasIsToldTheNearest() throws Exception {
        Block block = block("1", locals());
        assertThat(dispatcher.toModel("tools").submit(block).future().get().value()).isEqualTo(1);
        assertThatThrownBy(() -> dispatcher.toModel("tool").submit(block))
                .hasMessageStartingWith(
                        "no worker has the model \"tool\"; the nearest of 2 names are [tools");
        assertThat(gateway.models()).containsExactly("strict", "tools");
    }

    @Test
    void aBlockThatLoopsIsStoppedWithinASecondAndItsSlotGoesOn() throws Exception {
        // The first time, what cancels is loaded and compiled.
        assertThat(stopOneThatLoops()).isPositive();
        assertThat(stopOneThatLoops()).isLessThan(Duration.ofSeconds(1));
    }

    /** Returns how long it took from the call to a free slot. */
    private Duration stopOneThatLoops() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        RemoteRun run =
                dispatcher.submit(block("for (;;);", locals()), event -> started.countDown());
        started.await();
        long cancelled = System.nanoTime();
        run.cancel();
        assertThatThrownBy(() -> run.future().get()).isInstanceOf(CancellationException.class);
        awaitNothingRuns();
        return Duration.ofNanos(System.nanoTime() - cancelled);
    }

    /** It has 2 seconds to end, and is told so with each beat, which is every second. */
    @Test
    @Timeout(20)
    void aCancelledBlockThatDoesNotEndLosesItsSlot() throws Exception {
        RemoteRun run = dispatcher.submit(block("note('hangs'); hang(60000)", locals()));
        awaitNoted("hangs");
        run.cancel();
        awaitNothingRuns();
        assertThat(gateway.state().slots()).isEqualTo(8);
    }

    private static void awaitNoted(String what) {
        Path journal = folder.resolve("journal");
        try {
            while (!Files.exists(journal) || !Files.readString(journal).contains(what)) {
                Thread.sleep(20);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("nothing was noted", e);
        }
    }

    private static void awaitNothingRuns() throws InterruptedException {
        while (gateway.state().running() > 0) {
            Thread.sleep(20);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(function f() { f() })()                                     | LIMIT",
                "let a = []; for (;;) a.push(new Array(1000).fill(a.length))  | LIMIT",
                "for (;;);                                                    | TIMEOUT",
                "throw null                                                   | RUNTIME",
                "Object.prototype.x = 1; Array.prototype.map = null           |"
            })
    void aWorkerSurvivesWhatBlocksDo(String text, @Nullable Kind kind) throws Exception {
        long retried = gateway.state().retried();
        Limits.Builder limits = Limits.builder().allocatedBytes(20_000_000);
        if (kind == Kind.TIMEOUT) {
            limits.time(Duration.ofMillis(200));
        }
        List<RemoteRun> runs = new ArrayList<>();
        for (int i = 0; i < gateway.state().slots(); i++) {
            runs.add(dispatcher.submit(block(text, locals()).within(limits.build())));
        }
        for (RemoteRun run : runs) {
            if (kind == null) {
                assertThat(run.future().get().value()).isNull();
            } else {
                assertThat(((BlockException) causeOf(run)).kind()).isEqualTo(kind);
            }
        }
        List<RemoteRun> after = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            after.add(dispatcher.submit(block("[typeof x].map(x => x)[0]", locals())));
        }
        for (RemoteRun run : after) {
            assertThat(run.future().get().value()).isEqualTo("undefined");
        }
        assertThat(gateway.state().retried()).isEqualTo(retried);
    }

    @Test
    void closingOneAuthorsCarrierLeavesTheOthersBlocksAlone() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        RemoteRun mine =
                dispatcher.submit(block("sleep(20000)", locals()), event -> started.countDown());
        started.await();
        try (Dispatcher other = Dispatcher.over(gateway.carrier("bob"), tools.vocabulary())) {
            dispatcher.close();
            assertThat(causeOf(mine))
                    .isInstanceOfSatisfying(
                            DispatchException.class,
                            e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.CLOSED));
            assertThat(other.submit(block("2", locals())).future().get().value()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"old, 0", "new, 2"})
    void aWorkerOfAnotherVersionIsRefusedAndSaysWhy(String name, int version) throws Exception {
        try (WorkerProcess other =
                WorkerProcess.launch(
                        gateway.address(),
                        name,
                        folder.resolve("journal"),
                        "-Dprotocol=" + version)) {
            assertThatThrownBy(other::awaitReady)
                    .hasMessageContaining(
                            "the gateway speaks version 1 of the protocol and the worker %s version %d; use the same release",
                            name, version);
            assertThat(other.awaitExit()).isEqualTo(3);
        }
        assertThat(gateway.state().workers()).doesNotContainKey(name);
    }

    @Test
    void aWorkerThatIsAskedToEndEndsWhatItRunsAndTakesNoMore() throws Exception {
        long retried = gateway.state().retried();
        try (WorkerProcess leaving =
                WorkerProcess.start(gateway.address(), "leaving", folder.resolve("journal"))) {
            CountDownLatch started = new CountDownLatch(12);
            List<String> workers = Collections.synchronizedList(new ArrayList<>());
            List<RemoteRun> runs = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                runs.add(
                        dispatcher.submit(
                                block("sleep(1500); " + i, locals()),
                                event -> {
                                    workers.add(event.worker());
                                    started.countDown();
                                }));
            }
            started.await();
            leaving.terminate();
            for (int i = 0; i < runs.size(); i++) {
                assertThat(runs.get(i).future().get().value()).isEqualTo(i);
            }
            assertThat(leaving.awaitExit()).isEqualTo(143);
            assertThat(workers).contains("leaving");
            assertThat(gateway.state().retried()).isEqualTo(retried);
        }
    }

    @Test
    void aBlockIsToldWhereItRuns() throws Exception {
        List<RunEvent> events = Collections.synchronizedList(new ArrayList<>());
        dispatcher.submit(block("1", locals()), events::add).future().get();
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().worker()).isIn("first", "second");
        assertThat(Files.exists(folder)).isTrue();
        assertThat(gateway.awaitSlots(8, Duration.ofSeconds(1))).isTrue();
    }
}
