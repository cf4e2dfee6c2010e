package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who waits for a run when its engine is closed is told so, and is free. */
@Timeout(60)
class ClosedRunsTest {
    private static final Limits LIMITS = Limits.builder().time(Duration.ofSeconds(50)).build();

    private final BlockEngine engine = BlockEngine.create();
    private final CountDownLatch entered = new CountDownLatch(1);

    private final Frame frame =
            Frames.frame("enter", (Runnable) entered::countDown, "sleep", (Runnable) this::sleep);

    private void sleep() {
        try {
            Thread.sleep(Duration.ofSeconds(50));
        } catch (InterruptedException e) {
            throw new IllegalStateException("woken", e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "for (;;);                                              | false",
                "for (;;);                                              | true",
                "for (;;) { try { for (;;); } catch (e) {} finally {} } | false",
                "for (;;) { try { for (;;); } catch (e) {} finally {} } | true",
                "sleep()                                                | false",
                "sleep()                                                | true",
                "for (;;) [1].map(v => v)                               | true",
                "await 1; for (;;);                                     | true"
            })
    void aRunIsToldThatItsEngineWasClosed(String code, boolean limited) throws Exception {
        Block block = engine.capture("1;\nenter(); " + code, frame);

        BlockException e = failureAtClose(limited ? block.within(LIMITS)::run : block::run);

        assertThat(e.kind()).isEqualTo(BlockException.Kind.CANCELLED);
        assertThat(e).hasMessageStartingWith("the engine was closed");
        if (limited) {
            assertThat(e.traceback().innermost().line()).isEqualTo(2);
        }
    }

    @Test
    void aFunctionThatTheHostCallsIsToldToo() throws Exception {
        Block block = engine.capture("() => {\n  enter(); for (;;); }", frame).within(LIMITS);
        GuestFunction function = (GuestFunction) block.run().value();

        assertThat(failureAtClose(function::call).kind()).isEqualTo(BlockException.Kind.CANCELLED);
    }

    /** What does not hear keeps its thread, but nobody who waits. */
    @Test
    void aLimitedRunThatDoesNotHearIsLeftBehind() throws Exception {
        Deaf deaf = new Deaf();
        Frame other = Frames.frame("enter", (Runnable) entered::countDown, "deaf", deaf);
        Block block = engine.capture("1;\nenter(); deaf()", other).within(LIMITS);

        BlockException e = failureAtClose(block::run);

        assertThat(e.kind()).isEqualTo(BlockException.Kind.CANCELLED);
        assertThat(e).hasMessageStartingWith("the engine was closed");
        assertThat(e.traceback().innermost().line()).isEqualTo(2);
        deaf.returns.countDown();
    }

    /** Its future waits for nobody, be it limited or not. */
    @ParameterizedTest
    @ValueSource(strings = {"for (;;);", "sleep()", "deaf()", "await new Promise(() => {})"})
    void aRunThatIsAFutureIsTold(String code) throws Exception {
        Deaf deaf = new Deaf();
        Frame other =
                Frames.frame(
                        "enter",
                        (Runnable) entered::countDown,
                        "sleep",
                        (Runnable) this::sleep,
                        "deaf",
                        deaf);
        var run = engine.capture("setTimeout(() => 0, 50000); enter();\n" + code, other).runAsync();
        entered.await();

        engine.close();

        assertThatThrownBy(() -> run.get(5, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        BlockException.class,
                        e -> assertThat(e.kind()).isEqualTo(BlockException.Kind.CANCELLED))
                .hasMessageStartingWith("the engine was closed");
        deaf.returns.countDown();
    }

    private BlockException failureAtClose(Supplier<@Nullable Object> run) throws Exception {
        var failure =
                OtherThread.supply(() -> catchThrowableOfType(BlockException.class, run::get));
        entered.await();

        engine.close();

        return failure.get(5, TimeUnit.SECONDS);
    }
}
