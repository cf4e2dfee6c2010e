package dev.blockscope;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends runs that stay on their caller's thread when their time is up. It has one thread, while it
 * has something to wait for and a little longer.
 */
final class Watch implements AutoCloseable {
    private static final long MILLI = 1_000_000;
    private static final long BETWEEN_LOOKS = 5 * MILLI;

    private final ScheduledThreadPoolExecutor clock;

    Watch() {
        clock =
                new ScheduledThreadPoolExecutor(
                        1,
                        Thread.ofPlatform()
                                .daemon()
                                .inheritInheritableThreadLocals(false)
                                .name("blockscope-watch")
                                .factory());
        clock.setKeepAliveTime(5, TimeUnit.SECONDS);
        clock.allowCoreThreadTimeOut(true);
        clock.setRemoveOnCancelPolicy(true);
        // When the engine is closed nothing is waited for any more.
        clock.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    /**
     * Watches a run of this thread until the answer is closed.
     *
     * @param toEnd told when a limit is reached, on the thread of the watch
     */
    Watched over(Allowance allowance, Runnable toEnd) {
        return new Watched(allowance, toEnd);
    }

    /** Does something a while from now, unless the answer is closed before. */
    Future<?> after(Duration delay, Runnable action) {
        return clock.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }

    /** One run that is watched. */
    final class Watched implements AutoCloseable {
        private final Allowance allowance;
        private final Runnable toEnd;
        private final Thread thread = Thread.currentThread();
        private final long allocatedBefore;
        private final Future<?> looks;
        private boolean over;
        private boolean ended;
        private boolean interrupted;

        Watched(Allowance allowance, Runnable toEnd) {
            this.allowance = allowance;
            this.toEnd = toEnd;
            this.allocatedBefore = Allocation.of(thread);
            long left = Math.max(0, allowance.nanosLeft());
            this.looks =
                    allowance.limits().hasAllocation()
                            ? clock.scheduleWithFixedDelay(
                                    this::look, BETWEEN_LOOKS, BETWEEN_LOOKS, TimeUnit.NANOSECONDS)
                            : clock.schedule(this::look, left, TimeUnit.NANOSECONDS);
        }

        private void look() {
            if (allowance.nanosLeft() <= 0) {
                end(Limit.TIME);
            } else if (allowance.limits().hasAllocation()
                    && Allocation.of(thread) - allocatedBefore
                            > allowance.limits().allocatedBytes()) {
                end(Limit.ALLOCATION);
            }
        }

        /** Host code that the run may be in hears of it by an interrupt, unless it ends before. */
        private synchronized void end(Limit limit) {
            if (!over && !ended) {
                ended = true;
                allowance.reach(limit);
                var _ =
                        clock.schedule(
                                this::interrupt, Attended.UNTIL_INTERRUPT, TimeUnit.NANOSECONDS);
                toEnd.run();
            }
        }

        private synchronized void interrupt() {
            if (!over) {
                interrupted = true;
                thread.interrupt();
            }
        }

        @Override
        public synchronized void close() {
            over = true;
            looks.cancel(false);
            if (interrupted) {
                // It was meant for the run, and that is over.
                var _ = Thread.interrupted();
            }
        }
    }
}
