package dev.blockscope.onnx;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Checks what a caller gives against what a model takes, before any native code runs. */
final class ModelInputs {
    private ModelInputs() {}

    /**
     * Checks names, element types and shapes.
     *
     * @throws IllegalArgumentException if something is missing, unknown or does not fit
     */
    static void check(List<TensorSpec> specs, Map<String, Tensor> given) {
        List<String> names = specs.stream().map(TensorSpec::name).toList();
        if (!given.keySet().equals(Set.copyOf(names))) {
            throw new IllegalArgumentException(
                    "the model takes the inputs %s, given were %s"
                            .formatted(names, new TreeSet<>(given.keySet())));
        }
        Map<String, Long> sizes = new HashMap<>();
        specs.forEach(spec -> check(spec, Objects.requireNonNull(given.get(spec.name())), sizes));
    }

    private static void check(TensorSpec spec, Tensor given, Map<String, Long> sizes) {
        boolean unknown = spec.shape().isEmpty();
        if (given.dtype() != spec.dtype() || (!unknown && given.dim() != spec.shape().size())) {
            throw unfit(spec, given, "");
        }
        for (int d = 0; d < spec.shape().size(); d++) {
            Dimension declared = spec.shape().get(d);
            long size = given.shape()[d];
            if (declared.isFixed() && declared.size() != size) {
                throw unfit(spec, given, "");
            }
            Long before = declared.name().isEmpty() ? null : sizes.put(declared.name(), size);
            if (before != null && before != size) {
                throw unfit(spec, given, ", and %s is %d elsewhere".formatted(declared, before));
            }
        }
    }

    private static IllegalArgumentException unfit(TensorSpec spec, Tensor given, String more) {
        return new IllegalArgumentException(
                "input \"%s\" is %s %s, expected %s%s"
                        .formatted(spec.name(), given.dtype(), given.layout(), spec.type(), more));
    }
}
