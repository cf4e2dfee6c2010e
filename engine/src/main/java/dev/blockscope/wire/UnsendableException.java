package dev.blockscope.wire;

import dev.blockscope.Block;
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

    /** Creates the exception of a block that stays as a whole. */
    private UnsendableException(Block block) {
        super(
                "the block %s cannot be sent: it is a function literal, and its variables are those of a script that runs here; capture a text in a frame instead"
                        .formatted(block.source()));
        this.variable = "";
        this.path = "";
        this.type = "function";
    }

    /**
     * Checks that a block can leave its engine.
     *
     * @throws UnsendableException if it is written in a script, whose variables stay
     */
    static void requireSendable(Block block) {
        if (block.isLiteral()) {
            throw new UnsendableException(block);
        }
    }

    private static String variableOf(String path) {
        int end = 0;
        while (end < path.length() && Character.isJavaIdentifierPart(path.charAt(end))) {
            end++;
        }
        return path.substring(0, end);
    }

    /** Returns the name of the variable; empty if it is the block itself. */
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
