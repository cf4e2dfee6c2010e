package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import dev.blockscope.interleave.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that a model goes on with, and blocks that look in at each step. */
class GeneratorTest {
    private static final String SENTENCE =
            "when Mary and John went to the store , John gave a drink to";

    private final Map<String, @Nullable Object> locals = new HashMap<>();

    @Test
    void aModelGoesOnWithATextUntilItsEnd() throws Exception {
        try (OnnxModel model = RealModel.TINY_IOI.open();
                Tokenizer tokenizer =
                        Tokenizer.open(Resources.extract("tiny-ioi/tokenizer.json"))) {
            long stop = tokenizer.encode(".").ids()[1];

            Generated made =
                    Generator.builder(model)
                            .endAt(stop)
                            .build()
                            .generate(tokenizer.encode(SENTENCE))
                            .result();

            assertThat(made.text(tokenizer)).isEqualTo("Mary .");
            assertThat(made.complete()).isTrue();
            assertThat(model.ledger().values()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theCacheChangesNoToken(long seed) {
        try (OnnxModel model = CachedModel.open(seed, seed % 2 == 0 ? 2 : 1)) {
            Generator.Builder greedy = Generator.builder(model).tokens(30);
            Tokens prompt = prompt(3, 1, 4, 1, 5);
            assertThat(generate(greedy.cache(true), prompt))
                    .isEqualTo(generate(greedy.cache(false), prompt))
                    .hasSize(30);

            Generator.Builder drawn = greedy.temperature(4).topK(12).topP(0.95).seed(seed);
            List<Long> tokens = generate(drawn.cache(true), prompt);
            assertThat(tokens).isEqualTo(generate(drawn.cache(false), prompt));
            assertThat(tokens).isNotEqualTo(generate(drawn.seed(seed + 1), prompt));
            assertThat(model.ledger().values()).isZero();
        }
    }

    @Test
    void withoutACacheEachTokenIsThatOfARunOfAllBefore() {
        try (OnnxModel model = RealModel.TINY_IOI.open()) {
            long[] text = {1, 48, 15, 22, 10};
            List<Long> made = generate(Generator.builder(model).tokens(5), prompt(text));

            for (long token : made) {
                Map<String, Tensor> inputs = Map.of("input_ids", Tensor.of(text, 1, text.length));
                Tensor logits = Objects.requireNonNull(model.run(inputs).get("logits"));
                assertThat(token).isEqualTo(logits.at(0, -1).argmax());
                text = Arrays.copyOf(text, text.length + 1);
                text[text.length - 1] = token;
            }
        }
    }

    @Test
    void aBlockSeesEachStepAsAVisit() {
        try (OnnxModel model = CachedModel.open(1);
                BlockEngine engine = BlockEngine.create()) {
            locals.put("model", model.envoy());

            Generated made =
                    Generator.builder(model)
                            .tokens(4)
                            .build()
                            .generate(
                                    prompt(3, 1, 4),
                                    engine.capture(
                                            """
                                            lengths = []
                                            said = []
                                            for (const step of model.iter(0, 4)) {
                                                lengths.push(step.embed.output.shape[1])
                                                said.push(step.lm_head.output[0][-1].argmax())
                                            }
                                            """,
                                            Frame.of(locals)))
                            .result();

            assertThat(locals.get("lengths")).hasToString("[3, 1, 1, 1]");
            assertThat(locals.get("said")).hasToString(made.ids().toString());
        }
    }

    /** What the second layer keeps of the prompt is made of what the first was changed to. */
    @Test
    void whatIsChangedInTheFirstLayerStaysInTheCacheOfTheSecond() {
        try (OnnxModel model = CachedModel.open(7, 2);
                BlockEngine engine = BlockEngine.create()) {
            locals.put("model", model.envoy());
            Generator.Builder generator = Generator.builder(model).tokens(12);
            Tokens prompt = prompt(3, 1, 4);
            String once = "model.residual[0].output.mul_(3)";
            String each =
                    "for (const step of model.all()) step.residual[0].output.slice(1, 0, 3).mul_(3)";

            List<Long> plain = generate(generator.cache(true), prompt);
            List<Long> kept = generate(generator.cache(true), prompt, engine, once);
            List<Long> repeated = generate(generator.cache(false), prompt, engine, each);
            List<Long> gone = generate(generator.cache(false), prompt, engine, once);

            assertThat(kept).isEqualTo(repeated).isNotEqualTo(plain).isNotEqualTo(gone);
        }
    }

    private List<Long> generate(
            Generator.Builder builder, Tokens prompt, BlockEngine engine, String text) {
        Block block = engine.capture(text, Frame.of(locals));
        return builder.build().generate(prompt, block).result().ids();
    }

    @Test
    void aBlockChangesWhatIsSaid() {
        try (OnnxModel model = RealModel.TINY_IOI.open();
                BlockEngine engine = BlockEngine.create()) {
            locals.put("model", model.envoy());

            Trace<Generated> trace =
                    Generator.builder(model)
                            .tokens(3)
                            .build()
                            .generate(
                                    prompt(1, 48, 15),
                                    engine.capture(
                                            "for (const step of model.all()) step.lm_head.output[0][-1][7] = 1e6; x = 1",
                                            Frame.of(locals)));

            assertThat(trace.result().ids()).containsExactly(7L, 7L, 7L);
            assertThat(locals.get("x")).isEqualTo(1);
        }
    }

    @Test
    void aBlockThatFailsInTheMiddleEndsTheText() {
        try (OnnxModel model = CachedModel.open(1);
                BlockEngine engine = BlockEngine.create()) {
            locals.put("model", model.envoy());

            assertThatThrownBy(() ->
                            Generator.builder(model)
                                    .build()
                                    .generate(
                                            prompt(3),
                                            engine.capture(
                                                    "x = 1\nmodel.visit(2).embed.output\nnull.f",
                                                    Frame.of(locals))))
                    .isInstanceOf(BlockException.class)
                    .satisfies(e ->
                            assertThat(((BlockException) e).traceback().render())
                                    .contains("block.js:3"));
            assertThat(locals).doesNotContainKey("x");
            assertThat(model.ledger().values()).isZero();
        }
    }

    @Test
    void noMoreTokensAreMadeThanAreWanted() {
        try (OnnxModel model = CachedModel.open(1)) {
            assertThat(generate(Generator.builder(model).tokens(0), prompt(3))).isEmpty();
            assertThat(
                            Generator.builder(model)
                                    .tokens(2)
                                    .build()
                                    .generate(prompt(3))
                                    .result()
                                    .complete())
                    .isFalse();
            assertThatThrownBy(() -> Generator.builder(model).build().generate(prompt()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no tokens");
        }
    }

    @Test
    void aModelThatMakesNoLogitsCannotGoOn() {
        try (OnnxModel model = MiniLm.open()) {
            assertThatThrownBy(() -> Generator.builder(model))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"logits\" of \"input_ids\"")
                    .hasMessageContaining("last_hidden_state");
        }
    }

    @Test
    void moreTokensThanTheModelHasPositionsForAreAnError() {
        try (OnnxModel model = CachedModel.open(1)) {
            assertThatThrownBy(() -> generate(Generator.builder(model).tokens(100), prompt(3)))
                    .isInstanceOf(OnnxRunException.class);
            assertThat(model.ledger().values()).isZero();
        }
    }

    @Test
    void settingsOutOfRangeAreNamed() {
        try (OnnxModel model = CachedModel.open(1)) {
            Generator.Builder builder = Generator.builder(model);
            List<Runnable> wrong = new ArrayList<>();
            wrong.add(() -> builder.tokens(-1));
            wrong.add(() -> builder.temperature(-0.1));
            wrong.add(() -> builder.temperature(Double.NaN));
            wrong.add(() -> builder.topK(-1));
            wrong.add(() -> builder.topP(0));
            wrong.add(() -> builder.topP(1.1));
            assertThat(wrong)
                    .allSatisfy(call ->
                            assertThatThrownBy(call::run)
                                    .isInstanceOf(IllegalArgumentException.class)
                                    .hasMessageContaining("expected"));
        }
    }

    private static List<Long> generate(Generator.Builder builder, Tokens prompt) {
        return builder.build().generate(prompt).result().ids();
    }

    static Tokens prompt(long... ids) {
        return new Tokens(
                "", LongStream.of(ids).mapToObj(id -> new Token("t" + id, id, -1, -1)).toList());
    }
}
