package dev.blockscope.onnx;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file could not be opened as an ONNX model: it is missing, truncated, damaged, or something else
 * altogether. The message names the file, the place in it and what was expected there.
 *
 * @since 0.1
 */
public final class OnnxFileException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    private final String file;
    private final long offset;

    OnnxFileException(Path file, long offset, String what, @Nullable Throwable cause) {
        super("cannot open \"" + file + "\" as an ONNX model: " + what, cause);
        this.file = file.toString();
        this.offset = offset;
    }

    OnnxFileException(Path file, String what) {
        this(file, -1, what, null);
    }

    /**
     * Returns the file that could not be opened.
     *
     * @since 0.1
     */
    public Path file() {
        return Path.of(file);
    }

    /**
     * Returns the place in the file, in bytes from its start, where reading went wrong; -1 if the
     * trouble is with the file or the graph as a whole.
     *
     * @since 0.1
     */
    public long offset() {
        return offset;
    }
}
