package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The life of an engine. */
@Timeout(20)
class BlockEngineEdgesTest {

    @Test
    void endsEvenWhileABlockIsInsideAHostCall() throws Exception {
        BlockEngine engine = BlockEngine.create();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Runnable host =
                () -> {
                    inside.countDown();
                    awaitQuietly(release);
                };
        Block block = engine.capture("host(); 'woke'", frame("host", host));
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            var run = threads.submit(() -> block.run().value());
            inside.await();

            var closing = threads.submit(engine::close);
            try {
                closing.get(5, TimeUnit.SECONDS);
            } finally {
                release.countDown();
            }

            ExecutionException e = catchThrowableOfType(ExecutionException.class, run::get);
            assertThat(e.getCause())
                    .isInstanceOfSatisfying(
                            BlockException.class,
                            failed ->
                                    assertThat(failed.kind())
                                            .isEqualTo(BlockException.Kind.CANCELLED));
        }
    }

    @Test
    void isOneLineThatNamesTheVersionAndWhetherCodeIsCompiled() {
        try (BlockEngine engine = BlockEngine.create()) {
            assertThat(engine.runtime())
                    .contains("25.")
                    .contains(engine.isCompiled() ? "compiled" : "interpreted")
                    .doesNotContain("\n");
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
