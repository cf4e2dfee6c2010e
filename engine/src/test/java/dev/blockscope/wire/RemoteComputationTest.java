package dev.blockscope.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.GuestFunction;
import dev.blockscope.HostFailure;
import dev.blockscope.Limit;
import dev.blockscope.Limits;
import dev.blockscope.StopSignal;
import dev.blockscope.interleave.Envoy;
import dev.blockscope.interleave.HookPoints;
import dev.blockscope.interleave.Interleaver;
import dev.blockscope.interleave.Stopped;
import dev.blockscope.interleave.Trace;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Traces of a computation that is elsewhere: a price of an order, with a tax. */
@Timeout(60)
final class RemoteComputationTest {
    private BlockEngine engine;
    private BlockEngine workers;
    private Vocabulary there;
    private Dispatcher dispatcher;
    private RemoteComputation pricing;

    @BeforeEach
    void open() {
        engine = BlockEngine.create();
        workers = BlockEngine.create();
        there =
                Vocabulary.builder()
                        .computation("pricing", new Pricing())
                        .reference("clock", new Object())
                        .exception(IllegalStateException.class, IllegalStateException::new)
                        .build();
        dispatcher = Dispatcher.inJvm(new EnvelopeRunner(workers, there, Limits.NONE), 1, 3);
        pricing = RemoteComputation.of(dispatcher.toModel("pricing"));
    }

    @AfterEach
    void closeAndFindNothingLeft() {
        assertThat(workers.leasedThreads()).isZero();
        dispatcher.close();
        workers.close();
        engine.close();
    }

    /** The net price of an order, a rate of tax, and the total. */
    private static final class Pricing implements TraceHost {
        private final HookPoints points = HookPoints.of(List.of("net", "tax.rate", "total"));
        private final Interleaver interleaver = Interleaver.of(points);

        @Override
        public Object envoy() {
            return Envoy.of(points);
        }

        @Override
        public Traced<?> trace(TraceRequest request, StopSignal signal) throws Exception {
            if (!(request.input() instanceof Number net)) {
                throw new IOException("there is no order in " + request.input());
            }
            if (net.doubleValue() < 0) {
                throw new IllegalStateException("an order of " + net);
            }
            Trace<Object> trace =
                    interleaver.run(
                            request.blocks(),
                            visits -> {
                                Object before = visits.visit("net", net);
                                Object rate = visits.visit("tax.rate", 0.5);
                                double sum = ((Number) before).doubleValue();
                                double tax = sum * ((Number) rate).doubleValue();
                                Object total = visits.visit("total", sum + tax);
                                return net.intValue() == 999 ? new Object() : total;
                            },
                            signal);
            return new Traced<>(
                    trace.stopped().isPresent() ? null : trace.result(),
                    trace.blocks(),
                    trace.stopped().map(Stopped::toString));
        }
    }

    private Map<String, Object> locals() {
        return new HashMap<>(Map.of("order", pricing.envoy()));
    }

    private Block block(String text, Map<String, Object> locals) {
        return block(text, Frame.of(locals));
    }

    private Block block(String text, Frame frame) {
        return engine.capture(BlockSource.javaScript(text, "rules.js"), frame);
    }

    private Traced<@Nullable Object> done(TraceRequest request) throws Exception {
        return done(pricing.trace(request));
    }

    private static <T> T done(RemoteTrace<T> trace) throws Exception {
        try {
            return trace.future().get();
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    private static TraceRequest wantingResult(Object input, Block... blocks) {
        return new TraceRequest(input, TraceRequest.of(input, blocks).invokes(), true);
    }

    @Test
    void whatBlocksAssignIsPushedAndTheResultComesIfAskedFor() throws Exception {
        Map<String, Object> locals = locals();
        Block block = block("order.tax.rate = 0.25; seen = order.total; 'value'", locals);
        Traced<Object> traced = done(wantingResult(100, block));
        assertThat(traced.result()).isEqualTo(125.0);
        assertThat(traced.stopped()).isEmpty();
        assertThat(traced.blocks().getFirst().value()).isEqualTo("value");
        assertThat(locals).containsEntry("seen", 125);
        assertThat(done(TraceRequest.of(100, block)).result()).isNull();
    }

    @Test
    void nothingOfATraceIsSharedWhenItHasEnded() throws Exception {
        Frame frame = Frame.of(locals());
        done(
                TraceRequest.of(
                        1,
                        block("kept = order.net", frame),
                        block("order.net; seen = kept", frame)));
        assertThat(frame.snapshot()).containsEntry("kept", 1).containsEntry("seen", 1);
        Frame other = Frame.of(locals());
        done(TraceRequest.of(1, block("kept = order.net", other).pushOnly()));
        assertThat(block("typeof kept", other).evaluate().value()).isEqualTo("undefined");
    }

    @Test
    void ofSeveralBlocksNothingIsPushedIfOneFails() {
        Map<String, Object> locals = locals();
        Frame frame = Frame.of(locals);
        assertThatThrownBy(() ->
                        done(
                                TraceRequest.of(
                                        1,
                                        block("x = order.net", frame),
                                        block("y = 2\n  order.total.z.z", frame))))
                .isInstanceOfSatisfying(
                        BlockException.class,
                        e -> assertThat(e.traceback().innermost().line()).isEqualTo(2));
        assertThat(locals).containsOnlyKeys("order");
    }

    @Test
    void whoStoppedAComputationIsTold() throws Exception {
        Traced<Object> traced = done(wantingResult(7, block("\norder.stop('cheap')", locals())));
        assertThat(traced.stopped()).contains("rules.js:2: cheap");
        assertThat(traced.result()).isNull();
    }

    @Test
    void aSessionSharesAndPushesAtItsEnd() throws Exception {
        Map<String, Object> locals = locals();
        Frame frame = Frame.of(locals);
        List<TraceRequest> requests =
                List.of(
                        TraceRequest.of(5, block("high = { rate: order.net }", frame)),
                        TraceRequest.of(
                                1,
                                block("order.tax.rate = high.rate; total = order.total", frame)));
        List<Object> sizes =
                done(
                        pricing.submit(
                                requests,
                                traces -> new ArrayList<>(List.of(traces.size())),
                                event -> {}));
        assertThat(sizes).isEqualTo(List.of(2));
        assertThat(locals).containsEntry("total", 6).containsEntry("high", Map.of("rate", 5));
    }

    @Test
    void aBlockOfTwoTracesIsCapturedOnce() throws Exception {
        Map<String, Object> locals = locals();
        locals.put("n", 0);
        Block block = block("order.total; n = n + 1", locals);
        TraceRequest request = TraceRequest.of(1, block);
        done(pricing.submit(List.of(request, request), Function.identity(), event -> {}));
        assertThat(locals).containsEntry("n", 1);
    }

    @Test
    void aValueThatCannotTravelIsRefusedWhenItIsSubmitted() {
        Map<String, Object> locals = locals();
        locals.put("items", List.of(1, Map.of("socket", new Socket())));
        Block good = block("1", locals());
        Block bad = block("items.length", locals);
        assertThatThrownBy(() -> pricing.trace(1, good, bad))
                .isInstanceOfSatisfying(
                        UnsendableException.class,
                        e -> assertThat(e.path()).isEqualTo("items[1].socket"));
        assertThatThrownBy(() -> pricing.trace(Map.of("by", new Socket()), good))
                .isInstanceOfSatisfying(
                        UnsendableException.class, e -> assertThat(e.path()).isEqualTo("input.by"));
        TraceRequest.Invoke own = new TraceRequest.Invoke(good, List.of(1, new Socket()));
        assertThatThrownBy(() -> pricing.trace(new TraceRequest(null, List.of(own), false)))
                .isInstanceOfSatisfying(
                        UnsendableException.class,
                        e -> assertThat(e.path()).isEqualTo("inputs[1]"));
    }

    /** Both sides count the same levels, or a job would be refused that was sent. */
    @Test
    void whatIsNestedDeepIsRefusedBeforeItIsSentOrNotAtAll() {
        Object deep = 1;
        int sent = 0;
        int refused = 0;
        for (int levels = 1; levels < 520; levels++) {
            deep = List.of(deep);
            Block block = block("deep", new HashMap<>(Map.of("deep", deep)));
            TraceRequest.Invoke invoke = new TraceRequest.Invoke(block, List.of(deep));
            TraceJob job =
                    TraceJob.of("pricing", List.of(new TraceRequest(null, List.of(invoke), false)));
            try {
                byte[] bytes = job.toBytes(there);
                TraceJob.of(EnvelopeFormat.parts(bytes, there, TraceJob.NAMES));
                sent++;
            } catch (UnsendableException e) {
                refused++;
            }
        }
        assertThat(sent).isGreaterThan(490);
        assertThat(refused).isGreaterThan(10);
    }

    @Test
    void aFunctionLiteralOfAScriptStaysWithItsScript() {
        List<Object> refused = new ArrayList<>();
        Consumer<GuestFunction> trace =
                literal -> {
                    Block block = engine.capture(literal);
                    for (Runnable send :
                            List.<Runnable>of(
                                    () -> pricing.trace(1, block), () -> Envelope.of(block))) {
                        refused.add(catchThrowableOfType(UnsendableException.class, send::run));
                    }
                };
        Map<String, Object> locals = locals();
        locals.put("trace", trace);
        block("let vec = 1; trace(() => { vec = order.net })", locals).run();
        assertThat(refused)
                .hasSize(2)
                .allSatisfy(e ->
                        assertThat(e)
                                .asString()
                                .contains("its variables are those of a script that runs here"));
    }

    @Test
    void aVariableThatAFunctionOfOneBlockAssignsAndAnotherSeesIsRefused() {
        Frame frame = Frame.of(locals());
        block("let count = 0\nfunction up() { return count++ }", frame).evaluate();
        Block calls = block("order.net; up()", frame);
        Block looks = block("order.total; count", frame);
        for (TraceRequest request :
                List.of(TraceRequest.of(1, calls, looks), TraceRequest.of(1, looks, calls))) {
            assertThatThrownBy(() -> pricing.trace(request))
                    .isInstanceOfSatisfying(
                            UnsendableException.class,
                            e -> assertThat(e.variable()).isEqualTo("up"))
                    .hasMessageContaining("it assigns count, a variable that the block sees too");
        }
    }

    @Test
    void aResultThatCannotTravelIsToldAtItsBlock() {
        Map<String, Object> locals = locals();
        locals.put("clock", there.referenced("clock"));
        BlockException e =
                catchThrowableOfType(
                        BlockException.class,
                        () ->
                                done(
                                        TraceRequest.of(
                                                1,
                                                block("x = 1", locals()),
                                                block("\n\nx = order.stop", locals))));
        assertThat(e).hasMessageContaining("variable 'x'").hasMessageContaining("cannot be sent");
        assertThat(locals).doesNotContainKey("x");
        assertThatThrownBy(() -> done(wantingResult(999, block("1", locals))))
                .isInstanceOfSatisfying(
                        DispatchException.class,
                        refused ->
                                assertThat(refused.kind())
                                        .isEqualTo(DispatchException.Kind.REFUSED))
                .hasMessageContaining("the result of the computation");
    }

    @Test
    void anOutcomeThatIsTooLargeNamesItsLargestVariable() {
        Block small = block("x = order.net", locals());
        Block large = block("few = 1; many = Array.from({ length: 1000 }, (_, i) => i)", locals());
        byte[] job =
                TraceJob.of("pricing", List.of(TraceRequest.of(1, small, large))).toBytes(there);
        byte[] outcome =
                new EnvelopeRunner(workers, there, Limits.NONE)
                        .run(job, new StopSignal(), line -> {});
        RemoteComputation answered =
                RemoteComputation.of(
                        Dispatcher.over(new Answering(Outcomes.within(500, outcome, there)), there)
                                .toModel("pricing"));
        assertThatThrownBy(() -> done(answered.trace(1, small, large)))
                .isInstanceOfSatisfying(
                        DispatchException.class,
                        e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.TOO_LARGE))
                .hasMessageContaining("no more than 500 are sent, of which 'many' is");
    }

    @Test
    void anErrorOfTheComputationComesOutAsItself() {
        assertThatThrownBy(() -> done(TraceRequest.of(-1, block("1", locals()))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("an order of -1");
        assertThatThrownBy(() -> done(TraceRequest.of("none", block("1", locals()))))
                .isInstanceOf(HostFailure.class)
                .hasMessage("java.io.IOException: there is no order in none");
    }

    @Test
    void aTraceThatRunsIsStoppedAndPushesNothing() throws Exception {
        Map<String, Object> locals = locals();
        CountDownLatch said = new CountDownLatch(1);
        Block endless =
                block("x = order.net; console.log('here'); for (;;);", locals)
                        .withOutput(line -> said.countDown());
        RemoteTrace<Traced<Object>> run = pricing.trace(1, endless);
        said.await();
        run.cancel();
        assertThatThrownBy(() -> run.future().get()).isInstanceOf(CancellationException.class);
        // Its slot is free again.
        done(TraceRequest.of(1, block("y = order.total", locals)));
        assertThat(run.lateOutcomes()).isEqualTo(1);
        assertThat(locals).containsEntry("y", 1.5).doesNotContainKey("x");
    }

    @Test
    void whatEachBlockSaysIsHeardByItsOwnListener() throws Exception {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        Frame frame = Frame.of(locals());
        done(
                TraceRequest.of(
                        1,
                        block("console.log('a'); order.total; console.log('b')", frame)
                                .withOutput(line -> first.add(line.text())),
                        block("console.log('c'); order.total; console.log('d')", frame)
                                .withOutput(line -> second.add(line.text()))));
        assertThat(first).containsExactly("a", "b");
        assertThat(second).containsExactly("c", "d");
    }

    @Test
    void theLimitsOfTheWorkerHoldWhateverABlockAllowsItself() {
        Limits most = Limits.builder().statements(1_000).build();
        Dispatcher strict = Dispatcher.inJvm(new EnvelopeRunner(workers, there, most), 1, 1);
        Block endless =
                block("order.net; for (;;);", locals())
                        .within(Limits.builder().statements(1_000_000_000).build());
        BlockException e =
                catchThrowableOfType(
                        BlockException.class,
                        () ->
                                done(
                                        RemoteComputation.of(strict.toModel("pricing"))
                                                .trace(1, endless)));
        assertThat(e.limit().orElseThrow().limit()).isEqualTo(Limit.STATEMENTS);
        assertThat(e.limit().orElseThrow().value()).isEqualTo(1_000);
    }

    @Test
    void aComputationThatIsNotThereIsToldWithTheNearestNames() {
        RemoteComputation other = RemoteComputation.of(dispatcher.toModel("pricin"));
        assertThatThrownBy(() -> other.trace(1))
                .isInstanceOfSatisfying(
                        DispatchException.class,
                        e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.NO_SUCH_MODEL))
                .hasMessageContaining("pricing");
        assertThatThrownBy(() -> done(RemoteComputation.of(dispatcher.toModel("clock")).trace(1)))
                .isInstanceOf(DispatchException.class)
                .hasMessageContaining("\"clock\"")
                .hasMessageContaining("pricing");
        assertThatThrownBy(() -> RemoteComputation.of(dispatcher))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("toModel");
    }

    @Test
    void anEnvoyHasNoValueHere() {
        assertThatThrownBy(() -> block("order.net", locals()).run())
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("run the block in a trace of it");
        assertThat(pricing.envoy()).hasToString("\"pricing\" elsewhere");
    }

    @Test
    void aComputationDescribesItself() throws Exception {
        assertThat(pricing.describe(String::valueOf).get()).isEqualTo("net\ntax\n  rate\ntotal");
        assertThatThrownBy(() ->
                        RemoteComputation.of(dispatcher.toModel("clock")).describe(it -> it).get())
                .hasCauseInstanceOf(DispatchException.class);
    }

    @Test
    void anOutcomeThatIsNoneOfTheTraceIsRefusedAndPushesNothing() {
        Map<String, Object> locals = locals();
        Block block = block("x = order.net", locals);
        byte[] oneBlock =
                new EnvelopeRunner(workers, there, Limits.NONE)
                        .run(
                                Envelope.of(block("x = 1", locals)).toBytes(),
                                new StopSignal(),
                                line -> {});
        byte[] noBlock =
                new EnvelopeRunner(workers, there, Limits.NONE)
                        .run(
                                TraceJob.of("pricing", List.of(TraceRequest.of(1))).toBytes(there),
                                new StopSignal(),
                                line -> {});
        for (byte[] outcome : List.of(oneBlock, noBlock, new byte[] {1, 2, 3})) {
            RemoteComputation answered =
                    RemoteComputation.of(
                            Dispatcher.over(new Answering(outcome), there).toModel("pricing"));
            assertThatThrownBy(() -> done(answered.trace(1, block)))
                    .isInstanceOfSatisfying(
                            DispatchException.class,
                            e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.REFUSED))
                    .hasMessageStartingWith("what the trace of \"pricing\" came to cannot be read");
        }
        assertThat(locals).containsOnlyKeys("order");
    }

    @Test
    void theFirstOutcomeIsPushedAndLaterOnesAreCounted() throws Exception {
        Map<String, Object> locals = locals();
        Block block = block("x = order.net", locals);
        byte[] outcome =
                new EnvelopeRunner(workers, there, Limits.NONE)
                        .run(
                                TraceJob.of("pricing", List.of(TraceRequest.of(8, block)))
                                        .toBytes(there),
                                new StopSignal(),
                                line -> {});
        RemoteComputation answered =
                RemoteComputation.of(
                        Dispatcher.over(new Answering(outcome, outcome), there).toModel("pricing"));
        RemoteTrace<Traced<Object>> run = answered.trace(1, block("x = order.net", locals));
        done(run);
        assertThat(locals).containsEntry("x", 8);
        assertThat(run.lateOutcomes()).isEqualTo(1);
    }

    /** A carrier that answers with some outcomes at once. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Answering(byte[]... outcomes) implements Carrier {
        @Override
        public Carried carry(Job job, Receiver receiver) {
            for (byte[] outcome : outcomes) {
                receiver.ended(1, outcome);
            }
            return () -> {};
        }

        @Override
        public void close() {}
    }
}
