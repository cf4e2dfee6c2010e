package dev.blockscope;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * A name that a failed block had bound before it failed, for diagnosis. The value itself is not
 * kept.
 *
 * @param name the name
 * @param type the simple name of the value's Java type, or {@code null}
 * @param rendering the value as a short text
 * @since 0.1
 */
public record BoundName(String name, String type, String rendering) implements Serializable {
    private static final int LONGEST = 60;
    private static final int MOST = 1_000;

    /** Checks the parts. */
    public BoundName {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(rendering, "rendering");
    }

    static List<BoundName> allOf(Scope scope) {
        return scope.assigned().stream().limit(MOST).map(name -> of(name, scope)).toList();
    }

    private static BoundName of(String name, Scope scope) {
        try {
            Object value = scope.get(name);
            String type = value == null ? "null" : value.getClass().getSimpleName();
            return new BoundName(name, type, shorten(String.valueOf(value)));
        } catch (RuntimeException | OutOfMemoryError e) {
            // Only a diagnosis: a value that cannot be shown must not hide the block's own error.
            return new BoundName(name, "unknown", "cannot be shown: " + shorten(e.toString()));
        }
    }

    private static String shorten(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
    }
}
