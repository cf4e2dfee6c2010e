package dev.blockscope.onnx;

/** Questions about two numbers; the answers are booleans. */
enum Comparison {
    /** Whether they are equal. */
    EQ,
    /** Whether they differ; NaN differs from itself. */
    NE,
    /** Whether the first is smaller. */
    LT,
    /** Whether the first is smaller or equal. */
    LE,
    /** Whether the first is larger. */
    GT,
    /** Whether the first is larger or equal. */
    GE,
    /** Whether neither is 0. */
    AND,
    /** Whether one of them is not 0. */
    OR,
    /** Whether exactly one of them is not 0. */
    XOR;

    /** Asks about all pairs of elements. */
    Tensor of(Tensor a, Tensor b) {
        Tensor result = new Tensor(DType.BOOL, Broadcast.of(a.layout(), b.layout()));
        Elementwise.write(result, a, b, Promotion.of(a, b), this::apply, this::apply);
        return result;
    }

    /** Asks about each element and a number. */
    Tensor of(Tensor a, double number) {
        Tensor result = new Tensor(DType.BOOL, Layout.rowMajor(a.shape()));
        boolean whole = Promotion.isWhole(number);
        // The number becomes what it is compared with: 0.1 equals the float32 nearest to 0.1.
        DType type = Promotion.of(a, number);
        Tensor operand = whole ? Arithmetic.operand(type, number) : Tensor.full(type, number);
        Elementwise.write(result, a, operand, type, this::apply, this::apply);
        return result;
    }

    private void apply(double[] a, double[] b, int count) {
        for (int i = 0; i < count; i++) {
            a[i] = holds(a[i], b[i]) ? 1 : 0;
        }
    }

    private void apply(long[] a, long[] b, int count) {
        for (int i = 0; i < count; i++) {
            a[i] = holds(a[i], b[i]) ? 1 : 0;
        }
    }

    private boolean holds(double a, double b) {
        return switch (this) {
            case EQ -> a == b;
            case NE -> a != b;
            case LT -> a < b;
            case LE -> a <= b;
            case GT -> a > b;
            case GE -> a >= b;
            case AND -> a != 0 && b != 0;
            case OR -> a != 0 || b != 0;
            case XOR -> a != 0 != (b != 0);
        };
    }

    private boolean holds(long a, long b) {
        return switch (this) {
            case EQ -> a == b;
            case NE -> a != b;
            case LT -> a < b;
            case LE -> a <= b;
            case GT -> a > b;
            case GE -> a >= b;
            case AND -> a != 0 && b != 0;
            case OR -> a != 0 || b != 0;
            case XOR -> a != 0 != (b != 0);
        };
    }
}
