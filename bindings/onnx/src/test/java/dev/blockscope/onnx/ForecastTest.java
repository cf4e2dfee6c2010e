package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    private static final List<String> TENSORS =
            List.of(
                    "ids",
                    "/layer.0/attention/Softmax_output_0",
                    "/layer.0/Add_output_0",
                    "/layer.1/attention/Softmax_output_0",
                    "/layer.1/Add_output_0");

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
        Forecast forecast = forecast(text);

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
        assertThat(forecast(text).edited()).containsExactly("encoder.layer.1.output");
    }

    @Test
    void whatIsReadIsNotTakenForWhatIsEdited() {
        Forecast forecast =
                forecast("model.encoder.layer[1].output = model.encoder.layer[0].output");

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
        assertThat(awaited("for (const layer of layers) layer.output"))
                .containsExactlyInAnyOrderElementsOf(POINTS);
        assertThat(awaited("model.encoder.layer.at(-1).output"))
                .containsExactlyInAnyOrderElementsOf(POINTS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "const layer = model.encoder.layer[1]; layer.output.mul_(2)",
                "layer = model.encoder.layer[0]; layer = model.encoder.layer[1]; layer.output",
                "let e = model.encoder, layer = e.layer, last = layer[1]; last.output",
                "for (const model of models) { const layer = model.encoder.layer[1]; layer.output }",
                "m = model; m.module('encoder').layer[1].output",
                "model.$module(\"encoder\").module(`layer`)[1].output",
            })
    void aVariableStandsForWhatWasAssignedToIt(String text) {
        assertThat(awaited(text)).containsExactly("encoder.layer.1.output");
    }

    @Test
    void aVariableOfALoopStandsForAnyElement() {
        assertThat(awaited("for (const layer of model.encoder.layer) layer.output.mul_(1)"))
                .containsExactlyInAnyOrder("encoder.layer.0.output", "encoder.layer.1.output");
        assertThat(awaited("for (layer of model.encoder.layer) layer.module('attention').output"))
                .containsExactlyInAnyOrder(
                        "encoder.layer.0.attention.output", "encoder.layer.1.attention.output");
    }

    @Test
    void aVariableMayBeAnythingAgainOnceItIsAssignedSomethingElse() {
        assertThat(awaited("layer = model.encoder.layer[0]; layer = f(layer); layer.output"))
                .containsExactlyInAnyOrderElementsOf(POINTS);
        assertThat(awaited("a = a.a; ".repeat(100) + "a.output"))
                .containsExactlyInAnyOrderElementsOf(POINTS);
    }

    @Test
    void aTextWithoutPointsLetsExpectNothing() {
        assertThat(awaited("total = price * 2; list.push(3); other.output2")).isEmpty();
    }

    @Test
    void blocksAreForeseenTogether() {
        Forecast forecast =
                forecast("model.embeddings.output.mean()", "model.encoder.output.mul_(2)");

        assertThat(forecast.awaited())
                .containsExactlyInAnyOrder("embeddings.output", "encoder.output");
        assertThat(forecast.edited()).containsExactly("encoder.output");
    }

    private static Set<String> awaited(String text) {
        return forecast(text).awaited();
    }

    private static Forecast forecast(String... texts) {
        return Forecast.of(List.of(texts), POINTS, TENSORS);
    }

    @Nested
    class OfTensorsByTheirNames {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                textBlock =
                        """
                        model.tensor('ids').output                                           | ids
                        step.$tensor( "ids" ).output.mean()                                  | ids
                        const { tensor } = model; tensor('ids').output                       | ids
                        model['tensor']('ids').output                                        | ids
                        model.tensor(`/layer.1/Add_output_${n}`).output                      | /layer.1/Add_output_0
                        model.tensor('/layer.1' + '/Add_output_0').output                    | /layer.1/Add_output_0
                        model.tensor(begin(i, ')') + 'ds').output                            | ids
                        model.tensor('other').output                                         |
                        model.tensor('\\x69ds').output                                       |
                        model.tensor(names[i]).output                                        |
                        model.tensor(                                                        |
                        """)
        void aNameIsForeseenAsFarAsItIsWritten(String text, @Nullable String tensor) {
            Forecast forecast = forecast(text);

            assertThat(forecast.asksByName()).isTrue();
            assertThat(forecast.edited()).isEmpty();
            assertThat(forecast.awaited())
                    .isEqualTo(tensor == null ? Set.of() : Set.of(RawTensors.point(tensor)));
        }

        @Test
        void aNameThatIsPutTogetherMayBeAnyThatFits() {
            assertThat(awaited("model.tensor(`/layer.${i}/attention/${op}_output_0`).output"))
                    .containsExactlyInAnyOrder(
                            RawTensors.point("/layer.0/attention/Softmax_output_0"),
                            RawTensors.point("/layer.1/attention/Softmax_output_0"));
            assertThat(awaited("model.tensor('/layer.' + i + '/Add_output_0').output"))
                    .containsExactlyInAnyOrder(
                            RawTensors.point("/layer.0/Add_output_0"),
                            RawTensors.point("/layer.1/Add_output_0"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "model.tensor('ids').output = other",
                    "model.tensor('ids').output[0][at] = 0",
                    "model.tensor('ids').output.mul_(2)",
                    "const t = model.tensor('ids').output; t.data[0] = 1",
                })
        void anEditIsForeseen(String text) {
            assertThat(forecast(text).edited()).containsExactly(RawTensors.point("ids"));
        }

        @Test
        void anEditOfOneIsNoneOfWhatItIsMadeOf() {
            Forecast forecast =
                    forecast(
                            "model.tensor('ids').output = model.tensor('/layer.0/Add_output_0').output");

            assertThat(forecast.awaited()).hasSize(2);
            assertThat(forecast.edited()).containsExactly(RawTensors.point("ids"));
        }

        @Test
        void aTextWithoutACallAsksForNone() {
            assertThat(forecast("tensors = [model.encoder.output]; tensor.x").asksByName())
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1]",
                "[1, [2]], ",
                "a.",
                "a",
                "--a",
                "a[",
                "]",
                ") ",
                ". ",
                ".tensor(",
                "tensor('a'+x",
                "a = a.a; ",
                "a of ",
                "= ",
                ".module('",
                ".module('a')",
            })
    @Timeout(10)
    void aTextOfOneThingOverAndOverIsNoTrouble(String part) {
        String text = "model.encoder.layer[1].output;" + part.repeat(1_000_000) + "[" + part;

        assertThat(forecast(text).awaited()).contains("encoder.layer.1.output");
    }
}
