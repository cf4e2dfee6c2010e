package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockResult;
import dev.blockscope.Deaf;
import dev.blockscope.Frame;
import dev.blockscope.Limit;
import dev.blockscope.Limits;
import dev.blockscope.OtherThread;
import dev.blockscope.ReachedLimit;
import dev.blockscope.StopSignal;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks of one trace, each with limits of its own: case K3. */
@Timeout(60)
final class InterleavedLimitsTest {
    private static final HookPoints POINTS = HookPoints.of(List.of("net"));
    private static final String SUM =
            "let n = 0; for (let i = 0; i < 200; i++) n++; let s = order.net + inp + n; s";

    private final BlockEngine engine = BlockEngine.create();

    @AfterEach
    void close() {
        engine.close();
    }

    private Block block(String text, int inp, Limits limits) {
        Map<String, Object> locals = new HashMap<>();
        locals.put("order", Envoy.of(POINTS));
        locals.put("inp", inp);
        Callable<Object> sleep =
                () -> {
                    Thread.sleep(20_000);
                    return "woke";
                };
        locals.put("sleep", sleep);
        return engine.capture(text, Frame.of(locals)).within(limits);
    }

    private static Limits statements(long most) {
        return Limits.builder().statements(most).build();
    }

    private static Trace<Object> trace(Block... blocks) {
        return Interleaver.of(POINTS).run(List.of(blocks), visits -> visits.visit("net", 1_000));
    }

    private static BlockException failure(Block... blocks) {
        return catchThrowableOfType(BlockException.class, () -> trace(blocks));
    }

    @Test
    void eachSeesItsOwnNamesWithinItsOwnLimits() {
        Trace<Object> trace =
                trace(block(SUM, 1, statements(5_000)), block(SUM, 2, Limits.UNTRUSTED));

        assertThat(trace.blocks()).extracting(BlockResult::value).containsExactly(1_201, 1_202);
    }

    @Test
    void eachSpeaksToItsOwnListener() {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        Block one = block("order.net; console.log(inp)", 1, Limits.NONE);
        Block other = block("order.net; console.log(inp)", 2, Limits.NONE);

        trace(
                one.withOutput(line -> first.add(line.text())),
                other.withOutput(line -> second.add(line.text())));

        assertThat(first).containsExactly("1");
        assertThat(second).containsExactly("2");
    }

    /** Trust, contexts, modules and threads are the engine's, of which each block has one. */
    @Test
    void whatCannotBePerBlockNoBlockCanBeGiven() {
        assertThat(Block.class.getMethods())
                .filteredOn(method -> method.getReturnType() == Block.class)
                .extracting(Method::getName)
                .containsExactlyInAnyOrder("within", "withOutput", "pushOnly");
        assertThat(Limits.Builder.class.getMethods())
                .filteredOn(method -> method.getReturnType() == Limits.Builder.class)
                .extracting(Method::getName)
                .containsExactlyInAnyOrder(
                        "time",
                        "statements",
                        "recursion",
                        "allocatedBytes",
                        "outputBytes",
                        "resultSize",
                        "resultDepth");
    }

    @Test
    void oneThatReachesItsLimitIsNamedAndTheOtherIsNot() {
        BlockException e = failure(block(SUM, 1, Limits.NONE), block(SUM, 2, statements(100)));

        assertThat(e.limit()).contains(new ReachedLimit(Limit.STATEMENTS, 100));
        assertThat(trace(block(SUM, 1, Limits.NONE)).blocks().getFirst().value()).isEqualTo(1_201);
    }

    @Test
    void theTimeOfOneEndsItAlsoInAHostFunctionThatWaits() {
        Limits half = Limits.builder().time(Duration.ofMillis(500)).build();

        BlockException e =
                failure(block(SUM, 1, Limits.NONE), block("order.net; sleep()", 2, half));

        assertThat(e.kind()).isEqualTo(BlockException.Kind.TIMEOUT);
        assertThat(e.limit()).contains(new ReachedLimit(Limit.TIME, 500));
    }

    @Nested
    class WithAHostFunctionThatIgnoresInterrupts {
        private final Deaf deaf = new Deaf();
        private final Map<String, Object> locals =
                new HashMap<>(Map.of("order", Envoy.of(POINTS), "deaf", deaf));
        private final Frame frame = Frame.of(locals);
        private final Block stuck = engine.capture("order.net;\ndeaf(); n = 'woke'", frame);
        private final Block sibling = engine.capture("x = 1; order.net; order.visit(1).net", frame);

        @AfterEach
        void theFrameGoesOnAndAllEndWhenItIsBack() throws Exception {
            assertThat(engine.capture("typeof n", frame).run().value()).isEqualTo("undefined");
            assertThat(engine.overdueRuns()).isPositive();
            deaf.returns.countDown();
            while (engine.overdueRuns() > 0 || engine.leasedThreads() > 0) {
                Thread.sleep(5);
            }
            assertThat(locals).doesNotContainKeys("n", "x");
        }

        @Test
        void theTimeOfABlockEndsTheTrace() {
            Limits soon = Limits.builder().time(Duration.ofMillis(300)).build();
            long began = System.nanoTime();

            BlockException e = failure(stuck.within(soon), sibling);

            assertInTime(began, 300);
            assertThat(e.limit()).contains(new ReachedLimit(Limit.TIME, 300));
            assertThat(e.traceback().innermost().line()).isEqualTo(2);
        }

        @Test
        void theTimeoutEndsTheTrace() {
            Interleaver hurried =
                    Interleaver.builder(POINTS).timeout(Duration.ofMillis(300)).build();
            long began = System.nanoTime();

            CancellationException e =
                    catchThrowableOfType(
                            CancellationException.class,
                            () ->
                                    hurried.run(
                                            List.of(sibling, stuck),
                                            visits -> visits.visit("net", 1_000)));

            assertInTime(began, 300);
            assertThat(e).hasMessageContaining("longer than its timeout of 300 ms");
        }

        @Test
        void aSignalEndsTheTrace() throws Exception {
            StopSignal signal = new StopSignal();
            var trace =
                    OtherThread.supply(() ->
                            catchThrowableOfType(
                                    CancellationException.class,
                                    () ->
                                            Interleaver.of(POINTS)
                                                    .run(
                                                            List.of(stuck, sibling),
                                                            visits -> visits.visit("net", 1_000),
                                                            signal)));
            deaf.entered.await();
            long began = System.nanoTime();

            signal.stop("the user left");

            assertThat(trace.get(20, TimeUnit.SECONDS)).hasMessage("the user left");
            assertInTime(began, 0);
        }

        private static void assertInTime(long began, long millis) {
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isLessThan(Duration.ofMillis(millis + 1_000));
        }
    }
}
