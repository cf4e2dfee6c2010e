package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

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
    static final int LENGTH = 256;

    private final Storage storage;
    private final ByteBuffer bytes;
    private final int step;

    /** Elements of float32 that stand side by side, which move together. */
    private final @Nullable FloatBuffer neighbours;

    private final float[] moving;

    /** Prepares to go through {@code storage}, each element {@code step} after the one before. */
    Lane(Storage storage, int step) {
        this.storage = storage;
        this.bytes = storage.bytes();
        this.step = step;
        boolean together = storage.dtype() == DType.FLOAT32 && step == 1;
        this.neighbours = together ? bytes.asFloatBuffer() : null;
        this.moving = new float[together ? LENGTH : 0];
    }

    /** Prepares to go through the rows of a layout of a tensor. */
    static Lane of(Tensor tensor, Layout layout) {
        return new Lane(tensor.storage(), Rows.step(layout));
    }

    /** Takes out {@code count} elements from {@code start} on. */
    void read(int start, int count, double[] into) {
        if (neighbours != null) {
            readNeighbours(neighbours, start, count, into);
            return;
        }
        if (step == 0) {
            Arrays.fill(into, 0, count, storage.get(start));
            return;
        }
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

    private void readNeighbours(FloatBuffer elements, int start, int count, double[] into) {
        for (int done = 0; done < count; done += LENGTH) {
            int some = Math.min(LENGTH, count - done);
            elements.get(start + done, moving, 0, some);
            for (int i = 0; i < some; i++) {
                into[done + i] = moving[i];
            }
        }
    }

    private void writeNeighbours(FloatBuffer elements, int start, int count, double[] from) {
        for (int done = 0; done < count; done += LENGTH) {
            int some = Math.min(LENGTH, count - done);
            for (int i = 0; i < some; i++) {
                moving[i] = (float) from[done + i];
            }
            elements.put(start + done, moving, 0, some);
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
        if (neighbours != null) {
            writeNeighbours(neighbours, start, count, from);
            return;
        }
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
