package dev.blockscope.onnx;

import java.util.List;
import java.util.Map;

/**
 * The graph of a model file.
 *
 * @param nodes its operations, in the order they run
 * @param initializers its constants by name
 * @param inputs what a caller must give; constants with a default are not among them
 * @param outputs what it makes
 * @param declared further values it declares a type for, by name
 */
record Graph(
        List<GraphNode> nodes,
        Map<String, Initializer> initializers,
        List<Declared> inputs,
        List<Declared> outputs,
        Map<String, Declared> declared) {

    Graph {
        nodes = List.copyOf(nodes);
        initializers = Map.copyOf(initializers);
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        declared = Map.copyOf(declared);
    }
}
