package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModuleTreeTest {
    @TempDir Path folder;

    @Test
    void findsTheModulesOfARealModel() throws Exception {
        ModuleTree tree = treeOf(MiniLm.file());

        assertThat(tree.roots()).extracting(ModelModule::path).contains("embeddings", "encoder");
        assertThat(tree.modules())
                .extracting(ModelModule::path)
                .contains(
                        "encoder.layer.3.attention.self.query", "encoder.layer.5.output.LayerNorm");
        assertThat(tree.find("encoder.layer.3.attention").orElseThrow().children())
                .extracting(ModelModule::name)
                .containsExactly("self", "output");
    }

    @Test
    void everyModuleOfARealModelHasOneOutput() throws Exception {
        assertThat(treeOf(MiniLm.file()).modules())
                .hasSizeGreaterThan(60)
                .allSatisfy(module -> assertThat(module.output()).isPresent());
    }

    @Test
    void modulesMayShareATensor() throws Exception {
        ModuleTree tree = treeOf(MiniLm.file());

        assertThat(tree.find("encoder").orElseThrow().outputs())
                .isEqualTo(tree.find("encoder.layer.5").orElseThrow().outputs())
                .containsExactly("last_hidden_state");
    }

    @Test
    void tellsWhichModulesShareATensorTheInnermostFirst() throws Exception {
        ModuleTree tree = treeOf(MiniLm.file());

        assertThat(tree.sharing(tree.find("encoder.layer.5").orElseThrow()))
                .extracting(ModelModule::path)
                .containsExactly(
                        "encoder.layer.5.output.LayerNorm", "encoder.layer.5.output", "encoder");
        assertThat(tree.sharing(tree.find("encoder.layer.5.output.dense").orElseThrow())).isEmpty();
    }

    @Test
    void constantsAreNoOutputs() throws Exception {
        TinyModel model =
                TinyModel.perceptron()
                        .node("Shape", "/constants/Shape", "w0", "shape")
                        .node("Reshape", "/net/Reshape", "h0 shape", "h3");

        assertThat(treeOf(model.writeTo(folder)).find("constants").orElseThrow().outputs())
                .isEmpty();
    }

    @Test
    void listsSeveralOutputsInTheOrderTheyAreMade() throws Exception {
        TinyModel model = TinyModel.perceptron().node("Add", "/other/Add", "h0 h1", "h3");

        ModelModule first = treeOf(model.writeTo(folder)).find("net.layer.0").orElseThrow();

        assertThat(first.outputs()).containsExactly("h0", "h1");
        assertThat(first.output()).isEmpty();
    }

    @Test
    void printsItselfIndented() throws Exception {
        assertThat(treeOf(TinyModel.perceptron().writeTo(folder)))
                .hasToString(
                        """
                        net        y = net.layer.1.act
                          layer.0  h1 = net.layer.0.act
                            act    h1
                          layer.1  y = net.layer.1.act
                            act    y\
                        """);
    }

    @Test
    void saysThatNamesCarryNoModules() throws Exception {
        TinyModel model =
                new TinyModel()
                        .input("x", DType.FLOAT32, "2")
                        .output("y", DType.FLOAT32)
                        .node("Relu", "Relu_1", "x", "y");

        assertThat(treeOf(model.writeTo(folder)).toString()).contains("no modules");
    }

    @Test
    void doesNotTakeEndlessNamesForModules() throws Exception {
        TinyModel model = TinyModel.perceptron().node("Relu", "/a".repeat(100_000), "h0", "h3");

        assertThat(treeOf(model.writeTo(folder)).roots())
                .extracting(ModelModule::path)
                .isEqualTo(List.of("net"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/.net/Relu",
                "/net./Relu",
                "//net/Relu",
                "/net//act/Relu",
                "/net/layer..0/Relu",
                "/$net/Relu",
                "/net/layer.$0/Relu",
                // What is there already, with its parts divided otherwise.
                "/net.layer.0/act/Relu",
                "/net/layer/0/Relu"
            })
    void doesNotTakeNamesForModulesThatMakeNoPathOfTheirOwn(String name) throws Exception {
        TinyModel model =
                TinyModel.perceptron().node("Relu", name, "h0", "h3").output("h3", DType.FLOAT32);

        try (OnnxModel opened = OnnxModel.open(model.writeTo(folder))) {
            assertThat(opened.modules().modules())
                    .extracting(ModelModule::path)
                    .containsExactly(
                            "net",
                            "net.layer.0",
                            "net.layer.0.act",
                            "net.layer.1",
                            "net.layer.1.act");
        }
    }

    /** One whose inputs are not all there when it begins, so that they are not offered. */
    @Test
    void aModuleMayHaveOneCalledOutputInIt() throws Exception {
        TinyModel model =
                new TinyModel()
                        .input("x", DType.FLOAT32, "2")
                        .output("y", DType.FLOAT32)
                        .node("Relu", "/a/first/Relu", "x", "h")
                        .node("Neg", "/b/Neg", "x", "g")
                        .node("Add", "/a/output/Add", "h g", "y");

        try (OnnxModel opened = OnnxModel.open(model.writeTo(folder))) {
            assertThat(opened.hooks().stops())
                    .containsKeys("a.output", "a.output.output", "a.output.inputs")
                    .doesNotContainKey("a.inputs");
        }
    }

    @Test
    void doesNotTakeEndlessPartsOfANameForModules() throws Exception {
        TinyModel model =
                TinyModel.perceptron()
                        .node("Relu", "/a" + ".a".repeat(100_000) + "/Relu", "h0", "h3");

        assertThat(treeOf(model.writeTo(folder)).roots())
                .extracting(ModelModule::path)
                .isEqualTo(List.of("net"));
    }

    private static ModuleTree treeOf(Path file) throws OnnxFileException {
        OnnxFile model = OnnxFile.read(file);
        return ModuleTree.of(new ModuleReads(model.graph(), new Dataflow(file, model.graph())));
    }
}
