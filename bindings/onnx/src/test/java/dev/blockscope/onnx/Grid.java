package dev.blockscope.onnx;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What a tensor ought to be, told in the plainest way: all elements in row-major order, each found
 * by its indices, every operation one loop over the indices of the result.
 */
final class Grid {
    private final int[] shape;
    private final double[] values;

    Grid(int[] shape, double[] values) {
        this.shape = shape;
        this.values = values;
    }

    int[] shape() {
        return shape;
    }

    double[] values() {
        return values;
    }

    static Grid of(Tensor tensor) {
        int[] shape = Arrays.stream(tensor.shape()).mapToInt(Math::toIntExact).toArray();
        return make(shape, index -> tensor.item(Arrays.stream(index).asLongStream().toArray()));
    }

    /** Makes a grid by asking for the element at each index. */
    static Grid make(int[] shape, ToDoubleFunction<int[]> element) {
        int size = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        double[] values =
                IntStream.range(0, size)
                        .mapToDouble(flat -> element.applyAsDouble(index(shape, flat)))
                        .toArray();
        return new Grid(shape, values);
    }

    private static int[] index(int[] shape, int flat) {
        int[] index = new int[shape.length];
        int rest = flat;
        for (int d = shape.length - 1; d >= 0; d--) {
            index[d] = rest % shape[d];
            rest /= shape[d];
        }
        return index;
    }

    double at(int... index) {
        int flat = 0;
        for (int d = 0; d < shape.length; d++) {
            flat = flat * shape[d] + index[d];
        }
        return values[flat];
    }

    int rank() {
        return shape.length;
    }

    /** Makes a grid of another shape whose elements are those of this one at other indices. */
    Grid moved(int[] newShape, Function<int[], int[]> source) {
        return make(newShape, index -> at(source.apply(index)));
    }

    /** The indices of Python's {@code range(size)[from:to:step]}, counted out one by one. */
    static int[] sliced(int size, long from, long to, long step) {
        IntStream.Builder indices = IntStream.builder();
        long start = from < 0 ? from + size : from;
        long stop = to < 0 ? to + size : to;
        if (step > 0) {
            for (long i = Math.max(0, start); i < Math.min(size, stop); i += step) {
                indices.add((int) i);
            }
        } else {
            for (long i = Math.min(size - 1, start); i > Math.max(-1, stop); i += step) {
                indices.add((int) i);
            }
        }
        return indices.build().toArray();
    }

    Grid map(DoubleUnaryOperator operator) {
        return new Grid(shape, Arrays.stream(values).map(operator).toArray());
    }

    Grid with(Grid other, DoubleBinaryOperator operator) {
        int rank = Math.max(rank(), other.rank());
        int[] common = new int[rank];
        Arrays.setAll(
                common,
                d -> {
                    int a = sizeOr1(shape, rank, d);
                    int b = sizeOr1(other.shape, rank, d);
                    return a == 1 ? b : a;
                });
        return make(
                common,
                index ->
                        operator.applyAsDouble(
                                at(stretched(shape, index)),
                                other.at(stretched(other.shape, index))));
    }

    private static int sizeOr1(int[] shape, int rank, int d) {
        int own = d - (rank - shape.length);
        return own < 0 ? 1 : shape[own];
    }

    private static int[] stretched(int[] shape, int[] index) {
        int[] own = Arrays.copyOfRange(index, index.length - shape.length, index.length);
        Arrays.setAll(own, d -> shape[d] == 1 ? 0 : own[d]);
        return own;
    }

    /** Makes one element of each row along a dimension, which disappears. */
    Grid reduce(int dim, ToDoubleFunction<double[]> of) {
        int[] rest = without(shape, dim);
        return make(rest, index -> of.applyAsDouble(row(dim, index)));
    }

    /** Makes another row of each row along a dimension. */
    Grid rows(int dim, Function<double[], double[]> of) {
        return make(shape, index -> of.apply(row(dim, without(index, dim)))[index[dim]]);
    }

    private double[] row(int dim, int[] rest) {
        return IntStream.range(0, shape[dim])
                .mapToDouble(i -> at(inserted(rest, dim, i)))
                .toArray();
    }

    static int[] without(int[] values, int at) {
        return IntStream.range(0, values.length).filter(i -> i != at).map(i -> values[i]).toArray();
    }

    static int[] inserted(int[] values, int at, int value) {
        return IntStream.rangeClosed(0, values.length)
                .map(i -> i < at ? values[i] : i == at ? value : values[i - 1])
                .toArray();
    }

    /** The matrix product of two grids of two dimensions. */
    Grid times(Grid other) {
        return make(
                new int[] {shape[0], other.shape[1]},
                index ->
                        IntStream.range(0, shape[1])
                                .mapToDouble(k -> at(index[0], k) * other.at(k, index[1]))
                                .sum());
    }
}
