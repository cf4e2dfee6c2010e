package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stopping a block from outside. */
@Timeout(20)
class StopSignalTest {
    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    /** A block that runs on a thread of its own and has said that it is under way. */
    private static final class Running {
        final Map<String, Object> locals = map();
        final Frame frame = Frame.of(locals);
        final StopSignal signal = new StopSignal();
        final CompletableFuture<BlockResult> result;

        Running(String text) throws InterruptedException {
            CountDownLatch started = new CountDownLatch(1);
            locals.put("started", (Runnable) started::countDown);
            Block block = engine.capture(text, frame);
            result = OtherThread.supply(() -> block.evaluate(signal));
            started.await();
        }

        BlockException failure() throws Exception {
            try {
                Object value = result.get(10, TimeUnit.SECONDS).value();
                throw new AssertionError("the block did not fail, its value is " + value);
            } catch (ExecutionException e) {
                return (BlockException) e.getCause();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "started();\nfor (;;);",
                "started();\nfor (;;) { try { for (;;); } catch (e) {} }",
                "started();\ntry { for (;;); } finally { for (;;); }",
                "started();\ntry { for (;;); } finally { hidden = 1 }",
                "try { started(); for (;;); } finally { hidden = 1 }",
                "started();\nfor (;;) { try { throw 1 } catch { continue } finally { continue } }",
                "started();\nwhile (true) [3, 1, 2].sort((a, b) => a - b)",
                "started();\n[...(function* () { for (;;) yield 1 })()]",
                "started();\n(async () => { for (;;) await null })()",
                "started();\neval('for (;;);')",
                "started();\nnew Function('for (;;);')()",
                "started();\nnew (class { constructor() { for (;;); } })",
                "started();\n/^(a+)+\\1$/.test('a'.repeat(40) + '!')"
            })
    void stopsABlockThatWouldRunForEver(String text) throws Exception {
        Running running = new Running(text);

        running.signal.stop();

        BlockException e = running.failure();
        assertThat(e.kind()).isEqualTo(BlockException.Kind.CANCELLED);
        assertThat(e.bindings()).extracting(BoundName::name).doesNotContain("hidden");
        assertThat(running.locals).containsOnlyKeys("started");
    }

    @Test
    void tellsWhatTheBlockHadBound() throws Exception {
        Running running = new Running("a = 1; let b = 2; started(); for (;;);");

        running.signal.stop();

        assertThat(running.failure().bindings())
                .extracting(BoundName::name)
                .containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void beforeTheStartKeepsTheBlockFromStarting() {
        List<Object> seen = new ArrayList<>();
        StopSignal signal = new StopSignal();
        signal.stop();
        Block block = engine.capture("seen.push(1)", frame("seen", seen));

        assertThatExceptionOfType(BlockException.class)
                .isThrownBy(() -> block.evaluate(signal))
                .matches(e -> e.kind() == BlockException.Kind.CANCELLED)
                .matches(e -> e.traceback().innermost().file().equals("block.js"));
        assertThat(seen).isEmpty();
    }

    @Test
    void interruptsTheHostCallThatTheBlockIsIn() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Callable<Object> host =
                () -> {
                    inside.countDown();
                    never.await();
                    return "woke";
                };
        StopSignal signal = new StopSignal();
        Block block = engine.capture("host();\nwoke = 1", frame("host", host));
        CompletableFuture<BlockException> failure =
                OtherThread.supply(() ->
                        catchThrowableOfType(BlockException.class, () -> block.evaluate(signal)));
        inside.await();

        signal.stop();

        BlockException e = failure.get(10, TimeUnit.SECONDS);
        assertThat(e.kind()).isEqualTo(BlockException.Kind.CANCELLED);
        assertThat(e.bindings()).extracting(BoundName::name).doesNotContain("woke");
        assertThat(engine.overdueRuns()).isZero();
    }

    @Test
    void afterTheEndOfARunDoesNothing() {
        StopSignal signal = new StopSignal();
        Frame frame = frame();
        BlockResult result = engine.capture("x = 1", frame).evaluate(signal);

        signal.stop();

        assertThat(result.bindings()).isEqualTo(map("x", 1));
        assertThat(engine.capture("x + 1", frame).evaluate().value()).isEqualTo(2);
    }

    @Test
    void leavesTheFrameUsable() throws Exception {
        Running running = new Running("x = 1; started(); for (;;);");
        running.signal.stop();
        running.failure();

        assertThat(engine.capture("1 + 1", running.frame).evaluate().value()).isEqualTo(2);
    }

    @Test
    void leavesTheInterruptStatusOfTheThreadClear() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        StopSignal signal = new StopSignal();
        Block block =
                engine.capture(
                        "started(); for (;;);", frame("started", (Runnable) started::countDown));
        CompletableFuture<Boolean> interrupted =
                OtherThread.supply(() -> {
                    BlockException e =
                            catchThrowableOfType(
                                    BlockException.class, () -> block.evaluate(signal));
                    assertThat(e).isNotNull();
                    return Thread.currentThread().isInterrupted();
                });
        started.await();

        signal.stop();

        assertThat(interrupted.get(10, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void worksThreeTimesInARow() throws Exception {
        for (int i = 0; i < 3; i++) {
            Running running = new Running("started(); for (;;);");
            running.signal.stop();
            assertThat(running.failure().kind()).isEqualTo(BlockException.Kind.CANCELLED);
        }
    }

    @Test
    void stopsEveryRunThatHasTheSignal() throws Exception {
        StopSignal signal = new StopSignal();
        CountDownLatch started = new CountDownLatch(2);
        List<CompletableFuture<BlockException>> failures = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Block block =
                    engine.capture(
                            "started(); for (;;);",
                            frame("started", (Runnable) started::countDown));
            failures.add(
                    OtherThread.supply(() ->
                            catchThrowableOfType(
                                    BlockException.class, () -> block.evaluate(signal))));
        }
        started.await();

        signal.stop();

        for (CompletableFuture<BlockException> failure : failures) {
            assertThat(failure.get(10, TimeUnit.SECONDS).kind())
                    .isEqualTo(BlockException.Kind.CANCELLED);
        }
    }

    @Test
    void sparesTheRunsThatHaveItNot() throws Exception {
        Running stopped = new Running("started(); for (;;);");
        Running other =
                new Running("started(); let n = 0; for (let i = 0; i < 300000; i++) n++; n");

        stopped.signal.stop();

        stopped.failure();
        assertThat(other.result.get(30, TimeUnit.SECONDS).value()).isEqualTo(300_000);
    }

    @Test
    void isStoppedForEver() {
        StopSignal signal = new StopSignal();
        assertThat(signal.isStopped()).isFalse();

        signal.stop();
        signal.stop();

        assertThat(signal.isStopped()).isTrue();
    }

    @Test
    void stopsABlockThatWaitsForItsTurn() throws Exception {
        Running first = new Running("started(); for (;;);");
        StopSignal signal = new StopSignal();
        Block second = engine.capture("2", first.frame);
        CompletableFuture<BlockException> failure =
                OtherThread.supply(() ->
                        catchThrowableOfType(BlockException.class, () -> second.evaluate(signal)));

        signal.stop();
        first.signal.stop();

        first.failure();
        assertThat(failure.get(10, TimeUnit.SECONDS).kind())
                .isEqualTo(BlockException.Kind.CANCELLED);
    }
}
