package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One operation of a graph.
 *
 * @param index its position in the file's list, 0-based
 * @param name its name, empty if the file gives none
 * @param operator the operator's name, such as {@code "MatMul"}
 * @param inputs the names it reads; an omitted one is empty
 * @param outputs the names it makes; an omitted one is empty
 * @param captured the names its nested graphs read from around them
 * @param inner the names that its nested graphs define
 * @param nested whether it has nested graphs (as {@code If} and {@code Loop} do)
 * @param proto the node as the file has it
 */
record GraphNode(
        int index,
        String name,
        String operator,
        List<String> inputs,
        List<String> outputs,
        Set<String> captured,
        Set<String> inner,
        boolean nested,
        ByteBuffer proto) {

    /** Operators that answer differently each time, so that they must run once only. */
    private static final Set<String> RANDOM =
            Set.of(
                    "RandomNormal",
                    "RandomNormalLike",
                    "RandomUniform",
                    "RandomUniformLike",
                    "Multinomial",
                    "Bernoulli",
                    "Dropout");

    GraphNode {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        captured = Set.copyOf(captured);
        inner = Set.copyOf(inner);
    }

    /** Returns it with other inputs, and as a file has it with them. */
    GraphNode withInputs(List<String> others, ByteBuffer as) {
        return new GraphNode(index, name, operator, others, outputs, captured, inner, nested, as);
    }

    /** Returns what keeps its place where it does not run. */
    GraphNode withoutEdges() {
        return new GraphNode(
                index, name, operator, List.of(), List.of(), Set.of(), Set.of(), false, proto);
    }

    /** Returns every name it reads, those of its nested graphs included. */
    Stream<String> reads() {
        return Stream.concat(inputs.stream(), captured.stream()).filter(name -> !name.isEmpty());
    }

    /** Returns every name it makes. */
    Stream<String> makes() {
        return outputs.stream().filter(name -> !name.isEmpty());
    }

    /** Returns whether it may run more than once without anybody noticing. */
    boolean isRepeatable() {
        return !nested && !RANDOM.contains(operator);
    }

    /** Returns how messages name it. */
    String label() {
        return "node %d (%s \"%s\")".formatted(index, operator, name);
    }
}
