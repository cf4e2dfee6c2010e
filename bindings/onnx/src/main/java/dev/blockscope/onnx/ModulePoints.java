package dev.blockscope.onnx;

import static java.util.stream.Collectors.joining;

import dev.blockscope.interleave.HookPoints;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The hook points of a model: {@code <path>.output} of every module with one output tensor and
 * {@code <path>.outputs} if there are several, {@code <path>.inputs} if its inputs are there before
 * it begins, and every tensor by its name.
 */
final class ModulePoints {
    private final ModuleReads reads;
    private final Map<String, TensorSpec> types;
    private final RawTensors tensors;
    private final Map<String, Place> places = new LinkedHashMap<>();
    private final Map<String, Stop> stops = new HashMap<>();
    private final List<Stop> inOrder;
    private final Map<String, Integer> order = new HashMap<>();
    private final HookPoints hooks;

    /**
     * Where a module's output is.
     *
     * @param tensor the name of its tensor
     * @param position the position right after the tensor is made
     */
    record Place(String tensor, int position) {}

    /**
     * Finds the points of a model.
     *
     * @param types the tensors that can be offered
     * @param tensors the tensors by their names
     */
    ModulePoints(
            ModuleTree tree, ModuleReads reads, Map<String, TensorSpec> types, RawTensors tensors) {
        this.reads = reads;
        this.types = types;
        this.tensors = tensors;
        Map<String, String> scopes = reads.scopes().byPath();
        HookPoints.Builder declared =
                HookPoints.builder()
                        .named(RawTensors.CALL, tensors.names(), Object.class, tensors::whyNot);
        for (ModelModule module : tree.modules()) {
            String scope = scopes.getOrDefault(module.path(), module.path());
            declare(declared, module, scope);
        }
        tree.shared()
                .forEach(paths ->
                        declared.same(paths.stream().map(path -> path + ".output").toList()));
        this.hooks = declared.build();
        List<Stop> sorted = new ArrayList<>(stops.values());
        sorted.sort(Stop.ORDER.thenComparing(Stop::point));
        this.inOrder = Collections.unmodifiableList(sorted);
        for (Stop stop : sorted) {
            order.put(stop.point(), order.size());
        }
    }

    private void declare(HookPoints.Builder declared, ModelModule module, String scope) {
        List<String> made = module.outputs();
        if (made.isEmpty()) {
            return;
        }
        String path = module.path();
        if (made.size() > 1 && !canBeOfferedTogether(made, scope)) {
            declareApart(declared, module);
            return;
        }
        String point = path + (made.size() == 1 ? ".output" : ".outputs");
        int position = made.stream().mapToInt(reads.flow()::madeAt).max().orElseThrow();
        if (made.size() == 1) {
            places.put(point, new Place(made.getFirst(), position));
        }
        add(new Stop(point, position, scope, Optional.empty(), made, Stop.OF_MODULE));
        ModuleEntry entry =
                new ModuleEntry(path, scope, reads.begin(scope), reads.inputs(scope), made);
        if (canBeOffered(entry)) {
            if (made.size() == 1) {
                declared.module(path);
            } else {
                declared.moduleOfSeveral(path);
            }
            add(
                    new Stop(
                            entry.point(),
                            entry.position(),
                            scope,
                            Optional.of(entry),
                            made,
                            Stop.OF_MODULE));
        } else {
            declared.point(point);
            if (made.size() > 1) {
                declared.absent(
                        path + ".output",
                        "\"%s\" makes several tensors; ask for its outputs".formatted(path));
            }
        }
    }

    private void add(Stop stop) {
        stops.put(stop.point(), stop);
    }

    /** Whether all inputs are tensors that are there before the module begins. */
    private boolean canBeOffered(ModuleEntry entry) {
        return entry.tensors().stream()
                .allMatch(tensor ->
                        types.containsKey(tensor)
                                && reads.flow().madeAt(tensor) <= entry.position());
    }

    /** Whether all outputs are tensors of which none is read before the last is made. */
    private boolean canBeOfferedTogether(List<String> made, String scope) {
        int first = made.stream().mapToInt(reads.flow()::madeAt).min().orElseThrow();
        int last = made.stream().mapToInt(reads.flow()::madeAt).max().orElseThrow();
        return types.keySet().containsAll(made)
                && reads.flow().nodes().subList(first, last).stream()
                        .filter(node -> !Scopes.isInside(reads.scopes().of(node), scope))
                        .noneMatch(node -> node.reads().anyMatch(made::contains));
    }

    /** Says how to reach the outputs of a module that are not there together. */
    private static void declareApart(HookPoints.Builder declared, ModelModule module) {
        String each =
                module.outputs().stream()
                        .map(tensor -> "model." + RawTensors.point(tensor))
                        .collect(joining(", "));
        for (String point : List.of(".output", ".outputs")) {
            declared.absent(
                    module.path() + point,
                    "\"%s\" makes several values, which are not there at one place; ask for them by their names, as %s"
                            .formatted(module.path(), each));
        }
    }

    /** Returns where the outputs of modules with one output are, by hook point. */
    Map<String, Place> places() {
        return Collections.unmodifiableMap(places);
    }

    /** Returns the hook points. */
    HookPoints hooks() {
        return hooks;
    }

    /** Returns where the points of modules are, by name. */
    Map<String, Stop> stops() {
        return Collections.unmodifiableMap(stops);
    }

    /** Returns where a point is, of a module or of a tensor by its name; null if there is none. */
    @Nullable Stop stop(String point) {
        Stop stop = stops.get(point);
        return stop == null ? tensors.stopOf(point) : stop;
    }

    /** Returns the tensors by their names. */
    RawTensors tensors() {
        return tensors;
    }

    /** Returns where the points of modules are, as a run comes to them. */
    List<Stop> inOrder() {
        return inOrder;
    }

    /** Returns the place in that order of the point of a module. */
    int place(Stop stop) {
        return Objects.requireNonNull(order.get(stop.point()), stop.point());
    }
}
