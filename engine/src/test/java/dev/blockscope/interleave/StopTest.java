package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Blocks that end the computation early. */
final class StopTest extends InStep {
    private static final HookPoints POINTS = HookPoints.of(List.of("a", "b"));

    private final List<String> reached = new ArrayList<>();

    @Override
    HookPoints points() {
        return POINTS;
    }

    private Object twoPoints(Visits visits) {
        reached.clear();
        reached.add("a");
        Object a = visits.visit("a", 1);
        reached.add("b");
        return visits.visit("b", a);
    }

    @Test
    void theComputationEndsAndWhatIsBoundIsPushed() {
        Trace<Object> trace = trace(this::twoPoints, "x = it.a;\nit.stop('enough')\ny = x + 1");
        assertThat(reached).containsExactly("a");
        assertThat(locals).containsEntry("x", 1).containsEntry("y", 2);
        assertThat(trace.stopped()).map(Stopped::reason).contains("enough");
        assertThat(trace.stopped()).map(Stopped::line).contains(2);
        assertThatIllegalStateException()
                .isThrownBy(trace::result)
                .withMessage(
                        "the computation has no result, it was stopped by block.js:2: enough; ask stopped() first");
    }

    @Test
    void siblingsThatWaitEndThereAndKeepWhatTheyBound() {
        trace(
                this::twoPoints,
                "x = 1; let y = 2; const z = [y]; function f() {}; it.b; never = 1",
                "it.a; it.stop()");
        assertThat(locals)
                .containsEntry("x", 1)
                .containsEntry("y", 2)
                .containsEntry("z", List.of(2))
                .doesNotContainKey("never");
    }

    @Test
    void noCatchOrFinallyOfASiblingHoldsItUp() {
        trace(
                this::twoPoints,
                "x = 1; try { it.b } catch (e) { x = 2 } finally { for (;;) ; }",
                "it.a; it.stop()");
        assertThat(locals).containsEntry("x", 1);
    }

    @Test
    void siblingsThatWaitForTheSameVisitStillSeeIt() {
        trace(this::twoPoints, "it.a; it.stop()", "seen = it.a");
        assertThat(locals).containsEntry("seen", 1);
    }

    @Test
    void aStopBeforeTheComputationKeepsItFromBeginning() {
        reached.clear();
        trace(this::twoPoints, "it.stop()", "x = 1; it.a");
        assertThat(reached).isEmpty();
        assertThat(locals).containsEntry("x", 1);
    }

    @Test
    void pointsAreNotReachedAfterAStop() {
        trace(this::twoPoints, "it.a; it.stop('no'); try { it.b } catch (e) { said = e.message }");
        assertThat(locals)
                .containsEntry(
                        "said",
                        "the computation was stopped by block.js:1: no and does not reach \"b\", visit 0; ask for it before the stop (block.js:1)");
    }

    @Test
    void aComputationThatWrapsTheStopIsStoppedAllTheSame() throws IOException {
        Trace<Object> trace =
                trace(
                        visits -> {
                            try {
                                return visits.visit("a", 1);
                            } catch (RuntimeException e) {
                                throw new IOException(e);
                            }
                        },
                        "it.a; it.stop()");
        assertThat(trace.stopped()).isPresent();
    }

    @Test
    void aComputationThatSwallowsTheStopMeetsItAgain() {
        trace(
                visits -> {
                    assertThatThrownBy(() -> visits.visit("a", 1))
                            .hasMessageContaining("was stopped");
                    assertThatThrownBy(() -> visits.visit("b", 1))
                            .hasMessageContaining("was stopped");
                    return 1;
                },
                "it.a; it.stop()");
    }

    @Test
    void anErrorOfTheComputationAfterTheStopIsAnError() {
        IllegalStateException failure = new IllegalStateException("cleanup");
        assertThatThrownBy(() ->
                        trace(
                                visits -> {
                                    try {
                                        return visits.visit("a", 1);
                                    } finally {
                                        failCleanup(failure);
                                    }
                                },
                                "x = it.a; it.stop()"))
                .isSameAs(failure);
        assertThat(locals).doesNotContainKey("x");
    }

    private static void failCleanup(RuntimeException failure) {
        throw failure;
    }

    @Test
    void aStopAfterTheEndStopsNothing() {
        Trace<Object> trace =
                trace(this::twoPoints, "try { it.visit(7).a } catch (e) { it.stop() }");
        assertThat(trace.result()).isEqualTo(1);
    }
}
