package dev.blockscope.onnx;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a model says of itself, for those who do not have its file.
 *
 * @param inputs what it takes, in the file's order
 * @param outputs what it makes, in the file's order
 * @param parameters how many parameters it has
 * @param modules its modules
 * @param tensors the element type and shape of each tensor that a block reaches by its name, in the
 *     order in which they are made
 * @param points the element type and shape at each hook point that a module has for what it makes,
 *     as {@link OnnxModel#scan} tells them
 * @since 0.1
 */
public record ModelDescription(
        List<TensorSpec> inputs,
        List<TensorSpec> outputs,
        long parameters,
        ModuleTree modules,
        List<TensorSpec> tensors,
        Map<String, TensorSpec> points) {
    /** Copies lists and map. */
    public ModelDescription {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        tensors = List.copyOf(tensors);
        points = Collections.unmodifiableMap(new LinkedHashMap<>(points));
    }

    /**
     * Describes a model that is here. The first time it is run on a few small inputs.
     *
     * @throws IllegalStateException if the model is closed
     * @throws OnnxRunException if the model cannot be run on zeros
     */
    static ModelDescription of(OnnxModel model) {
        return new ModelDescription(
                model.inputs(),
                model.outputs(),
                model.parameters(),
                model.modules(),
                model.tensors().stream().map(tensor -> model.scan(tensor.name())).toList(),
                model.scan());
    }

    /** Returns the description as plain values that travel. */
    Map<String, Object> toPlain() {
        return new DescriptionForm().plain(this);
    }

    /** Returns inputs, outputs and modules, one a line. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("%d parameters".formatted(parameters));
        inputs.forEach(input -> text.append("\n  in   ").append(input));
        outputs.forEach(output -> text.append("\n  out  ").append(output));
        Map<String, TensorSpec> types = new TreeMap<>();
        points.values().forEach(spec -> types.put(spec.name(), spec));
        String tree = TreeText.of(modules, types);
        return text.append('\n').append(tree.indent(2).stripTrailing()).toString();
    }
}
