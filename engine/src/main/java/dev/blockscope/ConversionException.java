package dev.blockscope;

import org.jspecify.annotations.Nullable;

/** A guest value that has no plain Java form, or whose own code failed while it was read. */
final class ConversionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int LONGEST_PATH = 100;

    private final @Nullable String name;
    private final String path;
    private final String reason;

    /**
     * Creates one.
     *
     * @param path where in the result the value stands, such as {@code .rows[3]}; empty for itself
     */
    ConversionException(String path, String reason, @Nullable Throwable cause) {
        this(null, path, reason, cause);
    }

    private ConversionException(
            @Nullable String name, String path, String reason, @Nullable Throwable cause) {
        super(text(path, reason), cause);
        this.name = name;
        this.path = path;
        this.reason = reason;
    }

    /** Returns what happened to which value, as the user is to read it. */
    String text() {
        return text(path, reason);
    }

    /** Returns the same failure, found inside the value of a name. */
    ConversionException in(String name) {
        return new ConversionException(name, name + path, reason, getCause());
    }

    /** Returns the name that has the value, or null if it is a block's result. */
    @Nullable String name() {
        return name;
    }

    private static String text(String path, String reason) {
        String shown =
                path.length() <= LONGEST_PATH
                        ? path
                        : path.substring(0, LONGEST_PATH / 2)
                                + "…"
                                + path.substring(path.length() - LONGEST_PATH / 2);
        String what = path.isEmpty() ? "the result" : '"' + shown + '"';
        return "cannot hand %s to the host: %s".formatted(what, reason);
    }
}
