package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that blocks reach by names of any form, beside the tree. */
final class NamedPointsTest extends InStep {
    private static final List<String> NAMES = List.of("given", "/a/b.0/c", "it's", "a.b", "end");
    private static final HookPoints POINTS =
            HookPoints.builder()
                    .point("net", Integer.class)
                    .named(
                            "value",
                            NAMES,
                            Integer.class,
                            name -> "there is no value \"%s\" here".formatted(name))
                    .build();
    private static final HookPoints WITHOUT_TREE =
            HookPoints.builder()
                    .named("value", NAMES, Object.class, name -> "no \"%s\"".formatted(name))
                    .build();

    @Override
    HookPoints points() {
        return POINTS;
    }

    /** Adds up what the names stand for, 1 each unless a block says otherwise; then comes net. */
    private static int compute(Visits visits) {
        int sum = 0;
        for (int i = 0; i < NAMES.size(); i++) {
            HookPoint<Integer> point = POINTS.point(POINTS.named(NAMES.get(i)), Integer.class);
            if (visits.isAwaited(point)) {
                sum += visits.visit(point, 1);
            } else {
                visits.passNamed(i, i + 1);
                sum++;
            }
        }
        return visits.visit(POINTS.point("net", Integer.class), sum);
    }

    private static int twice(Visits visits) {
        return compute(visits) + compute(visits);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    a = it.value('/a/b.0/c').output                              | 5
                    it.value('/a/b.0/c').output = 10                             | 14
                    it.$value("it's").output += 5                                | 10
                    it['value']('a.b').output = it.value('given').output * 7     | 11
                    const v = it.value('end'); v.output = v.output + 1           | 6
                    it["value('/a/b.0/c').output"] = 4                           | 8
                    it.module("value('a.b')").output = 4                         | 8
                    it.net = it.value('end').output                              | 1
                    """)
    void aValueIsReadAndReplacedByItsName(String text, int result) {
        assertThat(trace(NamedPointsTest::compute, text).result()).isEqualTo(result);
    }

    @Test
    void theReportCallsThePointAsABlockDoes() {
        Trace<Integer> trace = trace(NamedPointsTest::compute, "it.value('a.b').output");

        assertThat(trace.report().blocks().getFirst().served())
                .containsExactly(Map.entry("value('a.b').output", 1));
    }

    @Test
    void visitsAreCountedWhetherAnybodyWaitsOrNot() {
        trace(
                NamedPointsTest::twice,
                "second = it.value('a.b').visit(1).output",
                "n = 0; for (const step of it.value('/a/b.0/c').all()) { step.output = 2; n++ }",
                "turns = []; for (const step of it.all()) turns.push(step.index, step.value('given').output)");

        assertThat(locals.get("second")).isEqualTo(1);
        assertThat(locals.get("n")).isEqualTo(2);
        assertThat(locals.get("turns")).isEqualTo(List.of(0, 1, 1, 1));
    }

    @Test
    void oneThatWasPassedIsToldWithItsVisits() {
        HookException e =
                hookFailure(() ->
                        trace(
                                NamedPointsTest::twice,
                                "it.net; it.visit(1).value('a.b').output; it.value('given').output"));

        assertThat(e.reason()).isEqualTo(HookException.Reason.PASSED);
        assertThat(e)
                .hasMessageStartingWith(
                        "the computation has already passed \"value('given').output\", visit 0 of 2 so far");
    }

    @Test
    void aNameThatIsNoneIsToldByTheComputationAtItsLine() {
        HookException e = hookFailure(() -> trace(NamedPointsTest::compute, "\nit.value('x')"));

        assertThat(e.reason()).isEqualTo(HookException.Reason.UNKNOWN);
        assertThat(e.point()).isEqualTo("value('x')");
        assertThat(e).hasMessage("there is no value \"x\" here (block.js:2)");
        assertThat(POINTS.contains("value('x').output")).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> POINTS.named("x"))
                .withMessage("there is no value \"x\" here");
    }

    @Test
    void aNameInPlaceOfAPathIsToldHow() {
        assertThat(hookFailure(() -> trace(NamedPointsTest::compute, "it['/a/b.0/c']")))
                .hasMessageContaining("ask for it by its name, as value('/a/b.0/c')");
        assertThat(hookFailure(() -> trace(NamedPointsTest::compute, "it.value('end').outptu")))
                .hasMessageContaining("the nearest are value('end').output");
    }

    @Test
    void theyAreNoPartOfTheTree() {
        assertThat(POINTS.paths()).containsExactly("net");
        assertThat(POINTS).hasToString("net  Integer\nvalue(name)  5 by name");
        assertThat(POINTS.contains("value('a.b').output")).isTrue();
        assertThat(POINTS.contains("value('a.b')")).isFalse();
    }

    @Test
    void aPartOfTheSameNameHidesTheCall() {
        HookPoints hidden =
                HookPoints.builder()
                        .point("value")
                        .named("value", NAMES, Object.class, name -> name)
                        .build();
        locals.put("other", Envoy.of(hidden));
        Interleaver.of(hidden)
                .run(
                        blocks("a = other.value; b = other.$value('end').output"),
                        visits -> {
                            visits.visit("value", 3);
                            return visits.visit(hidden.named("end"), 4);
                        });

        assertThat(locals).containsEntry("a", 3).containsEntry("b", 4);
    }

    @Test
    void whereNothingHasAPathTheErrorShowsNames() {
        locals.put("other", Envoy.of(WITHOUT_TREE));

        assertThat(
                        hookFailure(() ->
                                Interleaver.of(WITHOUT_TREE)
                                        .run(blocks("other.layer[0]"), visits -> 1)))
                .hasMessageContaining(
                        "there is no hook point \"layer\": nothing here is part of a tree")
                .hasMessageContaining("by their names, as value('given'), value('a.b')");
    }

    @Test
    void aPartIsFoundAgainByItsPlace() {
        Envoy whole = Envoy.of(POINTS);

        assertThat(whole.partAt(List.of("value('/a/b.0/c')", 2)).place())
                .isEqualTo(List.of("value('/a/b.0/c')", 2));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> whole.partAt(List.of("value('x')", 0)));
    }
}
