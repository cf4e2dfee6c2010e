package dev.blockscope;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The right to run some tasks at once on an engine's threads, none of which then waits for a thread
 * that another one holds. Each task takes one place and gives it back when it ends; closing gives
 * back those that were not taken.
 *
 * @since 0.1
 */
public final class ThreadLease implements AutoCloseable {
    private final Executor threads;
    private final Semaphore places;
    private final AtomicInteger unused;

    ThreadLease(Executor threads, Semaphore places, int count) {
        this.threads = threads;
        this.places = places;
        this.unused = new AtomicInteger(count);
    }

    /**
     * Runs a task on a thread of the engine, with the {@linkplain BlockEngine.Builder#threadContext
     * thread context} of the caller.
     *
     * @param task given what it may run when it has nothing left to wait for: its place is free
     *     from then on, and not only when its thread is
     * @throws RejectedExecutionException if as many tasks were given as places are leased, or the
     *     engine is closed
     */
    public void execute(Consumer<Runnable> task) {
        if (unused.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
            throw new RejectedExecutionException(
                    "no leased thread is left; lease one for each task");
        }
        AtomicBoolean held = new AtomicBoolean(true);
        Runnable giveBack =
                () -> {
                    if (held.getAndSet(false)) {
                        places.release();
                    }
                };
        try {
            threads.execute(() -> {
                try {
                    task.accept(giveBack);
                } finally {
                    giveBack.run();
                }
            });
        } catch (RejectedExecutionException e) {
            giveBack.run();
            throw e;
        }
    }

    @Override
    public void close() {
        places.release(unused.getAndSet(0));
    }
}
