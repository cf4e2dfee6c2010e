package dev.blockscope.wire;

import org.jspecify.annotations.Nullable;

/**
 * Where in a variable's value another value is. It becomes a text only if somebody must be told.
 *
 * @param around the path of what holds the value; null for the variable itself
 * @param step the name, position or key inside of it
 */
record ValuePath(@Nullable ValuePath around, Object step) {
    static ValuePath of(String variable) {
        return new ValuePath(null, variable);
    }

    ValuePath at(Object innerStep) {
        return new ValuePath(this, innerStep);
    }

    /** Returns the path of a variable that a function closes over. */
    ValuePath in(String closedOver) {
        return new ValuePath(this, new ClosedOver(closedOver));
    }

    String variable() {
        return around == null ? (String) step : around.variable();
    }

    /** Returns it as one would write it in a block. */
    @Override
    public String toString() {
        if (around == null) {
            return (String) step;
        }
        return around
                + switch (step) {
                    case ClosedOver variable -> " closing over " + variable.name();
                    case Integer position -> "[" + position + "]";
                    case String name when isIdentifier(name) -> "." + name;
                    default -> "[\"" + step + "\"]";
                };
    }

    private static boolean isIdentifier(String name) {
        return !name.isEmpty()
                && Character.isJavaIdentifierStart(name.charAt(0))
                && name.chars().allMatch(Character::isJavaIdentifierPart);
    }

    /** A variable of a function. */
    private record ClosedOver(String name) {}
}
