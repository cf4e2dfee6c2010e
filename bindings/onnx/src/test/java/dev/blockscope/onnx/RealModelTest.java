package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for models as they are exported, whatever their size and their element types. */
class RealModelTest {
    @ParameterizedTest
    @EnumSource(RealModel.class)
    void everyModuleHasOneOutputAndAnInput(RealModel real) throws Exception {
        assertThat(tree(real).modules())
                .allSatisfy(module -> {
                    assertThat(module.output()).as(module.path()).isPresent();
                    assertThat(module.input()).as(module.path()).isPresent();
                });
    }

    @ParameterizedTest
    @EnumSource(RealModel.class)
    void anInputIsMadeByAnotherModuleOrGiven(RealModel real) throws Exception {
        ModuleTree tree = tree(real);

        for (ModelModule module : tree.modules()) {
            assertThat(module.inputs()).as(module.path()).doesNotContainAnyElementsOf(made(module));
        }
    }

    @ParameterizedTest
    @EnumSource(RealModel.class)
    void cutAtEveryModuleTheResultIsTheSameToTheLastBit(RealModel real) {
        try (OnnxModel model = real.open()) {
            List<String> points =
                    model.points().entrySet().stream()
                            .sorted(Comparator.comparingInt(point -> point.getValue().position()))
                            .map(Map.Entry::getKey)
                            .toList();

            Map<String, Tensor> whole = model.run(real.inputs());
            Map<String, Tensor> cut = model.runInStep(real.inputs(), Script.reading(points));

            assertThat(cut.keySet()).isEqualTo(whole.keySet());
            whole.forEach((name, value) ->
                    assertThat(value.sub(cut.get(name)).abs().max()).as(name).isZero());
            assertThat(model.ledger().values()).isZero();
        }
    }

    /** They point into the model's file, where the runtime maps them. */
    @ParameterizedTest
    @EnumSource(RealModel.class)
    void segmentsHoldNoWeights(RealModel real) throws Exception {
        ModelFacts facts = ModelFacts.of(new SessionSettings(real.file(), 1, false));
        WiredGraph graph = WiredGraph.of(facts, Wiring.NONE);
        SegmentWriter writer = new SegmentWriter(facts.file());
        long weights = 0;
        long written = 0;
        int from = 0;
        for (int to : new TreeSet<>(places(facts))) {
            Segment segment = graph.partition().between(from, to, Set.of());
            weights += segment.weightBytes();
            written += writer.write(segment, graph.types()).length;
            from = to;
        }

        assertThat(weights).isGreaterThan(Files.size(real.file()) / 2);
        assertThat(written).isLessThan(weights / 5);
    }

    private static List<Integer> places(ModelFacts facts) {
        return facts.points().places().values().stream().map(ModulePoints.Place::position).toList();
    }

    @Test
    void aLayerReadsWhatTheLayerBeforeMakes() throws Exception {
        for (RealModel real :
                List.of(RealModel.MINILM, RealModel.MINILM_INT8, RealModel.E5_SMALL)) {
            ModuleTree tree = tree(real);

            assertThat(module(tree, "encoder.layer.3").input())
                    .isEqualTo(module(tree, "encoder.layer.2").output());
            assertThat(module(tree, "encoder.layer.0.attention.output").inputs())
                    .containsExactly(
                            module(tree, "encoder.layer.0.attention.self").output().orElseThrow(),
                            module(tree, "embeddings").output().orElseThrow());
        }
    }

    @Test
    void aQuantiserBelongsToThoseWhoReadWhatItMakes() throws Exception {
        ModuleTree tree = tree(RealModel.MINILM_INT8);

        assertThat(module(tree, "embeddings.LayerNorm").outputs())
                .containsExactly("/embeddings/LayerNorm/Add_1_output_0");
        assertThat(module(tree, "encoder.layer.0.attention.self").inputs().getFirst())
                .isEqualTo("/embeddings/LayerNorm/Add_1_output_0");
        assertThat(module(tree, "encoder.layer.0.attention.output.dense").inputs())
                .containsExactly("/encoder/layer.0/attention/self/Reshape_3_output_0");
    }

    @Test
    void theModulesOfBothPrecisionsAreTheSame() throws Exception {
        assertThat(tree(RealModel.MINILM_INT8).modules())
                .extracting(ModelModule::path)
                .containsExactlyInAnyOrderElementsOf(
                        tree(RealModel.MINILM).modules().stream().map(ModelModule::path).toList());
    }

    @Test
    void theModulesOfBothPrecisionsReadTheSameTensors() throws Exception {
        ModuleTree fp32 = tree(RealModel.MINILM);

        assertThat(tree(RealModel.MINILM_INT8).modules())
                .allSatisfy(module ->
                        assertThat(module.inputs())
                                .as(module.path())
                                .isEqualTo(module(fp32, module.path()).inputs()));
    }

    private static Stream<String> makes(ModelModule module) {
        return Stream.concat(
                module.outputs().stream(),
                module.children().stream().flatMap(RealModelTest::makes));
    }

    private static List<String> made(ModelModule module) {
        return makes(module).toList();
    }

    private static ModelModule module(ModuleTree tree, String path) {
        return tree.find(path).orElseThrow();
    }

    private static ModuleTree tree(RealModel real) throws OnnxFileException {
        OnnxFile file = OnnxFile.read(real.file());
        return ModuleTree.of(
                new ModuleReads(file.graph(), new Dataflow(file.path(), file.graph())));
    }
}
