package dev.blockscope.onnx;

/** What is made of each element alone. */
@SuppressWarnings("MemberName") // methods are named as in PyTorch
abstract sealed class TensorFunctions extends TensorArithmetic permits TensorMasks {
    TensorFunctions(Storage storage, Layout layout) {
        super(storage, layout);
    }

    /**
     * Returns the elements without their signs.
     *
     * @throws IllegalArgumentException if the elements are booleans
     * @since 0.1
     */
    public Tensor abs() {
        return Unary.ABS.of(self());
    }

    /**
     * Takes the sign off every element.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the elements are booleans
     * @since 0.1
     */
    public Tensor abs_() {
        Unary.ABS.into(self());
        return self();
    }

    /**
     * Returns the elements with the other sign.
     *
     * @throws IllegalArgumentException if the elements are booleans
     * @since 0.1
     */
    public Tensor neg() {
        return Unary.NEG.of(self());
    }

    /**
     * Turns the sign of every element.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the elements are booleans
     * @since 0.1
     */
    public Tensor neg_() {
        Unary.NEG.into(self());
        return self();
    }

    /**
     * Returns -1, 0 or 1 for each element.
     *
     * @throws IllegalArgumentException if the elements are booleans
     * @since 0.1
     */
    public Tensor sign() {
        return Unary.SIGN.of(self());
    }

    /**
     * Returns the largest whole numbers that are not larger than the elements.
     *
     * @throws IllegalArgumentException if the elements are booleans
     * @since 0.1
     */
    public Tensor floor() {
        return Unary.FLOOR.of(self());
    }

    /**
     * Returns the smallest whole numbers that are not smaller than the elements.
     *
     * @throws IllegalArgumentException if the elements are booleans
     * @since 0.1
     */
    public Tensor ceil() {
        return Unary.CEIL.of(self());
    }

    /**
     * Returns the whole numbers nearest to the elements, of two the even one.
     *
     * @throws IllegalArgumentException if the elements are booleans
     * @since 0.1
     */
    public Tensor round() {
        return Unary.ROUND.of(self());
    }

    /**
     * Returns the elements with 0 for the negative ones.
     *
     * @throws IllegalArgumentException if the elements are booleans
     * @since 0.1
     */
    public Tensor relu() {
        return Unary.RELU.of(self());
    }

    /**
     * Replaces negative elements by 0.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the elements are booleans
     * @since 0.1
     */
    public Tensor relu_() {
        Unary.RELU.into(self());
        return self();
    }

    /**
     * Returns the exponentials of the elements, as floating-point numbers.
     *
     * @since 0.1
     */
    public Tensor exp() {
        return Unary.EXP.of(self());
    }

    /**
     * Replaces every element by its exponential.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the elements are whole numbers or booleans
     * @since 0.1
     */
    public Tensor exp_() {
        Unary.EXP.into(self());
        return self();
    }

    /**
     * Returns the natural logarithms of the elements, as floating-point numbers.
     *
     * @since 0.1
     */
    public Tensor log() {
        return Unary.LOG.of(self());
    }

    /**
     * Replaces every element by its natural logarithm.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the elements are whole numbers or booleans
     * @since 0.1
     */
    public Tensor log_() {
        Unary.LOG.into(self());
        return self();
    }

    /**
     * Returns the square roots of the elements, as floating-point numbers.
     *
     * @since 0.1
     */
    public Tensor sqrt() {
        return Unary.SQRT.of(self());
    }

    /**
     * Replaces every element by its square root.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the elements are whole numbers or booleans
     * @since 0.1
     */
    public Tensor sqrt_() {
        Unary.SQRT.into(self());
        return self();
    }

    /**
     * Returns the logistic function of the elements, as floating-point numbers.
     *
     * @since 0.1
     */
    public Tensor sigmoid() {
        return Unary.SIGMOID.of(self());
    }

    /**
     * Replaces every element by its logistic function.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the elements are whole numbers or booleans
     * @since 0.1
     */
    public Tensor sigmoid_() {
        Unary.SIGMOID.into(self());
        return self();
    }

    /**
     * Returns the hyperbolic tangents of the elements, as floating-point numbers.
     *
     * @since 0.1
     */
    public Tensor tanh() {
        return Unary.TANH.of(self());
    }

    /**
     * Replaces every element by its hyperbolic tangent.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the elements are whole numbers or booleans
     * @since 0.1
     */
    public Tensor tanh_() {
        Unary.TANH.into(self());
        return self();
    }
}
