package dev.blockscope.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.base.Splitter;
import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockResult;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.Globals;
import dev.blockscope.HostFailure;
import dev.blockscope.Limit;
import dev.blockscope.Limits;
import dev.blockscope.OutputLine;
import dev.blockscope.OutputListener;
import dev.blockscope.PushException;
import dev.blockscope.StopSignal;
import dev.blockscope.Traceback;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that run elsewhere, as if they ran here. */
@Timeout(60)
final class DispatcherTest {
    private final Gate gate = new Gate();
    private final Thrower thrower = new Thrower();
    private BlockEngine engine;
    private BlockEngine workers;
    private Vocabulary vocabulary;
    private Dispatcher dispatcher;

    @BeforeEach
    void open() {
        engine = BlockEngine.create();
        workers = BlockEngine.create();
        vocabulary =
                Vocabulary.builder()
                        .reference("gate", (Runnable) gate::pass)
                        .reference("thrower", (Consumer<Object>) thrower::fail)
                        .exception(IllegalStateException.class, IllegalStateException::new)
                        .build();
        dispatcher = Dispatcher.inJvm(new EnvelopeRunner(workers, vocabulary, Limits.NONE), 2, 3);
    }

    @AfterEach
    void close() {
        gate.open();
        dispatcher.close();
        workers.close();
        engine.close();
    }

    /** A host function that holds a block until the test lets it go on. */
    private static final class Gate {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        void pass() {
            reached.countDown();
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void open() {
            open.countDown();
        }
    }

    /** A host function that fails in several ways. */
    private static final class Thrower {
        void fail(Object how) {
            if (how.equals("allowed")) {
                throw new IllegalStateException("it is late");
            }
            throw new UncheckedIOException("no disk", new IOException("full"));
        }
    }

    private Object referenced(String name) {
        return vocabulary.referenced(name);
    }

    private Block block(String text, Map<String, Object> locals) {
        return engine.capture(BlockSource.javaScript(text, "rules.js"), Frame.of(locals));
    }

    private BlockResult result(Block block) throws Exception {
        return dispatcher.submit(block).future().get();
    }

    private BlockException failure(Block block) {
        ExecutionException e = catchThrowableOfType(ExecutionException.class, () -> result(block));
        return (BlockException) e.getCause();
    }

    @Test
    void whatABlockAssignsArrivesInItsFrameAndWithItsSiblings() throws Exception {
        Map<String, Object> locals = new HashMap<>(Map.of("price", 3, "quantity", 4));
        Block block = block("total = price * quantity; kept = [total, null]; 'done'", locals);
        BlockResult result = result(block);
        assertThat(result.value()).isEqualTo("done");
        assertThat(locals)
                .containsEntry("total", 12)
                .containsEntry("kept", Arrays.asList(12, null));
        assertThat(engine.capture("total + 1", Frame.of(locals)).run().value()).isEqualTo(13);
        assertThat(engine.capture("typeof total", block.frame()).evaluate().value())
                .isEqualTo("number");
    }

    @Test
    void aFunctionThatComesBackIsOneForTheNextBlock() throws Exception {
        Map<String, Object> locals = new HashMap<>(Map.of("k", 3));
        Block block = block("times = x => x * k", locals);
        result(block);
        assertThat(engine.capture("times(5)", block.frame()).run().value()).isEqualTo(15);
    }

    @Test
    void blocksOfANamespaceGoOnWithWhatTheyMadeElsewhereAndHere() throws Exception {
        Map<String, Object> variables = new HashMap<>(Map.of("n", 1));
        Frame namespace = Frame.ofNamespace(variables, Globals.none());
        result(engine.capture("n = n + 1; function twice(x) { return 2 * x }", namespace));
        assertThat(variables).containsEntry("n", 2);
        engine.capture("n = twice(n)", namespace).run();
        assertThat(variables).containsEntry("n", 4);
        result(engine.capture("n = twice(n); m = n", namespace));
        assertThat(variables).containsEntry("n", 8).containsEntry("m", 8);
        variables.put("n", 100);
        assertThat(result(engine.capture("n = n + m", namespace)).bindings())
                .isEqualTo(Map.of("n", 108));
        assertThat(variables).containsEntry("n", 108);
        engine.capture("let k = 1; function more() { return k += n }", namespace).run();
        variables.put("k", 1000);
        assertThat(result(engine.capture("k + n", namespace)).value()).isEqualTo(1108);
        assertThat(engine.capture("more()", namespace).run().value()).isEqualTo(1108);
    }

    @Test
    void onlyTheNamesThatABlockMayPushArePushed() throws Exception {
        Map<String, Object> locals = new HashMap<>();
        result(block("a = 1; b = 2", locals).pushOnly("b"));
        assertThat(locals).isEqualTo(Map.of("b", 2));
    }

    @Test
    void aFrameThatRefusesANameSaysSoAsAfterARunHere() {
        Block block = engine.capture("a = 1", Frame.of(Map.of("a", 0)));
        assertThatThrownBy(() -> result(block)).hasCauseInstanceOf(PushException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "let a = 1\n  fail()",
                "null.x",
                "throw new TypeError('no')",
                "throw { code: 7 }",
                "throw 'plain'",
                "function f(n) { return n == 0 ? boom() : f(n - 1) }\nkept = 1; f(3)",
                "throw new Error('outer', { cause: new RangeError('inner') })",
                "throw new AggregateError([new Error('one'), new TypeError('two')], 'many')",
                "thrower('allowed')",
                "try { thrower('other') } catch (e) { throw new Error('m', { cause: e }) }",
                "await null\nnope()",
            })
    void anErrorThereIsTheErrorThatItIsHere(String text) {
        Map<String, Object> locals = new HashMap<>(Map.of("thrower", referenced("thrower")));
        Block block = block(text, locals);
        BlockException here = catchThrowableOfType(BlockException.class, block::evaluate);
        BlockException there = failure(block);
        assertThat(there).hasMessage(here.getMessage());
        assertThat(there.kind()).isEqualTo(here.kind());
        assertThat(there.bindings()).isEqualTo(here.bindings());
        assertThat(users(there.traceback())).isEqualTo(users(here.traceback()));
        assertThat(there.traceback().type()).isEqualTo(here.traceback().type());
        assertThat(there.traceback().cause() == null).isEqualTo(here.traceback().cause() == null);
        assertThat(there.getSuppressed()).hasSameSizeAs(here.getSuppressed());
        assertThat(there.getStackTrace()[0]).isEqualTo(here.getStackTrace()[0]);
    }

    private static List<Traceback.Entry> users(Traceback traceback) {
        return traceback.entries().stream().filter(Traceback.Entry::guest).toList();
    }

    /** Case H6. */
    @Test
    void aHostExceptionComesBackAsItselfOnlyIfItsClassMay() {
        Map<String, Object> locals = new HashMap<>(Map.of("thrower", referenced("thrower")));
        assertThat(failure(block("\nthrower('allowed')", locals)).getCause())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("it is late");
        BlockException other =
                failure(
                        block(
                                "try { thrower('x') } catch (e) {\nthrow new Error('m', { cause: e }) }",
                                locals));
        assertThat(other.traceback().innermost().line()).isEqualTo(2);
        assertThat(other.getCause()).isInstanceOf(HostFailure.class);
        assertThat(((HostFailure) other.getCause()).className())
                .isEqualTo("java.io.UncheckedIOException");
        assertThat(other.getCause()).hasMessage("java.io.UncheckedIOException: no disk");
        assertThat(other.getCause().getCause()).hasMessage("java.io.IOException: full");
        assertThat(other.getCause().getStackTrace()).isEmpty();
    }

    @Test
    void whatABlockSaysIsHeardInOrderWithItsPlace() throws Exception {
        List<OutputLine> said = Collections.synchronizedList(new ArrayList<>());
        Block block =
                block(
                        "for (let i = 0; i < 2000; i++) console.log(i)\nconsole.warn('end')",
                        new HashMap<>());
        result(block.withOutput(said::add));
        assertThat(said).hasSize(2001);
        assertThat(said.stream().limit(2000).map(OutputLine::text))
                .isEqualTo(IntStream.range(0, 2000).mapToObj(String::valueOf).toList());
        assertThat(said.getLast())
                .isEqualTo(new OutputLine(OutputLine.Level.WARN, "end", "rules.js", 2));
    }

    @Test
    void howFarABlockIsIsHeardAmongItsLines() throws Exception {
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        OutputListener listener =
                new OutputListener() {
                    @Override
                    public void print(OutputLine line) {
                        heard.add(line.text());
                    }

                    @Override
                    public void progress(double done, double total) {
                        heard.add(done + " of " + total);
                    }
                };
        String text =
                "console.log('a'); console.progress(1, 4); print('b'); console.progress(4, 4)";
        result(block(text, new HashMap<>()).withOutput(listener));
        assertThat(heard).containsExactly("a", "1.0 of 4.0", "b", "4.0 of 4.0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1, 2", "3, 2", "0, 0", "1, Infinity", "NaN, 1"})
    void aWorkerIsNotBelievedWhatNoBlockSays(String numbers) {
        double[] said =
                Splitter.on(", ").splitToStream(numbers).mapToDouble(Double::parseDouble).toArray();
        byte[] bytes = new WireOutput(0, new WireOutput.Progress(said[0], said[1])).toBytes();
        assertThatThrownBy(() -> WireOutput.read(bytes))
                .isInstanceOf(EnvelopeException.class)
                .hasMessageContaining("expected how much is done and of how much");
    }

    @Test
    void aListenerThatThrowsEndsTheRun() {
        Block block =
                block("console.log(1); for (;;);", new HashMap<>())
                        .withOutput(line -> {
                            throw new IllegalStateException("enough");
                        });
        assertThatThrownBy(() -> result(block)).hasRootCauseMessage("enough");
    }

    @Test
    void limitsTravelAndTheWorkersOwnAreNoneTheLess() {
        Dispatcher strict =
                Dispatcher.inJvm(
                        new EnvelopeRunner(
                                workers,
                                vocabulary,
                                Limits.builder().statements(1000).recursion(100).build()),
                        1,
                        1);
        Block endless = block("for (;;);", new HashMap<>());
        assertThat(limitOf(strict, endless)).isEqualTo(Limit.STATEMENTS);
        Block wide = endless.within(Limits.builder().statements(1_000_000_000).build());
        assertThat(limitOf(strict, wide)).isEqualTo(Limit.STATEMENTS);
        Block deep = block("(function f() { f() })()", new HashMap<>());
        assertThat(limitOf(strict, deep.within(Limits.builder().recursion(10).build())))
                .isEqualTo(Limit.RECURSION);
    }

    private static Limit limitOf(Dispatcher dispatcher, Block block) {
        ExecutionException e =
                catchThrowableOfType(
                        ExecutionException.class, () -> dispatcher.submit(block).future().get());
        return ((BlockException) e.getCause()).limit().orElseThrow().limit();
    }

    @Test
    void aBlockThatRunsIsStoppedAndPushesNothing() throws Exception {
        Map<String, Object> locals = new HashMap<>();
        CountDownLatch started = new CountDownLatch(1);
        RemoteRun run =
                dispatcher.submit(block("n = 1; for (;;);", locals), event -> started.countDown());
        started.await();
        run.cancel();
        assertThatThrownBy(() -> run.future().get()).isInstanceOf(CancellationException.class);
        // Both slots are free again.
        assertThat(result(block("1", locals)).value()).isEqualTo(1);
        assertThat(result(block("2", locals)).value()).isEqualTo(2);
        assertThat(locals).isEmpty();
    }

    @Test
    void aResultThatComesAfterACancelIsCountedAndDropped() throws Exception {
        Map<String, Object> locals = new HashMap<>(Map.of("gate", referenced("gate")));
        RemoteRun run = dispatcher.submit(block("gate(); n = 1", locals));
        gate.reached.await();
        run.future().cancel(true);
        gate.open();
        while (run.lateOutcomes() == 0) {
            Thread.onSpinWait();
        }
        assertThat(locals).doesNotContainKey("n");
    }

    @Test
    void aQueueThatIsFullSaysItsNumbersAndQueuedBlocksCanBeCancelled() throws Exception {
        Map<String, Object> locals = new HashMap<>(Map.of("gate", referenced("gate")));
        List<RemoteRun> runs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            runs.add(dispatcher.submit(block("gate(); " + i, locals)));
        }
        assertThatThrownBy(() -> dispatcher.submit(block("5", locals)))
                .isInstanceOfSatisfying(
                        DispatchException.class,
                        e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.FULL))
                .hasMessageStartingWith("3 blocks wait and 2 run, and no more than 3 may wait");
        runs.get(3).cancel();
        RemoteRun last = dispatcher.submit(block("'last'", locals));
        gate.open();
        assertThat(last.future().get().value()).isEqualTo("last");
        for (int i : new int[] {0, 1, 2, 4}) {
            assertThat(runs.get(i).future().get().value()).isEqualTo(i);
        }
    }

    @Test
    void whatCannotTravelIsRefusedBeforeItIsSentOrAtTheBlockWhenItComesBack() {
        Map<String, Object> locals = new HashMap<>(Map.of("conn", new Socket()));
        assertThatThrownBy(() -> dispatcher.submit(block("conn.port", locals)))
                .isInstanceOf(UnsendableException.class)
                .hasMessageContaining("variable 'conn'");
        BlockException e = failure(block("out = { f: [Math.max] }", new HashMap<>()));
        assertThat(e).hasMessageContaining("variable 'out' cannot be sent: out.f[0] is a function");
        assertThat(e.traceback().innermost().file()).isEqualTo("rules.js");
    }

    @Test
    void closingTwiceEndsWhatWaitsAndWhatRuns() throws Exception {
        Map<String, Object> locals = new HashMap<>(Map.of("gate", referenced("gate")));
        List<RemoteRun> runs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            runs.add(dispatcher.submit(block("gate()", locals)));
        }
        dispatcher.close();
        dispatcher.close();
        for (RemoteRun run : runs) {
            assertThatThrownBy(() -> run.future().get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(DispatchException.class)
                    .hasMessageContaining("the dispatcher is closed");
        }
        assertThatThrownBy(() -> dispatcher.submit(block("1", locals)))
                .isInstanceOf(DispatchException.class);
    }

    @Test
    void workersWhoseEngineIsClosedSayThatTheyAreNoMore() {
        workers.close();
        for (int i = 0; i < 9; i++) {
            assertThatThrownBy(() -> dispatcher.submit(block("1", new HashMap<>())))
                    .isInstanceOfSatisfying(
                            DispatchException.class,
                            e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.CLOSED))
                    .hasMessage("the engine of the workers is closed; create another dispatcher");
        }
    }

    @Test
    void aModelIsANameOfTheWorkersAndAnotherNameIsToldTheNearest() throws Exception {
        Block block = block("1 + 1", new HashMap<>());
        assertThat(dispatcher.toModel("gate").submit(block).future().get().value()).isEqualTo(2);
        assertThatThrownBy(() -> dispatcher.toModel("gatte").submit(block))
                .isInstanceOfSatisfying(
                        DispatchException.class,
                        e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.NO_SUCH_MODEL))
                .hasMessage(
                        "no worker has the model \"gatte\"; the nearest of 2 names are [gate, thrower]");
        assertThatThrownBy(() -> Dispatcher.inJvm(workers).toModel("gate").submit(block))
                .hasMessageStartingWith("no worker has the model \"gate\", nor any other");
    }

    @Test
    void theFirstOutcomeWinsAndStaleAttemptsAreNotHeard() throws Exception {
        Carrier.Receiver[] receiver = new Carrier.Receiver[1];
        byte[][] envelope = new byte[1][];
        Carrier byHand =
                new Carrier() {
                    @Override
                    public Carried carry(Job job, Receiver to) {
                        receiver[0] = to;
                        envelope[0] = job.envelope();
                        return () -> {};
                    }

                    @Override
                    public void close() {}
                };
        List<String> heard = new ArrayList<>();
        Map<String, Object> locals = new HashMap<>(Map.of("n", 1));
        Block block = block("n = n + 1; console.log(n)", locals);
        RemoteRun run =
                Dispatcher.over(byHand, vocabulary)
                        .submit(
                                block.withOutput(line -> heard.add(line.text())),
                                event -> heard.add(event.worker() + event.attempt()));
        EnvelopeRunner runner = new EnvelopeRunner(workers, vocabulary, Limits.NONE);
        List<byte[]> lines = new ArrayList<>();
        byte[] outcome = runner.run(envelope[0], new StopSignal(), lines::add);
        receiver[0].started("a", 1);
        receiver[0].lost("a", 1, "no beat");
        receiver[0].started("b", 2);
        receiver[0].said(1, lines.getFirst());
        receiver[0].said(2, lines.getFirst());
        receiver[0].ended(2, outcome);
        locals.put("n", 100);
        receiver[0].ended(1, outcome);
        receiver[0].said(2, lines.getFirst());
        assertThat(run.future().get().bindings()).isEqualTo(Map.of("n", 2));
        assertThat(run.lateOutcomes()).isEqualTo(1);
        assertThat(locals).containsEntry("n", 100);
        assertThat(heard).containsExactly("a1", "a1", "b2", "2");
    }

    @Test
    void bytesThatAreNoOutcomeSayThatTheyAreNot() {
        for (byte[] garbage : List.of(new byte[0], new byte[] {1, 2}, Outcome.refusal("no"))) {
            Carrier broken =
                    new Carrier() {
                        @Override
                        public Carried carry(Job job, Receiver to) {
                            to.ended(1, garbage);
                            return () -> {};
                        }

                        @Override
                        public void close() {}
                    };
            RemoteRun run = Dispatcher.over(broken, vocabulary).submit(block("1", new HashMap<>()));
            assertThatThrownBy(() -> run.future().get())
                    .hasCauseInstanceOf(DispatchException.class);
        }
    }

    @Test
    void anOutcomeThatIsTooLargeTellsItsSizeAndWhatIsLargeInIt() {
        EnvelopeRunner runner = new EnvelopeRunner(workers, vocabulary, Limits.NONE);
        byte[] envelope =
                Envelope.of(block("a = 1; b = new Float32Array(1000); 0", Map.of())).toBytes();
        byte[] outcome = runner.run(envelope, new StopSignal(), line -> {});
        assertThat(Outcomes.within(outcome.length, outcome, vocabulary)).isSameAs(outcome);
        byte[] told = Outcomes.within(outcome.length - 1, outcome, vocabulary);
        assertThat(Outcome.read(told, vocabulary))
                .isInstanceOfSatisfying(
                        Outcome.TooLarge.class,
                        it ->
                                assertThat(it.reason())
                                        .matches(
                                                "what the block came to is 4\\d{3} bytes, and no more than 4\\d{3} are sent, of which 'b' is 4\\d{3}; .*"));
    }

    @Test
    void anEnvelopeThatTheWorkerCannotReadIsRefused() {
        EnvelopeRunner runner = new EnvelopeRunner(workers, Vocabulary.EMPTY, Limits.NONE);
        byte[] envelope = Envelope.of(block("1", Map.of())).toBytes();
        envelope[1 + 1 + "blockscope".length()] = 2;
        byte[] outcome = runner.run(envelope, new StopSignal(), line -> {});
        assertThat(Outcome.read(outcome, vocabulary))
                .isInstanceOfSatisfying(
                        Outcome.Refusal.class,
                        it -> assertThat(it.reason()).contains("is of version 2"));
    }
}
