package dev.blockscope.onnx;

/** Arithmetic, element by element. */
@SuppressWarnings("MemberName") // methods are named as in PyTorch
abstract sealed class TensorArithmetic extends TensorViews permits TensorFunctions {
    TensorArithmetic(Storage storage, Layout layout) {
        super(storage, layout);
    }

    /**
     * Returns the sum of this and {@code other}, element by element.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor add(Tensor other) {
        return Arithmetic.ADD.of(self(), other);
    }

    /**
     * Returns the sum of this and a number.
     *
     * @since 0.1
     */
    public Tensor add(double number) {
        return Arithmetic.ADD.of(self(), number);
    }

    /**
     * Adds {@code other} to this tensor, element by element.
     *
     * @return this tensor
     * @throws IllegalArgumentException if {@code other} cannot be broadcast to this shape, or the
     *     result is of a higher kind than this tensor's elements
     * @since 0.1
     */
    public Tensor add_(Tensor other) {
        Arithmetic.ADD.into(self(), other);
        return self();
    }

    /**
     * Adds a number to every element of this tensor.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the result is of a higher kind than this tensor's
     *     elements
     * @since 0.1
     */
    public Tensor add_(double number) {
        Arithmetic.ADD.into(self(), number);
        return self();
    }

    /**
     * Returns the difference of this and {@code other}, element by element.
     *
     * @throws IllegalArgumentException if the shapes do not fit or both are booleans
     * @since 0.1
     */
    public Tensor sub(Tensor other) {
        return Arithmetic.SUB.of(self(), other);
    }

    /**
     * Returns the difference of this and a number.
     *
     * @since 0.1
     */
    public Tensor sub(double number) {
        return Arithmetic.SUB.of(self(), number);
    }

    /**
     * Subtracts {@code other} from this tensor, element by element.
     *
     * @return this tensor
     * @throws IllegalArgumentException if {@code other} cannot be broadcast to this shape, or the
     *     result is of a higher kind than this tensor's elements
     * @since 0.1
     */
    public Tensor sub_(Tensor other) {
        Arithmetic.SUB.into(self(), other);
        return self();
    }

    /**
     * Subtracts a number from every element of this tensor.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the result is of a higher kind than this tensor's
     *     elements
     * @since 0.1
     */
    public Tensor sub_(double number) {
        Arithmetic.SUB.into(self(), number);
        return self();
    }

    /**
     * Returns the product of this and {@code other}, element by element.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor mul(Tensor other) {
        return Arithmetic.MUL.of(self(), other);
    }

    /**
     * Returns the product of this and a number.
     *
     * @since 0.1
     */
    public Tensor mul(double number) {
        return Arithmetic.MUL.of(self(), number);
    }

    /**
     * Multiplies this tensor by {@code other}, element by element.
     *
     * @return this tensor
     * @throws IllegalArgumentException if {@code other} cannot be broadcast to this shape, or the
     *     result is of a higher kind than this tensor's elements
     * @since 0.1
     */
    public Tensor mul_(Tensor other) {
        Arithmetic.MUL.into(self(), other);
        return self();
    }

    /**
     * Multiplies every element of this tensor by a number.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the result is of a higher kind than this tensor's
     *     elements
     * @since 0.1
     */
    public Tensor mul_(double number) {
        Arithmetic.MUL.into(self(), number);
        return self();
    }

    /**
     * Returns the quotient of this and {@code other}, element by element, as floating-point
     * numbers.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor div(Tensor other) {
        return Arithmetic.DIV.of(self(), other);
    }

    /**
     * Returns the quotient of this and a number, as floating-point numbers.
     *
     * @since 0.1
     */
    public Tensor div(double number) {
        return Arithmetic.DIV.of(self(), number);
    }

    /**
     * Divides this tensor by {@code other}, element by element.
     *
     * @return this tensor
     * @throws IllegalArgumentException if {@code other} cannot be broadcast to this shape, or the
     *     result is of a higher kind than this tensor's elements
     * @since 0.1
     */
    public Tensor div_(Tensor other) {
        Arithmetic.DIV.into(self(), other);
        return self();
    }

    /**
     * Divides every element of this tensor by a number.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the result is of a higher kind than this tensor's
     *     elements
     * @since 0.1
     */
    public Tensor div_(double number) {
        Arithmetic.DIV.into(self(), number);
        return self();
    }

    /**
     * Returns this raised to {@code other}, element by element.
     *
     * @throws IllegalArgumentException if the shapes do not fit, or a whole number would be raised
     *     to a negative one
     * @since 0.1
     */
    public Tensor pow(Tensor other) {
        return Arithmetic.POW.of(self(), other);
    }

    /**
     * Returns this raised to a number.
     *
     * @throws IllegalArgumentException if whole numbers would be raised to a negative one
     * @since 0.1
     */
    public Tensor pow(double number) {
        return Arithmetic.POW.of(self(), number);
    }

    /**
     * Raises this tensor to {@code other}, element by element.
     *
     * @return this tensor
     * @throws IllegalArgumentException if {@code other} cannot be broadcast to this shape, or the
     *     result is of a higher kind than this tensor's elements
     * @since 0.1
     */
    public Tensor pow_(Tensor other) {
        Arithmetic.POW.into(self(), other);
        return self();
    }

    /**
     * Raises every element of this tensor to a number.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the result is of a higher kind than this tensor's
     *     elements
     * @since 0.1
     */
    public Tensor pow_(double number) {
        Arithmetic.POW.into(self(), number);
        return self();
    }

    /**
     * Returns the larger of this and {@code other}, element by element; NaN where one is.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor maximum(Tensor other) {
        return Arithmetic.MAXIMUM.of(self(), other);
    }

    /**
     * Returns the smaller of this and {@code other}, element by element; NaN where one is.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor minimum(Tensor other) {
        return Arithmetic.MINIMUM.of(self(), other);
    }

    /**
     * Returns the elements with those beyond a bound replaced by the bound.
     *
     * @param least the lower bound; {@link Double#NEGATIVE_INFINITY} for none
     * @param most the upper bound; {@link Double#POSITIVE_INFINITY} for none
     * @since 0.1
     */
    public Tensor clamp(double least, double most) {
        return Arithmetic.MINIMUM.of(Arithmetic.MAXIMUM.of(self(), least), most);
    }

    /**
     * Replaces elements beyond a bound by the bound.
     *
     * @param least the lower bound; {@link Double#NEGATIVE_INFINITY} for none
     * @param most the upper bound; {@link Double#POSITIVE_INFINITY} for none
     * @return this tensor
     * @throws IllegalArgumentException if the result is of a higher kind than this tensor's
     *     elements
     * @since 0.1
     */
    public Tensor clamp_(double least, double most) {
        return self().copy_(clamp(least, most).to(dtype()));
    }
}
