package dev.blockscope.onnx;

import java.util.Arrays;

/**
 * Where the elements of a tensor are in its storage: a shape, how far apart neighbours are in each
 * dimension, and where the first is. All counted in elements. Immutable.
 */
final class Layout {
    private final int[] shape;
    private final int[] strides;
    private final int offset;

    private Layout(int[] shape, int[] strides, int offset) {
        this.shape = shape;
        this.strides = strides;
        this.offset = offset;
    }

    /**
     * Lays elements out in row-major order.
     *
     * @throws IllegalArgumentException if a size is negative or there are more than 2^31 - 1
     *     elements
     */
    static Layout rowMajor(long... shape) {
        long size = 1;
        for (long dim : shape) {
            if (dim < 0) {
                throw new IllegalArgumentException(
                        "shape %s has a negative size".formatted(Arrays.toString(shape)));
            }
            if (dim > 0 && size > Integer.MAX_VALUE / dim) {
                throw new IllegalArgumentException(
                        "shape %s has more elements than the limit of %d"
                                .formatted(Arrays.toString(shape), Integer.MAX_VALUE));
            }
            size *= dim;
        }
        int[] sizes = new int[shape.length];
        for (int d = 0; d < shape.length; d++) {
            sizes[d] = Math.toIntExact(shape[d]);
        }
        return new Layout(sizes, rowMajorStrides(sizes), 0);
    }

    private static int[] rowMajorStrides(int[] shape) {
        int[] strides = new int[shape.length];
        int stride = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = stride;
            stride *= Math.max(1, shape[d]);
        }
        return strides;
    }

    int rank() {
        return shape.length;
    }

    int dim(int d) {
        return shape[d];
    }

    int stride(int d) {
        return strides[d];
    }

    int offset() {
        return offset;
    }

    long[] shape() {
        long[] sizes = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            sizes[d] = shape[d];
        }
        return sizes;
    }

    int size() {
        int size = 1;
        for (int dim : shape) {
            size *= dim;
        }
        return size;
    }

    boolean hasShape(Layout other) {
        return Arrays.equals(shape, other.shape);
    }

    boolean equalTo(Layout other) {
        return hasShape(other) && Arrays.equals(strides, other.strides) && offset == other.offset;
    }

    /** Returns whether the elements are side by side in row-major order. */
    boolean isRowMajor() {
        int expected = 1;
        boolean rowMajor = true;
        for (int d = rank() - 1; d >= 0; d--) {
            rowMajor &= shape[d] == 1 || strides[d] == expected;
            expected *= shape[d];
        }
        return rowMajor || size() == 0;
    }

    /** Returns whether several elements are one in memory. */
    boolean repeats() {
        boolean repeats = false;
        for (int d = 0; d < rank(); d++) {
            repeats |= shape[d] > 1 && strides[d] == 0;
        }
        return repeats;
    }

    /** Returns the shape as text. */
    @Override
    public String toString() {
        return Arrays.toString(shape);
    }

    /** Turns a dimension that may count from the end into one that counts from the start. */
    int axis(long dim) {
        return Math.toIntExact(fromStart(dim, rank(), "dimension"));
    }

    /** Returns the part at one index of a dimension, which disappears. */
    Layout select(long dim, long index) {
        int axis = axis(dim);
        long at = fromStart(index, shape[axis], "index");
        return new Layout(
                without(shape, axis), without(strides, axis), offset + (int) at * strides[axis]);
    }

    /**
     * Returns every {@code step}-th part between two indices of a dimension, by the rules of
     * Python's slices: indices may count from the end, and those beyond the ends stand for the
     * ends.
     */
    Layout slice(long dim, long from, long to, long step) {
        int axis = axis(dim);
        if (step == 0) {
            throw new IllegalArgumentException(
                    "a slice of shape %s has step 0, expected a positive or a negative one"
                            .formatted(this));
        }
        int size = shape[axis];
        int stride = Math.clamp(step, -Integer.MAX_VALUE, Integer.MAX_VALUE);
        int start = bound(from, size, stride);
        int span = stride > 0 ? bound(to, size, stride) - start : start - bound(to, size, stride);
        int length = span <= 0 ? 0 : (span - 1) / Math.abs(stride) + 1;
        int[] sliced = shape.clone();
        int[] steps = strides.clone();
        sliced[axis] = length;
        steps[axis] = length < 2 ? strides[axis] : strides[axis] * stride;
        return new Layout(sliced, steps, length == 0 ? offset : offset + start * strides[axis]);
    }

    /** Going backwards, the place before the first element is an end as well. */
    private static int bound(long index, int size, int step) {
        long at = index < 0 ? index + size : index;
        return (int) (step > 0 ? Math.clamp(at, 0L, size) : Math.clamp(at, -1L, size - 1L));
    }

    /** Exchanges two dimensions. */
    Layout transpose(long first, long second) {
        return new Layout(
                swapped(shape, axis(first), axis(second)),
                swapped(strides, axis(first), axis(second)),
                offset);
    }

    /**
     * Puts the dimensions into another order.
     *
     * @throws IllegalArgumentException if one is missing, unknown or there twice
     */
    Layout permute(long... dims) {
        int[] axes = Arrays.stream(dims).mapToInt(this::axis).toArray();
        if (axes.length != rank() || Arrays.stream(axes).distinct().count() != rank()) {
            throw new IllegalArgumentException(
                    "%s is no order of the %d dimensions of shape %s, each is expected once"
                            .formatted(Arrays.toString(dims), rank(), this));
        }
        return new Layout(
                Arrays.stream(axes).map(axis -> shape[axis]).toArray(),
                Arrays.stream(axes).map(axis -> strides[axis]).toArray(),
                offset);
    }

    /** Moves a dimension to the end, the others keep their order. */
    Layout lastly(int axis) {
        return new Layout(
                append(without(shape, axis), shape[axis]),
                append(without(strides, axis), strides[axis]),
                offset);
    }

    /** Adds a dimension of size 1 at a place that may count from the end. */
    Layout unsqueeze(long dim) {
        int axis = Math.toIntExact(fromStart(dim, rank() + 1, "new dimension"));
        return new Layout(inserted(shape, axis, 1), inserted(strides, axis, 0), offset);
    }

    /** Returns a shape with the sizes of this one where -1 is given. */
    Layout expanded(long... wanted) {
        long[] sizes = wanted.clone();
        for (int d = 0; d < rank() && d < sizes.length; d++) {
            int at = sizes.length - 1 - d;
            sizes[at] = sizes[at] == -1 ? shape[rank() - 1 - d] : sizes[at];
        }
        return rowMajor(sizes);
    }

    /** Drops a dimension of size 1. */
    Layout squeeze(int axis) {
        return new Layout(without(shape, axis), without(strides, axis), offset);
    }

    /** Makes one dimension of two neighbours through which the elements step evenly. */
    Layout join(int first) {
        int[] joined = without(shape, first);
        joined[first] = shape[first] * shape[first + 1];
        int[] steps = without(strides, shape[first + 1] == 1 ? first + 1 : first);
        return new Layout(joined, steps, offset);
    }

    /** Returns whether the elements step evenly through a dimension and the one after it. */
    boolean isEven(int first) {
        return shape[first] == 1
                || shape[first + 1] == 1
                || strides[first] == strides[first + 1] * shape[first + 1];
    }

    /** Returns this shape with its elements somewhere else. */
    Layout withStrides(int[] steps, int start) {
        return new Layout(shape, steps, start);
    }

    /** Returns the layout of some dimensions alone, those from one up to before another. */
    Layout dims(int from, int to) {
        return new Layout(
                Arrays.copyOfRange(shape, from, to), Arrays.copyOfRange(strides, from, to), offset);
    }

    /**
     * Gives row-major elements another shape. One size may be -1: it is found from the others.
     *
     * @throws IllegalArgumentException if the number of elements differs
     */
    Layout reshape(long... wanted) {
        long[] found = wanted.clone();
        int open = -1;
        long known = 1;
        for (int d = 0; d < wanted.length; d++) {
            if (wanted[d] == -1 && open < 0) {
                open = d;
            } else {
                known *= wanted[d];
            }
        }
        if (open >= 0 && known > 0) {
            found[open] = size() / known;
        }
        if (Arrays.stream(found).anyMatch(d -> d < 0) || rowMajor(found).size() != size()) {
            throw new IllegalArgumentException(
                    "a tensor of shape %s has %d elements, it cannot be reshaped to %s"
                            .formatted(this, size(), Arrays.toString(wanted)));
        }
        Layout fresh = rowMajor(found);
        return new Layout(fresh.shape, fresh.strides, offset);
    }

    private long fromStart(long index, int size, String what) {
        long at = index < 0 ? index + size : index;
        if (at < 0 || at >= size) {
            throw new IllegalArgumentException(
                    "%s %d is out of range for shape %s, expected %d to %d"
                            .formatted(what, index, this, -size, size - 1));
        }
        return at;
    }

    private static int[] without(int[] values, int at) {
        int[] rest = Arrays.copyOf(values, values.length - 1);
        System.arraycopy(values, at + 1, rest, at, rest.length - at);
        return rest;
    }

    private static int[] append(int[] values, int last) {
        return inserted(values, values.length, last);
    }

    private static int[] inserted(int[] values, int at, int value) {
        int[] more = Arrays.copyOf(values, values.length + 1);
        System.arraycopy(values, at, more, at + 1, values.length - at);
        more[at] = value;
        return more;
    }

    private static int[] swapped(int[] values, int a, int b) {
        int[] swapped = values.clone();
        swapped[a] = values[b];
        swapped[b] = values[a];
        return swapped;
    }
}
