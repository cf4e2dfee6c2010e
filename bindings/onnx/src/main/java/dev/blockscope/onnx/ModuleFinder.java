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
    private final ModuleReads reads;
    private final Scopes scopes;
    private final SetMultimap<String, String> readers = LinkedHashMultimap.create();
    private final SetMultimap<String, String> children = LinkedHashMultimap.create();
    private final SetMultimap<String, Initializer> weights = LinkedHashMultimap.create();
    private final SetMultimap<String, String> outputs = LinkedHashMultimap.create();

    ModuleFinder(ModuleReads reads) {
        this.reads = reads;
        this.graph = reads.graph();
        this.flow = reads.flow();
        this.scopes = reads.scopes();
    }

    /** Returns the outermost modules. */
    List<ModelModule> find() {
        for (GraphNode node : graph.nodes()) {
            node.reads().forEach(value -> readers.put(value, scopes.of(node)));
        }
        graph.outputs().forEach(output -> readers.put(output.name(), OUTSIDE));
        for (GraphNode node : graph.nodes()) {
            for (String scope : scopes.around(node)) {
                children.put(Scopes.around(scope), scope);
                collectWeights(node, scope);
                if (!flow.isConstant(node)) {
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
                reads.inputs(scope).stream().map(ModuleReads.Input::tensor).toList(),
                List.copyOf(outputs.get(scope)),
                weights.get(scope).stream().mapToLong(Initializer::parameters).sum(),
                modulesIn(scope));
    }
}
