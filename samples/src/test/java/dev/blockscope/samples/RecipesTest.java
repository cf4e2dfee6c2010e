package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import dev.blockscope.onnx.Tensor;
import dev.blockscope.onnx.Tokens;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The recipes on MiniLM say what is known of it, and take blocks of the user's own. */
class RecipesTest extends RecipeRuns {
    static Stream<Named<Supplier<Recipe>>> recipes() {
        return Stream.<Supplier<Recipe>>of(
                        AblateHeads::new,
                        Attention::new,
                        Int8AgainstFp32::new,
                        LogitLens::new,
                        PatchIoi::new,
                        SteerMinilm::new)
                .map(recipe -> Named.of(recipe.get().getClass().getSimpleName(), recipe));
    }

    @ParameterizedTest
    @MethodSource("recipes")
    void aFaultInTheBlockIsShownAtItsLineAndNothingElse(Supplier<Recipe> recipe) throws Exception {
        assertThat(run(recipe.get(), "--block", write("a = 1\nb = a.size.of\n"))).isEqualTo(1);
        assertThat(err())
                .contains("my.js:2:5", "TypeError", "b = a.size.of", "^")
                .doesNotContain("dev.blockscope.", "com.oracle", "org.graalvm");
    }

    @ParameterizedTest
    @MethodSource("recipes")
    void aMisspeltModuleIsShownWithTheNearestNames(Supplier<Recipe> recipe) throws Exception {
        assertThat(run(recipe.get(), "--block", write("x = model.encodr"))).isEqualTo(1);
        assertThat(err()).contains("my.js:1", "encodr");
    }

    @ParameterizedTest
    @MethodSource("recipes")
    void aMissingBlockIsNamed(Supplier<Recipe> recipe) throws Exception {
        assertThat(run(recipe.get(), "--block", "nowhere.js")).isEqualTo(2);
        assertThat(err()).contains("there is no block nowhere.js; see --help");
    }

    @Test
    void aHeadThatIsTakenAwayTurnsTheEmbedding() {
        assertThat(run(new AblateHeads())).isEqualTo(0);

        List<Double> last = row("layer 5");
        assertThat(last).hasSize(12).allSatisfy(turn -> assertThat(turn).isBetween(0.0, 50.0));
        assertThat(last.stream().mapToDouble(turn -> turn).max().orElse(0)).isGreaterThan(2);
        assertThat(picture()).isNotEmptyFile();
    }

    @Test
    void aBlockThatTakesNothingAwayTurnsNothing() throws Exception {
        assertThat(
                        run(
                                new AblateHeads(),
                                "--block",
                                write("model.encoder.layer[layer].output"),
                                "A cat."))
                .isEqualTo(0);
        assertThat(row("layer 3")).hasSize(12).allSatisfy(turn -> assertThat(turn).isZero());
    }

    @Test
    void aHeadOfTheFirstLayerLooksAtTheTokenBefore() {
        assertThat(run(new Attention())).isEqualTo(0);
        assertThat(out())
                .containsPattern("cat +looks at the +100 %")
                .containsPattern("it +looks at because +(99|100) %");
        assertThat(picture()).isNotEmptyFile();
    }

    @Test
    void theSharesAreThoseThatTheModelItselfWeighsWith() throws Exception {
        try (BlockEngine engine = BlockEngine.create();
                Minilm minilm = Minilm.open()) {
            Tokens tokens = minilm.encode("The cat sat on the mat.").orElseThrow();
            Map<String, @Nullable Object> locals =
                    new HashMap<>(Map.of("layer", 1, "head", 7, "heads", Minilm.HEADS));
            locals.put("model", minilm.model().envoy());
            String more =
                    """

                    const values = ofHead(self.value.output)
                    off = attention.matmul(values).sub(ofHead(self.output)).abs().max()
                    """;
            minilm.model()
                    .trace(
                            tokens.inputs(minilm.model()),
                            engine.capture(
                                    Sample.resource("attention.js").text() + more,
                                    Frame.of(locals)));

            assertThat((Double) Objects.requireNonNull(locals.get("off"))).isLessThan(1e-5);
            Tensor attention = (Tensor) Objects.requireNonNull(locals.get("attention"));
            assertThat(attention.sum(1).sub(1).abs().max()).isLessThan(1e-6);
        }
    }

    @Test
    void aHeadThatIsNotThereIsNamed() {
        assertThat(run(new Attention(), "--head", "12")).isEqualTo(2);
        assertThat(err()).contains("there is no head 12", "heads 0 to 11");
    }

    @Test
    void aBlockThatLeavesSomethingElseIsToldWhatIsExpected() throws Exception {
        assertThat(run(new Attention(), "--block", write("attention = 3"), "A cat.")).isEqualTo(2);
        assertThat(err()).contains("attention = 3, expected a tensor [5, 5]");
        assertThat(run(new Int8AgainstFp32(), "--block", write("made = { a: 3 }"), "A cat."))
                .isEqualTo(2);
        assertThat(err()).contains("made[\"a\"] is 3, expected a tensor [1, 5, any]");
        assertThat(run(new Int8AgainstFp32(), "--block", write("x = 3"), "A cat.")).isEqualTo(2);
        assertThat(err()).contains("made = null, expected an object with tensors");
    }

    @Test
    void eightBitsPartFromThirtyTwoAtTheEmbeddingsAlready() {
        assertThat(run(new Int8AgainstFp32())).isEqualTo(0);
        assertThat(row("embeddings")).allSatisfy(share -> assertThat(share).isBetween(1.0, 30.0));
        assertThat(row("layer 5")).allSatisfy(share -> assertThat(share).isBetween(1.0, 50.0));
        assertThat(picture()).isNotEmptyFile();
    }

    @Test
    void aSentenceThatIsTooLongIsRefused() {
        assertThat(run(new AblateHeads(), "word ".repeat(600))).isEqualTo(2);
        assertThat(err()).contains("more than the 512 tokens");
    }
}
