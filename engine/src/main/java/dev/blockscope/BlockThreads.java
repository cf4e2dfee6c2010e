package dev.blockscope;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of an engine. Starting one for each block costs more than many a block, and entering
 * a context for the first time costs as much again.
 *
 * <p>They are platform threads: guest frames cannot be looked at on virtual ones.
 */
final class BlockThreads implements Executor {
    private static final long IDLE_SECONDS = 30;

    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(
                    0,
                    Integer.MAX_VALUE,
                    IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    new SynchronousQueue<>(),
                    Thread.ofPlatform().daemon().name("blockscope-block-", 1).factory());

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
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
