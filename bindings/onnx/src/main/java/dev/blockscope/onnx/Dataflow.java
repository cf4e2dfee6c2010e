package dev.blockscope.onnx;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who makes and who reads the values of a graph. A value is known by its name; a place between two
 * nodes is known by the number of nodes before it, its <i>position</i>.
 */
final class Dataflow {
    private static final int NOT_MADE = -1;

    private final Graph graph;
    private final Map<String, Integer> makers = new HashMap<>();
    private final Map<String, Integer> lastReads = new HashMap<>();
    private final BitSet constants = new BitSet();
    private final boolean repeatable;

    /**
     * Follows the values of {@code graph}.
     *
     * @throws OnnxFileException if a node reads a value that nothing before it makes, or two nodes
     *     make the same
     */
    Dataflow(Path file, Graph graph) throws OnnxFileException {
        this.graph = graph;
        this.repeatable = graph.nodes().stream().allMatch(GraphNode::isRepeatable);
        for (Declared input : graph.inputs()) {
            makers.put(input.name(), NOT_MADE);
        }
        for (GraphNode node : graph.nodes()) {
            follow(file, node);
        }
        for (Declared output : graph.outputs()) {
            requireKnown(file, output.name(), "the graph's outputs");
            lastReads.put(output.name(), graph.nodes().size());
        }
    }

    private void follow(Path file, GraphNode node) throws OnnxFileException {
        boolean constant = node.isRepeatable();
        for (String name : (Iterable<String>) node.reads()::iterator) {
            requireKnown(file, name, node.label());
            constant &= isConstant(name);
        }
        constants.set(node.index(), constant);
        if (!constant) {
            node.reads().forEach(name -> lastReads.put(name, node.index()));
        }
        for (String name : (Iterable<String>) node.makes()::iterator) {
            if (makers.put(name, node.index()) != null) {
                throw new OnnxFileException(
                        file, node.label() + " makes \"" + name + "\", which is made already");
            }
        }
    }

    private void requireKnown(Path file, String name, String reader) throws OnnxFileException {
        if (!makers.containsKey(name) && !graph.initializers().containsKey(name)) {
            throw new OnnxFileException(
                    file, reader + " need \"" + name + "\", which nothing before makes");
        }
    }

    /** Returns the graph's operations, in the order they run. */
    List<GraphNode> nodes() {
        return graph.nodes();
    }

    /** Returns whether the value is the same in every run. */
    boolean isConstant(String value) {
        int maker = maker(value);
        return maker == NOT_MADE ? graph.initializers().containsKey(value) : constants.get(maker);
    }

    /** Returns whether the node makes the same in every run. */
    boolean isConstant(GraphNode node) {
        return constants.get(node.index());
    }

    /** Returns whether running any part of the graph twice makes the same both times. */
    boolean isRepeatable() {
        return repeatable;
    }

    /** Returns the position right after the value is made; 0 for an input or an initializer. */
    int madeAt(String value) {
        return maker(value) + 1;
    }

    /** Returns whether a node that depends on the inputs, or the caller, reads it at or after. */
    boolean isReadFrom(String value, int position) {
        return lastReads.getOrDefault(value, NOT_MADE) >= position;
    }

    private int maker(String value) {
        return makers.getOrDefault(value, NOT_MADE);
    }
}
