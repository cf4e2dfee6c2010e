package dev.blockscope;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import java.lang.StackWalker.StackFrame;
import java.util.Set;

/**
 * The text of a block and the place it was written at.
 *
 * @param language the guest language's id, such as {@code "js"}
 * @param text the text, as the user wrote it
 * @param file the name of the user's file
 * @param line the line of that file on which the text starts, 1-based
 * @param column the column at which it starts, 1-based, counted in UTF-16 units
 * @since 0.1
 */
public record BlockSource(String language, String text, String file, int line, int column) {
    /** The id of JavaScript. */
    public static final String JAVASCRIPT = "js";

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if {@code line} or {@code column} is below 1
     */
    public BlockSource {
        requireNonNull(language, "language");
        requireNonNull(text, "text");
        requireNonNull(file, "file");
        checkArgument(line >= 1, "line is %s, lines start at 1", line);
        checkArgument(column >= 1, "column is %s, columns start at 1", column);
    }

    /** Returns JavaScript text that starts at the first line of a file. */
    public static BlockSource javaScript(String text, String file) {
        return new BlockSource(JAVASCRIPT, text, file, 1, 1);
    }

    /**
     * Returns JavaScript text that is written in Java code, in the call of this method: tracebacks
     * then name the Java file and its lines. A text with line breaks is taken for a text block that
     * opens on the line of the call, one without for a literal on that line.
     *
     * {@snippet :
     * Block block = engine.capture(BlockSource.here("""
     *     let net = price * quantity     // an error here is told with this line of the Java file
     *     total = net * (1 + tax)
     *     """), frame);
     * }
     *
     * <p>Columns are those of the text: the compiler takes the indentation of a text block away.
     */
    public static BlockSource here(String text) {
        return at(caller(), text, text.indexOf('\n') < 0 ? 0 : 1);
    }

    /**
     * Returns the same for a text that starts elsewhere.
     *
     * @param text JavaScript text
     * @param below how many lines below that of the call its first line is; negative above it
     */
    public static BlockSource here(String text, int below) {
        return at(caller(), text, below);
    }

    private static StackFrame caller() {
        return StackWalker.getInstance(Set.of(), 3)
                .walk(frames -> frames.skip(2).findFirst())
                .orElseThrow(() -> new AssertionError("a method was called by nobody"));
    }

    /** Classes may have been compiled without their file's name and lines. */
    private static BlockSource at(StackFrame caller, String text, int below) {
        String name = caller.getClassName();
        String file =
                caller.getFileName() == null
                        ? name.substring(name.lastIndexOf('.') + 1) + ".java"
                        : caller.getFileName();
        int line = Math.max(1, caller.getLineNumber() + below);
        return javaScript(text, file).startingAt(line, 1);
    }

    /** Returns the same text, written at another line and column of its file, both 1-based. */
    public BlockSource startingAt(int newLine, int newColumn) {
        return new BlockSource(language, text, file, newLine, newColumn);
    }

    @Override
    public String toString() {
        return "%s:%d:%d".formatted(file, line, column);
    }
}
