package dev.blockscope.onnx;

import java.util.Arrays;

/** Parts of a tensor and other ways to see it. */
@SuppressWarnings("MemberName") // methods are named as in PyTorch
abstract sealed class TensorViews extends TensorElements permits TensorArithmetic {
    TensorViews(Storage storage, Layout layout) {
        super(storage, layout);
    }

    /**
     * Returns a view of the part at some leading indices: with one, a row; with as many as there
     * are dimensions, a scalar.
     *
     * @param index indices of the first dimensions; a negative one counts from the end
     * @throws IllegalArgumentException if an index is out of range or there are too many
     * @since 0.1
     */
    public Tensor at(long... index) {
        if (index.length > layout().rank()) {
            throw new IllegalArgumentException(
                    "%d indices %s for shape %s, expected at most %d"
                            .formatted(
                                    index.length,
                                    Arrays.toString(index),
                                    layout(),
                                    layout().rank()));
        }
        Layout part = layout();
        for (long i : index) {
            part = part.select(0, i);
        }
        return view(part);
    }

    /**
     * Returns a view of the part at one index of a dimension, which disappears.
     *
     * @param dim the dimension; a negative one counts from the end
     * @param index the index; a negative one counts from the end
     * @throws IllegalArgumentException if one of them is out of range
     * @since 0.1
     */
    public Tensor select(long dim, long index) {
        return view(layout().select(dim, index));
    }

    /**
     * Returns a view of the part between two indices of a dimension. Indices beyond the ends stand
     * for the ends.
     *
     * @param dim the dimension; a negative one counts from the end
     * @param from the first index; a negative one counts from the end
     * @param to the index after the last; a negative one counts from the end
     * @throws IllegalArgumentException if the dimension is out of range
     * @since 0.1
     */
    public Tensor slice(long dim, long from, long to) {
        return slice(dim, from, to, 1);
    }

    /**
     * Returns a view of every {@code step}-th part between two indices of a dimension, by the rules
     * of Python's slices. Going backwards, {@link Long#MAX_VALUE} stands for the last index and
     * {@link Long#MIN_VALUE} for the place before the first.
     *
     * @param dim the dimension; a negative one counts from the end
     * @param from the first index; a negative one counts from the end
     * @param to the index after the last; a negative one counts from the end
     * @param step how far apart the parts are; negative to go backwards
     * @throws IllegalArgumentException if the dimension is out of range or the step is 0
     * @since 0.1
     */
    public Tensor slice(long dim, long from, long to, long step) {
        return view(layout().slice(dim, from, to, step));
    }

    /**
     * Returns a copy of the parts at some indices of a dimension, in the order of the indices.
     *
     * @param dim the dimension; a negative one counts from the end
     * @param indices the indices; negative ones count from the end
     * @throws IllegalArgumentException if the dimension or an index is out of range
     * @since 0.1
     */
    public Tensor index_select(long dim, long... indices) {
        return Selecting.index(self(), dim, indices);
    }

    /**
     * Returns a copy of one element along a dimension for each index: for two dimensions {@code
     * result[i][j]} is {@code this[i][indices[i][j]]} along the last.
     *
     * @param dim the dimension; a negative one counts from the end
     * @param indices the indices, int64 or int32, with as many dimensions as this tensor
     * @throws IllegalArgumentException if the indices are of another type or shape, or one is out
     *     of range
     * @since 0.1
     */
    public Tensor gather(long dim, Tensor indices) {
        return Selecting.gather(self(), dim, indices);
    }

    /**
     * Returns a view with two dimensions exchanged.
     *
     * @throws IllegalArgumentException if one of them is out of range
     * @since 0.1
     */
    public Tensor transpose(long first, long second) {
        return view(layout().transpose(first, second));
    }

    /**
     * Returns a view with the dimensions in another order.
     *
     * @param dims all dimensions, each once, in their new order
     * @throws IllegalArgumentException if one is missing, out of range or there twice
     * @since 0.1
     */
    public Tensor permute(long... dims) {
        return view(layout().permute(dims));
    }

    /**
     * Returns a view with the parts of a dimension in reverse order.
     *
     * @param dim the dimension; a negative one counts from the end
     * @throws IllegalArgumentException if the dimension is out of range
     * @since 0.1
     */
    public Tensor flip(long dim) {
        return slice(dim, Long.MAX_VALUE, Long.MIN_VALUE, -1);
    }

    /**
     * Returns the same elements in another shape: a view if their order in memory allows it, else a
     * copy.
     *
     * @param shape the sizes; one may be -1 and is found from the others
     * @throws IllegalArgumentException if that shape has another number of elements
     * @since 0.1
     */
    public Tensor reshape(long... shape) {
        Tensor source = contiguous();
        return source.view(source.layout().reshape(shape));
    }

    /**
     * Returns the same elements in one dimension, as {@link #reshape} does.
     *
     * @since 0.1
     */
    public Tensor flatten() {
        return reshape(-1);
    }

    /**
     * Returns a view without the dimensions of size 1.
     *
     * @since 0.1
     */
    public Tensor squeeze() {
        Layout squeezed = layout();
        for (int d = layout().rank() - 1; d >= 0; d--) {
            squeezed = squeezed.dim(d) == 1 ? squeezed.squeeze(d) : squeezed;
        }
        return view(squeezed);
    }

    /**
     * Returns a view without a dimension if that has size 1, else the tensor as it is.
     *
     * @param dim the dimension; a negative one counts from the end
     * @throws IllegalArgumentException if the dimension is out of range
     * @since 0.1
     */
    public Tensor squeeze(long dim) {
        int axis = layout().axis(dim);
        return layout().dim(axis) == 1 ? view(layout().squeeze(axis)) : self();
    }

    /**
     * Returns a view with a new dimension of size 1.
     *
     * @param dim where it will be; a negative one counts from the end, -1 makes it the last
     * @throws IllegalArgumentException if the dimension is out of range
     * @since 0.1
     */
    public Tensor unsqueeze(long dim) {
        return view(layout().unsqueeze(dim));
    }

    /**
     * Returns a view in which this tensor is repeated along its dimensions of size 1, and along new
     * leading ones. It cannot be changed, because several of its elements are one.
     *
     * @param shape the sizes; -1 leaves a dimension as it is
     * @throws IllegalArgumentException if a dimension of another size than 1 would have to grow
     * @since 0.1
     */
    public Tensor expand(long... shape) {
        return view(Broadcast.to(layout(), layout().expanded(shape)));
    }

    /**
     * Returns this tensor if its elements are side by side in row-major order, else a copy whose
     * elements are.
     *
     * @since 0.1
     */
    public Tensor contiguous() {
        return layout().isRowMajor() ? self() : self().clone();
    }
}
