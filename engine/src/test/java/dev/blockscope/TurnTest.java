package dev.blockscope;

import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Giving the turn away while host code waits. */
@Timeout(20)
class TurnTest {
    private static BlockEngine engine;

    private final Map<String, Object> locals = map();
    private final Frame frame = Frame.of(locals);

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    /** Runs a sibling on another thread and waits for it. */
    private Object runElsewhere(Block sibling) {
        try {
            return OtherThread.supply(() -> sibling.evaluate().value()).get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void siblingDuringWait(String text) {
        Block[] sibling = new Block[1];
        locals.put("wait", (Callable<Object>) () -> Turn.release(() -> runElsewhere(sibling[0])));
        sibling[0] = engine.capture(text, frame);
    }

    @Test
    void aSiblingRunsWhileTheHostWaits() {
        siblingDuringWait("1 + 1");

        assertThat(engine.capture("wait() + 1", frame).evaluate().value()).isEqualTo(3);
    }

    @Test
    void whatWasBoundBeforeTheWaitIsSharedAlready() {
        siblingDuringWait("a + b + f()");

        String text = "a = 1; let b = 2; function f() { return b } wait()";
        assertThat(engine.capture(text, frame).evaluate().value()).isEqualTo(5);
    }

    @Test
    void theTopLevelIsSharedFromInsideBracesThatClosuresUse() {
        siblingDuringWait("[top, plain].join()");

        String text =
                "let top = 1, plain = 2, r; f = () => top; for (let i of [1]) { g = () => i; r = wait() } r";
        assertThat(engine.capture(text, frame).evaluate().value()).isEqualTo("1,2");
    }

    @Test
    void whatTheSiblingBoundIsSeenAfterTheWait() {
        siblingDuringWait("late = { n: 7 }; let other = 8; 0");

        assertThat(engine.capture("wait(); late.n + other", frame).evaluate().value())
                .isEqualTo(15);
    }

    @Test
    void anObjectIsTheVerySameOnBothSides() {
        siblingDuringWait("o.seen = true; same = o; 0");

        String text = "o = {}; wait(); [o === same, o.seen].join()";
        assertThat(engine.capture(text, frame).evaluate().value()).isEqualTo("true,true");
    }

    @Test
    void theBlocksOwnNamesStayItsOwn() {
        siblingDuringWait("x = 2; 0");

        String text = "x = 1; wait(); x";
        assertThat(engine.capture(text, frame).evaluate().value()).isEqualTo(1);
    }

    @Test
    void aVariableOfBracesIsNotShared() {
        siblingDuringWait("typeof i + typeof inner");

        String text = "let v; for (let i = 0; i < 1; i++) { let inner = 1; v = wait() } v";
        assertThat(engine.capture(text, frame).evaluate().value()).isEqualTo("undefinedundefined");
    }

    @Test
    void whatTheActionThrowsReachesTheBlock() {
        IllegalStateException thrown = new IllegalStateException("no answer");
        locals.put(
                "wait",
                (Callable<Object>)
                        () ->
                                Turn.release(() -> {
                                    throw thrown;
                                }));
        Block block = engine.capture("1;\nwait()", frame);

        BlockException e = catchThrowableOfType(BlockException.class, block::run);

        assertThat(e.getCause()).isSameAs(thrown);
        assertThat(e.traceback().innermost().line()).isEqualTo(2);
        assertThat(engine.capture("1 + 1", frame).run().value()).isEqualTo(2);
    }

    @Test
    void whereNoBlockRunsTheActionJustRuns() {
        assertThat(Turn.release(() -> "done")).isEqualTo("done");
    }

    @Test
    void aWaitWithinAFunctionCalledByTheHostGivesTheTurnAwayToo() {
        siblingDuringWait("5");
        locals.put("apply", (java.util.function.Function<GuestFunction, Object>) f -> f.call());

        assertThat(engine.capture("apply(() => wait() + 1)", frame).evaluate().value())
                .isEqualTo(6);
    }
}
