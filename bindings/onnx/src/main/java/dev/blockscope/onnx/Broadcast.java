package dev.blockscope.onnx;

/** Lays tensors of different shapes over each other, by NumPy's rules. */
final class Broadcast {
    private Broadcast() {}

    /**
     * Repeats a layout along the dimensions in which {@code target} is larger.
     *
     * @throws IllegalArgumentException if that is not possible
     */
    static Layout to(Layout layout, Layout target) {
        int[] strides = new int[target.rank()];
        int lead = target.rank() - layout.rank();
        for (int d = 0; d < layout.rank(); d++) {
            boolean same = lead >= 0 && layout.dim(d) == target.dim(lead + d);
            if (!same && (lead < 0 || layout.dim(d) != 1)) {
                throw new IllegalArgumentException(
                        "shape %s cannot be broadcast to shape %s".formatted(layout, target));
            }
            strides[lead + d] = same ? layout.stride(d) : 0;
        }
        return target.withStrides(strides, layout.offset());
    }

    /**
     * Returns the shape that both broadcast to.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Layout of(Layout a, Layout b) {
        long[] shape = new long[Math.max(a.rank(), b.rank())];
        for (int d = 1; d <= shape.length; d++) {
            int x = d <= a.rank() ? a.dim(a.rank() - d) : 1;
            int y = d <= b.rank() ? b.dim(b.rank() - d) : 1;
            if (x != y && x != 1 && y != 1) {
                throw new IllegalArgumentException(
                        "shapes %s and %s do not fit each other: %d and %d differ and neither is 1"
                                .formatted(a, b, x, y));
            }
            shape[shape.length - d] = x == 1 ? y : x;
        }
        return Layout.rowMajor(shape);
    }

    /**
     * Makes sure that every element seen through a layout has memory of its own.
     *
     * @throws IllegalArgumentException if some share it
     */
    static void requireWritable(Layout layout) {
        if (layout.repeats()) {
            throw new IllegalArgumentException(
                    "a tensor of shape %s that was expanded cannot be changed, several of its elements are one; clone it first"
                            .formatted(layout));
        }
    }

    /** Returns an operand that does not change while {@code target} is written. */
    static Tensor apart(Tensor operand, Tensor target) {
        boolean overlaps =
                operand.storage() == target.storage() && !operand.layout().equalTo(target.layout());
        return overlaps ? operand.clone() : operand;
    }
}
