package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import dev.blockscope.onnx.Tensor;
import dev.blockscope.onnx.Tokens;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
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

        List<Double> before = new ArrayList<>();
        for (int layer = 0; layer < 5; layer++) {
            before.addAll(row("layer " + layer));
        }
        List<Double> last = row("layer 5");
        assertThat(before).hasSize(60).allSatisfy(turn -> assertThat(turn).isBetween(0.0, 3.0));
        assertThat(before.stream().filter(turn -> turn < 1)).as("no trace").hasSizeGreaterThan(55);
        assertThat(last).hasSize(12).allSatisfy(turn -> assertThat(turn).isBetween(0.4, 20.0));
        assertThat(mean(last)).isGreaterThan(5 * mean(before));
        assertShowsPicture();
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
        List<MatchResult> looks =
                Pattern.compile("(?m)^(\\S+) +looks at (\\S+) +(\\d+) %$")
                        .matcher(out())
                        .results()
                        .toList();
        assertThat(looks).hasSize(13);
        for (int i = 1; i < looks.size(); i++) {
            assertThat(looks.get(i).group(2))
                    .as("token %d", i)
                    .isEqualTo(looks.get(i - 1).group(1));
            assertThat(Integer.parseInt(looks.get(i).group(3))).isGreaterThanOrEqualTo(98);
        }
        assertShowsPicture();
    }

    @Test
    void theSharesAreWhatQueriesAndKeysComeToAndWhatTheValuesAreWeighedWith() throws Exception {
        try (BlockEngine engine = BlockEngine.create();
                Minilm minilm = Minilm.open()) {
            Tokens tokens = minilm.encode("The cat sat on the mat.").orElseThrow();
            Map<String, @Nullable Object> locals =
                    new HashMap<>(Map.of("layer", 1, "head", 7, "heads", Minilm.HEADS));
            locals.put("model", minilm.model().envoy());
            String before =
                    """
                    const module = model.encoder.layer[layer].attention.self
                    const width = 384 / heads
                    const ofHead = made => made[0].slice(1, head * width, (head + 1) * width)
                    const [queries, keys, values] = ['query', 'key', 'value'].map(part => ofHead(module[part].output))
                    const computed = queries.matmul(keys.T).div(Math.sqrt(width)).softmax(-1)
                    """;
            String after =
                    """
                    off = attention.sub(computed).abs().max()
                    weighed = attention.matmul(values).sub(ofHead(module.output)).abs().max()
                    """;
            minilm.model()
                    .trace(
                            tokens.inputs(minilm.model()),
                            engine.capture(
                                    before + Sample.resource("attention.js").text() + after,
                                    Frame.of(locals)));

            assertThat((Double) Objects.requireNonNull(locals.get("off"))).isLessThan(1e-5);
            assertThat((Double) Objects.requireNonNull(locals.get("weighed"))).isLessThan(1e-5);
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
        List<String> labels =
                List.of(
                        "embeddings",
                        "layer 0",
                        "layer 1",
                        "layer 2",
                        "layer 3",
                        "layer 4",
                        "layer 5");
        assertThat(run(new Int8AgainstFp32())).isEqualTo(0);

        List<Double> means = new ArrayList<>();
        for (String label : labels) {
            List<Double> shares = row(label);
            assertThat(shares.getFirst())
                    .as("[CLS] at " + label)
                    .isEqualTo(Collections.min(shares));
            means.add(mean(shares));
        }
        assertThat(row("embeddings")).allSatisfy(share -> assertThat(share).isBetween(4.0, 14.0));
        double lastAdds = means.getLast() - means.get(means.size() - 2);
        for (int i = 1; i < means.size() - 1; i++) {
            assertThat(means.get(i) - means.get(i - 1)).as(labels.get(i)).isLessThan(lastAdds);
        }
        assertShowsPicture();
    }

    private static double mean(List<Double> numbers) {
        return numbers.stream().mapToDouble(number -> number).average().orElseThrow();
    }

    @Test
    void aSentenceThatIsTooLongIsRefused() {
        assertThat(run(new AblateHeads(), "word ".repeat(600))).isEqualTo(2);
        assertThat(err()).contains("more than the 512 tokens");
    }
}
