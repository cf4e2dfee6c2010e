package dev.blockscope.onnx;

import java.util.Arrays;

/** Finds where the largest or smallest elements are: the first of equals, and NaN before all. */
final class Extreme {
    private final boolean largest;

    Extreme(boolean largest) {
        this.largest = largest;
    }

    /**
     * Returns the index among all elements, in row-major order.
     *
     * @throws IllegalArgumentException if there are none
     */
    long in(Tensor tensor) {
        return in(tensor.reshape(-1), 0, false).storage().getLong(0);
    }

    /**
     * Returns the indices along a dimension, which disappears or stays with size 1.
     *
     * @throws IllegalArgumentException if the dimension is out of range or has size 0
     */
    Tensor in(Tensor tensor, long dim, boolean keep) {
        int axis = tensor.layout().axis(dim);
        int size = tensor.layout().dim(axis);
        if (size == 0) {
            throw new IllegalArgumentException(
                    "there is no %s of no elements, along dimension %d of shape %s"
                            .formatted(largest ? "argmax" : "argmin", dim, tensor.layout()));
        }
        Layout rows = tensor.layout().lastly(axis);
        Tensor found = Tensor.zeros(DType.INT64, Arrays.copyOf(rows.shape(), rows.rank() - 1));
        int[] next = {0};
        Lane lane = Lane.of(tensor, rows);
        if (tensor.dtype().isFloatingPoint()) {
            double[] row = new double[size];
            Rows.walk(
                    (starts, count) -> {
                        lane.read(starts[0], count, row);
                        found.storage().setLong(next[0]++, first(row));
                    },
                    rows);
        } else {
            long[] row = new long[size];
            Rows.walk(
                    (starts, count) -> {
                        lane.read(starts[0], count, row);
                        found.storage().setLong(next[0]++, first(row));
                    },
                    rows);
        }
        return keep ? found.view(found.layout().unsqueeze(axis)) : found;
    }

    private int first(double[] row) {
        int first = 0;
        for (int i = 1; i < row.length && !Double.isNaN(row[first]); i++) {
            boolean better = largest ? row[i] > row[first] : row[i] < row[first];
            first = better || Double.isNaN(row[i]) ? i : first;
        }
        return first;
    }

    private int first(long[] row) {
        int first = 0;
        for (int i = 1; i < row.length; i++) {
            first = (largest ? row[i] > row[first] : row[i] < row[first]) ? i : first;
        }
        return first;
    }
}
