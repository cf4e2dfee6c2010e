package dev.blockscope.onnx;

/** Computes with the elements of two tensors at the same place, with NumPy's broadcasting. */
final class Elementwise {
    private Elementwise() {}

    /** What is done with many pairs of floating-point numbers. */
    @FunctionalInterface
    interface OnDoubles {
        /** Computes {@code count} results into {@code a}. */
        void apply(double[] a, double[] b, int count);
    }

    /** What is done with many pairs of whole numbers. */
    @FunctionalInterface
    interface OnLongs {
        /** Computes {@code count} results into {@code a}. */
        void apply(long[] a, long[] b, int count);
    }

    /**
     * Computes {@code out}.
     *
     * @param type the type that is computed in; the result is then put into that of {@code out}
     * @throws IllegalArgumentException if an operand cannot be broadcast to the shape of {@code
     *     out}
     */
    static void write(
            Tensor out, Tensor left, Tensor right, DType type, OnDoubles doubles, OnLongs longs) {
        Layout to = out.layout();
        Layout[] seen = {to, Broadcast.to(left.layout(), to), Broadcast.to(right.layout(), to)};
        Layout[] merged = Rows.merge(seen);
        Lane lane = Lane.of(out, merged[0]);
        Lane a = Lane.of(left, merged[1]);
        Lane b = Lane.of(right, merged[2]);
        Rows.walk(
                type.isFloatingPoint() ? doubles(lane, a, b, doubles) : longs(lane, a, b, longs),
                Lane.LENGTH,
                merged);
    }

    private static Rows.Visitor doubles(Lane out, Lane a, Lane b, OnDoubles operation) {
        double[] left = new double[Lane.LENGTH];
        double[] right = new double[Lane.LENGTH];
        return (starts, count) -> {
            a.read(starts[1], count, left);
            b.read(starts[2], count, right);
            operation.apply(left, right, count);
            out.write(starts[0], count, left);
        };
    }

    private static Rows.Visitor longs(Lane out, Lane a, Lane b, OnLongs operation) {
        long[] left = new long[Lane.LENGTH];
        long[] right = new long[Lane.LENGTH];
        return (starts, count) -> {
            a.read(starts[1], count, left);
            b.read(starts[2], count, right);
            operation.apply(left, right, count);
            out.write(starts[0], count, left);
        };
    }
}
