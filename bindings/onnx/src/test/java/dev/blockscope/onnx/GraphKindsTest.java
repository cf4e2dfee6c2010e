package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Graphs of every kind: with branches, loops, weights beside the file, several inputs and outputs.
 */
class GraphKindsTest {
    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void branchesReadWhatABlockReplacedOutsideThem(boolean flag) throws Exception {
        try (OnnxModel model = OnnxModel.open(branching().writeTo(folder))) {
            Map<String, Tensor> inputs =
                    Map.of(
                            "x", Tensor.of(new float[] {3, -1}),
                            "flag", Tensor.of(new boolean[] {flag}));
            Script script = new Script().at("net.first.output", hidden -> hidden.add(1));

            assertThat(y(model.run(inputs))).containsExactly(flag ? 6 : 9, 0);
            assertThat(y(model.runInStep(inputs, script)))
                    .containsExactly(flag ? 8 : 16, flag ? 2 : 1);
            assertThat(model.modules().find("net.choice").orElseThrow().inputs())
                    .containsExactly("flag", "h");
        }
    }

    @Test
    void aTensorInsideABranchCannotBeReachedAndTheErrorSaysWhere() throws Exception {
        try (OnnxModel model = OnnxModel.open(branching().writeTo(folder))) {
            assertThatThrownBy(() -> model.tensor("twice"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"twice\" is inside node 1 (If \"/net/choice/If\")");
            assertThat(model.tensors()).extracting(TensorSpec::name).doesNotContain("twice");
        }
    }

    @Test
    void loopsRunAsOneNode() throws Exception {
        TinyModel body =
                new TinyModel()
                        .input("turn", DType.INT64, "1")
                        .input("go", DType.BOOL, "1")
                        .input("sum", DType.FLOAT32)
                        .node("Identity", "/more", "go", "goes")
                        .node("Add", "/plus", "sum h", "sums")
                        .output("goes", DType.BOOL)
                        .output("sums", DType.FLOAT32);
        TinyModel tiny =
                new TinyModel()
                        .input("x", DType.FLOAT32, "2")
                        .output("y", DType.FLOAT32)
                        .whole("times", 3)
                        .node("Relu", "/net/first/Relu", "x", "h")
                        .node(
                                "Loop",
                                "/net/loop/Loop",
                                "times  x",
                                "s",
                                List.of(body.asAttribute("body")))
                        .node("Neg", "/net/last/Neg", "s", "y");
        try (OnnxModel model = OnnxModel.open(tiny.writeTo(folder))) {
            Map<String, Tensor> x = Map.of("x", Tensor.of(new float[] {2, -1}));
            Script script =
                    new Script()
                            .at("net.first.output", hidden -> hidden.add(1))
                            .reading("net.loop.output");

            assertThat(y(model.run(x))).containsExactly(-8, 1);
            assertThat(y(model.runInStep(x, script))).containsExactly(-11, -2);
        }
    }

    @Test
    void weightsMayLieBesideTheFile() throws Exception {
        ByteBuffer weights = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        weights.asFloatBuffer().put(new float[] {9, 9, 1, 2, 3, 4});
        Files.write(folder.resolve("weights.bin"), weights.array());
        TinyModel tiny =
                new TinyModel()
                        .input("x", DType.FLOAT32, "rows", "2")
                        .output("y", DType.FLOAT32)
                        .beside("w", List.of(2L, 2L), "weights.bin", 8, 16)
                        .node("Relu", "/net/first/Relu", "x", "h")
                        .node("MatMul", "/net/last/MatMul", "h w", "y");
        try (OnnxModel model = OnnxModel.open(tiny.writeTo(folder))) {
            Map<String, Tensor> x = Map.of("x", Tensor.of(new float[] {1, -1}, 1, 2));
            Script script = new Script().at("net.first.output", hidden -> hidden.add(1));

            assertThat(y(model.run(x))).containsExactly(1, 2);
            assertThat(y(model.runInStep(x, script))).containsExactly(5, 8);
        }
    }

    @Test
    void severalInputsAndOutputsKeepTheirOrder() throws Exception {
        TinyModel tiny =
                new TinyModel()
                        .input("b", DType.FLOAT32, "n")
                        .input("a", DType.INT64, "n")
                        .output("y", DType.FLOAT32)
                        .output("c", DType.INT64)
                        .cast("/net/cast/Cast", "a", "f", DType.FLOAT32)
                        .node("Add", "/net/sum/Add", "f b", "y")
                        .node("Neg", "/net/neg/Neg", "a", "c");
        try (OnnxModel model = OnnxModel.open(tiny.writeTo(folder))) {
            Map<String, Tensor> inputs =
                    Map.of(
                            "a", Tensor.of(new long[] {1, 2}),
                            "b", Tensor.of(new float[] {.5f, .5f}));
            Script script = new Script().at("net.cast.output", numbers -> numbers.mul(10));

            Map<String, Tensor> outputs = model.runInStep(inputs, script);

            assertThat(outputs.keySet()).containsExactly("y", "c");
            assertThat(y(outputs)).containsExactly(10.5f, 20.5f);
            assertThat(model.modules().find("net").orElseThrow().inputs())
                    .containsExactly("a", "b");
            assertThat(model.modules().find("net").orElseThrow().outputs())
                    .containsExactly("y", "c");
            assertThat(model.tensors())
                    .extracting(TensorSpec::name)
                    .containsExactly("b", "a", "f", "y", "c");
        }
    }

    @Test
    void everyTensorIsKnownByItsName() {
        try (OnnxModel model = MiniLm.open()) {
            assertThat(model.tensor("/encoder/layer.3/attention/self/Softmax_output_0"))
                    .extracting(TensorSpec::dtype)
                    .isEqualTo(DType.FLOAT32);
            assertThatThrownBy(
                            () -> model.tensor("/encoder/layer.3/attention/self/SoftMax_output_0"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "the nearest are /encoder/layer.3/attention/self/Softmax_output_0");
            assertThatThrownBy(() -> model.tensor("embeddings.word_embeddings.weight"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is a constant of the model");
        }
    }

    static TinyModel branching() {
        TinyModel yes =
                new TinyModel()
                        .node("Add", "/twice", "h h", "twice")
                        .output("twice", DType.FLOAT32);
        TinyModel no =
                new TinyModel()
                        .node("Mul", "/square", "h h", "square")
                        .output("square", DType.FLOAT32);
        return new TinyModel()
                .input("x", DType.FLOAT32, "2")
                .input("flag", DType.BOOL, "1")
                .output("y", DType.FLOAT32)
                .node("Relu", "/net/first/Relu", "x", "h")
                .node(
                        "If",
                        "/net/choice/If",
                        "flag",
                        "y",
                        List.of(yes.asAttribute("then_branch"), no.asAttribute("else_branch")));
    }

    private static float[] y(Map<String, Tensor> outputs) {
        return Objects.requireNonNull(outputs.get("y")).toFloatArray();
    }
}
