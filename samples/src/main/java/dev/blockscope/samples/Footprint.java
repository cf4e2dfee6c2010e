package dev.blockscope.samples;

import java.lang.management.ManagementFactory;

/**
 * What a service holds at a moment.
 *
 * @param heap the bytes in use after a collection
 * @param threads the threads that live
 * @param contexts the guest contexts that are open
 */
record Footprint(long heap, int threads, int contexts) {

    /** How much the heap may grow by what is measured itself and by caches that fill. */
    private static final long SLACK = 32L << 20;

    /**
     * Threads that are kept for a while: one of the server and one of the engine for each client,
     * and as many again, for a next request may come before the last one's thread is idle.
     */
    private static final int THREADS_FOR_EACH_CLIENT = 4;

    /** Returns what is held now. */
    static Footprint of(RuleServer server) throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(100);
            least =
                    Math.min(
                            least,
                            Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return new Footprint(
                least, ManagementFactory.getThreadMXBean().getThreadCount(), server.openContexts());
    }

    /** Whether what was held earlier has not become more, but for what comes and goes. */
    boolean isNoMoreThan(Footprint earlier, int clients) {
        return heap <= earlier.heap + SLACK
                && threads <= earlier.threads + THREADS_FOR_EACH_CLIENT * clients
                && contexts <= 4 * Runtime.getRuntime().availableProcessors();
    }

    @Override
    public String toString() {
        return "%d MB heap, %d threads, %d guest contexts".formatted(heap >> 20, threads, contexts);
    }
}
