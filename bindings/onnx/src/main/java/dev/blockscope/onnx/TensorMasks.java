package dev.blockscope.onnx;

/** Questions about each element, masks made of the answers, and what is written through masks. */
@SuppressWarnings("MemberName") // methods are named as in PyTorch
abstract sealed class TensorMasks extends TensorFunctions permits TensorReductions {
    TensorMasks(Storage storage, Layout layout) {
        super(storage, layout);
    }

    /**
     * Returns, as booleans, where this and {@code other} are equal.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor eq(Tensor other) {
        return Comparison.EQ.of(self(), other);
    }

    /**
     * Returns, as booleans, where this and a number are equal.
     *
     * @since 0.1
     */
    public Tensor eq(double number) {
        return Comparison.EQ.of(self(), number);
    }

    /**
     * Returns, as booleans, where this and {@code other} differ.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor ne(Tensor other) {
        return Comparison.NE.of(self(), other);
    }

    /**
     * Returns, as booleans, where this and a number differ.
     *
     * @since 0.1
     */
    public Tensor ne(double number) {
        return Comparison.NE.of(self(), number);
    }

    /**
     * Returns, as booleans, where this is smaller than {@code other}.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor lt(Tensor other) {
        return Comparison.LT.of(self(), other);
    }

    /**
     * Returns, as booleans, where this is smaller than a number.
     *
     * @since 0.1
     */
    public Tensor lt(double number) {
        return Comparison.LT.of(self(), number);
    }

    /**
     * Returns, as booleans, where this is smaller than {@code other} or equal.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor le(Tensor other) {
        return Comparison.LE.of(self(), other);
    }

    /**
     * Returns, as booleans, where this is smaller than a number or equal.
     *
     * @since 0.1
     */
    public Tensor le(double number) {
        return Comparison.LE.of(self(), number);
    }

    /**
     * Returns, as booleans, where this is larger than {@code other}.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor gt(Tensor other) {
        return Comparison.GT.of(self(), other);
    }

    /**
     * Returns, as booleans, where this is larger than a number.
     *
     * @since 0.1
     */
    public Tensor gt(double number) {
        return Comparison.GT.of(self(), number);
    }

    /**
     * Returns, as booleans, where this is larger than {@code other} or equal.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor ge(Tensor other) {
        return Comparison.GE.of(self(), other);
    }

    /**
     * Returns, as booleans, where this is larger than a number or equal.
     *
     * @since 0.1
     */
    public Tensor ge(double number) {
        return Comparison.GE.of(self(), number);
    }

    /**
     * Returns, as booleans, where neither of this and {@code other} is 0.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor logical_and(Tensor other) {
        return Comparison.AND.of(self(), other);
    }

    /**
     * Returns, as booleans, where one of this and {@code other} is not 0.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor logical_or(Tensor other) {
        return Comparison.OR.of(self(), other);
    }

    /**
     * Returns, as booleans, where exactly one of this and {@code other} is not 0.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor logical_xor(Tensor other) {
        return Comparison.XOR.of(self(), other);
    }

    /**
     * Returns, as booleans, where this is 0.
     *
     * @since 0.1
     */
    public Tensor logical_not() {
        return eq(0);
    }

    /**
     * Returns these elements where a mask is true and those of {@code other} elsewhere.
     *
     * @param mask booleans, such as {@code t.gt(0)}
     * @param other what is taken where the mask is false
     * @throws IllegalArgumentException if the mask is not bool or the shapes do not fit
     * @since 0.1
     */
    public Tensor where(Tensor mask, Tensor other) {
        return Selecting.where(mask, self(), other);
    }

    /**
     * Returns these elements with a number in place of those where a mask is true.
     *
     * @param mask booleans, such as {@code t.gt(0)}
     * @param number what is taken where the mask is true
     * @throws IllegalArgumentException if the mask is not bool, the shapes do not fit, or the
     *     element type cannot hold the number
     * @since 0.1
     */
    public Tensor masked_fill(Tensor mask, double number) {
        Tensor filled = new Tensor(dtype(), Broadcast.of(layout(), mask.layout()));
        return filled.copy_(self()).masked_fill_(mask, number);
    }

    /**
     * Sets the elements where a mask is true to a number.
     *
     * @param mask booleans, such as {@code t.gt(0)}
     * @param number what is taken where the mask is true
     * @return this tensor
     * @throws IllegalArgumentException if the mask is not bool, cannot be broadcast to this shape,
     *     or the element type cannot hold the number
     * @since 0.1
     */
    public Tensor masked_fill_(Tensor mask, double number) {
        Selecting.put(self(), mask, Tensor.full(dtype(), number));
        return self();
    }

    /**
     * Sets every element to a number.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the element type cannot hold the number
     * @since 0.1
     */
    public Tensor fill_(double number) {
        return self().copy_(Tensor.full(dtype(), number));
    }

    /**
     * Sets every element to 0.
     *
     * @return this tensor
     * @since 0.1
     */
    public Tensor zero_() {
        return fill_(0);
    }

    /**
     * Copies the elements of {@code source} into this tensor, converted to its element type.
     *
     * @return this tensor
     * @throws IllegalArgumentException if {@code source} cannot be broadcast to this shape, or the
     *     element type cannot hold one of its elements
     * @since 0.1
     */
    public Tensor copy_(Tensor source) {
        Broadcast.requireWritable(layout());
        Tensor from = Broadcast.apart(source.to(dtype()), self());
        Copying.copy(from, Broadcast.to(from.layout(), layout()), self());
        storage().changed();
        return self();
    }
}
