package dev.blockscope.wire;

import dev.blockscope.FunctionSourceException;

/**
 * A value cannot travel: it is bound to this JVM, as a socket, a thread or a function of the host
 * is. The message names the variable, the path inside its value, the value's type, and what to do.
 *
 * @since 0.1
 */
public final class UnsendableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String variable;
    private final String path;
    private final String type;

    /**
     * Creates the exception.
     *
     * @param why why values of this type do not travel, and what to do instead
     */
    UnsendableException(String variable, String path, String type, String why) {
        super(
                path.equals(variable)
                        ? "variable '%s' (%s) cannot be sent: %s".formatted(variable, type, why)
                        : "variable '%s' cannot be sent: %s is a %s; %s"
                                .formatted(variable, path, type, why));
        this.variable = variable;
        this.path = path;
        this.type = type;
    }

    /** Creates the exception of a function, whose path begins with the variable's name. */
    UnsendableException(FunctionSourceException e) {
        this(variableOf(e.path()), e.path(), "function", e.reason());
    }

    private static String variableOf(String path) {
        int end = 0;
        while (end < path.length() && Character.isJavaIdentifierPart(path.charAt(end))) {
            end++;
        }
        return path.substring(0, end);
    }

    /** Returns the name of the variable. */
    public String variable() {
        return variable;
    }

    /** Returns where in the variable's value it is, such as {@code order.items[3].socket}. */
    public String path() {
        return path;
    }

    /** Returns the name of the value's Java class, or {@code function} for one of the guest's. */
    public String type() {
        return type;
    }
}
