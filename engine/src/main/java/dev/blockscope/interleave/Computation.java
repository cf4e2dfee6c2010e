package dev.blockscope.interleave;

import org.jspecify.annotations.Nullable;

/**
 * A computation of the host that visits hook points.
 *
 * @param <R> what it returns; may be null
 * @param <X> the checked exception it may throw
 * @since 0.1
 */
@FunctionalInterface
public interface Computation<R extends @Nullable Object, X extends Exception> {
    /** Runs, calling {@link Visits#visit} wherever blocks may look in. */
    R run(Visits visits) throws X;
}
