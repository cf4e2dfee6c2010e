package dev.blockscope.onnx;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/** Puts what lies on the class path into files, because ONNX Runtime reads weights from a file. */
final class Resources {
    private static final Path FOLDER = folder();

    private Resources() {}

    static Path extract(String resource) {
        Path file = FOLDER.resolve(Path.of(resource).getFileName());
        file.toFile().deleteOnExit();
        try (InputStream in = ClassLoader.getSystemResourceAsStream(resource)) {
            Files.copy(
                    Objects.requireNonNull(in, resource),
                    file,
                    StandardCopyOption.REPLACE_EXISTING);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path folder() {
        try {
            Path folder = Files.createTempDirectory("models");
            folder.toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
