package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parts of a computation that have inputs and an output, and may be skipped. */
final class ModuleTest extends InStep {
    private static final HookPoints POINTS =
            HookPoints.builder()
                    .module("scale", Double.class)
                    .point("scale.factor", Double.class)
                    .module("output", Double.class)
                    .point("skip", Double.class)
                    .alias("size", "scale")
                    .alias("scale.by", "scale.factor")
                    .build();
    private static final HookModule<Double> SCALE = POINTS.module("scale", Double.class);
    private static final HookModule<Double> OUTPUT = POINTS.module("output", Double.class);

    private final List<String> ran = new ArrayList<>();

    @Override
    HookPoints points() {
        return POINTS;
    }

    private double compute(Visits visits) {
        ran.clear();
        double scaled = visits.module(SCALE, List.of(3.0, 4.0), inputs -> scale(inputs, visits));
        double rounded =
                visits.module(
                        OUTPUT,
                        List.of(scaled),
                        inputs -> {
                            ran.add("output");
                            return Math.rint((Double) inputs.getFirst());
                        });
        return visits.visit(POINTS.point("skip", Double.class), rounded);
    }

    private double scale(List<Object> inputs, Visits visits) {
        ran.add("scale");
        double factor = visits.visit(POINTS.point("scale.factor", Double.class), 10.0);
        return factor * ((Number) inputs.get(0)).doubleValue()
                + ((Number) inputs.get(1)).doubleValue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a = it.scale.output                    | 34
                    it.scale.output = 5                    | 5
                    it.scale.input = 1                     | 14
                    it.scale.inputs = [1, 2]               | 12
                    it.scale.inputs[1] = 0                 | 30
                    it.scale.input = it.scale.input + it.scale.inputs[1] | 74
                    it.scale.factor = 2                    | 10
                    it.scale.skip(7)                       | 7
                    it.size.skip(7)                        | 7
                    it.scale.by = 1                        | 7
                    it['scale.factor'] = 3                 | 13
                    it.module('output').output = 8         | 8
                    it.module('output').skip(9)            | 9
                    it.skip = 6                            | 6
                    it.scale.$skip(7)                      | 7
                    it.scale.$output = 2                   | 2
                    """)
    void blocksReadReplaceAndSkip(String text, double result) {
        assertThat(trace(this::compute, text).result()).isEqualTo(result);
    }

    @Test
    void aSkippedModuleDoesNotRunAndItsOutputIsVisited() {
        trace(this::compute, "it.scale.skip(7)", "seen = it.scale.output");
        assertThat(locals).containsEntry("seen", 7);
        assertThat(ran).containsExactly("output");
    }

    @Test
    void theLaterOfTwoSkipsCounts() {
        assertThat(trace(this::compute, "it.scale.skip(1)", "it.scale.skip(2)").result())
                .isEqualTo(2);
    }

    @Test
    void whatIsInASkippedModuleIsNeverReached() {
        HookException e =
                hookFailure(() -> trace(this::compute, "it.scale.skip(7); it.scale.factor"));
        assertThat(e.reason()).isEqualTo(HookException.Reason.NEVER_REACHED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    it.scale.skip('much')    | WRONG_VALUE   | the value assigned to "scale.output" does not fit
                    it.scale.output = 'much' | WRONG_VALUE   | the value assigned to "scale.output" does not fit
                    it.scale.inputs = 3      | WRONG_VALUE   | the value assigned to "scale.inputs" does not fit
                    it.skip = 'much'         | WRONG_VALUE   | the value assigned to "skip" does not fit
                    it.$skip(1)              | NOT_SKIPPABLE | "", visit 0, cannot be skipped: it is not a module
                    """)
    void aValueThatDoesNotFitIsAnErrorOfTheBlock(
            String text, HookException.Reason reason, String message) {
        HookException e = hookFailure(() -> trace(this::compute, text));
        assertThat(e.reason()).isEqualTo(reason);
        assertThat(e).hasMessageStartingWith(message).hasMessageEndingWith("(block.js:1)");
    }

    @Test
    void onlyAModuleThatIsEnteredCanBeSkipped() {
        HookException e =
                hookFailure(() ->
                        trace(
                                visits -> visits.visit("scale.inputs", List.of(1)),
                                "it.scale.skip(7)"));
        assertThat(e.reason()).isEqualTo(HookException.Reason.NOT_SKIPPABLE);
        assertThat(e).hasMessageContaining("visits its inputs and does not enter it");
    }

    @Test
    void aModuleWithoutInputsHasNoFirstOne() {
        HookException e =
                hookFailure(() ->
                        trace(
                                visits -> visits.module(SCALE, List.of(), inputs -> 1.0),
                                "it.scale.input"));
        assertThat(e.reason()).isEqualTo(HookException.Reason.NO_INPUT);
        assertThat(e).hasMessage("scale has no input; give it one (block.js:1)");
    }

    @Test
    void theTreeShowsModulesTypesAndAliases() {
        assertThat(POINTS)
                .hasToString(
                        """
                        scale()  Double
                          factor  Double
                          by → scale.factor
                        output()  Double
                        skip  Double
                        size → scale\
                        """);
    }

    @Test
    void partsOfAListThatAreAlikeTakeOneLine() {
        HookPoints.Builder builder = HookPoints.builder().point("embed");
        for (int i = 0; i < 6; i++) {
            builder.module("encoder.layer." + i).module("encoder.layer." + i + ".mlp");
        }
        for (int i = 0; i < 3; i++) {
            builder.point("tail." + i + (i == 2 ? ".x" : ".y"));
        }
        assertThat(builder.build())
                .hasToString(
                        """
                        embed
                        encoder
                          layer  0…5()
                            mlp()
                        tail
                          0…1
                            y
                          2
                            x\
                        """);
    }

    @ParameterizedTest
    @CsvSource({
        "$a, '', '', begins with $",
        "a, a, '', is declared twice",
        "a, '', b=c, 'stands for \"c\", which is not declared'",
        "a, '', a=a, is declared and cannot be an alias",
        "a, '', x.y=a, begins in a part that is not declared",
    })
    void declarationsThatClashAreRefused(
            String first, String second, String alias, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> {
                    HookPoints.Builder builder = HookPoints.builder().point(first);
                    if (!second.isEmpty()) {
                        builder.module(second);
                    }
                    if (!alias.isEmpty()) {
                        String[] parts = alias.split("=", 2);
                        builder.alias(parts[0], parts[1]);
                    }
                    builder.build();
                })
                .withMessageContaining(message);
    }

    @Test
    void aModuleCalledOutputAndWhatTheOneAroundItMakesAreTwo() {
        HookPoints points = HookPoints.builder().point("net.output").module("net.output").build();

        assertThat(points.paths())
                .containsExactly("net.output", "net.output.inputs", "net.output.output");
        assertThat(points.module("net.output", Object.class).output().path())
                .isEqualTo("net.output.output");
    }

    @Test
    void aPointOfAnotherTypeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> POINTS.point("skip", String.class))
                .withMessageContaining(
                        "is declared with java.lang.Double, not with java.lang.String");
    }
}
