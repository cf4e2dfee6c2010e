package dev.blockscope.onnx;

import dev.blockscope.interleave.Trace;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the modules of a model made in one run, and what tensors were by their names.
 *
 * @param values copies of the tensors, by hook point, in the order in which they were made; if a
 *     block stopped the run, those made before
 * @param trace the run itself
 * @since 0.1
 */
public record Cached(Map<String, Tensor> values, Trace<Map<String, Tensor>> trace) {
    /** Copies the map. */
    public Cached {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * Returns what one module made, or one tensor.
     *
     * @param module a module or its hook point, such as {@code "encoder.layer.3"}, or the name of a
     *     tensor in the file
     * @throws IllegalArgumentException if it was not recorded
     * @since 0.1
     */
    public Tensor of(String module) {
        Tensor value = values.getOrDefault(module + ".output", values.get(module));
        if (value == null) {
            value = values.get(RawTensors.point(module));
        }
        if (value == null) {
            throw new IllegalArgumentException(
                    "\"%s\" is not among what was recorded: %s".formatted(module, values.keySet()));
        }
        return value;
    }
}
