package dev.blockscope;

/**
 * A guest function cannot be taken apart, and so cannot be made anew elsewhere. The message says
 * which function, why, and what to do instead.
 *
 * @since 0.1
 */
public final class FunctionSourceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final String reason;

    FunctionSourceException(String path, String reason) {
        super(
                path.isEmpty()
                        ? reason
                        : "the function %s cannot leave its engine: %s".formatted(path, reason));
        this.path = path;
        this.reason = reason;
    }

    /** Returns where the function is, as {@code handlers[0] closing over log}; empty for itself. */
    public String path() {
        return path;
    }

    /** Returns why it cannot be taken apart, and what to do. */
    public String reason() {
        return reason;
    }

    /** Returns the same of a function inside of something. */
    FunctionSourceException in(String outer) {
        return new FunctionSourceException(outer + path, reason);
    }
}
