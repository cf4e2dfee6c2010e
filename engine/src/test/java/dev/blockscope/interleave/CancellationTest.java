package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.BlockException;
import dev.blockscope.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Traces that are ended from outside, wherever they are. */
final class CancellationTest extends InStep {
    private static final HookPoints POINTS = HookPoints.of(List.of("a", "b"));

    private final CountDownLatch reached = new CountDownLatch(1);

    @Override
    HookPoints points() {
        return POINTS;
    }

    private static Object twoPoints(Visits visits) {
        Object a = visits.visit("a", 1);
        return visits.visit("b", a);
    }

    private Interleaver within(Duration timeout) {
        return Interleaver.builder(POINTS).timeout(timeout).build();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "it.a;\nfor (;;) { n = 1 }",
                "it.a;\nfor (;;) try { it.b.c } catch (e) {}",
                "it.a;\ntry { for (;;) ; } finally { for (;;) ; }"
            })
    void aTimeoutStopsTheBlockThatRunsAndSaysWhereItWas(String text) {
        CancellationException e =
                catchThrowableOfType(
                        CancellationException.class,
                        () ->
                                within(Duration.ofSeconds(4))
                                        .run(
                                                blocks(text, "x = 1; it.b"),
                                                CancellationTest::twoPoints));
        assertThat(e).hasMessage("the trace took longer than its timeout of 4000 ms");
        assertThat(e.getCause())
                .isInstanceOfSatisfying(
                        BlockException.class,
                        block -> {
                            assertThat(block.kind()).isEqualTo(BlockException.Kind.CANCELLED);
                            assertThat(block.traceback().innermost().file()).isEqualTo("block.js");
                        });
        assertThat(locals).doesNotContainKey("x");
    }

    @Test
    void aTimeoutEndsTheComputationAtItsNextVisit() {
        assertThatThrownBy(() ->
                        within(Duration.ofMillis(100))
                                .run(
                                        blocks("it.b"),
                                        visits -> {
                                            sleep(150);
                                            return visits.visit("a", 1);
                                        }))
                .isInstanceOf(CancellationException.class)
                .hasMessageContaining("longer than its timeout");
    }

    @Test
    void aTimeoutInterruptsTheHostFunctionThatABlockIsIn() {
        locals.put("sleep", (Runnable) () -> sleep(20_000));
        long began = System.nanoTime();
        assertThatThrownBy(() ->
                        within(Duration.ofMillis(200))
                                .run(blocks("it.a; sleep()"), CancellationTest::twoPoints))
                .isInstanceOf(CancellationException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void aTimeoutIsPositive() {
        assertThatIllegalArgumentException().isThrownBy(() -> within(Duration.ZERO));
    }

    @Test
    void aSignalFromAnotherThreadCancelsTheTrace() throws InterruptedException {
        StopSignal signal = new StopSignal();
        locals.put("reached", (Runnable) reached::countDown);
        Thread other =
                Thread.ofPlatform()
                        .start(() -> {
                            await(reached);
                            signal.stop("the user left");
                        });
        assertThatThrownBy(() ->
                        Interleaver.of(POINTS)
                                .run(
                                        blocks("it.a; reached(); for (;;) ;", "it.b"),
                                        CancellationTest::twoPoints,
                                        signal))
                .isInstanceOf(CancellationException.class)
                .hasMessage("the user left");
        other.join();
    }

    @Test
    void aSignalThatIsStoppedBeforehandCancelsAtOnce() {
        StopSignal signal = new StopSignal();
        signal.stop();
        assertThatThrownBy(() ->
                        Interleaver.of(POINTS)
                                .run(blocks("x = 1"), CancellationTest::twoPoints, signal))
                .isInstanceOf(CancellationException.class);
        assertThatThrownBy(() ->
                        Interleaver.of(POINTS).run(List.of(), CancellationTest::twoPoints, signal))
                .isInstanceOf(CancellationException.class);
        assertThat(locals).doesNotContainKey("x");
    }

    @Test
    void anInterruptCancelsAndStaysSet() {
        locals.put("host", Thread.currentThread());
        locals.put("interrupt", (Runnable) ((Thread) locals.get("host"))::interrupt);
        assertThatThrownBy(
                        () -> trace(CancellationTest::twoPoints, "it.a; interrupt(); for (;;) ;"))
                .isInstanceOf(CancellationException.class)
                .hasMessageContaining("was interrupted while Block[block.js:1:1] ran");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(trace(CancellationTest::twoPoints, "it.a").result()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "try { it.a } catch (e) {} throw 42",
                "it.a; throw null",
                "it.a; throw { toString() { throw 1 } }",
                "it.a; function f() { f() } f()",
                "it.a; null.x",
                "it.nowhere",
                "it.b; it.a"
            })
    void whateverABlockThrowsTheOthersAreUnwound(String text) {
        assertThatThrownBy(() ->
                        trace(
                                CancellationTest::twoPoints,
                                "x = 1; it.b; it.visit(9).a",
                                text,
                                "try { it.barrier(2) } finally { y = 1 }"))
                .isInstanceOf(BlockException.class);
        assertThat(locals).doesNotContainKeys("x", "y");
    }

    @Test
    void aVisitOnAnotherThreadIsRefused() {
        assertThatThrownBy(() ->
                        trace(
                                visits -> {
                                    Throwable[] thrown = {null};
                                    Thread other =
                                            Thread.ofPlatform()
                                                    .start(() -> {
                                                        try {
                                                            visits.visit("a", 1);
                                                        } catch (Throwable e) {
                                                            thrown[0] = e;
                                                        }
                                                    });
                                    other.join();
                                    throw (RuntimeException) thrown[0];
                                },
                                "it.a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("on the thread that runs it");
    }

    @Test
    void aVisitAfterTheTraceIsRefused() {
        Visits[] kept = {null};
        trace(
                visits -> {
                    kept[0] = visits;
                    return null;
                },
                "1");
        assertThatThrownBy(() -> kept[0].visit("a", 1)).isInstanceOf(RuntimeException.class);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }
}
