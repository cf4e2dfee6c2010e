package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads the message {@code NodeProto}. Field numbers are those of the ONNX format. */
final class NodeReader {
    private static final int MAX_VALUES = 1 << 16;

    private final List<String> inputs = new ArrayList<>();
    private final List<String> outputs = new ArrayList<>();
    private final Set<String> captured = new LinkedHashSet<>();
    private final Set<String> inner = new LinkedHashSet<>();
    private String name = "";
    private String operator = "";
    private boolean nested;

    /** Reads one node and keeps its bytes. */
    GraphNode read(WireReader node) throws OnnxFileException {
        readFields(node);
        return new GraphNode(
                node.index(),
                name,
                operator,
                inputs,
                outputs,
                captured,
                inner,
                nested,
                node.whole());
    }

    private void readFields(WireReader node) throws OnnxFileException {
        while (node.next()) {
            switch (node.field()) {
                case 1 -> inputs.add(node.text());
                case 2 -> outputs.add(node.text());
                case 3 -> name = node.text();
                case 4 -> operator = node.text();
                case 5 -> readAttribute(node.message("attribute"));
                default -> {}
            }
            node.limit(inputs.size() + outputs.size(), MAX_VALUES, "inputs and outputs");
        }
        if (operator.isEmpty()) {
            throw node.damaged("a node names no operator");
        }
    }

    private void readAttribute(WireReader attribute) throws OnnxFileException {
        while (attribute.next()) {
            switch (attribute.field()) {
                case 6, 11 -> {
                    nested = true;
                    readNested(attribute.message("graph"));
                }
                default -> {}
            }
        }
    }

    /** Collects what a nested graph reads and does not define itself. */
    private void readNested(WireReader graph) throws OnnxFileException {
        Set<String> defined = new LinkedHashSet<>();
        Set<String> read = new LinkedHashSet<>();
        while (graph.next()) {
            switch (graph.field()) {
                case 1 -> {
                    NodeReader one = new NodeReader();
                    one.readFields(graph.message("node"));
                    read.addAll(one.inputs);
                    read.addAll(one.captured);
                    defined.addAll(one.outputs);
                    inner.addAll(one.inner);
                }
                case 5 -> defined.add(InitializerReader.read(graph.message("initializer")).name());
                case 11 -> defined.add(DeclaredReader.read(graph, 0, "input").name());
                case 12 -> read.add(DeclaredReader.read(graph, 0, "output").name());
                default -> {}
            }
        }
        inner.addAll(defined);
        read.removeAll(defined);
        captured.addAll(read);
    }
}
