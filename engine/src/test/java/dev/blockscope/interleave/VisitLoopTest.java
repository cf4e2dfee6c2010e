package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Points that a computation reaches again and again. */
final class VisitLoopTest extends InStep {
    private static final HookPoints POINTS =
            HookPoints.of(List.of("begin", "step.rate", "step.loss", "end"));

    @Override
    HookPoints points() {
        return POINTS;
    }

    /** Five steps, whose loss is 10, 11, 12 … */
    private static Object fiveSteps(Visits visits) {
        visits.visit("begin", 0);
        Object last = null;
        for (int i = 0; i < 5; i++) {
            visits.visit("step.rate", i);
            last = visits.visit("step.loss", 10 + i);
        }
        return visits.visit("end", last);
    }

    private Map<String, Object> run(String... texts) {
        trace(VisitLoopTest::fiveSteps, texts);
        return locals;
    }

    @Test
    void theFirstVisitIsMeantUnlessAnotherIsAskedFor() {
        assertThat(run("a = it.step.loss")).containsEntry("a", 10);
    }

    @Test
    void visitMeansTheNth() {
        assertThat(run("a = it.visit(3).step.loss; b = it.step.visit(4).loss"))
                .containsEntry("a", 13)
                .containsEntry("b", 14);
    }

    @Test
    void nextMeansOneVisitLater() {
        assertThat(run("a = it.step.loss; b = it.step.next().loss; c = it.next().next().step.loss"))
                .containsEntry("a", 10)
                .containsEntry("b", 11)
                .containsEntry("c", 12);
    }

    @Test
    void oneVisitIsReplacedAndTheOthersAreNot() {
        assertThat(run("it.visit(4).step.loss = 99", "a = it.visit(3).step.loss; b = it.end"))
                .containsEntry("a", 13)
                .containsEntry("b", 99);
    }

    @Test
    void iterGivesEachVisitInTurn() {
        assertThat(
                        run(
                                "seen = []; for (const s of it.step.iter(1, 4)) seen.push([s.index, s.rate, s.loss].join())"))
                .containsEntry("seen", List.of("1,1,11", "2,2,12", "3,3,13"));
    }

    @Test
    void allGivesEveryVisitThatComes() {
        assertThat(run("seen = []; for (const s of it.step.all()) seen.push(s.loss); after = true"))
                .containsEntry("seen", List.of(10, 11, 12, 13, 14))
                .containsEntry("after", true);
    }

    @Test
    void aLoopPastTheLastVisitEndsWithADiagnosticAndTheBlockGoesOn() {
        Trace<Object> trace =
                trace(
                        VisitLoopTest::fiveSteps,
                        "seen = []; for (const s of it.step.iter(0, 8)) seen.push(s.loss); after = seen.length");
        assertThat(locals)
                .containsEntry("seen", List.of(10, 11, 12, 13, 14))
                .containsEntry("after", 5);
        assertThat(trace.report().blocks().getFirst().unserved())
                .containsExactly("step: visits 5 to 7 never came");
    }

    @Test
    void aLoopOfTheWholeTreeTurnsWithWhateverIsVisitedAgain() {
        assertThat(run("n = 0; for (const turn of it.all()) { n++; last = turn.step.loss }"))
                .containsEntry("n", 5)
                .containsEntry("last", 14);
    }

    @Test
    void breakLeavesTheLoopAndWhatFollowsIsNotBoundToAVisit() {
        assertThat(
                        run(
                                "for (const s of it.step.all()) { found = s.loss; if (found === 12) break } end = it.end"))
                .containsEntry("found", 12)
                .containsEntry("end", 14);
    }

    @Test
    void loopsOfSiblingsTurnTogether() {
        assertThat(
                        run(
                                "log = []; for (const s of it.step.all()) log.push('a' + s.loss)",
                                "for (const s of it.step.all()) log.push('b' + s.loss)"))
                .containsEntry(
                        "log",
                        List.of(
                                "a10", "b10", "a11", "b11", "a12", "b12", "a13", "b13", "a14",
                                "b14"));
    }

    @Test
    void anEmptyLoopDoesNotWait() {
        assertThat(run("for (const s of it.step.iter(2, 2)) never = 1; a = it.begin"))
                .containsEntry("a", 0)
                .doesNotContainKey("never");
    }

    @Test
    void aPassedVisitSaysWhichAndWhatComesNext() {
        HookException e = hookFailure(() -> run("it.visit(2).step.loss\nit.visit(1).step.loss"));
        assertThat(e.reason()).isEqualTo(HookException.Reason.PASSED);
        assertThat(e.visit()).isEqualTo(1);
        assertThat(e)
                .hasMessage(
                        "the computation has already passed \"step.loss\", visit 1 of 2 so far; ask for points in the order in which it reaches them, or for its next visit with visit(2) (block.js:2)");
    }

    @Test
    void aVisitThatNeverComesSaysHowManyDid() {
        HookException e = hookFailure(() -> run("it.visit(5).step.loss"));
        assertThat(e.reason()).isEqualTo(HookException.Reason.NEVER_REACHED);
        assertThat(e)
                .hasMessage(
                        "the computation ended without reaching \"step.loss\", visit 5, after 5 visits; ask for a point that this run reaches (block.js:1)");
    }
}
