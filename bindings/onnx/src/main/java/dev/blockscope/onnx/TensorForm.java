package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tensor as plain values that travel: its element type, its sizes, and the bytes of its elements
 * in row-major order, the least significant byte first.
 */
final class TensorForm {
    private TensorForm() {}

    static List<Object> of(Tensor tensor) {
        long size = (long) tensor.layout().size() * tensor.dtype().bytes();
        boolean whole = tensor.layout().isRowMajor() && tensor.storage().bytes().capacity() == size;
        byte[] bytes = new byte[Math.toIntExact(size)];
        (whole ? tensor : tensor.clone()).storage().bytes().get(bytes);
        return List.of(
                tensor.dtype().toString(),
                Arrays.stream(tensor.shape()).mapToObj(Math::toIntExact).toList(),
                inOtherOrder(bytes, tensor.dtype()));
    }

    /**
     * Makes a tensor of what was read.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Tensor tensor(@Nullable Object plain) {
        if (plain instanceof List<?> row
                && row.size() == 3
                && row.get(0) instanceof String type
                && row.get(1) instanceof List<?> sizes
                && row.get(2) instanceof byte[] bytes) {
            return tensor(DType.of(type), sizes, bytes);
        }
        throw new IllegalArgumentException("a tensor is its type, its sizes and its bytes");
    }

    private static Tensor tensor(DType type, List<?> sizes, byte[] bytes) {
        if (!type.isHoldable()) {
            throw new IllegalArgumentException("a tensor cannot hold elements of type " + type);
        }
        long[] shape = sizes.stream().mapToLong(TensorForm::size).toArray();
        // Before there is memory for it: the shape may promise what is not there.
        long size = (long) Layout.rowMajor(shape).size() * type.bytes();
        if (size != bytes.length) {
            throw new IllegalArgumentException(
                    "a tensor of %s %s has %d bytes, found were %d"
                            .formatted(type, Arrays.toString(shape), size, bytes.length));
        }
        if (type == DType.BOOL) {
            requireTruths(bytes);
        }
        return Tensor.copyOf(type, shape, ByteBuffer.wrap(inOtherOrder(bytes, type)));
    }

    /**
     * Returns tensors by their names.
     *
     * @throws IllegalArgumentException if what came from elsewhere is something else
     */
    static Map<String, Tensor> named(@Nullable Object given) {
        if (!(given instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException(
                    "expected tensors by their names, given " + typeOf(given));
        }
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        map.forEach((name, value) -> {
            if (!(name instanceof String key) || !(value instanceof Tensor tensor)) {
                throw new IllegalArgumentException(
                        "\"%s\" is %s, expected a tensor".formatted(name, typeOf(value)));
            }
            tensors.put(key, tensor);
        });
        return tensors;
    }

    private static long size(@Nullable Object size) {
        if (size instanceof Integer number) {
            return number;
        }
        throw new IllegalArgumentException("a tensor has a size that is " + typeOf(size));
    }

    /** Not what it is: what came from elsewhere may refer to itself, and its text have no end. */
    private static String typeOf(@Nullable Object value) {
        return value == null ? "null" : "a " + value.getClass().getSimpleName();
    }

    private static void requireTruths(byte[] bytes) {
        for (byte truth : bytes) {
            if (truth != 0 && truth != 1) {
                throw new IllegalArgumentException("a tensor of bool has the element " + truth);
            }
        }
    }

    /** Turns each element around, on machines that have the most significant byte first. */
    private static byte[] inOtherOrder(byte[] bytes, DType type) {
        if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
            return bytes;
        }
        int width = type.bytes();
        byte[] turned = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            int inElement = i % width;
            turned[i] = bytes[i - inElement + width - 1 - inElement];
        }
        return turned;
    }
}
