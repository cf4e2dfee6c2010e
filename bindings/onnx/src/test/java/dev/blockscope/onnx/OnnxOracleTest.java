package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Our reader and writer against classes that protobuf's compiler generated from the ONNX format.
 */
class OnnxOracleTest {
    @ParameterizedTest
    @EnumSource(RealModel.class)
    void readsWhatTheGeneratedClassesRead(RealModel real) throws Exception {
        Path path = real.file();
        ModelProto expected = ModelProto.parseFrom(Files.readAllBytes(path));
        OnnxFile file = OnnxFile.read(path);
        GraphProto graph = expected.getGraph();

        assertThat(file.irVersion()).isEqualTo(expected.getIrVersion());
        assertThat(file.opsets()).hasSize(expected.getOpsetImportCount());
        assertThat(file.graph().nodes()).hasSize(graph.getNodeCount());
        for (GraphNode node : file.graph().nodes()) {
            NodeProto same = graph.getNode(node.index());
            assertThat(node.name()).isEqualTo(same.getName());
            assertThat(node.operator()).isEqualTo(same.getOpType());
            assertThat(node.inputs()).isEqualTo(same.getInputList());
            assertThat(node.outputs()).isEqualTo(same.getOutputList());
            assertThat(NodeProto.parseFrom(node.proto())).isEqualTo(same);
        }
        assertThat(names(file.graph().outputs()))
                .isEqualTo(graph.getOutputList().stream().map(ValueInfoProto::getName).toList());
    }

    @ParameterizedTest
    @EnumSource(RealModel.class)
    void pointsAtTheBytesOfEveryWeight(RealModel real) throws Exception {
        Path path = real.file();
        byte[] bytes = Files.readAllBytes(path);
        Map<String, TensorProto> expected = new HashMap<>();
        ModelProto.parseFrom(bytes)
                .getGraph()
                .getInitializerList()
                .forEach(it -> expected.put(it.getName(), it));
        Map<String, Initializer> found = OnnxFile.read(path).graph().initializers();

        assertThat(found.keySet()).isEqualTo(expected.keySet());
        for (Initializer initializer : found.values()) {
            TensorProto same = expected.get(initializer.name());
            switch (initializer) {
                case Initializer.Repeated repeated ->
                        assertThat(TensorProto.parseFrom(repeated.proto())).isEqualTo(same);
                case Initializer.Pointed pointed -> {
                    assertThat(pointed.dims()).isEqualTo(same.getDimsList());
                    assertThat(pointed.typeCode()).isEqualTo(same.getDataType());
                    assertThat(
                                    ByteBuffer.wrap(
                                            bytes,
                                            (int) pointed.bytes().offset(),
                                            (int) pointed.bytes().length()))
                            .isEqualTo(same.getRawData().asReadOnlyByteBuffer());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(RealModel.class)
    void writesSegmentsThatTheGeneratedClassesRead(RealModel real) throws Exception {
        Path path = real.file();
        GraphProto whole = ModelProto.parseFrom(Files.readAllBytes(path)).getGraph();
        ModelFacts facts = ModelFacts.of(new SessionSettings(path, 1, false));
        int size = facts.flow().nodes().size();

        for (int cut : List.of(size / 3, size / 2, size - 5)) {
            Segment segment =
                    WiredGraph.of(facts, Wiring.NONE).partition().between(cut, size, Set.of());
            byte[] bytes = new SegmentWriter(facts.file()).write(segment, facts.types());
            ModelProto model = ModelProto.parseFrom(bytes);
            GraphProto graph = model.getGraph();

            assertThat(graph.getNodeList())
                    .isSubsetOf(whole.getNodeList())
                    .extracting(NodeProto::getName)
                    .isEqualTo(segment.nodes().stream().map(GraphNode::name).toList());
            assertThat(graph.getInputList())
                    .extracting(ValueInfoProto::getName)
                    .isEqualTo(segment.inputs());
            assertThat(graph.getOutputList())
                    .extracting(ValueInfoProto::getName)
                    .isEqualTo(segment.outputs());
            assertThat(graph.getInitializerList())
                    .allSatisfy(it -> assertPlaced(it, path))
                    .extracting(TensorProto::getName)
                    .containsAll(needed(graph));
        }
    }

    private static void assertPlaced(TensorProto initializer, Path file) {
        if (initializer.getDataLocation() == TensorProto.DataLocation.EXTERNAL) {
            assertThat(initializer.getExternalDataList())
                    .extracting(StringStringEntryProto::getKey)
                    .containsExactly("location", "offset", "length");
            assertThat(initializer.getExternalData(0).getValue())
                    .isEqualTo(file.getFileName().toString());
        } else {
            assertThat(initializer.getRawData().size()).isLessThanOrEqualTo(1024);
        }
    }

    /** What the nodes read and nobody in the graph makes or is given. */
    private static Set<String> needed(GraphProto graph) {
        Set<String> needed = new HashSet<>();
        graph.getNodeList().forEach(node -> needed.addAll(node.getInputList()));
        graph.getNodeList().forEach(node -> node.getOutputList().forEach(needed::remove));
        graph.getInputList().forEach(input -> needed.remove(input.getName()));
        needed.remove("");
        assertThat(graph.getNodeList())
                .flatExtracting(NodeProto::getAttributeList)
                .noneMatch(AttributeProto::hasG);
        return needed;
    }

    private static List<String> names(List<Declared> values) {
        return values.stream().map(Declared::name).collect(Collectors.toList());
    }
}
