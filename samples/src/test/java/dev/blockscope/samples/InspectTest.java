package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
                .contains("\n  /transformer/h.0/attn/Softmax_output_0: float32 [");
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
