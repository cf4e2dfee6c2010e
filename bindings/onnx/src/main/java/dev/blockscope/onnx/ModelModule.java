package dev.blockscope.onnx;

import java.util.List;
import java.util.Optional;

/**
 * A module of a model: the part of the graph that one PyTorch module was exported to.
 *
 * @param name its name among its siblings, such as {@code "attention"} or {@code "layer.3"}
 * @param path where it is in the tree, such as {@code "encoder.layer.3.attention"}
 * @param inputs the names of the tensors it reads that are made outside of it and differ from run
 *     to run, in the order they are read; what a quantiser outside converts for it counts as read
 * @param outputs the names of the tensors it makes that are read outside of it, in the order they
 *     are made; most modules have exactly one, and modules may share one
 * @param parameters how many parameters it has together with the modules inside it; one that
 *     several modules share counts in each
 * @param children the modules inside it, in the order the model reaches them
 * @since 0.1
 */
public record ModelModule(
        String name,
        String path,
        List<String> inputs,
        List<String> outputs,
        long parameters,
        List<ModelModule> children) {
    /** Makes a module. */
    public ModelModule {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        children = List.copyOf(children);
    }

    /**
     * Returns the tensor this module reads first, what PyTorch calls its first argument; absent if
     * it reads none that differs from run to run.
     *
     * @since 0.1
     */
    public Optional<String> input() {
        return inputs.stream().findFirst();
    }

    /**
     * Returns the tensor this module makes; absent if it makes none or several.
     *
     * @since 0.1
     */
    public Optional<String> output() {
        return outputs.size() == 1 ? Optional.of(outputs.getFirst()) : Optional.empty();
    }
}
