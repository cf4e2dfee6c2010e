package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the message {@code ValueInfoProto}. Field numbers are those of the ONNX format. */
final class DeclaredReader {
    private DeclaredReader() {}

    /** Reads the current field of {@code graph}, the {@code index}-th of {@code row}. */
    static Declared read(WireReader graph, int index, String row) throws OnnxFileException {
        graph.limit(index, GraphReader.MAX_ENTRIES, "entries in " + row);
        WireReader value = graph.message(row, index);
        String name = "";
        Optional<TensorSpec> type = Optional.empty();
        while (value.next()) {
            switch (value.field()) {
                case 1 -> name = value.text();
                case 2 -> type = type(value.message("type"));
                default -> {}
            }
        }
        if (name.isEmpty()) {
            throw value.damaged("a value has no name");
        }
        String found = name;
        Optional<TensorSpec> spec =
                type.map(open -> new TensorSpec(found, open.dtype(), open.shape()));
        return new Declared(name, spec, value.whole());
    }

    private static Optional<TensorSpec> type(WireReader type) throws OnnxFileException {
        Optional<TensorSpec> found = Optional.empty();
        while (type.next()) {
            if (type.field() == 1) {
                found = tensor(type.message("tensor_type"));
            }
        }
        return found;
    }

    private static Optional<TensorSpec> tensor(WireReader tensor) throws OnnxFileException {
        long code = 0;
        List<Dimension> shape = List.of();
        while (tensor.next()) {
            switch (tensor.field()) {
                case 1 -> code = tensor.integer();
                case 2 -> shape = shape(tensor.message("shape"));
                default -> {}
            }
        }
        List<Dimension> dims = shape;
        return DType.ofCode(code).map(dtype -> new TensorSpec("", dtype, dims));
    }

    private static List<Dimension> shape(WireReader shape) throws OnnxFileException {
        List<Dimension> dims = new ArrayList<>();
        while (shape.next()) {
            if (shape.field() == 1) {
                dims.add(dimension(shape.message("dim", dims.size())));
                shape.limit(dims.size(), InitializerReader.MAX_DIMS, "dimensions");
            }
        }
        return dims;
    }

    private static Dimension dimension(WireReader dim) throws OnnxFileException {
        long size = -1;
        String name = "";
        while (dim.next()) {
            switch (dim.field()) {
                case 1 -> size = dim.integer();
                case 2 -> name = dim.text();
                default -> {}
            }
        }
        if (size < -1) {
            throw dim.damaged("a dimension has size %d".formatted(size));
        }
        return new Dimension(name, size);
    }
}
