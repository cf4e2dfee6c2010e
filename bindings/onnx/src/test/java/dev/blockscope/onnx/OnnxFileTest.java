package dev.blockscope.onnx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class OnnxFileTest {
    @TempDir Path folder;

    @Test
    void saysThatAFileIsMissing() {
        Path missing = folder.resolve("missing.onnx");

        assertThatThrownBy(() -> OnnxModel.open(missing))
                .isInstanceOf(OnnxFileException.class)
                .hasMessage("cannot open \"%s\" as an ONNX model: there is no such file", missing);
    }

    @Test
    void saysThatADirectoryIsNoFile() {
        assertThatThrownBy(() -> OnnxModel.open(folder))
                .isInstanceOf(OnnxFileException.class)
                .hasMessageContaining("it is a directory or a device, not a file");
    }

    @Test
    void saysThatAFileIsEmpty() {
        assertThatThrownBy(() -> OnnxModel.open(TinyModel.write(folder, new byte[0])))
                .isInstanceOf(OnnxFileException.class)
                .hasMessageContaining("the file is empty");
    }

    @Test
    void showsTheFirstBytesOfAFileThatIsSomethingElse() {
        byte[] zip = {'P', 'K', 3, 4, 20, 0, 0, 0, 8, 0};

        assertThatThrownBy(() -> OnnxModel.open(TinyModel.write(folder, zip)))
                .isInstanceOf(OnnxFileException.class)
                .hasMessageContaining("does not look like an ONNX file")
                .hasMessageContaining("50 4b 03 04");
    }

    @Test
    void refusesAText() {
        byte[] text = "Dear reader, this is no model.\n".repeat(50).getBytes(UTF_8);

        assertThatThrownBy(() -> OnnxModel.open(TinyModel.write(folder, text)))
                .isInstanceOf(OnnxFileException.class)
                .hasMessageContaining("does not look like an ONNX file");
    }

    @Test
    void refusesAFileThatIsCutOffAnywhere() {
        byte[] whole = TinyModel.perceptron().toByteArray();

        for (int length = 1; length < whole.length; length++) {
            Path cut = TinyModel.write(folder, Arrays.copyOf(whole, length));
            assertThat(catchThrowable(() -> OnnxModel.open(cut)))
                    .as("the first %d bytes", length)
                    .isInstanceOf(OnnxFileException.class)
                    .hasMessageContaining(cut.toString());
        }
    }

    @Test
    void refusesARealModelThatIsCutOff() throws IOException {
        Path copy = Files.copy(MiniLm.file(), folder.resolve("cut.onnx"));
        Random random = new Random(5);
        try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
            for (int i = 0; i < 100; i++) {
                channel.truncate(channel.size() - 1 - random.nextLong(channel.size() / 12));
                assertThatThrownBy(() -> OnnxFile.read(copy))
                        .isInstanceOf(OnnxFileException.class)
                        .hasMessageContaining("truncated");
            }
        }
    }

    @Test
    void answersFlippedBytesWithAResultOrAClearError() {
        byte[] whole = TinyModel.perceptron().toByteArray();
        Random random = new Random(7);
        Tensor x = Tensor.of(new float[] {1, 2}, 1, 2);

        for (int i = 0; i < 400; i++) {
            byte[] flipped = whole.clone();
            for (int k = 0; k <= i % 4; k++) {
                flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Path file = TinyModel.write(folder, flipped);
            Throwable failure =
                    catchThrowable(() -> {
                        try (OnnxModel model = OnnxModel.open(file)) {
                            model.run(Map.of("x", x));
                        }
                    });
            if (failure != null) {
                assertThat(failure)
                        .isInstanceOfAny(
                                OnnxFileException.class,
                                OnnxRunException.class,
                                IllegalArgumentException.class);
            }
        }
    }

    @Test
    void namesThePlaceOfAnAbsurdLength() {
        WireWriter node = new WireWriter().text(4, "Relu");
        byte[] bytes =
                new WireWriter()
                        .integer(1, 8)
                        .message(7, new WireWriter().message(1, node))
                        .toByteArray();
        bytes[5] = 120;

        assertThatThrownBy(() -> OnnxFile.read(TinyModel.write(folder, bytes)))
                .isInstanceOf(OnnxFileException.class)
                .hasMessageContaining("model.graph at byte 4: field 1 is 120 bytes long")
                .hasMessageContaining("only 6 are left");
    }

    @Test
    void boundsNesting() {
        WireWriter inner = new WireWriter();
        for (int depth = 0; depth < 1000; depth++) {
            WireWriter attribute = new WireWriter().text(1, "body").message(6, inner);
            WireWriter node = new WireWriter().text(4, "If").message(5, attribute);
            inner = new WireWriter().message(1, node);
        }
        byte[] bytes = new WireWriter().integer(1, 8).message(7, inner).toByteArray();

        assertThatThrownBy(() -> OnnxFile.read(TinyModel.write(folder, bytes)))
                .isInstanceOf(OnnxFileException.class)
                .hasMessageContaining("nested deeper than 100");
    }

    @Test
    void holdsNoMoreThanAModelCanNeed() {
        List<Long> dims = Collections.nCopies(100_000, 1L);
        TinyModel manyDims = TinyModel.perceptron().floats("w", dims, 1);
        String names = "x ".repeat(100_000).strip();
        TinyModel manyInputs = TinyModel.perceptron().node("Sum", "/sum", names, "z");

        assertThatThrownBy(() -> OnnxFile.read(manyDims.writeTo(folder)))
                .isInstanceOf(OnnxFileException.class)
                .hasMessageContaining("more than 64 integers in a row");
        assertThatThrownBy(() -> OnnxFile.read(manyInputs.writeTo(folder)))
                .isInstanceOf(OnnxFileException.class)
                .hasMessageContaining("more than 65536 inputs and outputs");
    }

    @Test
    void refusesAbsurdShapes() {
        TinyModel model = TinyModel.perceptron().floats("w", List.of(1L << 62, 1L << 62), 1);

        assertThatThrownBy(() -> OnnxFile.read(model.writeTo(folder)))
                .isInstanceOf(OnnxFileException.class)
                .hasMessageContaining("\"w\" has an absurd shape");
    }

    @Test
    void refusesWeightsThatDoNotFillTheirShape() {
        TinyModel model = TinyModel.perceptron().floats("w", List.of(3L), 1, 2);

        assertThatThrownBy(() -> OnnxFile.read(model.writeTo(folder)))
                .isInstanceOf(OnnxFileException.class)
                .hasMessageContaining("\"w\" is float32 [3], but it has 8 bytes");
    }

    @Test
    void refusesValuesThatNobodyMakes() {
        TinyModel model = TinyModel.perceptron().node("Relu", "/lost", "nowhere", "lost");

        assertThatThrownBy(() -> OnnxModel.open(model.writeTo(folder)))
                .isInstanceOf(OnnxFileException.class)
                .hasMessageContaining("node 4 (Relu \"/lost\")")
                .hasMessageContaining("\"nowhere\"");
    }

    @Test
    void refusesOperatorsThatTheRuntimeDoesNotKnow() {
        TinyModel model = TinyModel.perceptron().node("Rellu", "/typo", "h0", "typo");

        assertThatThrownBy(() -> OnnxModel.open(model.writeTo(folder)))
                .isInstanceOf(OnnxFileException.class)
                .hasMessageContaining("ONNX Runtime does not accept it")
                .hasMessageContaining("Rellu");
    }
}
