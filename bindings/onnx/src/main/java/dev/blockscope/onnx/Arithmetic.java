package dev.blockscope.onnx;

import java.nio.FloatBuffer;
import java.nio.LongBuffer;

/** Arithmetic between two tensors, element by element, with NumPy's broadcasting. */
enum Arithmetic {
    /** Sum. */
    ADD {
        @Override
        float apply(float a, float b) {
            return a + b;
        }

        @Override
        long apply(long a, long b) {
            return a + b;
        }
    },
    /** Difference. */
    SUB {
        @Override
        float apply(float a, float b) {
            return a - b;
        }

        @Override
        long apply(long a, long b) {
            return a - b;
        }
    },
    /** Product. */
    MUL {
        @Override
        float apply(float a, float b) {
            return a * b;
        }

        @Override
        long apply(long a, long b) {
            return a * b;
        }
    },
    /** Quotient, of floating-point numbers only. */
    DIV {
        @Override
        float apply(float a, float b) {
            return a / b;
        }

        @Override
        long apply(long a, long b) {
            throw new AssertionError("a quotient is computed as float32");
        }
    };

    abstract float apply(float a, float b);

    abstract long apply(long a, long b);

    /** Computes a new tensor. */
    Tensor of(Tensor a, Tensor b) {
        DType type = resultType(a, b);
        Tensor result = new Tensor(type, Layout.broadcast(a.layout(), b.layout()));
        write(result, a, b);
        return result;
    }

    /** Computes into {@code target}, which is also the left operand. */
    void into(Tensor target, Tensor operand) {
        DType type = resultType(target, operand);
        if (type != target.dtype()) {
            throw new IllegalArgumentException(
                    "the result is %s, it cannot be stored in a tensor of %s"
                            .formatted(type, target.dtype()));
        }
        boolean overlaps =
                operand.storage() == target.storage() && !operand.layout().equalTo(target.layout());
        write(target, target, overlaps ? operand.clone() : operand);
        target.storage().changed();
    }

    private DType resultType(Tensor a, Tensor b) {
        requireNumbers(a);
        requireNumbers(b);
        boolean whole = a.dtype() == DType.INT64 && b.dtype() == DType.INT64 && this != DIV;
        return whole ? DType.INT64 : DType.FLOAT32;
    }

    /** Arithmetic is done in float32 and int64; other types are converted first, by name. */
    static void requireNumbers(Tensor tensor) {
        if (tensor.dtype() != DType.FLOAT32 && tensor.dtype() != DType.INT64) {
            throw new IllegalArgumentException(
                    "arithmetic needs float32 or int64, this is %s %s; convert it with to(\"float32\")"
                            .formatted(tensor.dtype(), tensor.layout()));
        }
    }

    private void write(Tensor out, Tensor left, Tensor right) {
        Layout to = out.layout();
        Tensor a = left.to(out.dtype());
        Tensor b = right.to(out.dtype());
        Layout la = a.layout().broadcastTo(to);
        Layout lb = b.layout().broadcastTo(to);
        if (out.dtype() == DType.FLOAT32) {
            Rows.walk(floats(out, a, b, Rows.step(la), Rows.step(lb)), to, la, lb);
        } else {
            Rows.walk(longs(out, a, b, Rows.step(la), Rows.step(lb)), to, la, lb);
        }
    }

    private Rows.Visitor floats(Tensor out, Tensor a, Tensor b, int stepA, int stepB) {
        int step = Rows.step(out.layout());
        FloatBuffer to = out.storage().bytes().asFloatBuffer();
        FloatBuffer left = a.storage().bytes().asFloatBuffer();
        FloatBuffer right = b.storage().bytes().asFloatBuffer();
        return (starts, count) -> {
            for (int i = 0; i < count; i++) {
                float x = left.get(starts[1] + i * stepA);
                float y = right.get(starts[2] + i * stepB);
                to.put(starts[0] + i * step, apply(x, y));
            }
        };
    }

    private Rows.Visitor longs(Tensor out, Tensor a, Tensor b, int stepA, int stepB) {
        int step = Rows.step(out.layout());
        LongBuffer to = out.storage().bytes().asLongBuffer();
        LongBuffer left = a.storage().bytes().asLongBuffer();
        LongBuffer right = b.storage().bytes().asLongBuffer();
        return (starts, count) -> {
            for (int i = 0; i < count; i++) {
                long x = left.get(starts[1] + i * stepA);
                long y = right.get(starts[2] + i * stepB);
                to.put(starts[0] + i * step, apply(x, y));
            }
        };
    }
}
