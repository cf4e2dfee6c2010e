package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.interleave.HookException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OnnxModelTest {
    private static final String SENTENCE = "The cat sits outside on the mat.";

    private final OnnxModel model = MiniLm.open();
    private final Map<String, Tensor> inputs = MiniLm.inputs(SENTENCE);
    private Tensor whole = Tensor.zeros(DType.FLOAT32);

    @BeforeAll
    void runWhole() {
        whole = last(model.run(inputs));
    }

    @AfterEach
    void noValueIsLeft() {
        assertThat(model.ledger().values()).isZero();
    }

    @AfterAll
    void nothingIsLeft() {
        model.close();
        assertThat(model.ledger().sessions()).isZero();
    }

    @Test
    void describesInputsAndOutputs() {
        assertThat(model.inputs())
                .extracting(TensorSpec::toString)
                .containsExactly(
                        "input_ids: int64 [batch_size, sequence_length]",
                        "attention_mask: int64 [batch_size, sequence_length]",
                        "token_type_ids: int64 [batch_size, sequence_length]");
        assertThat(model.outputs())
                .extracting(TensorSpec::toString)
                .containsExactly("last_hidden_state: float32 [batch_size, sequence_length, 384]");
    }

    @Test
    void embedsLikeSentencesAlike() {
        Tensor cat = last(model.run(inputs)).mean(1);
        Tensor feline = last(model.run(MiniLm.inputs("A feline rests on a rug outdoors."))).mean(1);
        Tensor stock =
                last(model.run(MiniLm.inputs("The stock market fell sharply today."))).mean(1);

        assertThat(whole.shape()).containsExactly(1, 10, 384);
        assertThat(cat.cosine(feline)).isGreaterThan(cat.cosine(stock) + 0.2);
    }

    @Test
    void cutAtEveryLayerTheResultIsTheSameToTheLastBit() {
        long before = model.statistics().builds();
        Script script = Script.reading(MiniLm.layerOutputs());

        Tensor cut = last(model.runInStep(inputs, script));

        assertThat(script.visited()).isEqualTo(MiniLm.layerOutputs());
        assertThat(model.statistics().builds() - before).isLessThanOrEqualTo(7);
        assertThat(cut.sub(whole).abs().max()).isZero();
    }

    @Test
    void everyModuleCanBeReadWithoutChangingTheResult() {
        Script script = new Script();
        model.modules().modules().stream()
                .map(module -> module.path() + ".output")
                .sorted(Comparator.comparingInt(this::position))
                .forEach(script::reading);

        Tensor cut = last(model.runInStep(inputs, script));

        assertThat(script.visited()).hasSameSizeAs(model.modules().modules());
        assertThat(cut.sub(whole).abs().max()).isZero();
    }

    @Test
    void aSecondRunWithTheSamePointsBuildsNothing() {
        model.runInStep(inputs, Script.reading(MiniLm.layerOutputs()));
        long builds = model.statistics().builds();

        model.runInStep(inputs, Script.reading(MiniLm.layerOutputs()));

        assertThat(model.statistics().builds()).isEqualTo(builds);
    }

    @Test
    void replacingATensorByItsOwnCopyChangesNothing() {
        Script script = new Script().at("encoder.layer.4.output", Tensor::clone);

        assertThat(last(model.runInStep(inputs, script)).sub(whole).abs().max()).isZero();
    }

    @Test
    void timesOneAndPlusZeroChangeNothing() {
        Script script =
                new Script()
                        .at("encoder.layer.2.output", hidden -> hidden.mul(1))
                        .at("encoder.layer.4.output", hidden -> hidden.add(0));

        assertThat(last(model.runInStep(inputs, script)).sub(whole).abs().max()).isZero();
    }

    @Test
    void whatIsPutInPlaceOfATensorGoesOn() {
        Tensor[] seen = new Tensor[1];
        Map<String, Tensor> other = MiniLm.inputs("A dog sleeps inside of the hut.");
        model.runInStep(
                other, new Script().at("encoder.layer.3.output", hidden -> seen[0] = hidden));

        Tensor patched =
                last(
                        model.runInStep(
                                inputs, new Script().at("encoder.layer.3.output", _ -> seen[0])));

        assertThat(patched.sub(last(model.run(other))).abs().max()).isZero();
        assertThat(patched.sub(whole).abs().max()).isGreaterThan(0.1);
    }

    @Test
    void aChangeInPlaceGoesOn() {
        Script inPlace = new Script().at("encoder.layer.3.output", hidden -> hidden.mul_(2));
        Script replaced = new Script().at("encoder.layer.3.output", hidden -> hidden.mul(2));

        Tensor changed = last(model.runInStep(inputs, inPlace));

        assertThat(changed.sub(whole).abs().max()).isGreaterThan(0.1);
        assertThat(changed.sub(last(model.runInStep(inputs, replaced))).abs().max()).isZero();
    }

    @Test
    void anEditOfTheLastModuleIsTheResult() {
        Script script = new Script().at("encoder.output", hidden -> hidden.fill_(7));

        assertThat(last(model.runInStep(inputs, script)).sub(7).abs().max()).isZero();
    }

    @Test
    void pathsOfOneTensorSeeEachOthersEdits() {
        Tensor[] seen = new Tensor[1];
        Script script =
                new Script()
                        .at("encoder.layer.5.output", hidden -> hidden.add(1))
                        .at("encoder.output", hidden -> seen[0] = hidden);

        model.runInStep(inputs, script);

        assertThat(seen[0].sub(whole).sub(1).abs().max()).isLessThan(1e-6);
    }

    @Test
    void changingATensorAfterItsPointChangesNothing() {
        Tensor[] seen = new Tensor[1];
        Script script =
                new Script()
                        .at("encoder.layer.1.output", hidden -> seen[0] = hidden)
                        .at(
                                "encoder.layer.2.output",
                                hidden -> {
                                    seen[0].fill_(0);
                                    return hidden;
                                });

        assertThat(last(model.runInStep(inputs, script)).sub(whole).abs().max()).isZero();
    }

    @Test
    void aPointThatHasPassedIsNotVisited() {
        Script script =
                new Script().reading("encoder.layer.3.output").reading("encoder.layer.1.output");

        model.runInStep(inputs, script);

        assertThat(script.visited()).containsExactly("encoder.layer.3.output");
    }

    @Test
    void refusesAReplacementOfAnotherShape() {
        Script script = new Script().at("encoder.layer.3.output", hidden -> hidden.mean(1));

        assertThatThrownBy(() -> model.runInStep(inputs, script))
                .isInstanceOf(HookException.class)
                .hasMessageContaining("encoder.layer.3.output")
                .hasMessageContaining("expected a tensor float32 [1, 10, 384]")
                .hasMessageContaining("given float32 [1, 384]");
    }

    @Test
    void namesTheInputsWhenOneIsMissing() {
        Map<String, Tensor> given = new HashMap<>(inputs);
        given.remove("token_type_ids");

        assertThatThrownBy(() -> model.run(given))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the model takes the inputs [input_ids, attention_mask, token_type_ids],"
                                + " given were [attention_mask, input_ids]");
    }

    @Test
    void refusesAnInputOfAnotherType() {
        Map<String, Tensor> given = new HashMap<>(inputs);
        given.put("input_ids", Tensor.of(new float[10], 1, 10));

        assertThatThrownBy(() -> model.run(given))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "input \"input_ids\" is float32 [1, 10], expected int64 [batch_size,"
                                + " sequence_length]");
    }

    @Test
    void refusesInputsThatDoNotAgreeOnASize() {
        Map<String, Tensor> given = new HashMap<>(inputs);
        given.put("attention_mask", Tensor.of(new long[9], 1, 9));

        assertThatThrownBy(() -> model.trace(given))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"attention_mask\" is int64 [1, 9]")
                .hasMessageContaining("sequence_length is 10 elsewhere");
    }

    @Test
    void handsOnWhatTheRuntimeSays() {
        Map<String, Tensor> given = new HashMap<>(inputs);
        given.put("input_ids", Tensor.full(DType.INT64, 1e9, 1, 10));

        assertThatThrownBy(() -> model.run(given))
                .isInstanceOf(OnnxRunException.class)
                .hasMessageContaining("minilm")
                .hasMessageContaining("1000000000");
        assertThatThrownBy(() -> model.runInStep(given, Script.reading(MiniLm.layerOutputs())))
                .isInstanceOf(OnnxRunException.class)
                .hasMessageContaining("nodes 0 to");
    }

    @Test
    void freesEverythingWhenAVisitThrows() {
        Script script =
                new Script()
                        .reading("encoder.layer.2.output")
                        .at(
                                "encoder.layer.3.output",
                                _ -> {
                                    throw new IllegalStateException("enough");
                                });

        assertThatThrownBy(() -> model.runInStep(inputs, script)).hasMessage("enough");
        assertThat(model.ledger().values()).isZero();
    }

    @Test
    void keepsSegmentsWithinTheLimit() throws Exception {
        try (OnnxModel small = OnnxModel.builder().segmentMemory(70L << 20).open(MiniLm.file())) {
            small.runInStep(inputs, Script.reading(MiniLm.layerOutputs()));

            assertThat(small.statistics().evictions()).isPositive();
            assertThat((long) small.ledger().sessions()).isEqualTo(small.statistics().held());
            assertThat(small.statistics().held()).isBetween(1L, 6L);
        }
    }

    @Test
    void runsASegmentThatIsLargerThanTheLimit() throws Exception {
        try (OnnxModel none = OnnxModel.builder().segmentMemory(0).open(MiniLm.file())) {
            Script script = Script.reading(MiniLm.layerOutputs());

            assertThat(last(none.runInStep(inputs, script)).sub(whole).abs().max()).isZero();
            assertThat(none.ledger().sessions()).isZero();
        }
    }

    @Test
    void threadsShareSegmentsThatComeAndGo() throws Exception {
        try (OnnxModel small = OnnxModel.builder().segmentMemory(70L << 20).open(MiniLm.file());
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            Callable<Double> run =
                    () ->
                            last(small.runInStep(inputs, Script.reading(MiniLm.layerOutputs())))
                                    .sub(whole)
                                    .abs()
                                    .max();
            List<Future<Double>> differences =
                    threads.invokeAll(List.of(run, run, run, run, run, run));

            for (Future<Double> difference : differences) {
                assertThat(difference.get()).isZero();
            }
            assertThat(small.ledger().values()).isZero();
            assertThat((long) small.ledger().sessions()).isEqualTo(small.statistics().held());
        }
    }

    @Test
    void saysThatItIsClosed() {
        OnnxModel closed = MiniLm.open();
        closed.run(inputs);
        closed.runInStep(inputs, Script.reading(MiniLm.layerOutputs()));

        closed.close();
        closed.close();

        assertThat(closed.ledger().sessions()).isZero();
        assertThatThrownBy(() -> closed.run(inputs))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        assertThatThrownBy(() -> closed.trace(inputs))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void closingInTheMiddleOfARunEndsItCleanly() {
        OnnxModel closing = MiniLm.open();
        Script script =
                new Script()
                        .at(
                                "encoder.layer.2.output",
                                hidden -> {
                                    closing.close();
                                    return hidden;
                                });

        assertThatThrownBy(() -> closing.runInStep(inputs, script))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        assertThat(closing.ledger().sessions()).isZero();
        assertThat(closing.ledger().values()).isZero();
    }

    @Test
    void printsItsModules() {
        assertThat(model.toString())
                .startsWith("OnnxModel all-minilm-l6-v2.onnx")
                .contains("in   input_ids: int64 [batch_size, sequence_length]")
                .contains("layer.3");
    }

    private int position(String point) {
        return Objects.requireNonNull(model.points().get(point)).position();
    }

    private static Tensor last(Map<String, Tensor> outputs) {
        return Objects.requireNonNull(outputs.get("last_hidden_state"));
    }
}
