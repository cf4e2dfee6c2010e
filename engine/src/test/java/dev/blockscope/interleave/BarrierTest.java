package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.BlockException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that wait for each other. */
final class BarrierTest extends InStep {
    private static final HookPoints POINTS = HookPoints.of(List.of("a", "b", "c"));

    @Override
    HookPoints points() {
        return POINTS;
    }

    private static Object threePoints(Visits visits) {
        Object a = visits.visit("a", 1);
        Object b = visits.visit("b", a);
        return visits.visit("c", b);
    }

    @Test
    void blocksMeetBeforeTheComputationBegins() {
        trace(BarrierTest::threePoints, "x = 1; it.barrier(2); y = z", "z = 2; it.barrier(2)");
        assertThat(locals).containsEntry("y", 2);
    }

    @Test
    void whoMeetsInAVisitTakesPartInIt() {
        assertThat(
                        trace(
                                        BarrierTest::threePoints,
                                        "it.barrier('seen', 2); it.b = found * 10",
                                        "found = it.b + 4; it.barrier('seen', 2)")
                                .result())
                .isEqualTo(50);
    }

    @Test
    void withoutANumberAllBlocksOfTheTraceMeet() {
        List<Object> log = new ArrayList<>();
        locals.put("log", (Consumer<Object>) log::add);
        trace(
                BarrierTest::threePoints,
                "it.a; it.barrier(); log(1)",
                "it.barrier(); log(2)",
                "it.b; it.barrier(); log(3)");
        assertThat(log).containsExactly(1, 2, 3);
    }

    @Test
    void aBarrierIsThereAgainForTheNextTime() {
        trace(
                BarrierTest::threePoints,
                "log = []; for (let i = 0; i < 3; i++) { log.push('a' + i); it.barrier('turn', 2) }",
                "for (let i = 0; i < 3; i++) { log.push('b' + i); it.barrier('turn', 2) }");
        assertThat(locals).containsEntry("log", List.of("a0", "b0", "a1", "b1", "a2", "b2"));
    }

    @Test
    void aBarrierOfOneDoesNotWait() {
        assertThat(trace(BarrierTest::threePoints, "it.barrier(1); it.b = 9").result())
                .isEqualTo(9);
    }

    @Test
    void moreThanThereAreBlocksIsAnErrorAtOnce() {
        HookException e =
                hookFailure(() -> trace(BarrierTest::threePoints, "it.a;\nit.barrier('x', 3)"));
        assertThat(e.reason()).isEqualTo(HookException.Reason.BARRIER_SHORT);
        assertThat(e)
                .hasMessage(
                        "barrier \"x\" waits for 3 blocks and no more than 1 can come; give it the number of blocks that reach it (block.js:2)");
    }

    @Test
    void tooFewWhoComeIsAnErrorAfterTheComputationThatABlockCanCatch() {
        trace(
                BarrierTest::threePoints,
                "try { it.barrier('x', 2) } catch (e) { caught = e.message }",
                "last = it.c");
        assertThat(locals).containsEntry("last", 1);
        assertThat(locals.get("caught")).asString().startsWith("barrier \"x\" waits for 2 blocks");
    }

    @Test
    void whoWasRefusedAPointMayStillComeToABarrier() {
        trace(
                visits -> null,
                "it.barrier('end', 2); met = true",
                "try { it.a } catch (e) { it.barrier('end', 2) }");
        assertThat(locals).containsEntry("met", true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"it.barrier(0)", "it.barrier('x', -1)", "it.barrier('x', 'y')"})
    void aNumberIsAPositiveOne(String text) {
        assertThatThrownBy(() -> trace(BarrierTest::threePoints, text))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("barrier(");
    }

    @Test
    void siblingsSayTheSameNumber() {
        assertThatThrownBy(() ->
                        trace(
                                BarrierTest::threePoints,
                                "it.barrier('x', 2)",
                                "it.barrier('x', 3)",
                                "it.c"))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("waits for 2 blocks elsewhere and for 3 here");
    }
}
