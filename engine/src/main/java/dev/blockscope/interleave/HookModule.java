package dev.blockscope.interleave;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A named part of a computation that takes inputs and makes an output. It has the points {@code
 * inputs} and {@code output}, and a block may skip it: then its output is what the block says, and
 * it does not run.
 *
 * @param inputs the point at which its inputs are offered, before it runs
 * @param output the point at which its output is offered
 * @param <T> what its output is
 * @since 0.1
 */
public record HookModule<T extends @Nullable Object>(
        HookPoint<List<@Nullable Object>> inputs, HookPoint<T> output) {
    /** Returns the name, a dotted path such as {@code encoder.layer.3}. */
    public String path() {
        return inputs.node().parentPath();
    }

    @Override
    public String toString() {
        return path();
    }
}
