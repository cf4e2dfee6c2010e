package dev.blockscope.onnx;

/** Arithmetic between two numbers. Whole numbers wrap around where they grow too large. */
enum Arithmetic {
    /** Sum; of booleans, whether one of them is true. */
    ADD {
        @Override
        void apply(double[] a, double[] b, int count) {
            for (int i = 0; i < count; i++) {
                a[i] += b[i];
            }
        }

        @Override
        void apply(long[] a, long[] b, int count) {
            for (int i = 0; i < count; i++) {
                a[i] += b[i];
            }
        }
    },
    /** Difference. */
    SUB {
        @Override
        void apply(double[] a, double[] b, int count) {
            for (int i = 0; i < count; i++) {
                a[i] -= b[i];
            }
        }

        @Override
        void apply(long[] a, long[] b, int count) {
            for (int i = 0; i < count; i++) {
                a[i] -= b[i];
            }
        }
    },
    /** Product; of booleans, whether both are true. */
    MUL {
        @Override
        void apply(double[] a, double[] b, int count) {
            for (int i = 0; i < count; i++) {
                a[i] *= b[i];
            }
        }

        @Override
        void apply(long[] a, long[] b, int count) {
            for (int i = 0; i < count; i++) {
                a[i] *= b[i];
            }
        }
    },
    /** Quotient, of floating-point numbers only. */
    DIV {
        @Override
        void apply(double[] a, double[] b, int count) {
            for (int i = 0; i < count; i++) {
                a[i] /= b[i];
            }
        }

        @Override
        void apply(long[] a, long[] b, int count) {
            throw new AssertionError("a quotient is computed in floating point");
        }
    },
    /** Power. */
    POW {
        @Override
        void apply(double[] a, double[] b, int count) {
            for (int i = 0; i < count; i++) {
                a[i] = Math.pow(a[i], b[i]);
            }
        }

        @Override
        void apply(long[] a, long[] b, int count) {
            for (int i = 0; i < count; i++) {
                a[i] = power(a[i], b[i]);
            }
        }
    },
    /** The larger one; NaN if one is. */
    MAXIMUM {
        @Override
        void apply(double[] a, double[] b, int count) {
            for (int i = 0; i < count; i++) {
                a[i] = Math.max(a[i], b[i]);
            }
        }

        @Override
        void apply(long[] a, long[] b, int count) {
            for (int i = 0; i < count; i++) {
                a[i] = Math.max(a[i], b[i]);
            }
        }
    },
    /** The smaller one; NaN if one is. */
    MINIMUM {
        @Override
        void apply(double[] a, double[] b, int count) {
            for (int i = 0; i < count; i++) {
                a[i] = Math.min(a[i], b[i]);
            }
        }

        @Override
        void apply(long[] a, long[] b, int count) {
            for (int i = 0; i < count; i++) {
                a[i] = Math.min(a[i], b[i]);
            }
        }
    };

    /** Computes {@code count} results into {@code a}. */
    abstract void apply(double[] a, double[] b, int count);

    /** Computes {@code count} results into {@code a}. */
    abstract void apply(long[] a, long[] b, int count);

    /** Computes a new tensor. */
    Tensor of(Tensor a, Tensor b) {
        DType type = resultType(Promotion.of(a, b));
        Tensor result = new Tensor(type, Broadcast.of(a.layout(), b.layout()));
        Elementwise.write(result, a, b, type, this::apply, this::apply);
        return result;
    }

    /** Computes a new tensor. */
    Tensor of(Tensor a, double number) {
        DType type = resultType(Promotion.of(a, number));
        Tensor result = new Tensor(type, Layout.rowMajor(a.shape()));
        Elementwise.write(result, a, operand(type, number), type, this::apply, this::apply);
        return result;
    }

    /** Computes into {@code target}, which is also the left operand. */
    void into(Tensor target, Tensor operand) {
        into(target, operand, resultType(Promotion.of(target, operand)));
    }

    /** Computes into {@code target}, which is also the left operand. */
    void into(Tensor target, double number) {
        DType type = resultType(Promotion.of(target, number));
        into(target, operand(type, number), type);
    }

    private void into(Tensor target, Tensor operand, DType type) {
        Promotion.requireStorable(type, target.dtype());
        Broadcast.requireWritable(target.layout());
        Tensor right = Broadcast.apart(operand, target);
        Elementwise.write(target, target, right, type, this::apply, this::apply);
        target.storage().changed();
    }

    /** A number keeps all its digits, whatever the type of the result. */
    static Tensor operand(DType type, double number) {
        return Tensor.full(type.isFloatingPoint() ? DType.FLOAT64 : DType.INT64, number);
    }

    private DType resultType(DType operands) {
        if (this == SUB && operands == DType.BOOL) {
            throw new IllegalArgumentException(
                    "booleans cannot be subtracted; use ne, or convert them with to(\"int64\")");
        }
        return this == DIV ? Promotion.floating(operands) : operands;
    }

    private static long power(long base, long exponent) {
        if (exponent < 0) {
            throw new IllegalArgumentException(
                    "a whole number cannot be raised to %d; convert it with to(\"float32\")"
                            .formatted(exponent));
        }
        long result = 1;
        long square = base;
        for (long rest = exponent; rest > 0; rest >>= 1) {
            if ((rest & 1) == 1) {
                result *= square;
            }
            square *= square;
        }
        return result;
    }
}
