package dev.blockscope.onnx;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The hook points of a model: {@code <path>.output} of every module with one output tensor. */
final class ModulePoints {
    private final Map<String, Place> places;

    /**
     * Where a hook point is.
     *
     * @param tensor the name of its tensor
     * @param position the position right after the tensor is made
     */
    record Place(String tensor, int position) {}

    private ModulePoints(Map<String, Place> places) {
        this.places = places;
    }

    static ModulePoints of(ModuleTree tree, Dataflow flow) {
        Map<String, Place> places = new LinkedHashMap<>();
        for (ModelModule module : tree.modules()) {
            module.output()
                    .map(tensor -> new Place(tensor, flow.madeAt(tensor)))
                    .ifPresent(place -> places.put(module.path() + ".output", place));
        }
        return new ModulePoints(Collections.unmodifiableMap(places));
    }

    /** Returns all hook points by name. */
    Map<String, Place> places() {
        return places;
    }

    /** Returns the names of all tensors that some hook point offers. */
    Set<String> tensors() {
        return places.values().stream().map(Place::tensor).collect(Collectors.toUnmodifiableSet());
    }
}
