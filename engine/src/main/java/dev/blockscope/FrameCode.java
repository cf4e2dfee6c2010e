package dev.blockscope;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import java.io.Serializable;

/**
 * Where a frame's code stands.
 *
 * @param file the file's name, as tracebacks show it
 * @param firstLine the frame's first line, 1-based
 * @param name the name of the function or place
 * @since 0.1
 */
public record FrameCode(String file, int firstLine, String name) implements Serializable {
    static final FrameCode UNKNOWN = new FrameCode("block.js", 1, "");

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if {@code firstLine} is below 1
     */
    public FrameCode {
        requireNonNull(file, "file");
        requireNonNull(name, "name");
        checkArgument(firstLine >= 1, "first line is %s, lines start at 1", firstLine);
    }
}
