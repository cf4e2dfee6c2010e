package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the message {@code GraphProto}. Field numbers are those of the ONNX format. */
final class GraphReader {
    /** Bounds what a damaged or hostile file can make us hold; real models have thousands. */
    static final int MAX_ENTRIES = 1 << 20;

    private final List<GraphNode> nodes = new ArrayList<>();
    private final Map<String, Initializer> initializers = new LinkedHashMap<>();
    private final List<Declared> inputs = new ArrayList<>();
    private final List<Declared> outputs = new ArrayList<>();
    private final Map<String, Declared> declared = new LinkedHashMap<>();

    Graph read(WireReader graph) throws OnnxFileException {
        while (graph.next()) {
            switch (graph.field()) {
                case 1 -> nodes.add(new NodeReader().read(entry(graph, "node", nodes.size())));
                case 5 -> add(graph, InitializerReader.read(initializer(graph)));
                case 11 -> inputs.add(DeclaredReader.read(graph, inputs.size(), "input"));
                case 12 -> outputs.add(DeclaredReader.read(graph, outputs.size(), "output"));
                case 13 -> add(DeclaredReader.read(graph, declared.size(), "value_info"));
                case 15 -> throw graph.damaged("sparse constants are not supported");
                default -> {}
            }
        }
        inputs.removeIf(input -> initializers.containsKey(input.name()));
        return new Graph(nodes, initializers, inputs, outputs, declared);
    }

    private WireReader initializer(WireReader graph) throws OnnxFileException {
        return entry(graph, "initializer", initializers.size());
    }

    private void add(WireReader graph, Initializer initializer) throws OnnxFileException {
        if (initializers.put(initializer.name(), initializer) != null) {
            throw graph.damaged(
                    "a second initializer is named \"%s\"".formatted(initializer.name()));
        }
    }

    private void add(Declared value) {
        declared.put(value.name(), value);
    }

    private static WireReader entry(WireReader graph, String row, int index)
            throws OnnxFileException {
        graph.limit(index, MAX_ENTRIES, "entries in " + row);
        return graph.message(row, index);
    }
}
