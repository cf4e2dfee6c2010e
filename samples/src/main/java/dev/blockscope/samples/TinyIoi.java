package dev.blockscope.samples;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** The causal model of this repository, see {@code src/models/tiny-ioi}. */
final class TinyIoi {
    private TinyIoi() {}

    /** Copies the model into a folder, because ONNX Runtime reads weights from a file. */
    static Path copyTo(Path folder) throws IOException {
        Path file = folder.resolve("tiny-ioi.onnx");
        try (InputStream in = TinyIoi.class.getResourceAsStream("/tiny-ioi/tiny-ioi.onnx")) {
            Files.copy(Objects.requireNonNull(in), file);
        }
        return file;
    }
}
