package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a run changes in the graph of the file: tensors that some modules read in place of others,
 * and modules that are left out, what they make being given.
 *
 * @param edges in the order they came
 * @param skipped the scopes that are left out
 * @param given the tensors that are given for them
 */
record Wiring(List<Edge> edges, Set<String> skipped, Set<String> given) {
    /** The graph as it is. */
    static final Wiring NONE = new Wiring(List.of(), Set.of(), Set.of());

    /**
     * A tensor that a scope reads in place of another.
     *
     * @param scope the scope, with all that lie in it
     * @param from the name that its nodes had read
     * @param to the name that they read now
     */
    record Edge(String scope, String from, String to) {}

    Wiring {
        edges = List.copyOf(edges);
        skipped = Set.copyOf(skipped);
        given = Set.copyOf(given);
    }

    /** Returns this with one more edge. */
    Wiring with(Edge edge) {
        List<Edge> more = new ArrayList<>(edges);
        more.add(edge);
        return new Wiring(more, skipped, given);
    }

    /** Returns this without a module. */
    Wiring without(ModuleEntry module) {
        Set<String> scopes = new HashSet<>(skipped);
        scopes.add(module.scope());
        Set<String> tensors = new LinkedHashSet<>(given);
        tensors.addAll(module.outputs());
        return new Wiring(edges, scopes, tensors);
    }

    /** Returns the name under which a scope reads a tensor. */
    String seenFrom(String scope, String tensor) {
        String name = tensor;
        for (Edge edge : edges) {
            if (edge.from().equals(name) && Scopes.isInside(scope, edge.scope())) {
                name = edge.to();
            }
        }
        return name;
    }

    /** Returns whether a scope is left out. */
    boolean leavesOut(String scope) {
        return skipped.stream().anyMatch(left -> Scopes.isInside(scope, left));
    }
}
