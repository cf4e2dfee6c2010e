package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes segments as ONNX models of their own, without weights: a constant of any size points at
 * its bytes in the model file. Field numbers are those of the ONNX format.
 */
final class SegmentWriter {
    private static final int EXTERNAL = 1;
    private static final int INTEGER = 2;

    private final OnnxFile model;

    SegmentWriter(OnnxFile model) {
        this.model = model;
    }

    /**
     * Writes a segment.
     *
     * @param types what is known about the values that pass a cut
     */
    byte[] write(Segment segment, Map<String, TensorSpec> types) {
        WireWriter graph = new WireWriter().text(2, segment.label());
        segment.nodes().forEach(node -> graph.raw(1, node.proto()));
        segment.initializers().forEach(constant -> graph.message(5, initializer(constant)));
        segment.inputs().forEach(name -> graph.message(11, value(name, types)));
        segment.outputs().forEach(name -> graph.message(12, value(name, types)));
        segment.exposed().forEach(name -> graph.message(12, value(name, types)));
        return write(graph);
    }

    /**
     * Writes the whole graph with every value that a node makes as an output: those that are
     * outputs anyway as the file declares them, the others of unsaid type.
     */
    byte[] writeAllOutputs() {
        WireWriter graph = new WireWriter().text(2, "types");
        Graph whole = model.graph();
        whole.nodes().forEach(node -> graph.raw(1, node.proto()));
        whole.initializers().values().forEach(it -> graph.message(5, initializer(it)));
        whole.inputs().forEach(input -> graph.raw(11, input.proto()));
        whole.outputs().forEach(output -> graph.raw(12, output.proto()));
        Set<String> declared =
                whole.outputs().stream().map(Declared::name).collect(Collectors.toSet());
        whole.nodes().stream()
                .flatMap(GraphNode::makes)
                .filter(name -> !declared.contains(name))
                .forEach(name -> graph.message(12, new WireWriter().text(1, name)));
        return write(graph);
    }

    /**
     * Writes the whole graph with a hook behind some tensors, which then have their names. Each
     * hook reads what the one before it made, so that they run in the order of the file.
     *
     * @param hooked tensors that nodes make, in the order they are made; the number of a hook is
     *     the place of its tensor
     */
    byte[] writeHooked(List<String> hooked) {
        Graph whole = model.graph();
        WireWriter graph = new WireWriter().text(2, "hooked");
        String before = "";
        for (GraphNode node : whole.nodes()) {
            List<String> own = node.outputs().stream().filter(hooked::contains).toList();
            graph.raw(1, own.isEmpty() ? node.proto() : bare(node, own));
            for (String tensor : own) {
                String previous = before.isEmpty() ? bare(tensor) : before;
                graph.message(1, hook(tensor, previous, hooked.indexOf(tensor)));
                before = tensor;
            }
        }
        whole.initializers().values().forEach(it -> graph.message(5, initializer(it)));
        whole.inputs().forEach(input -> graph.raw(11, input.proto()));
        whole.outputs().forEach(output -> graph.raw(12, output.proto()));
        WireWriter domain = new WireWriter().text(1, HookOperator.DOMAIN).integer(2, 1);
        return model(graph).message(8, domain).toByteArray();
    }

    private ByteBuffer bare(GraphNode node, List<String> hooked) {
        List<String> outputs =
                node.outputs().stream()
                        .map(output -> hooked.contains(output) ? bare(output) : output)
                        .toList();
        return NodeWriter.withOutputs(model.path(), node, outputs);
    }

    private static String bare(String tensor) {
        return tensor + " before its hook";
    }

    private static WireWriter hook(String tensor, String previous, int id) {
        WireWriter attribute =
                new WireWriter().text(1, HookOperator.ID).integer(3, id).integer(20, INTEGER);
        return new WireWriter()
                .text(1, bare(tensor))
                .text(1, previous)
                .text(2, tensor)
                .text(3, "hook " + id)
                .text(4, HookOperator.NAME)
                .message(5, attribute)
                .text(7, HookOperator.DOMAIN);
    }

    private byte[] write(WireWriter graph) {
        return model(graph).toByteArray();
    }

    private WireWriter model(WireWriter graph) {
        WireWriter out = new WireWriter().integer(1, model.irVersion()).text(2, "blockscope");
        out.message(7, graph);
        model.opsets().forEach(opset -> out.raw(8, opset));
        model.functions().forEach(function -> out.raw(25, function));
        return out;
    }

    private WireWriter initializer(Initializer initializer) {
        return switch (initializer) {
            case Initializer.Repeated repeated -> new WireWriter().copy(repeated.proto());
            case Initializer.Pointed pointed -> pointed(pointed);
        };
    }

    private WireWriter pointed(Initializer.Pointed pointed) {
        WireWriter tensor = new WireWriter();
        pointed.dims().forEach(dim -> tensor.integer(1, dim));
        return tensor.integer(2, pointed.typeCode())
                .text(8, pointed.name())
                .message(13, entry("location", String.valueOf(model.path().getFileName())))
                .message(13, entry("offset", Long.toString(pointed.bytes().offset())))
                .message(13, entry("length", Long.toString(pointed.bytes().length())))
                .integer(14, EXTERNAL);
    }

    private static WireWriter entry(String key, String value) {
        return new WireWriter().text(1, key).text(2, value);
    }

    private static WireWriter value(String name, Map<String, TensorSpec> types) {
        WireWriter value = new WireWriter().text(1, name);
        TensorSpec spec = types.get(name);
        return spec == null ? value : value.message(2, type(spec));
    }

    private static WireWriter type(TensorSpec spec) {
        WireWriter tensor = new WireWriter().integer(1, spec.dtype().code());
        if (!spec.shape().isEmpty()) {
            tensor.message(2, shape(spec.shape()));
        }
        return new WireWriter().message(1, tensor);
    }

    private static WireWriter shape(List<Dimension> dimensions) {
        WireWriter shape = new WireWriter();
        dimensions.forEach(dimension -> shape.message(1, dimension(dimension)));
        return shape;
    }

    private static WireWriter dimension(Dimension dimension) {
        WireWriter dim = new WireWriter();
        if (dimension.isFixed()) {
            return dim.integer(1, dimension.size());
        }
        return dimension.name().isEmpty() ? dim : dim.text(2, dimension.name());
    }
}
