package dev.blockscope.interleave;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a module of a computation does.
 *
 * @param <T> what its output is; may be null
 * @param <X> the checked exception it may throw
 * @since 0.1
 */
@FunctionalInterface
public interface ModuleBody<T extends @Nullable Object, X extends Exception> {
    /** Makes the output of the inputs, as blocks left them. */
    T run(List<@Nullable Object> inputs) throws X;
}
