package dev.blockscope.interleave;

import dev.blockscope.Block;
import dev.blockscope.BlockResult;
import dev.blockscope.StopSignal;
import dev.blockscope.Turn;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The interleaver's side of one running block. Either the block's thread runs or the computation's
 * does; two semaphores hand the turn over, so what either writes before, the other sees.
 */
final class Mediator {
    private static final ThreadLocal<@Nullable Mediator> CURRENT = new ThreadLocal<>();

    private static final int MOST_REFUSALS = 1_000;

    /** Measured on two cores: a block that is woken, works and hands back takes 0.1 to 0.3 ms. */
    private static final long LOOK_NANOS = 400_000;

    private static final boolean SEVERAL_CORES = Runtime.getRuntime().availableProcessors() > 1;

    private final Interleaver.Run<?> run;
    private final Block block;
    private final StopSignal signal = new StopSignal();
    private final Semaphore toBlock = new Semaphore(0);
    private final Semaphore toHost = new Semaphore(0);
    private final CountDownLatch end = new CountDownLatch(1);
    private @Nullable Thread thread;

    private @Nullable String awaited;
    private @Nullable String served;
    private @Nullable Object offered;
    private @Nullable Object value;
    private @Nullable HookException refusal;
    private int refusals;
    private @Nullable BlockResult result;
    private @Nullable Throwable failure;
    private boolean started;
    private volatile boolean ended;

    Mediator(Interleaver.Run<?> run, Block block) {
        this.run = run;
        this.block = block;
    }

    /** Returns the mediator of the block that runs on this thread, or null. */
    static @Nullable Mediator current() {
        return CURRENT.get();
    }

    boolean serves(HookPoints points) {
        return run.points() == points;
    }

    // The computation's side.

    /** Starts the block and waits until it waits for a point or has ended. */
    void start() throws InterruptedException {
        started = true;
        block.engine().threads().execute(this::runBlock);
        awaitTurn();
    }

    /** Returns the point the block waits for, or null if it has ended. */
    @Nullable String awaited() {
        return ended ? null : awaited;
    }

    /** Serves the point that the block waits for; returns the value to go on with. */
    @Nullable Object serve(@Nullable Object offer) throws InterruptedException {
        served = awaited;
        offered = offer;
        value = offer;
        handOver();
        served = null;
        return value;
    }

    /** Answers the block's wait with an error, which the block may catch. */
    void refuse(HookException reason) throws InterruptedException {
        refusal = reason;
        handOver();
    }

    private void handOver() throws InterruptedException {
        awaited = null;
        toBlock.release();
        awaitTurn();
    }

    /**
     * Waits for the block. The computation may have been started by a block of the same frame,
     * which must not keep the turn from this one meanwhile.
     */
    private void awaitTurn() throws InterruptedException {
        outsideOfBlock(() -> {
            takeTurn();
            return true;
        });
    }

    private static boolean outsideOfBlock(Wait wait) throws InterruptedException {
        @Nullable InterruptedException[] interrupted = {null};
        boolean result =
                Turn.release(() -> {
                    try {
                        return wait.end();
                    } catch (InterruptedException e) {
                        interrupted[0] = e;
                        return false;
                    }
                });
        if (interrupted[0] != null) {
            throw interrupted[0];
        }
        return result;
    }

    @FunctionalInterface
    private interface Wait {
        boolean end() throws InterruptedException;
    }

    /** Most blocks hand back at once, and waking a thread takes longer than a short look. */
    private void takeTurn() throws InterruptedException {
        if (SEVERAL_CORES) {
            long until = System.nanoTime() + LOOK_NANOS;
            while (System.nanoTime() < until) {
                if (toHost.tryAcquire()) {
                    return;
                }
                Thread.onSpinWait();
            }
        }
        toHost.acquire();
    }

    /** Ends the block wherever it is, without asking it. */
    synchronized void stop() {
        if (!ended) {
            signal.stop();
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    /** Waits for the end of the block. Returns false if it is not over in time. */
    boolean join(Duration limit) throws InterruptedException {
        return !started || outsideOfBlock(() -> end.await(limit.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Nullable Throwable failure() {
        return failure;
    }

    BlockResult result() {
        if (result == null) {
            throw new AssertionError("a block's result was taken before its end");
        }
        return result;
    }

    Block block() {
        return block;
    }

    // The block's side.

    private void runBlock() {
        synchronized (this) {
            thread = Thread.currentThread();
        }
        CURRENT.set(this);
        try {
            result = block.evaluate(signal);
        } catch (Throwable e) {
            // Kept for the computation's thread, which raises it.
            failure = e;
        } finally {
            CURRENT.remove();
            end();
        }
    }

    /** An interrupt that was meant for this block must not reach the next one on its thread. */
    private void end() {
        synchronized (this) {
            ended = true;
            thread = null;
            var _ = Thread.interrupted();
        }
        end.countDown();
        toHost.release();
    }

    /** Waits for a point and returns its value. */
    @Nullable Object read(String point) {
        await(point);
        return value;
    }

    /** Waits for a point and replaces its value. */
    void replace(String point, @Nullable Object assigned) {
        await(point);
        value = run.replacement().check(point, offered, assigned);
    }

    private void await(String point) {
        if (point.equals(served)) {
            return;
        }
        HookException hopeless = run.whyHopeless(point);
        if (hopeless != null) {
            throw refused(hopeless);
        }
        awaited = point;
        Turn.release(this::yieldTurn);
        if (signal.isStopped()) {
            // The guest is stopped at its next step in any case; this keeps it from taking one.
            throw new CancellationException("the trace has ended");
        }
        HookException reason = refusal;
        if (reason != null) {
            refusal = null;
            throw refused(reason);
        }
    }

    /** A block that catches its refusals and asks on would never hand the turn back. */
    private HookException refused(HookException reason) {
        if (++refusals == MOST_REFUSALS) {
            signal.stop(
                    "the block asked %d times for points that it cannot have: %s"
                            .formatted(MOST_REFUSALS, reason.getMessage()));
        }
        return reason;
    }

    private @Nullable Void yieldTurn() {
        toHost.release();
        try {
            toBlock.acquire();
        } catch (InterruptedException e) {
            // Only the interleaver interrupts this thread, and it has asked the run to stop as
            // well.
            Thread.currentThread().interrupt();
        }
        return null;
    }
}
