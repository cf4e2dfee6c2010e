package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import dev.blockscope.interleave.Batch;
import dev.blockscope.interleave.HookException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several inputs in one run, each with blocks of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BatchTest {
    private static final double ROUNDING = 1e-5;

    private final OnnxModel model = MiniLm.open();
    private final BlockEngine engine = BlockEngine.create();
    private final Map<String, Tensor> cat = MiniLm.inputs("The cat sits outside on the mat.");
    private final Map<String, Tensor> dog = MiniLm.inputs("A dog.");
    private final Map<String, @Nullable Object> locals = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> others = new LinkedHashMap<>();

    @AfterEach
    void noValueIsLeft() {
        assertThat(model.ledger().values()).isZero();
        locals.clear();
        others.clear();
    }

    @AfterAll
    void close() {
        engine.close();
        model.close();
        assertThat(model.ledger().sessions()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = RealModel.class,
            names = {"MINILM", "E5_SMALL", "TINY_IOI"})
    void whatABlockSeesAndWhatComesOutIsAsIfItsInputRanAlone(RealModel real) throws Exception {
        try (OnnxModel opened = OnnxModel.builder().causal(true).open(real.file())) {
            List<Map<String, Tensor>> inputs = List.of(real.inputs(), shorter(real.inputs()));
            List<Map<String, @Nullable Object>> frames = List.of(new HashMap<>(), new HashMap<>());
            Batch<Map<String, Tensor>> batch = new Batch<>();
            for (int i = 0; i < 2; i++) {
                batch.add(readingAll(opened, frames.get(i)), inputs.get(i));
            }

            List<Map<String, Tensor>> outputs = opened.trace(batch).result();

            for (int i = 0; i < 2; i++) {
                Map<String, @Nullable Object> alone = new HashMap<>();
                Map<String, Tensor> expected =
                        opened.trace(inputs.get(i), readingAll(opened, alone)).result();
                Map<String, Tensor> given = outputs.get(i);
                assertThat(given.keySet()).isEqualTo(expected.keySet());
                expected.forEach((name, tensor) -> near(tensor, given.get(name)));
                Map<?, ?> seen = (Map<?, ?>) Objects.requireNonNull(frames.get(i).get("seen"));
                Map<?, ?> ofAlone = (Map<?, ?>) Objects.requireNonNull(alone.get("seen"));
                assertThat(ofAlone).hasSameSizeAs(opened.points().keySet());
                ofAlone.forEach((point, tensor) -> near((Tensor) tensor, (Tensor) seen.get(point)));
            }
            assertThat(opened.ledger().values()).isZero();
        }
    }

    @Test
    void dynamicQuantisationSharesOneScaleSoThatRowsDifferALittle() {
        try (OnnxModel quantised = RealModel.MINILM_INT8.open()) {
            Batch<Map<String, Tensor>> batch =
                    new Batch<Map<String, Tensor>>()
                            .add(block(quantised, "a = model.encoder.output", locals), cat)
                            .add(block(quantised, "a = model.encoder.output", others), dog);

            List<Map<String, Tensor>> outputs = quantised.trace(batch).result();

            Tensor alone = last(quantised.run(cat));
            Tensor together = output(outputs, 0, "last_hidden_state");
            assertThat(together.shape()).isEqualTo(alone.shape());
            assertThat(together.flatten().cosine(alone.flatten())).isBetween(0.98, 0.999);
            assertThat(((Tensor) Objects.requireNonNull(others.get("a"))).shape())
                    .containsExactly(1, 5, 384);
        }
    }

    @Test
    void anEditInPlaceStaysInItsRows() {
        List<Map<String, Tensor>> outputs =
                run("model.encoder.layer[2].output.fill_(0)", "model.encoder.layer[2].output");

        Tensor byHand =
                last(
                        model.runInStep(
                                cat, new Script().at("encoder.layer.2.output", t -> t.fill_(0))));
        near(byHand, output(outputs, 0, "last_hidden_state"));
        near(last(model.run(dog)), output(outputs, 1, "last_hidden_state"));
    }

    @Test
    void aReplacementStaysInItsRows() {
        List<Map<String, Tensor>> outputs =
                run(
                        "model.encoder.layer[2].output",
                        "hidden = model.encoder.layer[2].output\n"
                                + "model.encoder.layer[2].output = hidden.mul(3)");

        Tensor byHand =
                last(
                        model.runInStep(
                                dog, new Script().at("encoder.layer.2.output", t -> t.mul(3))));
        near(last(model.run(cat)), output(outputs, 0, "last_hidden_state"));
        near(byHand, output(outputs, 1, "last_hidden_state"));
    }

    @Test
    void aBlockDoesNotSeeTheEditOfAnother() {
        run(
                "model.encoder.output = model.encoder.output.mul(0)",
                "sum = model.encoder.output.abs().sum()");

        assertThat((Double) Objects.requireNonNull(others.get("sum"))).isGreaterThan(1);
    }

    @Test
    void aBlockWithoutInputSeesAndEditsAllRows() {
        String edit = "all = model.encoder.layer[4].output; shape = all.shape; all.fill_(2)";
        Batch<Map<String, Tensor>> batch =
                new Batch<Map<String, Tensor>>()
                        .add(block(model, edit, others))
                        .add(block(model, "own = model.encoder.layer[4].output", locals), cat)
                        .add(block(model, "x = 1", new HashMap<>()), dog);

        List<Map<String, Tensor>> outputs = model.trace(batch).result();

        assertThat(others.get("shape")).hasToString("[2, 10, 384]");
        assertThat(((Tensor) Objects.requireNonNull(locals.get("own"))).sub(2).abs().max())
                .isZero();
        assertThat(output(outputs, 1, "last_hidden_state").shape()).containsExactly(1, 5, 384);
    }

    @Test
    void severalInputsOfOneBlockAreItsRows() {
        Batch<Map<String, Tensor>> batch =
                new Batch<Map<String, Tensor>>()
                        .add(block(model, "shape = model.encoder.output.shape", locals), dog, dog)
                        .add(block(model, "shape = model.encoder.output.shape", others), cat);

        model.trace(batch);

        assertThat(locals.get("shape")).hasToString("[2, 5, 384]");
        assertThat(others.get("shape")).hasToString("[1, 10, 384]");
    }

    @Test
    void whatHasNoRowsIsReadByAllAndCutToTheirSize() {
        run(
                "shape = model.embeddings.position_embeddings.output.shape",
                "shape = model.embeddings.position_embeddings.output.shape");

        assertThat(locals.get("shape")).hasToString("[1, 10, 384]");
        assertThat(others.get("shape")).hasToString("[1, 5, 384]");
    }

    @Test
    void whatHasNoRowsCannotBeReplacedByABlockWithInput() {
        assertThatThrownBy(() ->
                        run(
                                "const p = model.embeddings.position_embeddings.output\n"
                                        + "model.embeddings.position_embeddings.output = p.mul(2)",
                                "x = 1"))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("embeddings.position_embeddings.output")
                .hasMessageContaining("no row for each input")
                .satisfies(e ->
                        assertThat(((BlockException) e).traceback().render())
                                .contains("block.js:2"));
    }

    @Test
    void whatHasNoRowsCannotBeChangedInPlaceByABlockWithInput() {
        assertThatThrownBy(
                        () -> run("model.embeddings.position_embeddings.output.zero_()", "x = 1"))
                .isInstanceOf(HookException.class)
                .hasMessageContaining("embeddings.position_embeddings.output")
                .hasMessageContaining("only a block without input");
        assertThat(others).doesNotContainKey("x");
    }

    @Test
    void aReplacementThatDoesNotFitTheOwnRowsIsAnErrorAtItsLine() {
        assertThatThrownBy(() ->
                        run("x = 1", "model.encoder.output = model.encoder.output.slice(1, 0, 2)"))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("expected a tensor float32 [1, 5, 384]")
                .hasMessageContaining("given float32 [1, 2, 384]");
    }

    @Test
    void inputsOfDifferentSizesNeedAMaskOrACausalModel() {
        try (OnnxModel ioi = RealModel.TINY_IOI.open()) {
            Batch<Map<String, Tensor>> batch =
                    new Batch<Map<String, Tensor>>()
                            .add(block(ioi, "x = 1", locals), RealModel.TINY_IOI.inputs())
                            .add(block(ioi, "x = 1", others), shorter(RealModel.TINY_IOI.inputs()));

            assertThatThrownBy(() -> ioi.trace(batch))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no input \"attention_mask\"")
                    .hasMessageContaining("causal(true)");
        }
    }

    @Test
    void anInputOfSeveralRowsIsRefused() {
        Map<String, Tensor> two = new HashMap<>();
        cat.forEach((name, tensor) -> two.put(name, Tensor.cat(List.of(tensor, tensor), 0)));
        Batch<Map<String, Tensor>> batch =
                new Batch<Map<String, Tensor>>()
                        .add(block(model, "x = 1", locals), dog)
                        .add(block(model, "x = 1", others), two);

        assertThatThrownBy(() -> model.trace(batch))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "input 1 of the batch has 2 rows, expected 1; add its rows as inputs of their own");
    }

    @Test
    void aModelWithAFixedNumberOfRowsTakesNoBatch(@TempDir java.nio.file.Path folder)
            throws Exception {
        TinyModel fixed =
                new TinyModel()
                        .input("x", DType.FLOAT32, "1", "2")
                        .output("y", DType.FLOAT32)
                        .node("Relu", "/act/Relu", "x", "y");
        try (OnnxModel one = OnnxModel.open(fixed.writeTo(folder))) {
            Map<String, Tensor> x = Map.of("x", Tensor.of(new float[] {1, 2}, 1, 2));

            assertThatThrownBy(() ->
                            one.trace(
                                    new Batch<Map<String, Tensor>>()
                                            .add(block(one, "x = 1", locals), x, x)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("takes no batches");
        }
    }

    private List<Map<String, Tensor>> run(String first, String second) {
        return model.trace(
                        new Batch<Map<String, Tensor>>()
                                .add(block(model, first, locals), cat)
                                .add(block(model, second, others), dog))
                .result();
    }

    private Block readingAll(OnnxModel of, Map<String, @Nullable Object> frame) {
        frame.put(
                "points",
                of.points().entrySet().stream()
                        .sorted(Comparator.comparingInt(point -> point.getValue().position()))
                        .map(Map.Entry::getKey)
                        .toList());
        return block(of, "seen = {}; for (const p of points) seen[p] = model[p]", frame);
    }

    private Block block(OnnxModel of, String text, Map<String, @Nullable Object> frame) {
        frame.put("model", of.envoy());
        return engine.capture(text, Frame.of(frame));
    }

    private static Map<String, Tensor> shorter(Map<String, Tensor> inputs) {
        Map<String, Tensor> shorter = new HashMap<>();
        inputs.forEach((name, tensor) -> shorter.put(name, tensor.slice(1, 0, 4)));
        return shorter;
    }

    private static Tensor output(List<Map<String, Tensor>> outputs, int input, String name) {
        return Objects.requireNonNull(outputs.get(input).get(name));
    }

    private static Tensor last(Map<String, Tensor> outputs) {
        return Objects.requireNonNull(outputs.get("last_hidden_state"));
    }

    private static void near(Tensor expected, Tensor given) {
        assertThat(given.shape()).isEqualTo(expected.shape());
        assertThat(given.sub(expected).abs().max()).isLessThan(ROUNDING);
    }
}
