package dev.blockscope.interleave;

import org.jspecify.annotations.Nullable;

/**
 * Decides what a computation goes on with when a block assigns to a point.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface Replacement {
    /** Takes any value as it is. */
    Replacement ANY = (point, offered, assigned) -> assigned;

    /**
     * Checks what a block assigned, on the block's thread.
     *
     * @param offered the value that the computation offered
     * @param assigned the value that the block assigned, as plain Java
     * @return the value to go on with
     * @throws HookException if the value does not fit; it is raised at the block's own line
     */
    @Nullable Object check(String point, @Nullable Object offered, @Nullable Object assigned);

    /**
     * Checks what a block gives as the output of a module that it skips, on the block's thread.
     * Takes any value by default.
     *
     * @param point the point of the module's output
     * @param output the value that the block gives, as plain Java
     * @return the value to go on with
     * @throws HookException if the value does not fit; it is raised at the block's own line
     */
    default @Nullable Object checkSkip(String point, @Nullable Object output) {
        return output;
    }
}
