package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the message {@code ModelProto}. Field numbers are those of the ONNX format. */
final class ModelReader {
    private static final int MAX_ENTRIES = 1 << 16;

    private final Path file;

    ModelReader(Path file) {
        this.file = file;
    }

    OnnxFile read(WireReader model) throws OnnxFileException {
        long version = 0;
        List<ByteBuffer> opsets = new ArrayList<>();
        List<ByteBuffer> functions = new ArrayList<>();
        Graph graph = null;
        while (model.next()) {
            switch (model.field()) {
                case 1 -> version = model.integer();
                case 7 -> graph = onlyOne(model, graph);
                case 8 -> opsets.add(model.copy());
                case 25 -> functions.add(model.copy());
                default -> {}
            }
            model.limit(
                    opsets.size() + functions.size(), MAX_ENTRIES, "operator sets and functions");
        }
        if (graph == null) {
            throw new OnnxFileException(file, "it holds no graph, so it is no model");
        }
        if (version < 1) {
            throw new OnnxFileException(file, "it does not say which version of the format it has");
        }
        return new OnnxFile(file, version, opsets, functions, graph);
    }

    private static Graph onlyOne(WireReader model, @Nullable Graph before)
            throws OnnxFileException {
        if (before != null) {
            throw model.damaged("a second graph, one was expected");
        }
        return new GraphReader().read(model.message("graph"));
    }
}
