package dev.blockscope.onnx;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Cuts a graph into segments by position. Whatever is alive at a cut passes it; constant
 * subexpressions do not pass, each segment that needs one has its own.
 */
final class Partition {
    private final Graph graph;
    private final Dataflow flow;
    private final Set<String> hooked;

    /**
     * Prepares to cut a graph.
     *
     * @param hooked what hook points offer; it is there at a cut right after it is made
     * @param types its tensors; what is none of them cannot be offered
     */
    Partition(Graph graph, Dataflow flow, Set<String> hooked, Map<String, TensorSpec> types) {
        this.graph = graph;
        this.flow = flow;
        this.hooked = new HashSet<>(hooked);
        this.hooked.retainAll(types.keySet());
    }

    /**
     * Returns the segment between two positions, the second being the larger.
     *
     * @param exposed what it has as further outputs, which hook points in it offer
     */
    Segment between(int from, int to, Set<String> exposed) {
        Set<String> outputs = outputs(from, to);
        Set<String> needed = new HashSet<>(outputs);
        needed.addAll(exposed);
        Set<String> made = new HashSet<>();
        Deque<GraphNode> nodes = new ArrayDeque<>();
        for (int i = to - 1; i >= 0; i--) {
            GraphNode node = graph.nodes().get(i);
            boolean belongs = i >= from || flow.isConstant(node);
            if (belongs && node.makes().anyMatch(needed::contains)) {
                nodes.addFirst(node);
                node.reads().forEach(needed::add);
                node.makes().forEach(made::add);
            }
        }
        return segment(from, to, nodes, outputs, exposed, made);
    }

    private Segment segment(
            int from,
            int to,
            Deque<GraphNode> nodes,
            Set<String> outputs,
            Set<String> exposed,
            Set<String> made) {
        Set<String> inputs = new LinkedHashSet<>();
        Set<Initializer> initializers = new LinkedHashSet<>();
        Stream<String> reads = nodes.stream().flatMap(GraphNode::reads);
        for (String value : (Iterable<String>) Stream.concat(reads, outputs.stream())::iterator) {
            Initializer initializer = graph.initializers().get(value);
            if (initializer != null) {
                initializers.add(initializer);
            } else if (!made.contains(value)) {
                inputs.add(value);
            }
        }
        return new Segment(
                from,
                to,
                nodes.stream().toList(),
                inputs.stream().toList(),
                outputs.stream().toList(),
                exposed.stream().toList(),
                initializers.stream().toList());
    }

    private Set<String> outputs(int from, int to) {
        Set<String> outputs = new LinkedHashSet<>();
        for (GraphNode node : graph.nodes().subList(from, to)) {
            if (!flow.isConstant(node)) {
                node.makes().filter(value -> isWanted(value, to)).forEach(outputs::add);
            }
        }
        if (to == graph.nodes().size()) {
            graph.outputs().stream()
                    .map(Declared::name)
                    .filter(value -> flow.isConstant(value))
                    .forEach(outputs::add);
        }
        return outputs;
    }

    /** Returns which of some tensors a segment makes, and would not pass on by itself. */
    Set<String> exposable(int from, int to, Set<String> tensors) {
        return tensors.stream()
                .filter(value -> flow.madeAt(value) > from && flow.madeAt(value) <= to)
                .filter(value -> hooked.contains(value) && !isWanted(value, to))
                .collect(Collectors.toUnmodifiableSet());
    }

    private boolean isWanted(String value, int to) {
        return flow.isReadFrom(value, to) || (flow.madeAt(value) == to && hooked.contains(value));
    }
}
