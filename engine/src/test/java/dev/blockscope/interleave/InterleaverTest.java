package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import dev.blockscope.SharedLocals;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class InterleaverTest {
    private static final HookPoints POINTS =
            HookPoints.of(List.of("net", "tax.rate", "tax.amount", "total"));

    private final Map<String, Object> locals = new LinkedHashMap<>();
    private final Frame frame = Frame.of(locals);
    private final BlockEngine engine = BlockEngine.create();

    @BeforeEach
    void giveBlocksTheEnvoy() {
        locals.put("order", Envoy.of(POINTS));
    }

    @AfterEach
    void nothingIsLeftRunning() throws InterruptedException {
        engine.close();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("blockscope-block")) {
                assertThat(thread.join(Duration.ofSeconds(2))).as(thread.getName()).isTrue();
            }
        }
    }

    /** A computation with four named steps. */
    private static double price(Visits visits) {
        double net = number(visits.visit("net", 100.0));
        double rate = number(visits.visit("tax.rate", 0.2));
        double amount = number(visits.visit("tax.amount", net * rate));
        return number(visits.visit("total", net + amount));
    }

    private static double number(Object value) {
        return ((Number) value).doubleValue();
    }

    private Block block(String text) {
        return engine.capture(text, frame);
    }

    private Trace<Double> trace(String... texts) {
        List<Block> blocks = new ArrayList<>();
        for (String text : texts) {
            blocks.add(block(text));
        }
        return Interleaver.of(POINTS).run(blocks, InterleaverTest::price);
    }

    @Test
    void readsTheValueAtAPoint() {
        assertThat(trace("seen = order.tax.amount").result()).isEqualTo(120);
        assertThat(locals).containsEntry("seen", 20);
    }

    @Test
    void replacesTheValueAtAPoint() {
        assertThat(trace("order.tax.rate = 0.5").result()).isEqualTo(150);
    }

    @Test
    void readsAndReplacesInOneVisit() {
        assertThat(trace("order.net = order.net + 100; order.net *= 2").result()).isEqualTo(480);
    }

    @Test
    void laterBlocksSeeWhatEarlierOnesReplaced() {
        trace("order.net = 10", "seen = order.net");
        assertThat(locals).containsEntry("seen", 10);
    }

    @Test
    void runsABlockThatNeverWaits() {
        assertThat(trace("x = 1 + 1").blocks().getFirst().value()).isEqualTo(2);
        assertThat(locals).containsEntry("x", 2);
    }

    @Test
    void runsTheComputationAloneWithoutBlocks() {
        assertThat(trace().result()).isEqualTo(120);
    }

    @Test
    void startsEveryBlockBeforeTheComputationInDefinitionOrder() {
        List<Object> order = new ArrayList<>();
        locals.put("log", (java.util.function.Consumer<Object>) order::add);
        Interleaver.of(POINTS)
                .run(
                        List.of(block("log('a'); order.net; log('A')"), block("log('b')")),
                        visits -> {
                            order.add("computation");
                            return visits.visit("net", 1);
                        });
        assertThat(order).containsExactly("a", "b", "computation", "A");
    }

    @Test
    void siblingsSeeTheVerySameObjectAcrossWaits() {
        trace(
                "order.net; first = { n: 1 }; order.total; ok = first.n",
                "order.tax.rate; first.n = 7; same = first");
        assertThat(locals).containsEntry("ok", 7).containsEntry("same", Map.of("n", 7));
    }

    @Test
    void aBlockSeesTheSiblingsNamesOnlyOnceTheyAreBound() {
        trace(
                "early = typeof first",
                "order.net; first = 1",
                "order.tax.rate; late = typeof first");
        assertThat(locals).containsEntry("early", "undefined").containsEntry("late", "number");
    }

    @Test
    void blocksOfTwoFramesShareNothing() {
        Map<String, Object> others = new LinkedHashMap<>(locals);
        Block stranger = engine.capture("order.tax.rate; secret", Frame.of(others));
        assertThatThrownBy(() ->
                        Interleaver.of(POINTS)
                                .run(
                                        List.of(block("order.net; secret = 1"), stranger),
                                        InterleaverTest::price))
                .isInstanceOf(BlockException.class)
                .hasMessage("ReferenceError: secret is not defined");
        assertThat(locals).doesNotContainKey("secret");
    }

    @Test
    void aPointThatHasPassedIsAnErrorAtTheLineThatReadsIt() {
        BlockException e =
                catchThrowableOfType(
                        BlockException.class, () -> trace("order.total;\nbad = order.tax.rate"));
        assertThat(e.getCause())
                .isInstanceOfSatisfying(
                        HookException.class,
                        hook -> {
                            assertThat(hook.reason()).isEqualTo(HookException.Reason.PASSED);
                            assertThat(hook.point()).isEqualTo("tax.rate");
                        });
        assertThat(e.traceback().innermost().line()).isEqualTo(2);
        assertThat(e).hasMessageContaining("already passed \"tax.rate\"");
    }

    @Test
    void aPassedPointCanBeCaughtInTheBlock() {
        trace("order.total; try { order.net } catch (e) { caught = e.message }");
        assertThat(locals.get("caught")).asString().contains("already passed \"net\"");
    }

    @Test
    void anUnknownPointNamesTheNearest() {
        assertThatThrownBy(() -> trace("order.tax.amuont"))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("there is no hook point \"tax.amuont\"")
                .hasMessageContaining("tax.amount");
    }

    @Test
    void aPointThatIsNeverReachedIsAnErrorAfterTheComputation() {
        List<String> steps = new ArrayList<>();
        assertThatThrownBy(() ->
                        Interleaver.of(POINTS)
                                .run(List.of(block("order.total")), visits -> steps.add("ran")))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("ended without reaching \"total\"");
        assertThat(steps).containsExactly("ran");
    }

    @Test
    void afterTheComputationNoWaitHangs() {
        Interleaver.of(POINTS)
                .run(
                        List.of(
                                block(
                                        "n = 0; for (let i = 0; i < 3; i++) try { order.total } catch (e) { n++ }")),
                        visits -> null);
        assertThat(locals).containsEntry("n", 3);
    }

    @Test
    void anEnvoyOutsideItsComputationSaysSo() {
        assertThatThrownBy(() -> block("order.net").run())
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("\"net\" has a value only while its computation runs");
    }

    @Test
    void anErrorInABlockComesOutAndNothingIsPushed() {
        assertThatThrownBy(() -> trace("a = 1; order.total", "order.net;\nthrow new Error('boom')"))
                .isInstanceOf(BlockException.class)
                .hasMessage("Error: boom");
        assertThat(locals).doesNotContainKey("a");
    }

    @Test
    void anErrorOfTheComputationComesOutAsItself() {
        IOException failure = new IOException("disk");
        assertThatThrownBy(() ->
                        Interleaver.of(POINTS)
                                .run(
                                        List.of(block("a = order.net; order.total")),
                                        visits -> {
                                            visits.visit("net", 1);
                                            throw failure;
                                        }))
                .isSameAs(failure);
        assertThat(locals).doesNotContainKey("a");
    }

    @Test
    void aComputationThatSwallowsABlocksErrorMeetsItAgain() {
        assertThatThrownBy(() ->
                        Interleaver.of(POINTS)
                                .run(
                                        List.of(block("order.net; throw 1")),
                                        visits -> {
                                            try {
                                                return visits.visit("net", 1);
                                            } catch (BlockException e) {
                                                return "swallowed";
                                            }
                                        }))
                .isInstanceOf(BlockException.class)
                .hasMessage("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "try { order.total } catch (e) {} try { order.total } finally { n = 1 }",
                "for (;;) try { order.total } catch (e) {}",
                "try { order.total } finally { for (;;) ; }",
                "order.total"
            })
    void whateverAWaitingBlockDoesItIsUnwound(String text) {
        assertThatThrownBy(() ->
                        Interleaver.of(POINTS)
                                .run(
                                        List.of(block(text)),
                                        visits -> {
                                            throw new IllegalStateException("stop here");
                                        }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("stop here");
    }

    @Test
    void aBlockThatCatchesEveryErrorAfterTheEndIsStopped() {
        assertThatThrownBy(() -> trace("for (;;) try { order.total; order.net } catch (e) {}"))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("the block asked 1000 times")
                .hasMessageContaining("\"net\"");
    }

    @Test
    void anInterruptEndsAnEndlessBlock() throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread host =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                trace("order.net; for (;;) ;");
                            } catch (Throwable e) {
                                failure.set(e);
                            }
                        });
        while (!isBlockLooping()) {
            Thread.onSpinWait();
        }
        host.interrupt();
        assertThat(host.join(Duration.ofSeconds(20))).isTrue();
        assertThat(failure.get()).isInstanceOf(CancellationException.class);
    }

    private static boolean isBlockLooping() {
        return Thread.getAllStackTraces().entrySet().stream()
                .anyMatch(thread ->
                        thread.getKey().getName().startsWith("blockscope-block")
                                && thread.getKey().getState() == Thread.State.RUNNABLE
                                && thread.getValue().length > 20);
    }

    @Test
    void theFrameCanBeUsedAfterAnyEnding() {
        assertThatThrownBy(() -> trace("order.total", "order.net; throw 1"))
                .isInstanceOf(BlockException.class);
        assertThat(trace("again = order.net").result()).isEqualTo(120);
        assertThat(locals).containsEntry("again", 100);
    }

    @Test
    void theLaterOfTwoBlocksWinsAName() {
        trace("order.total; x = 'first'", "x = 'second'");
        assertThat(locals).containsEntry("x", "second");
    }

    @Test
    void aSiblingRunInsideTheComputationDoesNotWaitForTheParkedBlock() {
        Supplier<Object> sibling = () -> block("1 + 1").run().value();
        Trace<Object> trace =
                Interleaver.of(POINTS)
                        .run(
                                List.of(block("order.total")),
                                visits -> {
                                    Object value = sibling.get();
                                    visits.visit("total", 1);
                                    return value;
                                });
        assertThat(trace.result()).isEqualTo(2);
    }

    @Test
    void blocksGoOnInTheOrderOfThePointsTheyWaitFor() {
        List<Object> seen = new ArrayList<>();
        locals.put("seen", seen);

        trace(
                "seen.push('a at ' + order.total)",
                "seen.push('b at ' + order.net); seen.push('b at ' + order.tax.amount)",
                "seen.push('c at ' + order.tax.amount)");

        assertThat(seen).containsExactly("b at 100", "b at 20", "c at 20", "a at 120");
    }

    @Test
    void promiseJobsOfABlockThatWaitsAreLeftToItself() {
        List<Object> seen = new ArrayList<>();
        locals.put("seen", seen);

        trace(
                "Promise.resolve().then(() => seen.push('job')); order.total; seen.push('waited'); 0",
                "order.net; seen.push('sibling ended'); 0");

        assertThat(seen).containsExactly("sibling ended", "waited", "job");
    }

    @Test
    void closingTheEngineInTheComputationEndsATraceWhoseBlocksWait() {
        List<Block> blocks = List.of(block("x = 1; order.total"), block("order.net"));

        assertThatThrownBy(() ->
                        Interleaver.of(POINTS)
                                .run(
                                        blocks,
                                        visits -> {
                                            engine.close();
                                            return price(visits);
                                        }))
                .isInstanceOf(CancellationException.class)
                .hasMessage("the engine was closed");

        assertThat(engine.openContexts()).isZero();
        assertThat(engine.leasedThreads()).isZero();
        assertThat(locals).doesNotContainKey("x");
    }

    @Test
    void closingTheEngineOnAnotherThreadDoesNotWaitForTheComputation() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        List<Block> blocks = List.of(block("try { order.total } finally { for (;;); }"));
        CompletableFuture<Throwable> failure =
                CompletableFuture.supplyAsync(
                        () ->
                                catchThrowable(() ->
                                        Interleaver.of(POINTS)
                                                .run(
                                                        blocks,
                                                        visits -> {
                                                            waiting.countDown();
                                                            closed.await();
                                                            return price(visits);
                                                        })),
                        task -> Thread.ofPlatform().start(task));
        waiting.await();

        engine.close();

        assertThat(failure).isNotDone();
        closed.countDown();
        assertThat(failure.get(20, TimeUnit.SECONDS))
                .isInstanceOf(CancellationException.class)
                .hasMessage("the engine was closed");
        assertThat(engine.openContexts()).isZero();
        assertThat(engine.leasedThreads()).isZero();
    }

    @Test
    void awaitedTellsWhatBlocksWaitFor() {
        Interleaver.of(POINTS)
                .run(
                        List.of(block("order.net; order.total"), block("order.net")),
                        visits -> {
                            assertThat(visits.awaited()).containsExactly("net");
                            visits.visit("net", 1);
                            assertThat(visits.awaited()).containsExactly("total");
                            return visits.visit("total", 1);
                        });
        assertThat(SharedLocals.of(frame).names()).isEmpty();
    }

    @Test
    void aReplacementThatDoesNotFitFailsAtTheBlocksLine() {
        Replacement numbersOnly =
                (point, offered, assigned) -> {
                    if (assigned instanceof Number) {
                        return assigned;
                    }
                    throw HookException.wrongValue(point, "a number is expected, got " + assigned);
                };
        assertThatThrownBy(() ->
                        Interleaver.builder(POINTS)
                                .replacement(numbersOnly)
                                .build()
                                .run(
                                        List.of(block("\norder.net = 'much'")),
                                        InterleaverTest::price))
                .isInstanceOfSatisfying(
                        BlockException.class,
                        e -> assertThat(e.traceback().innermost().line()).isEqualTo(2))
                .hasMessageContaining("assigned to \"net\" does not fit: a number is expected");
    }
}
