package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The memory behind one tensor and all views of it: owned by Java, in native byte order. It counts
 * the changes made to it, so that others can see whether there were any.
 */
final class Storage {
    /**
     * Up to so many bytes are on the heap: to get and free others takes longer than to use them.
     */
    private static final int SMALL = 1024;

    private final DType dtype;
    private final ByteBuffer bytes;
    private int changes;
    private boolean shared;
    private @Nullable Loan loan;

    private Storage(DType dtype, ByteBuffer bytes) {
        this.dtype = dtype;
        this.bytes = bytes;
    }

    /** Makes room for {@code count} elements, all zero. */
    static Storage allocate(DType dtype, int count) {
        long size = (long) count * dtype.bytes();
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a tensor of %d elements of %s is %d bytes, the limit is %d"
                            .formatted(count, dtype, size, Integer.MAX_VALUE));
        }
        ByteBuffer bytes =
                size <= SMALL
                        ? ByteBuffer.allocate((int) size)
                        : ByteBuffer.allocateDirect((int) size);
        return new Storage(dtype, bytes.order(ByteOrder.nativeOrder()));
    }

    /** Makes a storage of memory in native byte order, all of which it takes. */
    static Storage in(DType dtype, ByteBuffer memory) {
        return new Storage(dtype, memory);
    }

    DType dtype() {
        return dtype;
    }

    /** Returns whether native code can use the memory where it is. */
    boolean isOffHeap() {
        return bytes.isDirect();
    }

    /** Returns the memory itself; whoever writes to it says so by {@link #changed}. */
    ByteBuffer bytes() {
        return bytes.duplicate().order(ByteOrder.nativeOrder());
    }

    /** Says that the memory is only lent to whoever sees it. */
    void lend(Loan by) {
        loan = by;
    }

    /** Returns what the memory is lent by; null if it is its users' own. */
    @Nullable Loan loan() {
        return loan;
    }

    /** Notes that elements have been written. */
    void changed() {
        changes++;
    }

    /**
     * Returns how often elements have been written. Once the memory is {@link #share}d every answer
     * differs from the one before, because writes can no longer be seen.
     */
    int changes() {
        return shared ? ++changes : changes;
    }

    /** Gives the memory to one who writes to it without saying so. */
    ByteBuffer share() {
        shared = true;
        return bytes();
    }

    /** Returns the memory, if nobody was given it by {@link #share}. */
    Optional<ByteBuffer> unshared() {
        return shared ? Optional.empty() : Optional.of(bytes);
    }

    /** Returns an element as a floating-point number; a boolean is 0 or 1. */
    double get(int index) {
        return switch (dtype) {
            case FLOAT32 -> bytes.getFloat(index * Float.BYTES);
            case FLOAT64 -> bytes.getDouble(index * Double.BYTES);
            case FLOAT16 -> Float.float16ToFloat(bytes.getShort(index * Short.BYTES));
            default -> getLong(index);
        };
    }

    /** Returns an element as an integer; fractions are cut off. */
    long getLong(int index) {
        return switch (dtype) {
            case INT64 -> bytes.getLong(index * Long.BYTES);
            case INT32 -> bytes.getInt(index * Integer.BYTES);
            case INT16 -> bytes.getShort(index * Short.BYTES);
            case INT8 -> bytes.get(index);
            case UINT8, BOOL -> bytes.get(index) & 0xff;
            default -> (long) get(index);
        };
    }

    /**
     * Sets an element.
     *
     * @throws IllegalArgumentException if the element type cannot hold the value
     */
    void set(int index, double value) {
        switch (dtype) {
            case FLOAT32 -> bytes.putFloat(index * Float.BYTES, (float) value);
            case FLOAT64 -> bytes.putDouble(index * Double.BYTES, value);
            case FLOAT16 ->
                    bytes.putShort(index * Short.BYTES, Float.floatToFloat16((float) value));
            default -> {
                if (value != Math.rint(value)) {
                    throw misfit(Double.toString(value));
                }
                setLong(index, whole(value));
            }
        }
    }

    /**
     * Sets an element.
     *
     * @throws IllegalArgumentException if the element type cannot hold the value
     */
    void setLong(int index, long value) {
        switch (dtype) {
            case INT64 -> bytes.putLong(index * Long.BYTES, value);
            case INT32 ->
                    bytes.putInt(
                            index * Integer.BYTES, (int) within(value, -1L << 31, ~(-1L << 31)));
            case INT16 ->
                    bytes.putShort(
                            index * Short.BYTES,
                            (short) within(value, Short.MIN_VALUE, Short.MAX_VALUE));
            case INT8 -> bytes.put(index, (byte) within(value, -128, 127));
            case UINT8 -> bytes.put(index, (byte) within(value, 0, 255));
            case BOOL -> bytes.put(index, (byte) within(value, 0, 1));
            default -> set(index, (double) value);
        }
    }

    /** Sets an element to one of another storage of the same element type. */
    void put(int index, Storage source, int from) {
        int width = dtype.bytes();
        bytes.put(index * width, source.bytes, from * width, width);
    }

    /**
     * Cuts the fraction off a number.
     *
     * @throws IllegalArgumentException if it is no number or none of 64 bits
     */
    long whole(double value) {
        if (!(value >= -0x1p63 && value < 0x1p63)) {
            throw misfit(Double.toString(value));
        }
        return (long) value;
    }

    private long within(long value, long least, long most) {
        if (value < least || value > most) {
            throw misfit(Long.toString(value));
        }
        return value;
    }

    private IllegalArgumentException misfit(String value) {
        return new IllegalArgumentException(
                "an element of type %s cannot hold %s".formatted(dtype, value));
    }
}
