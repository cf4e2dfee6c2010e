package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.BlockException;
import dev.blockscope.interleave.Batch;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Blocks at the entries into modules: what they read, what only they read, and leaving them out.
 */
class ModuleEntryTest {
    private RealModel real = RealModel.TINY_IOI;
    private ModelWithBlocks blocks = ModelWithBlocks.of(real);
    private OnnxModel model = blocks.model();
    private Map<String, @Nullable Object> locals = blocks.locals();

    @AfterEach
    void close() {
        blocks.close();
    }

    @ParameterizedTest
    @EnumSource(RealModel.class)
    void everyInputOfEveryModuleIsWhatWasMadeBefore(RealModel of) {
        use(of);
        List<String> points =
                model.hooks().stops().values().stream()
                        .filter(stop -> stop.entry().isPresent())
                        .sorted(Stop.ORDER)
                        .map(Stop::point)
                        .toList();
        locals.put("points", points);

        Map<String, Tensor> outputs =
                trace("seen = {}; for (const point of points) seen[point] = model[point]");

        assertThat(points).hasSameSizeAs(model.modules().modules());
        model.run(of.inputs()).forEach((name, value) -> assertSame(outputs.get(name), value));
    }

    @Test
    void theInputOfALayerIsTheOutputOfTheLayerBefore() {
        trace(
                """
                made = model.transformer.h[0].output
                read = model.transformer.h[1].input
                all = model.transformer.h[2].inputs.length
                """);

        assertSame(tensor("read"), tensor("made"));
        assertThat(locals.get("all")).isEqualTo(1);
    }

    @Test
    void aModuleWithTwoInputsOffersBoth() {
        use(RealModel.MINILM);
        trace(
                """
                const [self, before] = model.encoder.layer[2].attention.module('output').inputs
                a = self; b = before
                """);
        Tensor self = tensor("a");
        Tensor before = tensor("b");
        trace(
                """
                b = model.encoder.layer[1].output
                a = model.encoder.layer[2].attention.self.output
                """);

        assertSame(self, tensor("a"));
        assertSame(before, tensor("b"));
    }

    /** In fp32 and int8: query, key and value read one tensor, through one quantiser. */
    @ParameterizedTest
    @EnumSource(names = {"MINILM", "MINILM_INT8"})
    void onlyTheModuleItselfReadsItsNewInput(RealModel of) {
        use(of);
        String look =
                """
                ; query = self.query.output; key = self.key.output; value = self.value.output
                """;
        String begin = "const self = model.encoder.layer[1].attention.self";
        trace(begin + look);
        Tensor query = tensor("query");
        Tensor key = tensor("key");
        Tensor value = tensor("value");

        trace(begin + "; self.key.input = self.key.input.mul(2)" + look);

        assertSame(tensor("query"), query);
        assertSame(tensor("value"), value);
        assertThat(difference(tensor("key"), key)).isGreaterThan(0.1);
    }

    /** What a new input makes of one module is what the whole would make of it, to the last bit. */
    @ParameterizedTest
    @EnumSource(names = {"MINILM", "MINILM_INT8"})
    void aNewInputOfAllReadersIsANewOutputOfTheMaker(RealModel of) {
        use(of);
        Map<String, Tensor> byReaders =
                trace(
                        """
                        const layer = model.encoder.layer[1]
                        const twice = layer.attention.self.input.mul(2)
                        layer.attention.self.input = twice
                        const inputs = layer.attention.module('output').inputs
                        layer.attention.module('output').inputs = [inputs[0], twice]
                        """);
        Map<String, Tensor> byMaker =
                trace("model.encoder.layer[0].output = model.encoder.layer[0].output.mul(2)");

        byReaders.forEach((name, tensor) -> assertSame(tensor, byMaker.get(name)));
    }

    @ParameterizedTest
    @EnumSource(value = RealModel.class, mode = Mode.EXCLUDE, names = "TINY_IOI")
    void anInputReplacedByItsOwnCopyChangesNothing(RealModel of) {
        use(of);
        for (String module : List.of("query", "key", "value")) {
            Map<String, Tensor> outputs =
                    trace(
                            """
                            const part = model.encoder.layer[2].attention.self.%1$s
                            part.input = part.input.clone()
                            """
                                    .formatted(module));

            model.run(of.inputs()).forEach((name, value) -> assertSame(outputs.get(name), value));
        }
    }

    @Test
    void aModuleInsideSeesTheInputThatWasGivenToTheModuleAround() {
        trace(
                """
                model.transformer.h[1].input = model.transformer.h[1].input.mul(0)
                inside = model.transformer.h[1].ln_1.input.abs().max()
                model.transformer.h[1].ln_1.input = model.transformer.h[1].ln_1.input.add(1)
                normed = model.transformer.h[1].ln_1.output
                """);

        assertThat(locals.get("inside")).isEqualTo(0);
        assertThat(tensor("normed").at(0, 0).sub(tensor("normed").at(0, 1)).abs().max()).isZero();
    }

    @Test
    void aChangeInPlaceOfAnInputIsAnEditOfThatEdge() {
        Map<String, Tensor> inPlace =
                trace(
                        "model.transformer.h[1].attn.input.mul_(2); a = model.transformer.h[1].ln_1.output");
        Map<String, Tensor> replaced =
                trace(
                        """
                        const attn = model.transformer.h[1].attn
                        attn.input = attn.input.mul(2)
                        """);

        assertSame(inPlace.get("logits"), replaced.get("logits"));
        assertThat(difference(inPlace.get("logits"), model.run(real.inputs()).get("logits")))
                .isGreaterThan(1e-3);
    }

    @Test
    void aSkippedModuleDoesNotRunAndItsOutputIsWhatIsGiven() {
        Map<String, Tensor> skipped =
                trace(
                        """
                        const zero = model.transformer.h[1].mlp.input.mul(0)
                        model.transformer.h[1].mlp.skip(zero)
                        made = model.transformer.h[1].mlp.output.abs().max()
                        """);
        Map<String, Tensor> replaced = trace("model.transformer.h[1].mlp.output.zero_()");

        assertThat(locals.get("made")).isEqualTo(0);
        assertSame(skipped.get("logits"), replaced.get("logits"));
    }

    @Test
    void aLayerIsSkippedByHandingItsInputOn() {
        Map<String, Tensor> skipped =
                trace("const layer = model.transformer.h[1]; layer.skip(layer.input)");
        Map<String, Tensor> replaced =
                trace("model.transformer.h[1].output = model.transformer.h[0].output");

        assertSame(skipped.get("logits"), replaced.get("logits"));
    }

    @Test
    void theModulesInsideASkippedOneAreNotReached() {
        assertThatThrownBy(() ->
                        trace(
                                """
                                model.transformer.h[1].skip(model.transformer.h[1].input)
                                model.transformer.h[1].mlp.output
                                """))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("transformer.h.1.mlp.output");
    }

    @Test
    void theLastModuleCanBeSkipped() {
        long[] shape = Objects.requireNonNull(model.run(real.inputs()).get("logits")).shape();
        locals.put("seven", Tensor.full(DType.FLOAT32, 7, shape));
        Map<String, Tensor> outputs = trace("model.lm_head.skip(seven)");

        assertThat(outputs.get("logits").sub(7).abs().max()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "const mlp = model.transformer.h[1].mlp; mlp.input = mlp.input.mul(2)",
                "const layer = model.transformer.h[1]; layer.skip(layer.input)",
                "a = model.transformer.h[1].mlp.input",
            })
    void theSameTraceAgainBuildsNothing(String text) {
        trace(text);
        long builds = model.statistics().builds();

        trace(text);

        assertThat(model.statistics().builds()).isEqualTo(builds);
    }

    @Test
    void readingInputsAddsNoCut() {
        trace("a = model.transformer.h[1].input; b = model.transformer.h[1].attn.inputs[0]");

        assertThat(model.statistics().builds()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "", "model.transformer.wte.input"})
    void whatIsNoOutputOfASkippedModuleIsAnErrorAtItsLine(String given) {
        assertThatThrownBy(() -> trace("\nmodel.transformer.h[1].skip(" + given + ")"))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("transformer.h.1.output")
                .hasMessageContaining("expected a tensor float32")
                .satisfies(e ->
                        assertThat(((BlockException) e).traceback().entries().getFirst().line())
                                .isEqualTo(2));
    }

    @Test
    void inputsOfAnotherNumberAreAnError() {
        assertThatThrownBy(() -> trace("model.transformer.h[1].inputs = []"))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("expected a list of 1 tensors, given a list of 0");
    }

    @Test
    void inABatchAnInputIsReplacedInItsRowsOnly() {
        use(RealModel.MINILM);
        String edit = "const layer = model.encoder.layer[2]; layer.input = layer.input.mul(2)";
        Map<String, Tensor> alone = model.run(real.inputs());
        Map<String, Tensor> edited = trace(edit);
        Batch<Map<String, Tensor>> batch = new Batch<>();
        batch.add(blocks.capture(edit), real.inputs()).add(blocks.capture("1"), real.inputs());

        List<Map<String, Tensor>> outputs = model.trace(batch).result();

        edited.forEach((name, value) ->
                assertThat(difference(outputs.get(0).get(name), value)).isLessThan(1e-5));
        alone.forEach((name, value) ->
                assertThat(difference(outputs.get(1).get(name), value)).isLessThan(1e-5));
    }

    @Test
    void inABatchABlockWithoutInputSkipsForAll() {
        use(RealModel.MINILM);
        String skip = "const layer = model.encoder.layer[2]; layer.skip(layer.input)";
        Map<String, Tensor> skipped = trace(skip);
        Batch<Map<String, Tensor>> batch = new Batch<>();
        batch.add(blocks.capture("1"), real.inputs(), real.inputs()).add(blocks.capture(skip));

        List<Map<String, Tensor>> outputs = model.trace(batch).result();

        for (Map<String, Tensor> of : outputs) {
            skipped.forEach(
                    (name, value) -> assertThat(difference(of.get(name), value)).isLessThan(1e-5));
        }
    }

    @Test
    void inABatchABlockWithInputCannotSkip() {
        use(RealModel.MINILM);
        Batch<Map<String, Tensor>> batch = new Batch<>();
        batch.add(
                        blocks.capture(
                                "const layer = model.encoder.layer[2]; layer.skip(layer.input)"),
                        real.inputs())
                .add(blocks.capture("1"), real.inputs());

        assertThatThrownBy(() -> model.trace(batch))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("others in the batch have rows of it too");
    }

    @Test
    void inAGenerationAModuleIsSkippedAtTheStepsThatAreMeant() {
        Generator generator = Generator.builder(model).tokens(3).build();

        generator.generate(
                GeneratorTest.prompt(1, 41, 21, 22),
                blocks.capture(
                        """
                        norms = []
                        for (const step of model.iter(0, 3)) {
                          const mlp = step.transformer.h[1].mlp
                          if (step.index == 1) mlp.skip(mlp.input.mul(0))
                          norms.push(mlp.output.abs().max())
                        }
                        """));

        assertThat(locals.get("norms"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .satisfiesExactly(
                        first -> assertThat(((Number) first).doubleValue()).isPositive(),
                        second -> assertThat(((Number) second).doubleValue()).isZero(),
                        third -> assertThat(((Number) third).doubleValue()).isPositive());
    }

    private void use(RealModel other) {
        blocks.close();
        blocks = ModelWithBlocks.of(other);
        model = blocks.model();
        locals = blocks.locals();
        real = other;
    }

    private Map<String, Tensor> trace(String text) {
        return blocks.trace(text).result();
    }

    private Tensor tensor(String name) {
        return blocks.tensor(name);
    }

    private static double difference(@Nullable Tensor one, @Nullable Tensor other) {
        return Objects.requireNonNull(one).sub(Objects.requireNonNull(other)).abs().max();
    }

    private static void assertSame(@Nullable Tensor one, @Nullable Tensor other) {
        assertThat(difference(one, other)).isZero();
    }
}
