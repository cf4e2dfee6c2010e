package dev.blockscope;

/** A write to a variable of a block that its text declares as a constant. */
final class ConstantException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    ConstantException(String name, Throwable cause) {
        super("cannot assign \"%s\": it is a constant of the block".formatted(name), cause);
    }
}
