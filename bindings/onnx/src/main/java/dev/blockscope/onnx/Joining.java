package dev.blockscope.onnx;

import java.util.List;

/** Puts tensors together into one. */
final class Joining {
    private Joining() {}

    /**
     * Puts tensors one after the other along a dimension that they have.
     *
     * @throws IllegalArgumentException if there are none, or their other sizes differ
     */
    static Tensor cat(List<Tensor> tensors, long dim) {
        Tensor first = first("cat", tensors);
        int axis = first.layout().axis(dim);
        long total = 0;
        for (Tensor tensor : tensors) {
            requireSame(first, tensor, axis);
            total += tensor.layout().dim(axis);
        }
        long[] shape = first.shape();
        shape[axis] = total;
        Tensor joined = Tensor.zeros(Promotion.ofAll(tensors), shape);
        long at = 0;
        for (Tensor tensor : tensors) {
            long end = at + tensor.layout().dim(axis);
            joined.slice(axis, at, end).copy_(tensor.to(joined.dtype()));
            at = end;
        }
        return joined;
    }

    /**
     * Puts tensors of one shape side by side along a new dimension.
     *
     * @throws IllegalArgumentException if there are none, or their shapes differ
     */
    static Tensor stack(List<Tensor> tensors, long dim) {
        Tensor first = first("stack", tensors);
        for (Tensor tensor : tensors) {
            if (!tensor.layout().hasShape(first.layout())) {
                throw new IllegalArgumentException(
                        "stack needs tensors of one shape, given %s and %s"
                                .formatted(first.layout(), tensor.layout()));
            }
        }
        return cat(tensors.stream().map(tensor -> tensor.unsqueeze(dim)).toList(), dim);
    }

    private static Tensor first(String what, List<Tensor> tensors) {
        if (tensors.isEmpty()) {
            throw new IllegalArgumentException(what + " needs at least one tensor");
        }
        return tensors.getFirst();
    }

    private static void requireSame(Tensor first, Tensor tensor, int axis) {
        boolean fits = tensor.dim() == first.dim();
        for (int d = 0; fits && d < first.dim(); d++) {
            fits = d == axis || tensor.layout().dim(d) == first.layout().dim(d);
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    "shapes %s and %s cannot be joined along dimension %d: all other sizes must be equal"
                            .formatted(first.layout(), tensor.layout(), axis));
        }
    }
}
