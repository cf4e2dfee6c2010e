package dev.blockscope.onnx;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/** Orders the elements of rows, the largest or the smallest first. NaN is the largest number. */
final class Ranking {
    private final Tensor tensor;
    private final Layout rows;
    private final boolean largest;

    private Ranking(Tensor tensor, Layout rows, boolean largest) {
        this.tensor = tensor;
        this.rows = rows;
        this.largest = largest;
    }

    /**
     * Returns the {@code k} first along a dimension, in order.
     *
     * @throws IllegalArgumentException if there are fewer
     */
    static TopK top(Tensor tensor, long k, long dim, boolean largest) {
        int axis = tensor.layout().axis(dim);
        int size = tensor.layout().dim(axis);
        if (k < 0 || k > size) {
            throw new IllegalArgumentException(
                    "topk(%d) along dimension %d of shape %s, expected 0 to %d"
                            .formatted(k, dim, tensor.layout(), size));
        }
        TopK best = new Ranking(tensor, tensor.layout().lastly(axis), largest).best((int) k);
        return new TopK(backTo(axis, best.values()), backTo(axis, best.indices()));
    }

    /** The last dimension goes back to where it was. */
    private static Tensor backTo(int axis, Tensor tensor) {
        long[] order = new long[tensor.dim()];
        Arrays.setAll(order, d -> d < axis ? d : d - 1L);
        order[axis] = order.length - 1L;
        return tensor.permute(order);
    }

    private TopK best(int k) {
        long[] shape = rows.shape();
        shape[shape.length - 1] = k;
        Tensor indices = Tensor.zeros(DType.INT64, shape);
        Tensor values = Tensor.zeros(tensor.dtype(), shape);
        int step = Rows.step(rows);
        int[] next = {0};
        Rows.walk(
                (starts, count) -> {
                    for (int at : best(starts[0], step, count, k)) {
                        indices.storage().setLong(next[0], at);
                        values.storage().put(next[0]++, tensor.storage(), starts[0] + at * step);
                    }
                },
                rows);
        return new TopK(values, indices);
    }

    /** Of equal elements the one with the smaller index comes first. */
    private int[] best(int start, int step, int count, int k) {
        Comparator<Integer> order = (a, b) -> compare(start + a * step, start + b * step);
        Comparator<Integer> bestFirst = order.thenComparing(Comparator.naturalOrder());
        PriorityQueue<Integer> held = new PriorityQueue<>(k + 1, bestFirst.reversed());
        for (int i = 0; i < count; i++) {
            held.add(i);
            if (held.size() > k) {
                held.remove();
            }
        }
        Integer[] found = held.toArray(Integer[]::new);
        Arrays.sort(found, bestFirst);
        return IntStream.range(0, found.length).map(i -> found[i]).toArray();
    }

    /** Negative if the first comes before the second. */
    private int compare(int a, int b) {
        Storage from = tensor.storage();
        // Adding zero makes one number of the two zeros.
        int order =
                tensor.dtype().isFloatingPoint()
                        ? Double.compare(from.get(b) + 0.0, from.get(a) + 0.0)
                        : Long.compare(from.getLong(b), from.getLong(a));
        return largest ? order : -order;
    }
}
