package dev.blockscope.onnx;

import dev.blockscope.interleave.HookException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The graph of a model with a {@linkplain Wiring wiring} of a run. Nodes keep their positions: one
 * that is left out stays in its place and reads and makes nothing.
 *
 * @param wiring what differs from the file
 * @param flow who makes and who reads its values
 * @param partition how it is cut
 * @param types element type and shape of its tensors
 */
record WiredGraph(
        Wiring wiring, Dataflow flow, Partition partition, Map<String, TensorSpec> types) {

    /**
     * Wires the graph of a model.
     *
     * @throws HookException if an edge leads into a nested graph, where it cannot be led elsewhere
     */
    static WiredGraph of(ModelFacts model, Wiring wiring) {
        Set<String> hooked = model.tensors().names();
        if (wiring.equals(Wiring.NONE)) {
            Graph graph = model.file().graph();
            return new WiredGraph(
                    wiring,
                    model.flow(),
                    new Partition(graph, model.flow(), hooked, model.types()),
                    model.types());
        }
        try {
            Graph graph = wired(model, wiring);
            Dataflow flow = new Dataflow(model.file().path(), graph);
            Map<String, TensorSpec> types = types(model, wiring);
            return new WiredGraph(wiring, flow, new Partition(graph, flow, hooked, types), types);
        } catch (OnnxFileException e) {
            throw new IllegalStateException("a graph that was read cannot be wired anew", e);
        }
    }

    private static Graph wired(ModelFacts model, Wiring wiring) throws OnnxFileException {
        Graph graph = model.file().graph();
        Scopes scopes = model.scopes();
        List<GraphNode> nodes = new ArrayList<>();
        for (GraphNode node : graph.nodes()) {
            String scope = scopes.of(node);
            if (model.flow().isConstant(node)) {
                nodes.add(node);
            } else if (wiring.leavesOut(scope)) {
                nodes.add(node.withoutEdges());
            } else {
                nodes.add(rewired(model, node, scope, wiring));
            }
        }
        List<Declared> inputs = new ArrayList<>(graph.inputs());
        wiring.given().forEach(name -> inputs.add(given(name)));
        wiring.edges().forEach(edge -> inputs.add(given(edge.to())));
        return new Graph(nodes, graph.initializers(), inputs, graph.outputs(), graph.declared());
    }

    private static GraphNode rewired(ModelFacts model, GraphNode node, String scope, Wiring wiring)
            throws OnnxFileException {
        List<String> inputs =
                node.inputs().stream().map(name -> wiring.seenFrom(scope, name)).toList();
        for (String captured : node.captured()) {
            if (!wiring.seenFrom(scope, captured).equals(captured)) {
                throw HookException.wrongValue(
                        scope.replace('/', '.') + ".inputs",
                        "%s reads \"%s\" in a nested graph, where it cannot be replaced"
                                .formatted(node.label(), captured));
            }
        }
        return inputs.equals(node.inputs())
                ? node
                : node.withInputs(inputs, NodeWriter.withInputs(model.file().path(), node, inputs));
    }

    private static Declared given(String name) {
        return new Declared(name, Optional.empty(), ByteBuffer.allocate(0));
    }

    private static Map<String, TensorSpec> types(ModelFacts model, Wiring wiring) {
        Map<String, TensorSpec> types = new HashMap<>(model.types());
        for (Wiring.Edge edge : wiring.edges()) {
            TensorSpec spec = types.get(edge.from());
            if (spec != null) {
                types.put(edge.to(), spec);
            }
        }
        return types;
    }
}
