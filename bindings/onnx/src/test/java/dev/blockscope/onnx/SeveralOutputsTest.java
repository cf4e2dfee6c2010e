package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.BlockException;
import dev.blockscope.interleave.Batch;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Modules that make several tensors. */
class SeveralOutputsTest {
    @TempDir Path folder;

    /** {@code y = relu(first half of x) - (second half of x)}, float32 [rows, 4]. */
    private static TinyModel splitting() {
        return new TinyModel()
                .input("x", DType.FLOAT32, "rows", "4")
                .output("y", DType.FLOAT32)
                .wholes("halves", 2, 2)
                .node(
                        "Split",
                        "/net/split/Split",
                        "x halves",
                        "a b",
                        List.of(new WireWriter().text(1, "axis").integer(3, 1).integer(20, 2)))
                .node("Relu", "/net/first/Relu", "a", "c")
                .node("Sub", "/net/last/Sub", "c b", "y");
    }

    private ModelWithBlocks blocks(TinyModel tiny, boolean inline) throws OnnxFileException {
        return new ModelWithBlocks(
                OnnxModel.builder().inline(inline).open(tiny.writeTo(folder)),
                Map.of("x", Tensor.of(new float[] {1, 2, 3, 4}, 1, 4)));
    }

    private static List<Float> y(Map<String, Tensor> outputs) {
        float[] y = Objects.requireNonNull(outputs.get("y")).toFloatArray();
        return List.of(y[0], y[1]);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    made = model.net.split.outputs[1].data[0]                      | -2 | -2
                    const [a, b] = model.net.split.outputs; a.mul_(2)              | -1 | 0
                    model.net.split.outputs[1].zero_()                             | 1  | 2
                    model.net.split.outputs[0] = model.net.split.outputs[1]        | 0  | 0
                    const s = model.net.split; s.outputs = s.outputs.reverse()     | 2  | 2
                    const s = model.net.split; s.input = s.input.mul(2)            | -4 | -4
                    const s = model.net.split; const h = s.input.slice(1, 0, 2); s.skip(h, h)   | 0 | 0
                    const s = model.net.split; const h = s.inputs[0].slice(1, 0, 2); s.skip([h, h.mul(0)]) | 1 | 2
                    const list = model.net.split.outputs; list[0]['mul_'](2)       | -1 | 0
                    """)
    void areReadReplacedAndGivenAsAList(String text, float first, float second) throws Exception {
        try (ModelWithBlocks blocks = blocks(splitting(), false)) {
            assertThat(y(blocks.trace(text).result())).containsExactly(first, second);
            assertThat(y(blocks.trace(text).result())).containsExactly(first, second);
        }
    }

    @Test
    void readsAddNoCut() throws Exception {
        try (ModelWithBlocks blocks = blocks(splitting(), false)) {
            blocks.trace("a = model.net.split.outputs; c = model.net.first.output");

            assertThat(blocks.model().statistics().builds()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model.net.split.outputs = [model.net.split.inputs[0]]",
                "model.net.split.skip(model.net.split.input)",
                "model.net.split.skip(model.net.split.input, 3)",
                "model.net.split.skip()",
            })
    void anotherNumberOrAnotherShapeIsAnErrorAtItsLine(String text) throws Exception {
        try (ModelWithBlocks blocks = blocks(splitting(), false)) {
            assertThatThrownBy(() -> blocks.trace(text))
                    .isInstanceOf(BlockException.class)
                    .hasMessageContaining("net.split.")
                    .hasMessageContaining("expected ");
        }
    }

    @Test
    void askedForAsOneAreAnError() throws Exception {
        try (ModelWithBlocks blocks = blocks(splitting(), false)) {
            assertThatThrownBy(() -> blocks.trace("model.net.split.output"))
                    .isInstanceOf(BlockException.class)
                    .hasMessageContaining(
                            "\"net.split\" makes several values; ask for its outputs");
        }
    }

    @Test
    void inABatchABlockChangesItsRowsOnly() throws Exception {
        try (ModelWithBlocks blocks = blocks(splitting(), false)) {
            Batch<Map<String, Tensor>> batch = new Batch<>();
            batch.add(blocks.capture("model.net.split.outputs[1].zero_()"), blocks.inputs());
            batch.add(
                    blocks.capture(
                            "const s = model.net.split; s.outputs = [s.outputs[1], s.outputs[1]]"),
                    blocks.inputs());
            batch.add(blocks.capture("a = model.net.split.outputs[0].shape"), blocks.inputs());

            List<Map<String, Tensor>> outputs = blocks.model().trace(batch).result();

            assertThat(outputs)
                    .extracting(SeveralOutputsTest::y)
                    .containsExactly(List.of(1f, 2f), List.of(0f, 0f), List.of(-2f, -2f));
            assertThat(blocks.locals().get("a")).hasToString("[1, 2]");
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void inlineTheyAreReachedByCutting() throws Exception {
        try (ModelWithBlocks blocks = blocks(splitting(), true)) {
            assertThat(y(blocks.trace("model.net.split.outputs[1].zero_()").result()))
                    .containsExactly(1f, 2f);
            assertThat(y(blocks.trace("model.tensor('b').output.zero_()").result()))
                    .containsExactly(1f, 2f);
            assertThatThrownBy(
                            () -> blocks.trace("const { outputs } = model.net.split; outputs[0]"))
                    .hasMessageContaining("\"net.split.outputs\" is not offered inline");
        }
    }

    @Test
    void thoseThatAreNotThereTogetherAreReachedByTheirNames() throws Exception {
        TinyModel apart =
                new TinyModel()
                        .input("x", DType.FLOAT32, "rows", "4")
                        .output("y", DType.FLOAT32)
                        .node("Relu", "/net/pair/Relu", "x", "p")
                        .node("Neg", "/net/other/Neg", "p", "q")
                        .node("Abs", "/net/pair/Abs", "x", "r")
                        .node("Add", "/net/last/Add", "q r", "y");
        try (ModelWithBlocks blocks = blocks(apart, false)) {
            for (String point : List.of("output", "outputs")) {
                assertThatThrownBy(() -> blocks.trace("model.net.pair." + point))
                        .isInstanceOf(BlockException.class)
                        .hasMessageContaining("which are not there at one place")
                        .hasMessageContaining(
                                "as model.tensor('p').output, model.tensor('r').output");
            }
            assertThat(
                            y(
                                    blocks.trace(
                                                    "model.tensor('p').output.zero_(); model.tensor('r').output.add_(1)")
                                            .result()))
                    .containsExactly(2f, 3f);
        }
    }
}
