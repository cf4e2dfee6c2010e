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
        int[] sizes = Arrays.stream(shape).mapToInt(Math::toIntExact).toArray();
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
        return Arrays.stream(shape).asLongStream().toArray();
    }

    int size() {
        return Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    }

    boolean hasShape(Layout other) {
        return Arrays.equals(shape, other.shape);
    }

    boolean equalTo(Layout other) {
        return hasShape(other) && Arrays.equals(strides, other.strides) && offset == other.offset;
    }

    /** Returns whether the elements are side by side in row-major order. */
    boolean isRowMajor() {
        return size() == 0 || Arrays.equals(strides, rowMajorStrides(shape));
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

    /** Returns the part between two indices of a dimension; both may count from the end. */
    Layout slice(long dim, long from, long to) {
        int axis = axis(dim);
        int size = shape[axis];
        int start = clamp(from, size);
        int length = Math.max(0, clamp(to, size) - start);
        int[] sliced = shape.clone();
        sliced[axis] = length;
        return new Layout(sliced, strides, offset + start * strides[axis]);
    }

    /** Exchanges two dimensions. */
    Layout transpose(long first, long second) {
        return new Layout(
                swapped(shape, axis(first), axis(second)),
                swapped(strides, axis(first), axis(second)),
                offset);
    }

    /** Moves a dimension to the end, the others keep their order. */
    Layout lastly(int axis) {
        return new Layout(
                append(without(shape, axis), shape[axis]),
                append(without(strides, axis), strides[axis]),
                offset);
    }

    /** Puts a dimension of size 1 before the one at {@code axis}. */
    Layout unsqueeze(int axis) {
        return new Layout(inserted(shape, axis, 1), inserted(strides, axis, 0), offset);
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

    /**
     * Repeats this along the dimensions in which {@code target} is larger, by NumPy's rules.
     *
     * @throws IllegalArgumentException if that is not possible
     */
    Layout broadcastTo(Layout target) {
        int[] repeated = new int[target.rank()];
        int lead = target.rank() - rank();
        for (int d = 0; d < rank(); d++) {
            boolean same = lead >= 0 && shape[d] == target.shape[lead + d];
            if (!same && (lead < 0 || shape[d] != 1)) {
                throw new IllegalArgumentException(
                        "shape %s cannot be broadcast to shape %s".formatted(this, target));
            }
            repeated[lead + d] = same ? strides[d] : 0;
        }
        return new Layout(target.shape, repeated, offset);
    }

    /**
     * Returns the shape that both broadcast to, by NumPy's rules.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Layout broadcast(Layout a, Layout b) {
        long[] shape = new long[Math.max(a.rank(), b.rank())];
        for (int d = 1; d <= shape.length; d++) {
            int x = d <= a.rank() ? a.shape[a.rank() - d] : 1;
            int y = d <= b.rank() ? b.shape[b.rank() - d] : 1;
            if (x != y && x != 1 && y != 1) {
                throw new IllegalArgumentException(
                        "shapes %s and %s do not fit each other: %d and %d differ and neither is 1"
                                .formatted(a, b, x, y));
            }
            shape[shape.length - d] = x == 1 ? y : x;
        }
        return rowMajor(shape);
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

    private static int clamp(long index, int size) {
        return (int) Math.clamp(index < 0 ? index + size : index, 0L, size);
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
