package dev.blockscope.onnx;

import java.util.Arrays;

/** What makes one number of many. Sums are kept in double precision. */
enum Reduction {
    /** Sum of all. */
    SUM(0),
    /** Sum divided by count; NaN of none. */
    MEAN(0),
    /** Euclidean length. */
    NORM(0),
    /** Largest; negative infinity of none. */
    MAX(Double.NEGATIVE_INFINITY),
    /** Smallest; positive infinity of none. */
    MIN(Double.POSITIVE_INFINITY);

    private final double start;

    Reduction(double start) {
        this.start = start;
    }

    /** Reduces all elements. */
    double of(Tensor tensor) {
        Arithmetic.requireNumbers(tensor);
        Storage from = tensor.storage();
        int step = Rows.step(tensor.layout());
        double[] all = {start};
        Rows.walk(
                (starts, count) -> all[0] = accumulate(all[0], from, starts[0], step, count),
                tensor.layout());
        return finish(all[0], tensor.layout().size());
    }

    /** Reduces the elements along a dimension, which disappears or stays with size 1. */
    Tensor of(Tensor tensor, long dim, boolean keep) {
        Arithmetic.requireNumbers(tensor);
        int axis = tensor.layout().axis(dim);
        Layout rows = tensor.layout().lastly(axis);
        long[] shape = Arrays.copyOf(rows.shape(), rows.rank() - 1);
        Tensor result = Tensor.full(resultType(tensor), finish(start, 0), shape);
        int step = Rows.step(rows);
        int[] next = {0};
        Rows.walk(
                (starts, count) -> {
                    double all = accumulate(start, tensor.storage(), starts[0], step, count);
                    result.storage().set(next[0]++, finish(all, count));
                },
                rows);
        return keep ? result.view(result.layout().unsqueeze(axis)) : result;
    }

    private double accumulate(double before, Storage from, int first, int step, int count) {
        double all = before;
        for (int i = 0; i < count; i++) {
            all = combine(all, from.get(first + i * step));
        }
        return all;
    }

    private double combine(double all, double x) {
        return switch (this) {
            case SUM, MEAN -> all + x;
            case NORM -> all + x * x;
            case MAX -> Math.max(all, x);
            case MIN -> Math.min(all, x);
        };
    }

    private double finish(double all, int count) {
        return switch (this) {
            case MEAN -> all / count;
            case NORM -> Math.sqrt(all);
            case SUM, MAX, MIN -> all;
        };
    }

    private DType resultType(Tensor tensor) {
        boolean fraction = this == MEAN || this == NORM;
        return fraction ? DType.FLOAT32 : tensor.dtype();
    }
}
