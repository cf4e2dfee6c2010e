package dev.blockscope.onnx;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What each scope of a graph reads from outside of it. A quantiser belongs to its consumers: who
 * reads what it makes reads the tensor that it converts.
 */
final class ModuleReads {
    private final Graph graph;
    private final Dataflow flow;
    private final Scopes scopes;
    private final Map<String, Reads> byScope = new LinkedHashMap<>();

    /**
     * A tensor that a scope reads.
     *
     * @param tensor its name
     * @param quantisers the nodes outside the scope that convert it for those in the scope, as they
     *     run
     */
    record Input(String tensor, List<GraphNode> quantisers) {
        Input {
            quantisers = List.copyOf(quantisers);
        }
    }

    private static final class Reads {
        private final Map<String, SortedMap<Integer, GraphNode>> inputs = new LinkedHashMap<>();
        private int first = Integer.MAX_VALUE;

        void begin(GraphNode node) {
            first = Math.min(first, node.index());
        }
    }

    ModuleReads(Graph graph, Dataflow flow) {
        this.graph = graph;
        this.flow = flow;
        this.scopes = new Scopes(graph);
        for (GraphNode node : graph.nodes()) {
            if (!flow.isConstant(node)) {
                scopes.around(node).forEach(scope -> collect(node, scope));
            }
        }
    }

    private void collect(GraphNode node, String scope) {
        Reads reads = byScope.computeIfAbsent(scope, _ -> new Reads());
        reads.begin(node);
        node.reads()
                .filter(value -> !flow.isConstant(value) && !isMadeInside(value, scope))
                .forEach(value -> collect(value, scope, reads));
    }

    private void collect(String value, String scope, Reads reads) {
        SortedMap<Integer, GraphNode> quantisers = new TreeMap<>();
        String source = value;
        while (isQuantisedOutside(source, scope)) {
            GraphNode quantiser = graph.nodes().get(flow.madeAt(source) - 1);
            quantisers.put(quantiser.index(), quantiser);
            reads.begin(quantiser);
            source = quantiser.inputs().getFirst();
        }
        reads.inputs.computeIfAbsent(source, _ -> new TreeMap<>()).putAll(quantisers);
    }

    private boolean isQuantisedOutside(String value, String scope) {
        return flow.madeAt(value) > 0
                && !isMadeInside(value, scope)
                && scopes.isQuantiser(graph.nodes().get(flow.madeAt(value) - 1));
    }

    private boolean isMadeInside(String value, String scope) {
        int made = flow.madeAt(value);
        return made > 0 && Scopes.isInside(scopes.of(graph.nodes().get(made - 1)), scope);
    }

    Graph graph() {
        return graph;
    }

    Dataflow flow() {
        return flow;
    }

    Scopes scopes() {
        return scopes;
    }

    /** Returns the tensors that differ from run to run, in the order they are read. */
    List<Input> inputs(String scope) {
        Reads reads = byScope.get(scope);
        return reads == null
                ? List.of()
                : reads.inputs.entrySet().stream()
                        .map(input ->
                                new Input(input.getKey(), List.copyOf(input.getValue().values())))
                        .toList();
    }

    /** Returns the position before everything that runs for a scope; the end if nothing does. */
    int begin(String scope) {
        Reads reads = byScope.get(scope);
        return reads == null ? graph.nodes().size() : reads.first;
    }
}
