package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * However a block came to run, whoever waits for it is free in time although it is in a host
 * function that ignores interrupts, and its frame goes on.
 */
@Timeout(60)
class DeafHostTest {
    private static final Limits SOON = Limits.builder().time(Duration.ofMillis(400)).build();

    /** What may pass from the end of the time to the moment the caller is free. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static BlockEngine engine;

    private final Deaf deaf = new Deaf();
    private final Frame frame = Frames.frame("deaf", deaf);
    private final Block block = engine.capture("1;\ndeaf(); n = 'woke'", frame);

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    /**
     * What a first run takes is no part of the time, nor is the context that is made in place of a
     * lost one.
     */
    @BeforeEach
    void haveAContext() {
        engine.capture("[1].map(v => v)", Frames.frame())
                .within(Limits.builder().time(Duration.ofSeconds(30)).build())
                .run();
    }

    @AfterEach
    void theFrameGoesOnAndTheRunEndsWhenItIsBack() throws Exception {
        assertThat(engine.capture("typeof n", frame).run().value()).isEqualTo("undefined");
        assertThat(engine.overdueRuns()).isEqualTo(1);
        deaf.returns.countDown();
        while (engine.overdueRuns() > 0) {
            Thread.sleep(5);
        }
        assertThat(SharedLocals.of(frame).find("n")).isEmpty();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    @Test
    void endsTheTimeOfARunWithASignal() {
        long began = System.nanoTime();

        BlockException e =
                catchThrowableOfType(
                        BlockException.class, () -> block.within(SOON).evaluate(new StopSignal()));

        assertIsTimeout(e, began);
    }

    /** Without limits nothing counts where guest code is, so the block as a whole is named. */
    @Test
    void endsARunThatASignalStops() throws Exception {
        StopSignal signal = new StopSignal();
        var failed =
                OtherThread.supply(() ->
                        catchThrowableOfType(BlockException.class, () -> block.evaluate(signal)));
        deaf.entered.await();
        long began = System.nanoTime();

        signal.stop("the user left");

        BlockException e = failed.get(10, TimeUnit.SECONDS);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(GRACE);
        assertThat(e).hasMessage("the user left");
        assertThat(e.kind()).isEqualTo(BlockException.Kind.CANCELLED);
        assertThat(e.traceback().innermost().file()).isEqualTo("block.js");
    }

    @Test
    void endsTheTimeOfARunThatIsAFuture() {
        long began = System.nanoTime();

        CompletionException e =
                catchThrowableOfType(
                        CompletionException.class, () -> block.within(SOON).runAsync().join());

        assertIsTimeout((BlockException) e.getCause(), began);
    }

    @Test
    void endsARunWhoseFutureIsCancelled() throws Exception {
        CompletableFuture<BlockResult> run = block.runAsync();
        deaf.entered.await();

        run.cancel(false);

        assertThat(catchThrowableOfType(CancellationException.class, run::join)).isNotNull();
        while (engine.overdueRuns() == 0) {
            Thread.sleep(5);
        }
    }

    @Test
    void endsTheTimeOfAFunctionThatTheHostCallsLater() {
        GuestFunction later =
                (GuestFunction)
                        engine.capture("later = () => {\n  deaf() }", frame)
                                .within(SOON)
                                .run()
                                .value();
        long began = System.nanoTime();

        assertIsTimeout(catchThrowableOfType(BlockException.class, later::call), began);
    }

    /** A sibling that waits for its turn meanwhile is told at once, without a guest context. */
    @ParameterizedTest
    @ValueSource(strings = {"2", "[2].map(v => v)"})
    void endsWhoeverWaitsForTheTurn(String text) throws Exception {
        var first = OtherThread.supply(() -> failureOf(block.within(SOON)));
        deaf.entered.await();
        StopSignal signal = new StopSignal();
        Block second = engine.capture(text, frame);
        var waiting =
                OtherThread.supply(() ->
                        catchThrowableOfType(BlockException.class, () -> second.evaluate(signal)));

        signal.stop();

        assertThat(waiting.get(10, TimeUnit.SECONDS).kind())
                .isEqualTo(BlockException.Kind.CANCELLED);
        assertThat(first.get(10, TimeUnit.SECONDS).kind()).isEqualTo(BlockException.Kind.TIMEOUT);
    }

    private static BlockException failureOf(Block block) {
        return catchThrowableOfType(BlockException.class, block::run);
    }

    private static void assertIsTimeout(BlockException e, long began) {
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(GRACE.plusMillis(400));
        assertThat(e.kind()).isEqualTo(BlockException.Kind.TIMEOUT);
        assertThat(e.limit()).contains(new ReachedLimit(Limit.TIME, 400));
        assertThat(e.traceback().innermost().line()).isEqualTo(2);
        assertThat(List.of(e.getStackTrace())).isNotEmpty();
    }
}
