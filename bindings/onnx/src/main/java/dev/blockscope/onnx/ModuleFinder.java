package dev.blockscope.onnx;

import static dev.blockscope.onnx.Scopes.OUTSIDE;

import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.SetMultimap;
import java.util.List;
import java.util.Objects;

/** Finds modules by the scopes of nodes, and their inputs and outputs by who reads what. */
final class ModuleFinder {
    private final Graph graph;
    private final Dataflow flow;
    private final Scopes scopes;
    private final SetMultimap<String, String> readers = LinkedHashMultimap.create();
    private final SetMultimap<String, String> children = LinkedHashMultimap.create();
    private final SetMultimap<String, String> inputs = LinkedHashMultimap.create();
    private final SetMultimap<String, Initializer> weights = LinkedHashMultimap.create();
    private final SetMultimap<String, String> outputs = LinkedHashMultimap.create();

    ModuleFinder(Graph graph, Dataflow flow) {
        this.graph = graph;
        this.flow = flow;
        this.scopes = new Scopes(graph);
    }

    /** Returns the outermost modules. */
    List<ModelModule> find() {
        for (GraphNode node : graph.nodes()) {
            node.reads().forEach(value -> readers.put(value, scopes.of(node)));
        }
        graph.outputs().forEach(output -> readers.put(output.name(), OUTSIDE));
        for (GraphNode node : graph.nodes()) {
            for (String scope = scopes.of(node); !scope.isEmpty(); scope = Scopes.around(scope)) {
                children.put(Scopes.around(scope), scope);
                collectWeights(node, scope);
                if (!flow.isConstant(node)) {
                    collectInputs(node, scope);
                    collectOutputs(node, scope);
                }
            }
        }
        return modulesIn(OUTSIDE);
    }

    private void collectWeights(GraphNode node, String scope) {
        node.reads()
                .map(graph.initializers()::get)
                .filter(Objects::nonNull)
                .forEach(weight -> weights.put(scope, weight));
    }

    private void collectInputs(GraphNode node, String scope) {
        node.reads()
                .filter(value -> !flow.isConstant(value) && !isMadeInside(value, scope))
                .forEach(value -> inputs.put(scope, value));
    }

    private boolean isMadeInside(String value, String scope) {
        int made = flow.madeAt(value);
        return made > 0 && Scopes.isInside(scopes.of(graph.nodes().get(made - 1)), scope);
    }

    private void collectOutputs(GraphNode node, String scope) {
        node.makes()
                .filter(value -> isReadOutside(value, scope))
                .forEach(value -> outputs.put(scope, value));
    }

    private boolean isReadOutside(String value, String scope) {
        return readers.get(value).stream().anyMatch(reader -> !Scopes.isInside(reader, scope));
    }

    private List<ModelModule> modulesIn(String scope) {
        return children.get(scope).stream().map(this::module).toList();
    }

    private ModelModule module(String scope) {
        String name = scope.substring(scope.lastIndexOf('/') + 1);
        return new ModelModule(
                name,
                scope.replace('/', '.'),
                List.copyOf(inputs.get(scope)),
                List.copyOf(outputs.get(scope)),
                weights.get(scope).stream().mapToLong(Initializer::parameters).sum(),
                modulesIn(scope));
    }
}
