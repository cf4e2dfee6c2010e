package dev.blockscope.pekko;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.Limits;
import dev.blockscope.StopSignal;
import dev.blockscope.interleave.Envoy;
import dev.blockscope.interleave.HookPoints;
import dev.blockscope.interleave.Interleaver;
import dev.blockscope.interleave.Trace;
import dev.blockscope.wire.Carrier;
import dev.blockscope.wire.Dispatcher;
import dev.blockscope.wire.EnvelopeRunner;
import dev.blockscope.wire.RemoteComputation;
import dev.blockscope.wire.RemoteTrace;
import dev.blockscope.wire.TraceHost;
import dev.blockscope.wire.TraceRequest;
import dev.blockscope.wire.Traced;
import dev.blockscope.wire.Vocabulary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Traces that run on a worker, for an author at the gateway and for one at its door. */
@Timeout(60)
final class TracesOnNodesTest {
    private static BlockEngine engine;
    private static BlockEngine workers;
    private static Gateway gateway;
    private static Worker worker;
    private static Door door;

    /** From where an author comes. */
    enum Way {
        GATEWAY {
            @Override
            Carrier open() {
                return gateway.carrier("ann");
            }
        },
        DOOR {
            @Override
            Carrier open() throws Exception {
                return DoorCarrier.builder(door.address()).token("secret").build();
            }
        };

        abstract Carrier open() throws Exception;
    }

    /** Doubles a number. */
    private static final class Doubling implements TraceHost {
        private final HookPoints points = HookPoints.of(List.of("one", "two"));

        @Override
        public Object envoy() {
            return Envoy.of(points);
        }

        @Override
        public Traced<?> trace(TraceRequest request, StopSignal signal) {
            Trace<Object> trace =
                    Interleaver.of(points)
                            .run(
                                    request.blocks(),
                                    visits -> {
                                        Object one = visits.visit("one", request.input());
                                        int number = ((Number) one).intValue();
                                        return visits.visit("two", 2 * number);
                                    },
                                    signal);
            return new Traced<>(trace.result(), trace.blocks(), Optional.empty());
        }
    }

    @BeforeAll
    static void open() throws Exception {
        engine = BlockEngine.create();
        workers = BlockEngine.create();
        gateway = Gateway.builder().start();
        Vocabulary known = Vocabulary.builder().computation("doubling", new Doubling()).build();
        worker =
                Worker.builder(gateway.address())
                        .model("doubling", new EnvelopeRunner(workers, known, Limits.NONE))
                        .start();
        worker.ready().get();
        door = Door.builder(gateway).token("secret", "ann").open();
    }

    @AfterAll
    static void closeAndFindNothingLeft() {
        assertThat(workers.leasedThreads()).isZero();
        door.close();
        worker.close();
        gateway.close();
        workers.close();
        engine.close();
    }

    private static Block block(String text, Frame frame) {
        return engine.capture(BlockSource.javaScript(text, "rules.js"), frame);
    }

    @ParameterizedTest
    @EnumSource
    void aSessionComesToWhatItComesToHere(Way way) throws Exception {
        try (Dispatcher dispatcher = Dispatcher.over(way.open(), Vocabulary.EMPTY)) {
            RemoteComputation doubling = RemoteComputation.of(dispatcher.toModel("doubling"));
            Map<String, Object> locals = new HashMap<>(Map.of("it", doubling.envoy()));
            Frame frame = Frame.of(locals);
            List<String> said = Collections.synchronizedList(new ArrayList<>());
            Block first = block("kept = { n: it.one }; console.log('first')", frame);
            Block second = block("it.one = kept.n + 1; two = it.two; console.log('second')", frame);
            List<TraceRequest> requests =
                    List.of(
                            TraceRequest.of(4, first.withOutput(line -> said.add(line.text()))),
                            new TraceRequest(
                                    0,
                                    TraceRequest.of(
                                                    0,
                                                    second.withOutput(
                                                            line -> said.add("> " + line.text())))
                                            .invokes(),
                                    true));
            List<Traced<Object>> traces =
                    doubling.submit(requests, List::copyOf, event -> {}).future().get();
            assertThat(traces.getLast().result()).isEqualTo(10);
            assertThat(locals).containsEntry("two", 10).containsEntry("kept", Map.of("n", 4));
            assertThat(said).containsExactly("first", "> second");
            assertThat(doubling.describe(String::valueOf).get()).isEqualTo("one\ntwo");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anErrorShowsTheUsersLineAndNothingIsPushed(Way way) throws Exception {
        try (Dispatcher dispatcher = Dispatcher.over(way.open(), Vocabulary.EMPTY)) {
            RemoteComputation doubling = RemoteComputation.of(dispatcher.toModel("doubling"));
            Map<String, Object> locals = new HashMap<>(Map.of("it", doubling.envoy()));
            Frame frame = Frame.of(locals);
            RemoteTrace<Traced<Object>> run =
                    doubling.trace(
                            1, block("x = it.one", frame), block("it.two\n  it.three", frame));
            assertThatThrownBy(() -> run.future().get())
                    .cause()
                    .isInstanceOfSatisfying(
                            BlockException.class,
                            e -> {
                                assertThat(e.traceback().innermost().line()).isEqualTo(2);
                                assertThat(e).hasMessageContaining("\"three\"; the nearest are");
                            });
            assertThat(locals).doesNotContainKey("x");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTraceThatRunsIsCancelledAndItsSlotIsFree(Way way) throws Exception {
        try (Dispatcher dispatcher = Dispatcher.over(way.open(), Vocabulary.EMPTY)) {
            RemoteComputation doubling = RemoteComputation.of(dispatcher.toModel("doubling"));
            Map<String, Object> locals = new HashMap<>(Map.of("it", doubling.envoy()));
            CountDownLatch said = new CountDownLatch(1);
            Block endless =
                    block("x = it.one; console.log('in'); for (;;);", Frame.of(locals))
                            .withOutput(line -> said.countDown());
            RemoteTrace<Traced<Object>> run = doubling.trace(1, endless);
            said.await();
            run.cancel();
            assertThatThrownBy(() -> run.future().get()).isInstanceOf(CancellationException.class);
            doubling.trace(1, block("y = it.two", Frame.of(locals))).future().get();
            assertThat(locals).containsEntry("y", 2).doesNotContainKey("x");
        }
    }
}
