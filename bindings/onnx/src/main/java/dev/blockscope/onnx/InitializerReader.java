package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the message {@code TensorProto}. Field numbers are those of the ONNX format. */
final class InitializerReader {
    /**
     * Constants up to this size (shapes, axes, scalars) are repeated in a segment, because ONNX
     * Runtime looks at their values when it plans; larger ones stay in the model file.
     */
    static final int REPEATED_BYTES = 1024;

    /** More dimensions than any tensor has. */
    static final int MAX_DIMS = 64;

    private static final int EXTERNAL = 1;

    private final WireReader tensor;
    private final List<Long> dims = new ArrayList<>();
    private String name = "";
    private long typeCode;
    private boolean external;
    private @Nullable Slice raw;

    private InitializerReader(WireReader tensor) {
        this.tensor = tensor;
    }

    static Initializer read(WireReader tensor) throws OnnxFileException {
        return new InitializerReader(tensor).read();
    }

    private Initializer read() throws OnnxFileException {
        while (tensor.next()) {
            switch (tensor.field()) {
                case 1 -> tensor.integers(dims, MAX_DIMS);
                case 2 -> typeCode = tensor.integer();
                case 8 -> name = tensor.text();
                case 9 -> raw = tensor.slice();
                case 13 -> checkExternal(tensor.message("external_data"));
                case 14 -> external = tensor.integer() == EXTERNAL;
                default -> {}
            }
        }
        long elements = check();
        boolean weight = typeCode != DType.INT64.code() && typeCode != DType.BOOL.code();
        long parameters = weight ? elements : 0;
        if (raw == null || external || raw.length() <= REPEATED_BYTES) {
            ByteBuffer proto = tensor.whole();
            return new Initializer.Repeated(
                    name, external ? 0 : proto.remaining(), parameters, proto);
        }
        return new Initializer.Pointed(name, typeCode, dims, parameters, raw);
    }

    /** Returns the number of elements. */
    private long check() throws OnnxFileException {
        long elements = 1;
        for (long dim : dims) {
            if (dim < 0 || (dim > 0 && elements > Long.MAX_VALUE / dim)) {
                throw tensor.damaged("\"%s\" has an absurd shape %s".formatted(name, dims));
            }
            elements *= dim;
        }
        DType type =
                DType.ofCode(typeCode)
                        .orElseThrow(() ->
                                tensor.damaged(
                                        "\"%s\" has unknown type %d".formatted(name, typeCode)));
        if (raw != null && !external && type.isHoldable()) {
            checkLength(raw.length(), elements, type);
        }
        return elements;
    }

    private void checkLength(long length, long elements, DType type) throws OnnxFileException {
        if (elements > Long.MAX_VALUE / type.bytes() || length != elements * type.bytes()) {
            throw tensor.damaged(
                    "\"%s\" is %s %s, but it has %d bytes of elements"
                            .formatted(name, type, dims, length));
        }
    }

    /** Weights may lie in files beside the model, but nowhere else. */
    private static void checkExternal(WireReader entry) throws OnnxFileException {
        String key = "";
        String value = "";
        while (entry.next()) {
            switch (entry.field()) {
                case 1 -> key = entry.text();
                case 2 -> value = entry.text();
                default -> {}
            }
        }
        if (key.equals("location") && leavesFolder(value)) {
            throw entry.damaged(
                    "the weights file \"%s\" is not in the model's folder".formatted(value));
        }
    }

    private static boolean leavesFolder(String location) {
        try {
            Path path = Path.of(location);
            return path.isAbsolute() || path.normalize().startsWith("..");
        } catch (InvalidPathException _) {
            return true;
        }
    }
}
