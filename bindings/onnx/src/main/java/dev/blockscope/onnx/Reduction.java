package dev.blockscope.onnx;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/** What makes one number of many. Sums are kept in double precision, or in 64 bits. */
enum Reduction {
    /** Sum of all; of whole numbers and booleans as int64. */
    SUM,
    /** Sum divided by count; NaN of none. */
    MEAN,
    /** Euclidean length. */
    NORM,
    /** Largest; NaN if one is, negative infinity of none. */
    MAX,
    /** Smallest; NaN if one is, positive infinity of none. */
    MIN;

    /** Reduces all elements. */
    double of(Tensor tensor) {
        int[] axes = IntStream.range(0, tensor.dim()).toArray();
        requireSome(tensor, axes);
        Layout one = kept(tensor, axes);
        return worksOnFractions(tensor) ? doubles(tensor, one)[0] : longs(tensor, one)[0];
    }

    /** Reduces the elements along dimensions, which disappear or stay with size 1. */
    Tensor of(Tensor tensor, long[] dims, boolean keep) {
        int[] axes = Arrays.stream(dims).mapToInt(tensor.layout()::axis).toArray();
        requireSome(tensor, axes);
        Tensor result = new Tensor(resultType(tensor), kept(tensor, axes));
        Lane out = new Lane(result.storage(), 1);
        if (worksOnFractions(tensor)) {
            out.write(0, result.layout().size(), doubles(tensor, result.layout()));
        } else {
            out.write(0, result.layout().size(), longs(tensor, result.layout()));
        }
        return keep ? result : result.view(without(result.layout(), axes));
    }

    private static Layout kept(Tensor tensor, int[] axes) {
        long[] shape = tensor.shape();
        for (int axis : axes) {
            shape[axis] = 1;
        }
        return Layout.rowMajor(shape);
    }

    private static Layout without(Layout layout, int[] axes) {
        Layout rest = layout;
        int[] backwards = Arrays.stream(axes).distinct().sorted().toArray();
        for (int i = backwards.length - 1; i >= 0; i--) {
            rest = rest.squeeze(backwards[i]);
        }
        return rest;
    }

    /** Every element goes to the place of its result, which is one along the dimensions. */
    private double[] doubles(Tensor tensor, Layout result) {
        double[] all = new double[result.size()];
        Arrays.fill(all, start());
        Layout to = Broadcast.to(result, tensor.layout());
        Lane from = Lane.of(tensor, tensor.layout());
        int step = Rows.step(to);
        double[] row = new double[Lane.LENGTH];
        Rows.walk(
                (starts, count) -> {
                    from.read(starts[0], count, row);
                    combine(all, starts[1], step, row, count);
                },
                Lane.LENGTH,
                tensor.layout(),
                to);
        finish(all, tensor.layout().size() / Math.max(1, all.length));
        return all;
    }

    private void combine(double[] all, int start, int step, double[] row, int count) {
        switch (this) {
            case SUM, MEAN -> {
                for (int i = 0; i < count; i++) {
                    all[start + i * step] += row[i];
                }
            }
            case NORM -> {
                for (int i = 0; i < count; i++) {
                    all[start + i * step] += row[i] * row[i];
                }
            }
            case MAX -> {
                for (int i = 0; i < count; i++) {
                    int at = start + i * step;
                    all[at] = Math.max(all[at], row[i]);
                }
            }
            case MIN -> {
                for (int i = 0; i < count; i++) {
                    int at = start + i * step;
                    all[at] = Math.min(all[at], row[i]);
                }
            }
        }
    }

    private long[] longs(Tensor tensor, Layout result) {
        long[] all = new long[result.size()];
        Arrays.fill(all, startOfWhole());
        Layout to = Broadcast.to(result, tensor.layout());
        Lane from = Lane.of(tensor, tensor.layout());
        int step = Rows.step(to);
        long[] row = new long[Lane.LENGTH];
        Rows.walk(
                (starts, count) -> {
                    from.read(starts[0], count, row);
                    for (int i = 0; i < count; i++) {
                        int at = starts[1] + i * step;
                        all[at] = combine(all[at], row[i]);
                    }
                },
                Lane.LENGTH,
                tensor.layout(),
                to);
        return all;
    }

    private long combine(long all, long x) {
        return switch (this) {
            case MAX -> Math.max(all, x);
            case MIN -> Math.min(all, x);
            default -> all + x;
        };
    }

    private double start() {
        return switch (this) {
            case MAX -> Double.NEGATIVE_INFINITY;
            case MIN -> Double.POSITIVE_INFINITY;
            default -> 0;
        };
    }

    private long startOfWhole() {
        return switch (this) {
            case MAX -> Long.MIN_VALUE;
            case MIN -> Long.MAX_VALUE;
            default -> 0;
        };
    }

    private void finish(double[] all, int count) {
        switch (this) {
            case MEAN -> Arrays.setAll(all, i -> all[i] / count);
            case NORM -> Arrays.setAll(all, i -> Math.sqrt(all[i]));
            case SUM, MAX, MIN -> {}
        }
    }

    private boolean worksOnFractions(Tensor tensor) {
        return this == MEAN || this == NORM || tensor.dtype().isFloatingPoint();
    }

    private DType resultType(Tensor tensor) {
        return switch (this) {
            case SUM -> tensor.dtype().isFloatingPoint() ? tensor.dtype() : DType.INT64;
            case MEAN, NORM -> Promotion.floating(tensor.dtype());
            case MAX, MIN -> tensor.dtype();
        };
    }

    /** Among whole numbers there is none to stand for the largest of nothing. */
    private void requireSome(Tensor tensor, int[] axes) {
        boolean none = Arrays.stream(axes).anyMatch(axis -> tensor.layout().dim(axis) == 0);
        if (none && (this == MAX || this == MIN) && !worksOnFractions(tensor)) {
            throw new IllegalArgumentException(
                    "%s of no elements: %s %s"
                            .formatted(
                                    name().toLowerCase(Locale.ROOT),
                                    tensor.dtype(),
                                    tensor.layout()));
        }
    }
}
