package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.BlockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files and tensors that do not fit are errors that name them, and no more than that. */
class BadInputTest {
    @TempDir Path folder;

    @Nested
    class WeightsBesideTheFile {
        @BeforeEach
        void sixteenBytes() throws Exception {
            Files.write(folder.resolve("weights.bin"), new byte[16]);
        }

        @Test
        void areReadWhereTheyAre() throws Exception {
            try (OnnxModel model = OnnxModel.open(reading("weights.bin", 0, 16))) {
                assertThat(model.parameters()).isEqualTo(4);
            }
        }

        @Test
        void thatAreMissingAreNamed() {
            assertRefused(
                    reading("nowhere.bin", 0, 16),
                    "the weights \"w\" are in \"nowhere.bin\", and there is no such file beside the model");
        }

        @Test
        void thatEndTooEarlyAreNamedWithBothLengths() {
            assertRefused(
                    reading("weights.bin", 8, 16),
                    "the weights \"w\" are 16 bytes from byte 8 of \"weights.bin\", which has 16 bytes");
        }

        @ParameterizedTest
        @ValueSource(longs = {17, 1L << 40, Long.MAX_VALUE - 4})
        void thatBeginOutsideOfTheirFileAreNamedWithThePlace(long offset) {
            assertRefused(
                    reading("weights.bin", offset, 16),
                    "the weights \"w\" are 16 bytes from byte %d of".formatted(offset));
        }

        @Test
        void thatBeginAtNoPlaceAreNamed() {
            assertRefused(
                    reading("weights.bin", -1, 16),
                    "at byte",
                    "the offset of the weights \"w\" in \"weights.bin\" is \"-1\", expected a number of bytes");
        }

        @ParameterizedTest
        @ValueSource(longs = {1, 12, 20, 1L << 40})
        void thatDoNotFillTheirShapeAreNamed(long length) {
            assertRefused(
                    reading("weights.bin", 0, length),
                    "\"w\" is float32 [2, 2], but it has %d bytes of elements".formatted(length));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "../weights.bin",
                    "sub/../../weights.bin",
                    "/etc/hostname",
                    "a/../../../etc/hostname",
                    "nul\0byte"
                })
        void outsideOfTheModelsFolderAreNotTouched(String location) {
            assertRefused(reading(location, 0, 16), "is not in the model's folder", "at byte");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", ".", "folder"})
        void thatAreNoFileAreRefused(String location) throws Exception {
            Files.createDirectory(folder.resolve("folder"));

            assertRefused(
                    reading(location, 0, 16),
                    "the weights \"w\" are in \"%s\", and there is no such file"
                            .formatted(location));
        }

        private Path reading(String location, long offset, long length) {
            return new TinyModel()
                    .input("x", DType.FLOAT32, "rows", "2")
                    .output("y", DType.FLOAT32)
                    .beside("w", List.of(2L, 2L), location, offset, length)
                    .node("MatMul", "/net/MatMul", "x w", "y")
                    .writeTo(folder);
        }
    }

    @Nested
    class Operators {
        @ParameterizedTest
        @CsvSource({"0, MatMul with domain_version of 0", "1, Relu(1)", "999, Opset 999"})
        void ofAVersionThatTheRuntimeDoesNotHaveAreNamed(int version, String said) {
            Path file = TinyModel.write(folder, TinyModel.perceptron().toByteArray(version));

            assertRefused(file, "ONNX Runtime does not accept it", said);
        }
    }

    @Nested
    class Tensors {
        private final Map<String, Tensor> x = Map.of("x", Tensor.of(new float[] {1, 2}, 1, 2));
        private ModelWithBlocks blocks;

        @BeforeEach
        void open() throws Exception {
            blocks = new ModelWithBlocks(OnnxModel.open(TinyModel.perceptron().writeTo(folder)), x);
        }

        @AfterEach
        void close() {
            blocks.close();
        }

        @ParameterizedTest
        @ValueSource(strings = {"INT64", "FLOAT64", "FLOAT16", "BOOL"})
        void anInputOfAnotherTypeIsNamedWithBoth(DType type) {
            assertInputRefused(
                    x.get("x").to(type),
                    "input \"x\" is %s [1, 2], expected float32 [rows, 2]".formatted(type));
        }

        @Test
        void anInputOfAnotherShapeIsNamedWithBoth() {
            assertInputRefused(
                    Tensor.zeros(DType.FLOAT32, 1, 3),
                    "input \"x\" is float32 [1, 3], expected float32 [rows, 2]");
            assertInputRefused(
                    Tensor.zeros(DType.FLOAT32, 2),
                    "input \"x\" is float32 [2], expected float32 [rows, 2]");
        }

        private void assertInputRefused(Tensor given, String message) {
            OnnxModel model = blocks.model();
            Map<String, Tensor> inputs = Map.of("x", given);
            for (Runnable run :
                    List.<Runnable>of(
                            () -> model.run(inputs),
                            () -> model.trace(inputs),
                            () -> model.probe(inputs),
                            () -> model.cache(inputs, List.of("net")))) {
                assertThatThrownBy(run::run)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(message);
            }
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "hidden.to('int64')           | int64 [1, 2]",
                    "hidden.to('float16')         | float16 [1, 2]",
                    "hidden.gt(0)                 | bool [1, 2]",
                    "hidden.flatten()             | float32 [2]",
                    "hidden.unsqueeze(0)          | float32 [1, 1, 2]",
                    "hidden.transpose(0, 1)       | float32 [2, 1]",
                    "[[1, 2]]                     | a list of 1",
                    "`hidden`                     | a value of type String",
                    "null                         | nothing"
                })
        void aReplacementThatDoesNotFitIsAnErrorAtItsLineWithBoth(String value, String given) {
            assertThatThrownBy(() ->
                            blocks.trace(
                                    "hidden = model.net.layer[0].act.output\nmodel.net.layer[0].act.output = "
                                            + value))
                    .isInstanceOf(BlockException.class)
                    .hasMessageContaining("the value assigned to \"net.layer.0.act.output\"")
                    .hasMessageContaining("expected a tensor float32 [1, 2], given " + given)
                    .satisfies(e ->
                            assertThat(((BlockException) e).traceback().entries().getFirst().line())
                                    .isEqualTo(2));
        }

        @ParameterizedTest
        @ValueSource(strings = {"hidden.to('int64')", "hidden.flatten()", "1"})
        void anInputOfAModuleThatDoesNotFitIsAnErrorWithBoth(String value) {
            assertThatThrownBy(() ->
                            blocks.trace(
                                    "hidden = model.net.layer[1].input; model.net.layer[1].input = "
                                            + value))
                    .isInstanceOf(BlockException.class)
                    .hasMessageContaining("net.layer.1.inputs[0]")
                    .hasMessageContaining("expected a tensor float32 [1, 2], given");
        }
    }

    /** Quantised with scales that are in the file, as static quantisers write it. */
    @Nested
    class AStaticallyQuantisedModel {
        private final Map<String, Tensor> x = Map.of("x", Tensor.of(new float[] {1, -2}, 1, 2));

        @Test
        void hasTheModulesItWasMadeFromAndTheyReadAndMakeFloats() throws Exception {
            try (OnnxModel model = OnnxModel.open(quantised())) {
                assertThat(model.modules().modules())
                        .extracting(ModelModule::path)
                        .containsExactly("net", "net.first", "net.second", "net.third");
                assertThat(model.modules().find("net.second").orElseThrow().inputs())
                        .containsExactly("h");
                assertThat(model.parameters()).isPositive();
                assertThat(model.scan().get("net.second.output").type())
                        .isEqualTo("float32 [rows, 2]");
            }
        }

        @Test
        void isReadEditedAndCutLikeAnyOther() throws Exception {
            Map<String, Object> seen = new HashMap<>();
            try (ModelWithBlocks blocks = new ModelWithBlocks(OnnxModel.open(quantised()), x)) {
                assertThat(y(blocks.model().run(x))).containsExactly(-1, -2);

                assertThat(y(blocks.trace("a = model.net.second.output; a.mul_(1)").result()))
                        .containsExactly(-1, -2);
                assertThat(y(blocks.trace("model.net.first.output.add_(1.3)").result()))
                        .as("2.3 and 1.3 are quantised in steps of a half")
                        .containsExactly(-5.5f, -9.5f);
                assertThat(
                                y(
                                        blocks.trace(
                                                        "const s = model.net.second; s.input = s.input.mul(3.1); b = model.net.third.input")
                                                .result()))
                        .containsExactly(-3, -6);
                seen.putAll(blocks.locals());
            }
            assertThat((Tensor) seen.get("b")).hasToString("Tensor float32 [1, 2] [3.000, 6.000]");
        }

        private Path quantised() {
            return new TinyModel()
                    .input("x", DType.FLOAT32, "rows", "2")
                    .output("y", DType.FLOAT32)
                    .floats("h_scale", List.of(), .5f)
                    .bytes("h_zero", List.of(), 0)
                    .bytes("w_quantized", List.of(2L, 2L), 2, 4, 4, 6)
                    .floats("w_scale", List.of(), .5f)
                    .bytes("w_zero", List.of(), 0)
                    .node("Relu", "/net/first/Relu", "x", "h")
                    .node("QuantizeLinear", "h_QuantizeLinear", "h h_scale h_zero", "h_quantized")
                    .node(
                            "DequantizeLinear",
                            "h_DequantizeLinear",
                            "h_quantized h_scale h_zero",
                            "h_float")
                    .node(
                            "DequantizeLinear",
                            "w_DequantizeLinear",
                            "w_quantized w_scale w_zero",
                            "w_float")
                    .node("MatMul", "/net/second/MatMul", "h_float w_float", "m")
                    .node("Neg", "/net/third/Neg", "m", "y")
                    .writeTo(folder);
        }

        private static float[] y(Map<String, Tensor> outputs) {
            return outputs.get("y").toFloatArray();
        }
    }

    private static void assertRefused(Path file, String... said) {
        assertThatThrownBy(() -> OnnxModel.open(file))
                .isInstanceOf(OnnxFileException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContainingAll(said);
    }
}
