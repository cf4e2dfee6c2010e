package dev.blockscope;

import static java.util.Objects.requireNonNull;

/**
 * One thing that a block said with {@code console} or {@code print}.
 *
 * @param level how grave the block takes it
 * @param text what it said, formatted; it may have several lines, and does not end with a line
 *     break
 * @param file the name of the text whose code said it
 * @param line its line there, 1-based; 0 if it is not known
 * @since 0.1
 */
public record OutputLine(Level level, String text, String file, int line) {
    /** How grave a block takes what it says. */
    public enum Level {
        /** {@code console.debug} and {@code console.trace}. */
        DEBUG,
        /** {@code console.log}, {@code print}, and everything that is not another level. */
        INFO,
        /** {@code console.warn}, and what is wrong with a call of {@code console} itself. */
        WARN,
        /** {@code console.error}, and {@code console.assert} of what does not hold. */
        ERROR
    }

    /** Checks that nothing is null. */
    public OutputLine {
        requireNonNull(level, "level");
        requireNonNull(text, "text");
        requireNonNull(file, "file");
    }

    /** Returns the line as a log would show it: {@code INFO rules.js:3: text}. */
    @Override
    public String toString() {
        return line == 0
                ? "%s %s: %s".formatted(level, file, text)
                : "%s %s:%d: %s".formatted(level, file, line, text);
    }
}
