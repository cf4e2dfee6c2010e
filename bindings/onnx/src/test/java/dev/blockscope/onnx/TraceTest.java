package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Blocks of JavaScript that look into the real model while it runs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TraceTest {
    private final OnnxModel model = MiniLm.open();
    private final BlockEngine engine = BlockEngine.create();
    private final Map<String, Tensor> inputs = MiniLm.inputs("The cat sits outside on the mat.");
    private final Tensor whole = last(model.run(inputs));
    private final Map<String, @Nullable Object> locals = new LinkedHashMap<>();

    @AfterEach
    void noValueIsLeft() {
        assertThat(model.ledger().values()).isZero();
    }

    @AfterAll
    void close() {
        engine.close();
        model.close();
        assertThat(model.ledger().sessions()).isZero();
    }

    @Test
    void aBlockReadsALayer() {
        Map<String, Tensor> outputs = trace("hidden = model.encoder.layer[3].output");

        Tensor hidden = (Tensor) Objects.requireNonNull(locals.get("hidden"));
        assertThat(hidden.shape()).containsExactly(1, 10, 384);
        assertThat(last(outputs).sub(whole).abs().max()).isZero();
    }

    @Test
    void aBlockThatChangesNothingLeavesTheResultAsItIs() {
        Map<String, Tensor> outputs =
                trace("for (const layer of model.encoder.layer) layer.output.mean()");

        assertThat(last(outputs).sub(whole).abs().max()).isZero();
    }

    @Test
    void aBlockReplacesALayer() {
        Map<String, Tensor> outputs =
                trace("model.encoder.layer[3].output = model.encoder.layer[3].output.mul(2)");

        Tensor byHand =
                last(
                        model.runInStep(
                                inputs,
                                new Script()
                                        .at("encoder.layer.3.output", hidden -> hidden.mul(2))));
        assertThat(last(outputs).sub(byHand).abs().max()).isZero();
        assertThat(last(outputs).sub(whole).abs().max()).isGreaterThan(0.1);
    }

    @Test
    void aBlockChangesALayerInPlace() {
        Map<String, Tensor> outputs = trace("model.encoder.layer[5].output[0][2].fill_(1)");

        assertThat(last(outputs).at(0, 2).sub(1).abs().max()).isZero();
        assertThat(last(outputs).at(0, 3).sub(whole.at(0, 3)).abs().max()).isZero();
    }

    @Test
    void aBlockUsesTheTensorsAroundIt() {
        locals.put("direction", Tensor.full(DType.FLOAT32, 0.5, 384));

        Map<String, Tensor> outputs =
                trace("model.encoder.output = model.encoder.output.add(direction)");

        assertThat(last(outputs).sub(whole).sub(0.5).abs().max()).isLessThan(1e-5);
    }

    @Test
    void whatABlockPushedIsItsOwn() {
        trace("a = model.encoder.layer[1].output; b = a; a.fill_(0); c = a.toArray()[0][0][0]");

        Tensor a = (Tensor) Objects.requireNonNull(locals.get("a"));
        a.fill_(3);
        assertThat(locals.get("b")).asString().contains("0.000");
        assertThat(locals.get("c")).isEqualTo(0);
    }

    @Test
    void twoBlocksSeeEachOthersEdits() {
        Frame frame = Frame.of(locals);
        locals.put("model", model.envoy());
        Block first = engine.capture("model.encoder.output = model.encoder.output.mul(0)", frame);
        Block second = engine.capture("sum = model.encoder.output.sum()", frame);

        model.trace(inputs, first, second);

        assertThat(locals.get("sum")).isEqualTo(0);
    }

    @Test
    void aReplacementOfAnotherShapeIsAnErrorAtItsLine() {
        assertThatThrownBy(() ->
                        trace(
                                """
                                hidden = model.encoder.layer[3].output
                                model.encoder.layer[3].output = hidden.mean(1)
                                """))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("encoder.layer.3.output")
                .hasMessageContaining("expected a tensor float32 [1, 10, 384]")
                .hasMessageContaining("given float32 [1, 384]")
                .satisfies(e ->
                        assertThat(((BlockException) e).traceback().render())
                                .contains("model.encoder.layer[3].output = hidden.mean(1)"));
        assertThat(locals).doesNotContainKey("hidden");
    }

    @Test
    void aReplacementThatIsNoTensorIsAnError() {
        assertThatThrownBy(() -> trace("model.encoder.layer[3].output = 0"))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("given the number 0");
    }

    @Test
    void anUnknownModuleIsAnErrorWithTheNearestNames() {
        assertThatThrownBy(() -> trace("model.encoder.layer[3].outptu"))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("encoder.layer.3.output");
    }

    @Test
    void askingForALayerThatHasPassedIsAnErrorThatCanBeCaught() {
        trace(
                """
                model.encoder.layer[3].output
                try {
                    model.encoder.layer[1].output
                } catch (e) {
                    said = e.message
                }
                last = model.encoder.layer[5].output.shape
                """);

        assertThat(locals.get("said")).asString().contains("already passed");
        assertThat(locals.get("last")).asString().contains("384");
    }

    @Test
    void aMistakeWithShapesIsAnErrorOfTheBlock() {
        assertThatThrownBy(() -> trace("model.encoder.output.add([1, 2])"))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("shapes [1, 10, 384] and [2] do not fit");
    }

    private Map<String, Tensor> trace(String text) {
        locals.put("model", model.envoy());
        return model.trace(inputs, engine.capture(text, Frame.of(locals))).result();
    }

    private static Tensor last(Map<String, Tensor> outputs) {
        return Objects.requireNonNull(outputs.get("last_hidden_state"));
    }
}
