package dev.blockscope.onnx;

import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.SetMultimap;
import java.util.List;

/** Finds modules by the scopes in node names, and their outputs by who reads what. */
final class ModuleFinder {
    /** The scope of nodes outside all modules, and of the caller. */
    private static final String OUTSIDE = "";

    /** A name with more parts than this was not written by an exporter of modules. */
    private static final int MAX_DEPTH = 64;

    private final Graph graph;
    private final Dataflow flow;
    private final SetMultimap<String, String> readers = LinkedHashMultimap.create();
    private final SetMultimap<String, String> children = LinkedHashMultimap.create();
    private final SetMultimap<String, String> outputs = LinkedHashMultimap.create();

    ModuleFinder(Graph graph, Dataflow flow) {
        this.graph = graph;
        this.flow = flow;
    }

    /** Returns the outermost modules. */
    List<ModelModule> find() {
        for (GraphNode node : graph.nodes()) {
            node.reads().forEach(value -> readers.put(value, scope(node)));
        }
        graph.outputs().forEach(output -> readers.put(output.name(), OUTSIDE));
        for (GraphNode node : graph.nodes()) {
            for (String scope = scope(node); !scope.isEmpty(); scope = around(scope)) {
                children.put(around(scope), scope);
                collectOutputs(node, scope);
            }
        }
        return modulesIn(OUTSIDE);
    }

    private void collectOutputs(GraphNode node, String scope) {
        if (!flow.isConstant(node)) {
            node.makes()
                    .filter(value -> isReadOutside(value, scope))
                    .forEach(value -> outputs.put(scope, value));
        }
    }

    private boolean isReadOutside(String value, String scope) {
        return readers.get(value).stream()
                .anyMatch(reader -> !reader.equals(scope) && !reader.startsWith(scope + "/"));
    }

    private List<ModelModule> modulesIn(String scope) {
        return children.get(scope).stream().map(this::module).toList();
    }

    private ModelModule module(String scope) {
        String name = scope.substring(scope.lastIndexOf('/') + 1);
        List<String> made = List.copyOf(outputs.get(scope));
        return new ModelModule(name, scope.replace('/', '.'), made, modulesIn(scope));
    }

    /** The scope of {@code /encoder/layer.3/MatMul} is {@code encoder/layer.3}. */
    private static String scope(GraphNode node) {
        String name = node.name();
        int last = name.lastIndexOf('/');
        boolean scoped = name.startsWith("/") && last > 0;
        return scoped && name.chars().filter(c -> c == '/').count() <= MAX_DEPTH
                ? name.substring(1, last)
                : OUTSIDE;
    }

    private static String around(String scope) {
        int last = scope.lastIndexOf('/');
        return last < 0 ? OUTSIDE : scope.substring(0, last);
    }
}
