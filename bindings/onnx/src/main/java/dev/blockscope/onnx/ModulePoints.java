package dev.blockscope.onnx;

import dev.blockscope.interleave.HookPoints;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The hook points of a model: {@code <path>.output} of every module with one output tensor, and
 * {@code <path>.inputs} if its inputs are there before it begins.
 */
final class ModulePoints {
    private final Map<String, Place> places = new LinkedHashMap<>();
    private final Map<String, Stop> stops = new HashMap<>();
    private final List<Stop> inOrder;
    private final HookPoints hooks;

    /**
     * Where a module's output is.
     *
     * @param tensor the name of its tensor
     * @param position the position right after the tensor is made
     */
    record Place(String tensor, int position) {}

    /**
     * Finds the points of modules.
     *
     * @param types the tensors that can be offered
     */
    ModulePoints(ModuleTree tree, ModuleReads reads, Map<String, TensorSpec> types) {
        Map<String, String> scopes = reads.scopes().byPath();
        HookPoints.Builder declared = HookPoints.builder();
        for (ModelModule module : tree.modules()) {
            String scope = scopes.getOrDefault(module.path(), module.path());
            module.output()
                    .ifPresent(tensor ->
                            declare(declared, module.path(), scope, tensor, reads, types));
        }
        tree.shared()
                .forEach(paths ->
                        declared.same(paths.stream().map(path -> path + ".output").toList()));
        this.hooks = declared.build();
        List<Stop> sorted = new ArrayList<>(stops.values());
        sorted.sort(Stop.ORDER.thenComparing(Stop::point));
        this.inOrder = Collections.unmodifiableList(sorted);
    }

    private void declare(
            HookPoints.Builder declared,
            String path,
            String scope,
            String tensor,
            ModuleReads reads,
            Map<String, TensorSpec> types) {
        String point = path + ".output";
        int made = reads.flow().madeAt(tensor);
        places.put(point, new Place(tensor, made));
        stops.put(point, new Stop(point, made, scope, Optional.empty(), tensor));
        ModuleEntry entry =
                new ModuleEntry(path, scope, reads.begin(scope), reads.inputs(scope), tensor);
        if (canBeOffered(entry, reads.flow(), types)) {
            declared.module(path);
            stops.put(
                    entry.point(),
                    new Stop(entry.point(), entry.position(), scope, Optional.of(entry), tensor));
        } else {
            declared.point(point);
        }
    }

    /** Whether all inputs are tensors that are there before the module begins. */
    private static boolean canBeOffered(
            ModuleEntry entry, Dataflow flow, Map<String, TensorSpec> types) {
        return entry.tensors().stream()
                .allMatch(tensor ->
                        types.containsKey(tensor) && flow.madeAt(tensor) <= entry.position());
    }

    /** Returns where the outputs of modules are, by hook point. */
    Map<String, Place> places() {
        return Collections.unmodifiableMap(places);
    }

    /** Returns the hook points of all modules. */
    HookPoints hooks() {
        return hooks;
    }

    /** Returns where all points are, by name. */
    Map<String, Stop> stops() {
        return Collections.unmodifiableMap(stops);
    }

    /** Returns where all points are, as a run comes to them. */
    List<Stop> inOrder() {
        return inOrder;
    }

    /** Returns the names of all tensors that some hook point offers. */
    Set<String> tensors() {
        Set<String> tensors = new HashSet<>();
        for (Stop stop : inOrder) {
            tensors.addAll(offered(stop));
        }
        return tensors;
    }

    /** Returns the names of the tensors that a point offers. */
    static List<String> offered(Stop stop) {
        return stop.entry().map(ModuleEntry::tensors).orElse(List.of(stop.tensor()));
    }
}
