package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a text lets expect. A wrong guess costs time only, so these are about the common forms. */
class ForecastTest {
    private static final List<String> POINTS =
            List.of(
                    "embeddings.output",
                    "encoder.layer.0.attention.output",
                    "encoder.layer.0.output",
                    "encoder.layer.1.attention.output",
                    "encoder.layer.1.output",
                    "encoder.output");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hidden = model.encoder.layer[1].output",
                "m.encoder.layer['1'].output.mean()",
                "seen.push(model.encoder.layer[ 1 ]\n  .output.shape)",
                "model.encoder?.layer[1].output === 3",
                "x = model.encoder.layer[1].output <= y; for (let i = 0; i < 3; i++) {}",
                "const f = step => step.encoder.layer[1].output",
            })
    void aReadIsForeseenAndNoEdit(String text) {
        Forecast forecast = Forecast.of(List.of(text), POINTS);

        assertThat(forecast.awaited()).containsExactly("encoder.layer.1.output");
        assertThat(forecast.edited()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model.encoder.layer[1].output = other",
                "model.encoder.layer[1].output += other",
                "model.encoder.layer[1].output[0][at] = 0",
                "model.encoder.layer[1].output.mul_(2)",
                "model.encoder.layer[1].output[0].fill_(2)",
                "hidden = model.encoder.layer[1].output; hidden.zero_()",
                "hidden = model.encoder.layer[1].output; hidden[0] = 1",
                "hidden = model.encoder.layer[1].output; hidden.data[3]++",
                "model.encoder.layer[1].output; model.stop()",
            })
    void anEditIsForeseen(String text) {
        assertThat(Forecast.of(List.of(text), POINTS).edited())
                .containsExactly("encoder.layer.1.output");
    }

    @Test
    void whatIsReadIsNotTakenForWhatIsEdited() {
        Forecast forecast =
                Forecast.of(
                        List.of("model.encoder.layer[1].output = model.encoder.layer[0].output"),
                        POINTS);

        assertThat(forecast.awaited())
                .containsExactlyInAnyOrder("encoder.layer.0.output", "encoder.layer.1.output");
        assertThat(forecast.edited()).containsExactly("encoder.layer.1.output");
    }

    @Test
    void anIndexThatIsComputedMayBeAny() {
        assertThat(awaited("model.encoder.layer[layers[i]].output"))
                .containsExactlyInAnyOrder("encoder.layer.0.output", "encoder.layer.1.output");
    }

    @Test
    void aPartInAVariableMayBeAnyThatHasSuchAnEnd() {
        assertThat(awaited("self.attention.output"))
                .containsExactlyInAnyOrder(
                        "encoder.layer.0.attention.output", "encoder.layer.1.attention.output");
        assertThat(awaited("for (const layer of model.encoder.layer) layer.output"))
                .containsExactlyInAnyOrderElementsOf(POINTS);
        assertThat(awaited("model.encoder.layer.at(-1).output"))
                .containsExactlyInAnyOrderElementsOf(POINTS);
    }

    @Test
    void aTextWithoutPointsLetsExpectNothing() {
        assertThat(awaited("total = price * 2; list.push(3); other.output2")).isEmpty();
    }

    @Test
    void blocksAreForeseenTogether() {
        Forecast forecast =
                Forecast.of(
                        List.of("model.embeddings.output.mean()", "model.encoder.output.mul_(2)"),
                        POINTS);

        assertThat(forecast.awaited())
                .containsExactlyInAnyOrder("embeddings.output", "encoder.output");
        assertThat(forecast.edited()).containsExactly("encoder.output");
    }

    private static Set<String> awaited(String text) {
        return Forecast.of(List.of(text), POINTS).awaited();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1]", "[1, [2]], ", "a.", "a", "--a", "a[", "]", ") ", ". "})
    @Timeout(10)
    void aTextOfOneThingOverAndOverIsNoTrouble(String part) {
        String text = "model.encoder.layer[1].output;" + part.repeat(1_000_000) + "[" + part;

        assertThat(Forecast.of(List.of(text), POINTS).awaited()).contains("encoder.layer.1.output");
    }
}
