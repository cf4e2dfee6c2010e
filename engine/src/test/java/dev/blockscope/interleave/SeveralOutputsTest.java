package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Modules that make a list of values. */
final class SeveralOutputsTest extends InStep {
    private static final HookPoints POINTS =
            HookPoints.builder()
                    .moduleOfSeveral("split")
                    .point("split.at", Integer.class)
                    .absent("gone.output", "\"gone\" makes nothing; ask for the split")
                    .build();

    @Override
    HookPoints points() {
        return POINTS;
    }

    @SuppressWarnings("rawtypes") // a class literal cannot say of what the list is
    private static int compute(Visits visits) {
        HookModule<List> split = POINTS.module("split", List.class);
        List<?> parts =
                visits.module(
                        split,
                        List.of(12),
                        inputs -> {
                            int whole = ((Number) inputs.getFirst()).intValue();
                            int at = visits.visit(POINTS.point("split.at", Integer.class), 5);
                            return new ArrayList<>(List.of(at, whole - at));
                        });
        return 100 * ((Number) parts.get(0)).intValue() + ((Number) parts.get(1)).intValue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a = it.split.outputs.length                           | 507
                    it.split.outputs = [1, 2]                             | 102
                    it.split.outputs[1] = 3                               | 503
                    it.split.outputs = it.split.outputs.map(x => x * 2)   | 1014
                    it.split.input = 20                                   | 515
                    it.split.skip(8, 9)                                   | 809
                    it.split.skip([8, 9])                                 | 809
                    const [a, b] = it.split.inputs; it.split.skip(a, a)   | 1212
                    """)
    void areReadReplacedAndGiven(String text, int result) {
        assertThat(trace(SeveralOutputsTest::compute, text).result()).isEqualTo(result);
    }

    @Test
    void askedForAsOneAreAnErrorThatSaysWhatToAskFor() {
        HookException e = hookFailure(() -> trace(SeveralOutputsTest::compute, "it.split.output"));

        assertThat(e.reason()).isEqualTo(HookException.Reason.UNKNOWN);
        assertThat(e.point()).isEqualTo("split.output");
        assertThat(e).hasMessageContaining("\"split\" makes several values; ask for its outputs");
        assertThat(hookFailure(() -> trace(SeveralOutputsTest::compute, "it.split.output = 1")))
                .hasMessageContaining("ask for its outputs");
    }

    @Test
    void whyAPointIsAbsentIsTold() {
        assertThat(hookFailure(() -> trace(SeveralOutputsTest::compute, "it.gone.output")))
                .hasMessageContaining("\"gone\" makes nothing; ask for the split");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HookPoints.builder().point("a").absent("a", "never").build())
                .withMessageContaining("is declared and cannot be absent");
    }

    @Test
    void theTreeShowsThemAsAModule() {
        assertThat(POINTS).hasToString("split()  List\n  at  Integer\ngone");
    }
}
