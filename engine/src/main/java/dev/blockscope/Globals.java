package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names a frame falls back to: read by its blocks, never written.
 *
 * <p>A lookup must be cheap and free of side effects, for guest code asks for the same name more
 * than once. What it throws becomes the error of the block that asked.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface Globals {
    /**
     * Looks a name up.
     *
     * @return what the name is bound to, or empty if it is not bound
     */
    Optional<Binding> find(String name);

    /**
     * Returns the names that can be listed, for a person to read: all of them, some, or none, which
     * is the default.
     */
    default Set<String> names() {
        return Set.of();
    }

    /** Returns the globals that bind nothing. */
    static Globals none() {
        return NoGlobals.INSTANCE;
    }

    /**
     * Returns a live view of a map, which lists its keys as names; a key that maps to null is bound
     * to null.
     */
    static Globals of(Map<String, ? extends @Nullable Object> map) {
        return new MapGlobals(requireNonNull(map, "map"));
    }
}
