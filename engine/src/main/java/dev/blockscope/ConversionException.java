package dev.blockscope;

import org.jspecify.annotations.Nullable;

/** A guest value that has no plain Java form, or whose own code failed while it was read. */
final class ConversionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int LONGEST_PATH = 100;

    /** What a value is that has no name: what the block comes to, mostly. */
    private static final String RESULT = "the result";

    private final @Nullable String name;
    private final String what;
    private final String path;
    private final String reason;

    /**
     * Creates one.
     *
     * @param path where in the result the value stands, such as {@code .rows[3]}; empty for itself
     */
    ConversionException(String path, String reason, @Nullable Throwable cause) {
        this(null, RESULT, path, reason, cause);
    }

    private ConversionException(
            @Nullable String name,
            String what,
            String path,
            String reason,
            @Nullable Throwable cause) {
        super(text(name, what, path, reason), cause);
        this.name = name;
        this.what = what;
        this.path = path;
        this.reason = reason;
    }

    /** Returns what happened to which value, as the user is to read it. */
    String text() {
        return text(name, what, path, reason);
    }

    /** Returns the same failure, found inside the value of a name. */
    ConversionException in(String name) {
        return new ConversionException(name, what, path, reason, getCause());
    }

    /** Returns the same failure, found inside what a host function was to be given. */
    ConversionException inArgument() {
        return new ConversionException(name, "an argument", path, reason, getCause());
    }

    /** Returns the name that has the value, or null if it is a block's result or an argument. */
    @Nullable String name() {
        return name;
    }

    private static String text(@Nullable String name, String what, String path, String reason) {
        return "cannot hand %s to the host: %s".formatted(told(name, what, path), reason);
    }

    private static String told(@Nullable String name, String what, String path) {
        if (name != null) {
            return '"' + cut(name + path) + '"';
        }
        String inside = path.startsWith(".") ? path.substring(1) : path;
        return inside.isEmpty() ? what : "\"%s\" of %s".formatted(cut(inside), what);
    }

    private static String cut(String path) {
        return path.length() <= LONGEST_PATH
                ? path
                : path.substring(0, LONGEST_PATH / 2)
                        + "…"
                        + path.substring(path.length() - LONGEST_PATH / 2);
    }
}
