package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Runs that are ended leave nothing behind. */
class StoppedRunsTest {
    private static final long MEGABYTE = 1 << 20;

    @Test
    void aThousandEndlessBlocksLeaveNeitherHeapNorThreadsNorContexts() throws Exception {
        try (BlockEngine engine = BlockEngine.create()) {
            stop(engine, 100);
            int contexts = engine.openContexts();
            int threads = threads();
            long heap = heap();

            stop(engine, 1_000);

            assertThat(engine.overdueRuns()).isZero();
            assertThat(engine.openContexts()).isLessThanOrEqualTo(contexts);
            awaitThreads(threads);
            assertThat(threads()).isLessThanOrEqualTo(threads);
            assertThat(heap() - heap).isLessThan(4 * MEGABYTE);
        }
    }

    private static void stop(BlockEngine engine, int times) {
        Limits limits = Limits.builder().time(Duration.ofMillis(5)).build();
        for (int i = 0; i < times; i++) {
            Block block = engine.capture("let n = 0; for (;;) n++", Frame.empty()).within(limits);
            BlockException e = catchThrowableOfType(BlockException.class, block::run);
            assertThat(e.kind()).isEqualTo(BlockException.Kind.TIMEOUT);
        }
    }

    /**
     * Waits for threads that end by themselves: a run that begins while the thread of the one
     * before is about to be free takes another, and the engine keeps both for half a minute.
     */
    private static void awaitThreads(int most) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(45).toNanos();
        while (threads() > most && System.nanoTime() < end) {
            Thread.sleep(100);
        }
    }

    private static int threads() {
        return (int)
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().startsWith("blockscope"))
                        .count();
    }

    private static long heap() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(50);
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
