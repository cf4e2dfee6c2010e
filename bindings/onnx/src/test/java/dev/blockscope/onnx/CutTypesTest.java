package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cuts through tensors of other element types than float32, and through constants. */
class CutTypesTest {
    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"FLOAT16", "FLOAT64", "INT64", "INT32", "INT8", "UINT8", "BOOL"})
    void readsAndReplacesTensorsOfAnyHoldableType(DType type) throws Exception {
        TinyModel tiny =
                new TinyModel()
                        .input("x", DType.FLOAT32, "n")
                        .output("y", DType.FLOAT32, "n")
                        .cast("/net/narrow/Cast", "x", "h", type)
                        .cast("/net/widen/Cast", "h", "y", DType.FLOAT32);
        try (OnnxModel model = OnnxModel.open(tiny.writeTo(folder))) {
            Map<String, Tensor> inputs = Map.of("x", Tensor.of(new float[] {0, 1, 1}));
            Tensor[] seen = new Tensor[1];
            Script script =
                    new Script()
                            .at(
                                    "net.narrow.output",
                                    hidden -> {
                                        seen[0] = hidden.clone();
                                        hidden.at(0).fill_(1);
                                        return hidden;
                                    });

            Tensor result = y(model.runInStep(inputs, script));

            assertThat(seen[0].dtype()).isEqualTo(type);
            assertThat(seen[0].toFloatArray()).containsExactly(0, 1, 1);
            assertThat(result.toFloatArray()).containsExactly(1, 1, 1);
            assertThat(model.ledger().values()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"BFLOAT16", "UINT16", "INT16", "UINT32", "UINT64", "STRING"})
    void passesTensorsThatNobodyReadsWhateverTheirType(DType type) throws Exception {
        TinyModel tiny =
                new TinyModel()
                        .input("x", DType.FLOAT32, "n")
                        .output("y", DType.FLOAT32, "n")
                        .cast("/net/narrow/Cast", "x", "h", type)
                        .node("Relu", "/net/act/Relu", "x", "r")
                        .cast("/net/widen/Cast", "h", "w", DType.FLOAT32)
                        .node("Add", "/net/Add", "w r", "y");
        try (OnnxModel model = OnnxModel.open(tiny.writeTo(folder))) {
            Map<String, Tensor> inputs = Map.of("x", Tensor.of(new float[] {0, 1, 2}));

            Tensor cut = y(model.runInStep(inputs, new Script().reading("net.act.output")));

            assertThat(cut.toFloatArray()).containsExactly(0, 2, 4);
            assertThat(model.ledger().values()).isZero();
        }
    }

    @Test
    void repeatsConstantsInsteadOfPassingThem() throws Exception {
        TinyModel tiny =
                TinyModel.perceptron()
                        .node("Transpose", "/net/Transpose", "w0", "turned")
                        .output("z", DType.FLOAT32)
                        .node("MatMul", "/net/layer.2/MatMul", "y turned", "z0")
                        .node("Relu", "/net/layer.2/act/Relu", "z0", "z1")
                        .node("MatMul", "/net/layer.3/MatMul", "z1 turned", "z");
        OnnxFile file = OnnxFile.read(tiny.writeTo(folder));
        ModelFacts facts = ModelFacts.of(new SessionSettings(file.path(), 1, false));
        Partition partition = WiredGraph.of(facts, Wiring.NONE).partition();
        int cut = facts.flow().madeAt("z1");

        Segment before = partition.between(0, cut, Set.of());
        Segment after = partition.between(cut, file.graph().nodes().size(), Set.of());

        assertThat(before.outputs()).containsExactly("y", "z1");
        assertThat(after.inputs()).containsExactly("z1");
        assertThat(after.nodes())
                .extracting(GraphNode::operator)
                .containsExactly("Transpose", "MatMul");
        try (OnnxModel model = OnnxModel.open(file.path())) {
            Map<String, Tensor> x = Map.of("x", Tensor.of(new float[] {1, 2}, 1, 2));
            Script script = new Script().reading("net.layer.2.act.output");
            Tensor whole = Objects.requireNonNull(model.run(x).get("z"));
            Tensor inSteps = Objects.requireNonNull(model.runInStep(x, script).get("z"));

            assertThat(inSteps.sub(whole).abs().max()).isZero();
        }
    }

    @Test
    void keepsRandomNumbersOutOfTheRepetition() throws Exception {
        List<WireWriter> shape =
                List.of(new WireWriter().text(1, "shape").integer(8, 2).integer(20, 7));
        TinyModel tiny =
                new TinyModel()
                        .input("x", DType.FLOAT32, "2")
                        .output("y", DType.FLOAT32, "2")
                        .node("RandomNormal", "/net/RandomNormal", "", "noise", shape)
                        .node("Add", "/net/first/Add", "x noise", "h")
                        .node("Sub", "/net/second/Sub", "h noise", "y");
        try (OnnxModel model = OnnxModel.open(tiny.writeTo(folder))) {
            Map<String, Tensor> inputs = Map.of("x", Tensor.of(new float[] {3, 4}));

            Tensor y = y(model.runInStep(inputs, new Script().reading("net.first.output")));

            assertThat(y.sub(Tensor.of(new float[] {3, 4})).abs().max()).isLessThan(1e-5);
        }
    }

    @Test
    void segmentsHoldNoWeights() throws Exception {
        ModelFacts facts = ModelFacts.of(new SessionSettings(MiniLm.file(), 1, false));
        Partition partition = WiredGraph.of(facts, Wiring.NONE).partition();
        Segment all = partition.between(0, facts.flow().nodes().size(), Set.of());

        byte[] bytes = new SegmentWriter(facts.file()).write(all, facts.types());

        assertThat(facts.weightBytes()).isGreaterThan(80_000_000);
        assertThat(bytes.length).isLessThan(200_000);
    }

    private static Tensor y(Map<String, Tensor> outputs) {
        return Objects.requireNonNull(outputs.get("y"));
    }
}
