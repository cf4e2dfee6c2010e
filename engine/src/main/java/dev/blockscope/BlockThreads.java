package dev.blockscope;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of an engine. Starting one for each block costs more than many a block, and entering
 * a context for the first time costs as much again.
 *
 * <p>They are platform threads: guest frames cannot be looked at on virtual ones.
 *
 * <p>Blocks in step hold their threads while they wait for each other, so a trace leases all that
 * it may need at once, or none. One that is started by a block does not wait for threads: the
 * threads that it waits for may be held by a trace that waits for it.
 */
final class BlockThreads implements Executor {
    private static final long IDLE_SECONDS = 30;

    private final ThreadContext context;
    private final int most;
    private final Semaphore places;
    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(
                    0,
                    Integer.MAX_VALUE,
                    IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    new SynchronousQueue<>(),
                    // What is a caller's own comes by the context, and does not stay.
                    Thread.ofPlatform()
                            .daemon()
                            .inheritInheritableThreadLocals(false)
                            .name("blockscope-block-", 1)
                            .factory(),
                    BlockThreads::reject);

    /** Which threads run a task of an engine now; of any engine, for each may wait for others. */
    private static final ScopedValue<Boolean> IN_TASK = ScopedValue.newInstance();

    /** Creates the threads of an engine, of which {@code most} are leased at once. */
    BlockThreads(ThreadContext context, int most) {
        this.context = context;
        this.most = most;
        this.places = new Semaphore(most, true);
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(context.carry(task));
    }

    /**
     * Leases threads for a trace, and waits for them if others hold too many.
     *
     * @throws IllegalStateException if the wait would not end
     */
    ThreadLease lease(int count) throws InterruptedException {
        if (count > most) {
            throw new IllegalStateException(
                    "%d blocks are to wait at once, which takes as many threads; the engine may use %d. Raise it with BlockEngine.builder().threads(%d)"
                            .formatted(count, most, count));
        }
        if (!IN_TASK.isBound()) {
            places.acquire(count);
        } else if (!places.tryAcquire(count)) {
            throw new IllegalStateException(
                    "a trace that a block started needs %d more threads and could wait for them for ever; %d of the engine's %d are in use. Raise it with BlockEngine.builder().threads(n)"
                            .formatted(count, most - places.availablePermits(), most));
        }
        return new ThreadLease(
                task -> execute(() -> ScopedValue.where(IN_TASK, true).run(task)), places, count);
    }

    private static void reject(Runnable task, ThreadPoolExecutor pool) {
        throw new RejectedExecutionException(
                "a task came to the threads of an engine that is closed; create another engine");
    }

    /** Returns how many threads are leased. */
    int leased() {
        return most - places.availablePermits();
    }

    /** Ends the threads, and waits for those that still have something to do. */
    void close(Duration patience) {
        pool.shutdownNow();
        try {
            // What is not over by then is in a host function, and ends with it.
            var _ = pool.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
