package dev.blockscope.onnx;

import java.util.List;

/**
 * A piece of a graph that runs by itself.
 *
 * @param from the position it starts at
 * @param to the position it ends before
 * @param nodes its operations in order, with the constant ones it needs from before
 * @param inputs the values it must be given
 * @param outputs the values it makes that somebody after it reads
 * @param exposed further values it makes, which hook points inside it offer; fetched if asked for
 * @param initializers the constants it reads
 */
record Segment(
        int from,
        int to,
        List<GraphNode> nodes,
        List<String> inputs,
        List<String> outputs,
        List<String> exposed,
        List<Initializer> initializers) {

    Segment {
        nodes = List.copyOf(nodes);
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        exposed = List.copyOf(exposed);
        initializers = List.copyOf(initializers);
    }

    /** Returns how many bytes of weights its constants stand for. */
    long weightBytes() {
        return initializers.stream().mapToLong(Initializer::weightBytes).sum();
    }

    /** Returns how messages name it. */
    String label() {
        return "nodes %d to %d".formatted(from, to - 1);
    }
}
