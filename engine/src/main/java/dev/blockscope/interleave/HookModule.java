package dev.blockscope.interleave;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A named part of a computation that takes inputs and makes an output. It has the points {@code
 * inputs} and {@code output}, and a block may skip it: then its output is what the block says, and
 * it does not run. If it makes several values its second point has the name "outputs".
 *
 * @param inputs the point at which its inputs are offered, before it runs
 * @param output the point at which its output is offered, or the list of its outputs
 * @param <T> what its output is; a list if there are several
 * @since 0.1
 */
public record HookModule<T extends @Nullable Object>(
        HookPoint<List<@Nullable Object>> inputs, HookPoint<T> output) {
    /** Returns the name, a dotted path such as {@code encoder.layer.3}. */
    public String path() {
        return inputs.node().parentPath();
    }

    /** Returns whether it makes a list of values, {@code outputs}. */
    public boolean hasSeveralOutputs() {
        return output.node().name().equals(HookNode.OUTPUTS);
    }

    @Override
    public String toString() {
        return path();
    }
}
