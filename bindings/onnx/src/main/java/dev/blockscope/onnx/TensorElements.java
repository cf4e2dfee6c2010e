package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a tensor is: memory, how it is laid out, and its elements one by one or all together. */
abstract sealed class TensorElements permits TensorViews {
    private final Storage storage;
    private final Layout layout;

    TensorElements(Storage storage, Layout layout) {
        this.storage = storage;
        this.layout = layout;
    }

    /** Returns this as what it is. */
    abstract Tensor self();

    /**
     * Returns the memory.
     *
     * @throws IllegalStateException if it was lent by a run that is over
     */
    Storage storage() {
        Loan loan = storage.loan();
        if (loan != null && loan.isOver()) {
            throw loan.over(dtype(), layout);
        }
        return storage;
    }

    /** Returns what the memory is lent by; null if it is its users' own. */
    @Nullable Loan loan() {
        return storage.loan();
    }

    /** Says what the memory is lent by, if by anything, to whoever sees this from now on. */
    Tensor lent(@Nullable Loan by) {
        if (by != null) {
            storage.lend(by);
        }
        return self();
    }

    Layout layout() {
        return layout;
    }

    /** Returns the same memory seen through another layout. */
    Tensor view(Layout part) {
        return new Tensor(storage, part);
    }

    /**
     * Returns the element type.
     *
     * @since 0.1
     */
    public DType dtype() {
        return storage.dtype();
    }

    /**
     * Returns the sizes, outermost first; empty for a scalar.
     *
     * @since 0.1
     */
    public long[] shape() {
        return layout.shape();
    }

    /**
     * Returns the number of dimensions.
     *
     * @since 0.1
     */
    public int dim() {
        return layout.rank();
    }

    /**
     * Returns the number of elements.
     *
     * @since 0.1
     */
    public long size() {
        return layout.size();
    }

    /**
     * Returns the one element of a tensor that has only one.
     *
     * @throws IllegalArgumentException if it has more or none
     * @since 0.1
     */
    public double item() {
        return storage().get(single());
    }

    /**
     * Returns an element.
     *
     * @param index one index for each dimension; a negative one counts from the end
     * @throws IllegalArgumentException if an index is out of range or there are too few
     * @since 0.1
     */
    public double item(long... index) {
        return self().at(index).item();
    }

    /**
     * Converts the elements. On the way to whole numbers fractions are cut off, on the way to
     * booleans everything but 0 is true.
     *
     * @return this tensor if it has that element type already, else a new one
     * @throws IllegalArgumentException if that type cannot hold one of the elements
     * @since 0.1
     */
    public Tensor to(DType dtype) {
        return dtype == dtype() ? self() : Converting.to(dtype, self());
    }

    /**
     * Returns the elements in row-major order, converted to float32.
     *
     * @since 0.1
     */
    public float[] toFloatArray() {
        Tensor flat = Converting.flat(DType.FLOAT32, self());
        float[] values = new float[layout.size()];
        flat.storage().bytes().asFloatBuffer().get(flat.layout().offset(), values);
        return values;
    }

    /**
     * Returns the elements in row-major order, converted to float64.
     *
     * @since 0.1
     */
    public double[] toDoubleArray() {
        Tensor flat = Converting.flat(DType.FLOAT64, self());
        double[] values = new double[layout.size()];
        flat.storage().bytes().asDoubleBuffer().get(flat.layout().offset(), values);
        return values;
    }

    /**
     * Returns the elements in row-major order, converted to int64; fractions are cut off.
     *
     * @throws IllegalArgumentException if an element is NaN or too large
     * @since 0.1
     */
    public long[] toLongArray() {
        Tensor flat = Converting.flat(DType.INT64, self());
        long[] values = new long[layout.size()];
        flat.storage().bytes().asLongBuffer().get(flat.layout().offset(), values);
        return values;
    }

    /**
     * Returns the elements as nested lists of {@link Double} or {@link Long}, or {@link Boolean}; a
     * scalar gives a list of one.
     *
     * @since 0.1
     */
    public List<Object> toList() {
        List<Object> list = new ArrayList<>();
        if (layout.rank() == 0) {
            list.add(number());
            return list;
        }
        for (int i = 0; i < layout.dim(0); i++) {
            Tensor part = self().at(i);
            list.add(part.dim() == 0 ? part.number() : part.toList());
        }
        return list;
    }

    /**
     * Returns element type, shape and the first elements; of a tensor whose run is over, where it
     * came from.
     */
    @Override
    public String toString() {
        return TensorText.of(self());
    }

    /** Returns the one element as the Java type that fits. */
    Object number() {
        int index = single();
        if (dtype().isFloatingPoint()) {
            return storage().get(index);
        }
        long value = storage().getLong(index);
        return dtype() == DType.BOOL ? (Object) (value != 0) : (Object) value;
    }

    private int single() {
        if (layout.size() != 1) {
            throw new IllegalArgumentException(
                    "a tensor of shape %s is not one number, give an index for each dimension"
                            .formatted(layout));
        }
        return layout.offset();
    }
}
