package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectTest {
    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path model = Path.of("");

    @BeforeEach
    void copy() throws Exception {
        model = TinyIoi.copyTo(folder);
    }

    @Test
    void showsModulesShapesAndParametersAndHowToHookThem() {
        assertThat(run(model.toString())).isEqualTo(0);
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .startsWith("tiny-ioi.onnx: ")
                .contains("takes  input_ids: int64 [batch, sequence]")
                .containsPattern("\n  h\\.2 +49,984  float32")
                .containsPattern("\n *c_fc +16,640  float32 \\[.*256]\n")
                .contains("hidden = model.transformer.h[0].output")
                .contains("model.trace(Map.of(\"input_ids\", …), block)");
    }

    @Test
    void showsNoMoreLevelsThanAsked() {
        assertThat(run("--depth", "1", model.toString())).isEqualTo(0);
        assertThat(out.toString()).contains("\ntransformer ").doesNotContain("c_fc");
    }

    @Test
    void listsTensorsThatBelongToNoModule() {
        assertThat(run("--tensors", model.toString())).isEqualTo(0);
        assertThat(out.toString())
                .contains("which a block reaches as model.tensor('name').output")
                .contains("\n  /transformer/h.0/attn/Softmax_output_0: float32 [");
    }

    @Test
    void saysWhichModulesMakeOneTensor() {
        assertThat(run(model.toString())).isEqualTo(0);
        assertThat(out.toString())
                .containsPattern("\n *mlp .*]  the same as transformer\\.h\\.0\\.mlp\\.c_proj\n")
                .containsPattern("\n *c_proj .*]\n");
    }

    @Test
    void aQuantisedModelHasTheModulesItWasMadeFromAndTheirFloats() throws Exception {
        Path quantised = folder.resolve("minilm-int8.onnx");
        try (InputStream bytes = Minilm.class.getResourceAsStream("/all-minilm-l6-v2-q.onnx")) {
            Files.copy(Objects.requireNonNull(bytes), quantised);
        }

        assertThat(run(quantised.toString())).isEqualTo(0);
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("takes  attention_mask: int64 [batch_size, sequence_length]")
                .containsPattern("\n +query +148,608  float32")
                .contains("hidden = model.encoder.layer[0].output")
                .doesNotContain("uint8");
    }

    /** A module that makes a list of tensors, in a file that declares no shapes. */
    @Test
    void aModuleThatMakesNoTensorIsShownAndNotHooked() throws Exception {
        Path file = Files.write(folder.resolve("lists.onnx"), OnnxBytes.makingAList());

        assertThat(run("--tensors", file.toString())).isEqualTo(0);
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("takes  x: float32")
                .containsPattern("\n *list +no tensor \\(both\\)\n")
                .containsPattern("\n *first +float32")
                .contains("hidden = model.net.output");
    }

    @Test
    void showsOfAFileWithoutModuleNamesItsTensorsAndHowToHookThem() throws Exception {
        String named = Files.readString(model, StandardCharsets.ISO_8859_1);
        String nameless =
                named.replace("/transformer", ".transformer").replace("/lm_head", ".lm_head");
        Path file =
                Files.writeString(
                        folder.resolve("nameless.onnx"), nameless, StandardCharsets.ISO_8859_1);

        assertThat(run(file.toString())).isEqualTo(0);
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("so it has no modules")
                .contains("\n  .transformer/h.0/attn/Softmax_output_0: float32 [")
                .containsPattern("hidden = model\\.tensor\\('[^']+'\\)\\.output\"")
                .contains("model.trace(Map.of(\"input_ids\", …), block)");
    }

    @Test
    void saysWhatIsWrongWithAFile() throws Exception {
        Path text =
                Files.writeString(folder.resolve("letter.onnx"), "Dear reader, this is no model.");

        assertThat(run(text.toString())).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("inspect: cannot open \"")
                .contains("does not look like");
    }

    private int run(String... arguments) {
        return new Inspect()
                .commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
