package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    private String location = "";
    private String offset = "0";
    private String length = "0";
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
                case 13 -> readExternal(tensor.message("external_data"));
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
                    name,
                    external ? 0 : proto.remaining(),
                    parameters,
                    proto,
                    external ? Optional.of(beside(elements)) : Optional.empty());
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

    private Initializer.Beside beside(long elements) throws OnnxFileException {
        long told = bytes("length", length);
        Optional<DType> type = DType.ofCode(typeCode).filter(DType::isHoldable);
        if (told > 0 && type.isPresent()) {
            checkLength(told, elements, type.get());
        }
        return new Initializer.Beside(location, bytes("offset", offset), told);
    }

    private long bytes(String what, String number) throws OnnxFileException {
        try {
            long bytes = Long.parseLong(number);
            if (bytes >= 0) {
                return bytes;
            }
        } catch (NumberFormatException _) {
            // Told below, as one that is negative.
        }
        throw tensor.damaged(
                "the %s of the weights \"%s\" in \"%s\" is \"%s\", expected a number of bytes"
                        .formatted(what, name, location, number));
    }

    /** Weights may lie in files beside the model, but nowhere else. */
    private void readExternal(WireReader entry) throws OnnxFileException {
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
        switch (key) {
            case "location" -> location = value;
            case "offset" -> offset = value;
            case "length" -> length = value;
            default -> {}
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
