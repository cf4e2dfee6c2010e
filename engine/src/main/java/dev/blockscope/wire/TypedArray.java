package dev.blockscope.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Java's arrays of numbers as RFC 8746 has them: their elements' bytes under a tag. */
@SuppressWarnings("ImmutableEnumChecker") // functions without a state
enum TypedArray {
    INT16(
            CborTags.INT16_ARRAY,
            Short.BYTES,
            short[].class,
            array -> array.length,
            (bytes, array) -> bytes.asShortBuffer().put(array),
            (bytes, length) -> {
                short[] array = new short[length];
                bytes.asShortBuffer().get(array);
                return array;
            }),
    INT32(
            CborTags.INT32_ARRAY,
            Integer.BYTES,
            int[].class,
            array -> array.length,
            (bytes, array) -> bytes.asIntBuffer().put(array),
            (bytes, length) -> {
                int[] array = new int[length];
                bytes.asIntBuffer().get(array);
                return array;
            }),
    INT64(
            CborTags.INT64_ARRAY,
            Long.BYTES,
            long[].class,
            array -> array.length,
            (bytes, array) -> bytes.asLongBuffer().put(array),
            (bytes, length) -> {
                long[] array = new long[length];
                bytes.asLongBuffer().get(array);
                return array;
            }),
    FLOAT32(
            CborTags.FLOAT32_ARRAY,
            Float.BYTES,
            float[].class,
            array -> array.length,
            (bytes, array) -> bytes.asFloatBuffer().put(array),
            (bytes, length) -> {
                float[] array = new float[length];
                bytes.asFloatBuffer().get(array);
                return array;
            }),
    FLOAT64(
            CborTags.FLOAT64_ARRAY,
            Double.BYTES,
            double[].class,
            array -> array.length,
            (bytes, array) -> bytes.asDoubleBuffer().put(array),
            (bytes, length) -> {
                double[] array = new double[length];
                bytes.asDoubleBuffer().get(array);
                return array;
            });

    private final int tag;
    private final int size;
    private final Class<?> type;
    private final ToIntFunction<Object> length;
    private final BiConsumer<ByteBuffer, Object> put;
    private final BiFunction<ByteBuffer, Integer, Object> get;

    <A> TypedArray(
            int tag,
            int size,
            Class<A> type,
            ToIntFunction<A> length,
            BiConsumer<ByteBuffer, A> put,
            BiFunction<ByteBuffer, Integer, A> get) {
        this.tag = tag;
        this.size = size;
        this.type = type;
        this.length = array -> length.applyAsInt(type.cast(array));
        this.put = (bytes, array) -> put.accept(bytes, type.cast(array));
        this.get = get::apply;
    }

    /** Returns the type of an array of primitive numbers that are no bytes. */
    static TypedArray of(Object array) {
        for (TypedArray candidate : values()) {
            if (candidate.type.isInstance(array)) {
                return candidate;
            }
        }
        throw new AssertionError("no typed array for " + array.getClass().getTypeName());
    }

    /** Returns the type of a tag, or null if it is none of these. */
    static @Nullable TypedArray tagged(int tag) {
        for (TypedArray candidate : values()) {
            if (candidate.tag == tag) {
                return candidate;
            }
        }
        return null;
    }

    int tag() {
        return tag;
    }

    byte[] bytes(Object array) {
        byte[] bytes = new byte[Math.multiplyExact(length.applyAsInt(array), size)];
        put.accept(ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN), array);
        return bytes;
    }

    /**
     * Makes the array of its bytes.
     *
     * @throws IllegalArgumentException if they are no whole number of elements
     */
    Object array(byte[] bytes) {
        if (bytes.length % size != 0) {
            throw new IllegalArgumentException(
                    "%d bytes are no whole number of elements of %d bytes"
                            .formatted(bytes.length, size));
        }
        return get.apply(ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN), bytes.length / size);
    }

    static byte[] bytesOf(boolean[] truths) {
        byte[] bytes = new byte[truths.length];
        for (int i = 0; i < truths.length; i++) {
            bytes[i] = (byte) (truths[i] ? 1 : 0);
        }
        return bytes;
    }

    static boolean[] truthsOf(byte[] bytes) {
        boolean[] truths = new boolean[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            truths[i] = bytes[i] != 0;
        }
        return truths;
    }
}
