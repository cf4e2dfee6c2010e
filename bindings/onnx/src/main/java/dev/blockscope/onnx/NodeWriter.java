package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** Writes nodes as their file has them, but for the names of what they read or make. */
final class NodeWriter {
    private static final int INPUT = 1;
    private static final int OUTPUT = 2;

    private NodeWriter() {}

    /** Returns a node with other inputs. */
    static ByteBuffer withInputs(Path file, GraphNode node, List<String> inputs) {
        return with(file, node, INPUT, inputs);
    }

    /** Returns a node with other outputs. */
    static ByteBuffer withOutputs(Path file, GraphNode node, List<String> outputs) {
        return with(file, node, OUTPUT, outputs);
    }

    private static ByteBuffer with(Path file, GraphNode node, int field, List<String> names) {
        WireWriter proto = new WireWriter();
        names.forEach(name -> proto.text(field, name));
        try {
            WireReader fields = new WireReader(file, node.proto());
            while (fields.next()) {
                if (fields.field() != field) {
                    proto.raw(fields.field(), fields.copy());
                }
            }
        } catch (OnnxFileException e) {
            throw new IllegalStateException("a node that was read cannot be read again", e);
        }
        return ByteBuffer.wrap(proto.toByteArray()).asReadOnlyBuffer();
    }
}
