package dev.blockscope.onnx;

import java.nio.ByteBuffer;

/**
 * Evenly spaced elements of a storage, taken out into an array as numbers of double precision or of
 * 64 bits, and put back. Numbers that are put back are rounded, or wrap around, as a cast in C
 * does.
 *
 * <p>Every element type is worked on this way: what float32 and float16 make of a sum, a product, a
 * quotient or a root of double precision is what they would have made of it themselves.
 */
final class Lane {
    /** How many elements are worked on at once; as arrays they stay in the processor's cache. */
    static final int LENGTH = 1024;

    private final Storage storage;
    private final ByteBuffer bytes;
    private final int step;

    /** Prepares to go through {@code storage}, each element {@code step} after the one before. */
    Lane(Storage storage, int step) {
        this.storage = storage;
        this.bytes = storage.bytes();
        this.step = step;
    }

    /** Prepares to go through the rows of a layout of a tensor. */
    static Lane of(Tensor tensor, Layout layout) {
        return new Lane(tensor.storage(), Rows.step(layout));
    }

    /** Takes out {@code count} elements from {@code start} on. */
    void read(int start, int count, double[] into) {
        switch (storage.dtype()) {
            case FLOAT32 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = bytes.getFloat((start + i * step) * Float.BYTES);
                }
            }
            case FLOAT64 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = bytes.getDouble((start + i * step) * Double.BYTES);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    into[i] = storage.get(start + i * step);
                }
            }
        }
    }

    /** Takes out {@code count} elements from {@code start} on; fractions are cut off. */
    void read(int start, int count, long[] into) {
        if (storage.dtype() == DType.INT64) {
            for (int i = 0; i < count; i++) {
                into[i] = bytes.getLong((start + i * step) * Long.BYTES);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            into[i] = storage.getLong(start + i * step);
        }
    }

    /** Puts back {@code count} elements from {@code start} on. */
    void write(int start, int count, double[] from) {
        switch (storage.dtype()) {
            case FLOAT32 -> {
                for (int i = 0; i < count; i++) {
                    bytes.putFloat((start + i * step) * Float.BYTES, (float) from[i]);
                }
            }
            case FLOAT64 -> {
                for (int i = 0; i < count; i++) {
                    bytes.putDouble((start + i * step) * Double.BYTES, from[i]);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    storage.set(start + i * step, from[i]);
                }
            }
        }
    }

    /** Puts back {@code count} elements from {@code start} on. */
    void write(int start, int count, long[] from) {
        for (int i = 0; i < count; i++) {
            storage.setLong(start + i * step, wrapped(from[i]));
        }
    }

    private long wrapped(long value) {
        return switch (storage.dtype()) {
            case INT32 -> (int) value;
            case INT16 -> (short) value;
            case INT8 -> (byte) value;
            case UINT8 -> value & 0xff;
            case BOOL -> value == 0 ? 0 : 1;
            default -> value;
        };
    }
}
