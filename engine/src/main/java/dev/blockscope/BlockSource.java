package dev.blockscope;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

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

    /** Returns the same text, written at another line and column of its file, both 1-based. */
    public BlockSource startingAt(int newLine, int newColumn) {
        return new BlockSource(language, text, file, newLine, newColumn);
    }

    @Override
    public String toString() {
        return "%s:%d:%d".formatted(file, line, column);
    }
}
