package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.Block;
import dev.blockscope.BlockException;
import dev.blockscope.SharedLocals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Several traces that push together, traces within traces, and edits. */
final class SessionTest extends InStep {
    private static final HookPoints POINTS = HookPoints.of(List.of("a", "b"));
    private static final HookPoints OTHERS = HookPoints.of(List.of("inner"));

    private final Interleaver computation = Interleaver.of(POINTS);

    @Override
    HookPoints points() {
        return POINTS;
    }

    private static Object twoPoints(Visits visits) {
        Object a = visits.visit("a", 1);
        return visits.visit("b", a);
    }

    @Test
    void aLaterTraceSeesWhatAnEarlierOneBoundAndTheFrameSeesItAtTheEnd() {
        List<Block> blocks = blocks("x = it.a; o = { n: 1 }", "y = x + it.b; o.n++", "z = o.n");
        Session.run(() -> {
            blocks.forEach(block -> {
                computation.run(List.of(block), SessionTest::twoPoints);
                assertThat(locals).doesNotContainKeys("x", "y", "o");
            });
            return null;
        });
        assertThat(locals).containsEntry("x", 1).containsEntry("y", 2).containsEntry("z", 2);
    }

    @Test
    void noStoreIsLeftAfterAnyRunOfASession() {
        List<Integer> left = new ArrayList<>();
        Session.run(() -> {
            for (Block block : blocks("x = it.a", "y = it.a", "z = it.b")) {
                computation.run(List.of(block), SessionTest::twoPoints);
                left.add(SharedLocals.of(frame).names().size());
            }
            return null;
        });
        assertThat(left).containsExactly(0, 0, 0);
    }

    @Test
    void anErrorPushesNothingOfAnyTrace() {
        assertThatThrownBy(() ->
                        Session.run(() -> {
                            trace(SessionTest::twoPoints, "x = it.a");
                            return trace(SessionTest::twoPoints, "it.a; throw new Error('late')");
                        }))
                .isInstanceOf(BlockException.class)
                .hasMessage("Error: late");
        assertThat(locals).doesNotContainKey("x");
    }

    @Test
    void aSessionWithinASessionPushesWithTheOuterOne() {
        Session.run(() -> {
            Session.run(() -> trace(SessionTest::twoPoints, "x = it.a"));
            assertThat(locals).doesNotContainKey("x");
            assertThatThrownBy(() ->
                            Session.run(() -> {
                                trace(SessionTest::twoPoints, "dropped = it.a");
                                throw new IllegalStateException();
                            }))
                    .isInstanceOf(IllegalStateException.class);
            return null;
        });
        assertThat(locals).containsEntry("x", 1).doesNotContainKey("dropped");
    }

    @Test
    void aFrameGivesItsContextBackWhenTheSessionIsOver() {
        int before = engine.openContexts();
        for (int i = 0; i < 50; i++) {
            newFrame();
            trace(SessionTest::twoPoints, "o = { n: it.a }; it.b", "it.b; same = o.n");
            assertThat(locals).containsEntry("o", Map.of("n", 1));
        }
        assertThat(engine.openContexts()).isLessThanOrEqualTo(before + 8);
    }

    @Test
    void aBlockStartsATraceOfAnotherComputation() {
        locals.put("inner", Envoy.of(OTHERS));
        Supplier<Object> nested =
                () ->
                        Interleaver.of(OTHERS)
                                .run(
                                        List.of(block("got = inner.inner; inner.inner = got * 2")),
                                        visits -> visits.visit("inner", 21))
                                .result();
        locals.put("nested", nested);
        trace(SessionTest::twoPoints, "x = 1; it.a; y = nested(); z = it.b", "w = it.b");
        assertThat(locals)
                .containsEntry("y", 42)
                .containsEntry("got", 21)
                .containsEntry("z", 1)
                .containsEntry("w", 1);
    }

    @Test
    void aTraceWithinATraceDoesNotEmptyTheOuterOnesStore() {
        Supplier<Object> nested = () -> trace(visits -> 1, "n = typeof shared").result();
        locals.put("nested", nested);
        trace(SessionTest::twoPoints, "shared = 5; nested(); it.b", "it.a; seen = shared");
        assertThat(locals).containsEntry("n", "number").containsEntry("seen", 5);
    }

    @Test
    void namesThatWereSharedBeforeATraceAreSharedAfterIt() {
        SharedLocals.of(frame).put("before", 1);
        trace(SessionTest::twoPoints, "during = before + 1");
        assertThat(SharedLocals.of(frame).names()).containsExactly("before");
        SharedLocals.of(frame).clear();
    }

    @Test
    void editsRunBeforeTheBlocksStackAndCanBeTakenOff() {
        Edit first = computation.edit(block("it.a = it.a + 1"));
        computation.edit(block("it.a = it.a * 10"));
        Block reader = block("seen = it.a");

        assertThat(computation.run(List.of(reader), SessionTest::twoPoints).result()).isEqualTo(20);
        assertThat(locals).containsEntry("seen", 20);

        first.close();
        first.close();
        assertThat(computation.run(List.of(), SessionTest::twoPoints).result()).isEqualTo(10);
        assertThat(computation.edits()).hasSize(1);

        computation.clearEdits();
        assertThat(computation.run(List.of(), SessionTest::twoPoints).result()).isEqualTo(1);
    }
}
