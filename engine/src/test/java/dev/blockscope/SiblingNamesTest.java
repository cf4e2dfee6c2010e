package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A block sees what its siblings bind, also what they bind while it runs. */
@Tag("compiled")
class SiblingNamesTest {
    private final BlockEngine engine = BlockEngine.create();
    private final Frame frame = frame();

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void aSiblingThatRunsWithinABlockRebindsWhatTheBlockReads() {
        run("n = 1");
        share("rebind", () -> run("n = n + 1"));
        assertThat(
                        run(
                                "const seen = [n]; rebind(); seen.push(n); rebind(); seen.push(n); seen + ''"))
                .isEqualTo("1,2,3");
    }

    @Test
    void itDoesSoInFunctionsOfTheBlockToo() {
        run("n = 1");
        share("rebind", () -> run("n = n + 1"));
        assertThat(
                        run(
                                "const read = () => n; rebind(); let sum = 0; for (let i = 0; i < 3; i++) sum += read(); sum"))
                .isEqualTo(6);
    }

    @Test
    void whatTheBlockHasAssignedItselfStaysItsOwn() {
        run("n = 1");
        share("rebind", () -> run("n = 5"));
        assertThat(run("n = 7; rebind(); n")).isEqualTo(7);
    }

    @Test
    void aNameThatTheHostSharesWhileTheBlockRunsIsSeen() {
        run("n = 1");
        share("rebind", () -> SharedLocals.of(frame).put("n", 9));
        assertThat(run("rebind(); n")).isEqualTo(9);
    }

    @Test
    void aNameThatASiblingsFunctionMovesIsFollowed() {
        run("let n = 1; function inc() { n++ }");
        assertThat(run("inc(); inc(); n")).isEqualTo(3);
        assertThat(run("n")).isEqualTo(3);
    }

    @Test
    void aNameThatASiblingsFunctionMovesWithoutADeclarationIsFollowed() {
        run("hits = 1; hit = () => { hits = hits + 1 }");
        run("hit()");
        assertThat(run("hits")).isEqualTo(2);
    }

    @Test
    void aNameThatIsOnlyReadIsNotBoundByTheReader() {
        run("n = 1");
        assertThat(engine.capture("n + 1", frame).run().bindings()).isEmpty();
        run("n = 2");
        assertThat(run("n")).isEqualTo(2);
    }

    @Test
    void aBlockThatRunsAgainSeesWhatItBoundBefore() {
        Block count = engine.capture("count = typeof count === 'undefined' ? 1 : count + 1", frame);
        count.evaluate();
        count.evaluate();
        assertThat(count.evaluate().value()).isEqualTo(3);
    }

    @Test
    void anObjectIsTheSameForBoth() {
        run("row = { a: 1 }; same = x => x === row");
        assertThat(run("row.a = 2; [same(row), row.a] + ''")).isEqualTo("true,2");
    }

    @Test
    void aSiblingsFunctionThatTheHostCallsWithinABlockMovesItsName() {
        AtomicReference<@Nullable GuestFunction> set = new AtomicReference<>();
        set.set((GuestFunction) run("n = 1; (value => { n = value })"));
        share("call", () -> set.get().call(4));
        assertThat(run("call(); n")).isEqualTo(4);
    }

    private @Nullable Object run(String text) {
        return engine.capture(text, frame).evaluate().value();
    }

    private void share(String name, Runnable action) {
        SharedLocals.of(frame).put(name, action);
    }
}
