package dev.blockscope.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.InputStream;
import java.nio.ByteBuffer;
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
            (bytes, array, from, count) -> bytes.asShortBuffer().put(array, from, count),
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
            (bytes, array, from, count) -> bytes.asIntBuffer().put(array, from, count),
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
            (bytes, array, from, count) -> bytes.asLongBuffer().put(array, from, count),
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
            (bytes, array, from, count) -> bytes.asFloatBuffer().put(array, from, count),
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
            (bytes, array, from, count) -> bytes.asDoubleBuffer().put(array, from, count),
            (bytes, length) -> {
                double[] array = new double[length];
                bytes.asDoubleBuffer().get(array);
                return array;
            });

    /** Puts some of an array's elements into a buffer, whose own position stays. */
    @FunctionalInterface
    private interface Put<A> {
        void put(ByteBuffer bytes, A array, int from, int count);
    }

    private final int tag;
    private final int size;
    private final Class<?> type;
    private final ToIntFunction<Object> length;
    private final Put<Object> put;
    private final BiFunction<ByteBuffer, Integer, Object> get;

    <A> TypedArray(
            int tag,
            int size,
            Class<A> type,
            ToIntFunction<A> length,
            Put<A> put,
            BiFunction<ByteBuffer, Integer, A> get) {
        this.tag = tag;
        this.size = size;
        this.type = type;
        this.length = array -> length.applyAsInt(type.cast(array));
        this.put = (bytes, array, from, count) -> put.put(bytes, type.cast(array), from, count);
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

    /** Returns how many bytes the elements of an array are. */
    int size(Object array) {
        return Math.multiplyExact(length.applyAsInt(array), size);
    }

    /** Returns the bytes of an array's elements, which are not all there at once. */
    InputStream bytes(Object array) {
        return new Elements(array);
    }

    /** Elements are put where they are asked for, and one that does not fit there is cut. */
    private final class Elements extends InputStream {
        private final Object array;
        private final int count;
        private final ByteBuffer cut = ByteBuffer.allocate(size).order(LITTLE_ENDIAN).limit(0);
        private int next;

        Elements(Object array) {
            this.array = array;
            this.count = length.applyAsInt(array);
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int from, int most) {
            if (most == 0) {
                return 0;
            }
            int whole = Math.min(most / size, count - next);
            if (!cut.hasRemaining() && whole > 0) {
                put(ByteBuffer.wrap(into, from, whole * size).slice(), whole);
                return whole * size;
            }
            if (!cut.hasRemaining() && next < count) {
                put(cut.clear(), 1);
            }
            int some = Math.min(most, cut.remaining());
            cut.get(into, from, some);
            return some > 0 ? some : -1;
        }

        private void put(ByteBuffer into, int some) {
            put.put(into.order(LITTLE_ENDIAN), array, next, some);
            next += some;
        }
    }

    /**
     * Makes the array of its bytes.
     *
     * @throws IllegalArgumentException if they are no whole number of elements
     */
    Object array(ByteBuffer bytes) {
        if (bytes.remaining() % size != 0) {
            throw new IllegalArgumentException(
                    "%d bytes are no whole number of elements of %d bytes"
                            .formatted(bytes.remaining(), size));
        }
        return get.apply(bytes.order(LITTLE_ENDIAN), bytes.remaining() / size);
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
