package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;

/**
 * Something that a run had begun and that was not over when the run ended. It will not go on: what
 * a block leaves pending ends with its run.
 *
 * @param what what it is, such as {@code setTimeout}, or {@code CompletableFuture} for one of the
 *     host's that the block has asked for its value
 * @param file the name of the text whose code began it
 * @param line its line there, 1-based; 0 if it is not known
 * @since 0.1
 */
public record Pending(String what, String file, int line) implements Serializable {
    /** Checks that nothing is null. */
    public Pending {
        requireNonNull(what, "what");
        requireNonNull(file, "file");
    }

    /** Returns it as one would say it: {@code setTimeout of rules.js:3}. */
    @Override
    public String toString() {
        return line == 0
                ? "%s of %s".formatted(what, file)
                : "%s of %s:%d".formatted(what, file, line);
    }
}
