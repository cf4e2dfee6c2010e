package dev.blockscope.onnx;

/** Picks elements by masks and by indices. */
final class Selecting {
    private Selecting() {}

    /**
     * Takes from {@code a} where the mask is true and from {@code b} elsewhere.
     *
     * @throws IllegalArgumentException if the mask is not bool or the shapes do not fit
     */
    static Tensor where(Tensor mask, Tensor a, Tensor b) {
        requireMask("where", mask);
        Layout shape = Broadcast.of(mask.layout(), Broadcast.of(a.layout(), b.layout()));
        Tensor result = new Tensor(Promotion.of(a, b), shape);
        result.copy_(b.to(result.dtype()));
        copyWhere(result, mask, a.to(result.dtype()));
        return result;
    }

    /**
     * Writes {@code source} into {@code target} where the mask is true.
     *
     * @throws IllegalArgumentException if one cannot be broadcast to the shape of the target
     */
    static void put(Tensor target, Tensor mask, Tensor source) {
        requireMask("masked_fill", mask);
        Broadcast.requireWritable(target.layout());
        copyWhere(target, Broadcast.apart(mask, target), Broadcast.apart(source, target));
        target.storage().changed();
    }

    private static void copyWhere(Tensor target, Tensor mask, Tensor source) {
        Layout to = target.layout();
        Layout[] merged =
                Rows.merge(to, Broadcast.to(mask.layout(), to), Broadcast.to(source.layout(), to));
        int step = Rows.step(merged[0]);
        int stepMask = Rows.step(merged[1]);
        int stepSource = Rows.step(merged[2]);
        Rows.walk(
                (starts, count) -> {
                    for (int i = 0; i < count; i++) {
                        if (mask.storage().getLong(starts[1] + i * stepMask) != 0) {
                            int from = starts[2] + i * stepSource;
                            target.storage().put(starts[0] + i * step, source.storage(), from);
                        }
                    }
                },
                merged);
    }

    /**
     * Copies the parts at some indices of a dimension.
     *
     * @throws IllegalArgumentException if an index is out of range
     */
    static Tensor index(Tensor tensor, long dim, long[] indices) {
        int axis = tensor.layout().axis(dim);
        long[] shape = tensor.shape();
        shape[axis] = indices.length;
        Tensor result = Tensor.zeros(tensor.dtype(), shape);
        for (int i = 0; i < indices.length; i++) {
            result.select(axis, i).copy_(tensor.select(axis, indices[i]));
        }
        return result;
    }

    /**
     * Takes one element along a dimension for each index.
     *
     * @throws IllegalArgumentException if the indices are no whole numbers, out of range, or of
     *     another shape in the other dimensions
     */
    static Tensor gather(Tensor tensor, long dim, Tensor indices) {
        int axis = tensor.layout().axis(dim);
        if (indices.dtype() != DType.INT64 && indices.dtype() != DType.INT32) {
            throw new IllegalArgumentException(
                    "gather needs indices of int64 or int32, given %s".formatted(indices.dtype()));
        }
        Layout shape = indices.layout();
        for (int d = 0; d < Math.max(tensor.dim(), shape.rank()); d++) {
            boolean fits = shape.rank() == tensor.dim();
            if (!fits || (d != axis && shape.dim(d) > tensor.layout().dim(d))) {
                throw new IllegalArgumentException(
                        "indices of shape %s do not fit a tensor of shape %s along dimension %d"
                                .formatted(shape, tensor.layout(), axis));
            }
        }
        Tensor result = Tensor.zeros(tensor.dtype(), indices.shape());
        Tensor rows = tensor.view(tensor.layout().lastly(axis));
        Tensor asked = indices.view(shape.lastly(axis));
        Tensor out = result.view(result.layout().lastly(axis));
        gatherRows(rows, asked, out);
        return result;
    }

    private static void gatherRows(Tensor rows, Tensor asked, Tensor out) {
        if (rows.dim() > 1) {
            for (int i = 0; i < asked.layout().dim(0); i++) {
                gatherRows(rows.select(0, i), asked.select(0, i), out.select(0, i));
            }
            return;
        }
        for (int i = 0; i < asked.layout().dim(0); i++) {
            long at = asked.storage().getLong(asked.layout().select(0, i).offset());
            int from = rows.layout().select(0, at).offset();
            out.storage().put(out.layout().select(0, i).offset(), rows.storage(), from);
        }
    }

    private static void requireMask(String what, Tensor mask) {
        if (mask.dtype() != DType.BOOL) {
            throw new IllegalArgumentException(
                    "%s needs a mask of bool, given %s %s; compare first, as in t.gt(0)"
                            .formatted(what, mask.dtype(), mask.layout()));
        }
    }
}
