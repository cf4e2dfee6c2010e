package dev.blockscope.onnx;

/** What makes fewer numbers of many, and what is computed of whole rows. */
@SuppressWarnings("MemberName") // methods are named as in PyTorch
abstract sealed class TensorReductions extends TensorMasks permits Tensor {
    TensorReductions(Storage storage, Layout layout) {
        super(storage, layout);
    }

    /**
     * Returns the sum of all elements, added up in double precision.
     *
     * @since 0.1
     */
    public double sum() {
        return Reduction.SUM.of(self());
    }

    /**
     * Returns the sums along a dimension, which disappears; of whole numbers and booleans as int64.
     *
     * @param dim the dimension; a negative one counts from the end
     * @throws IllegalArgumentException if a dimension is out of range
     * @since 0.1
     */
    public Tensor sum(long dim) {
        return sum(new long[] {dim}, false);
    }

    /**
     * Returns the sums along some dimensions; of whole numbers and booleans as int64.
     *
     * @param dims the dimensions; negative ones count from the end
     * @param keepdim whether the dimensions stay, with size 1, rather than disappear
     * @throws IllegalArgumentException if a dimension is out of range
     * @since 0.1
     */
    public Tensor sum(long[] dims, boolean keepdim) {
        return Reduction.SUM.of(self(), dims, keepdim);
    }

    /**
     * Returns the mean of all elements; NaN if there are none.
     *
     * @since 0.1
     */
    public double mean() {
        return Reduction.MEAN.of(self());
    }

    /**
     * Returns the means along a dimension, which disappears; of whole numbers as float32.
     *
     * @param dim the dimension; a negative one counts from the end
     * @throws IllegalArgumentException if a dimension is out of range
     * @since 0.1
     */
    public Tensor mean(long dim) {
        return mean(new long[] {dim}, false);
    }

    /**
     * Returns the means along some dimensions; of whole numbers as float32.
     *
     * @param dims the dimensions; negative ones count from the end
     * @param keepdim whether the dimensions stay, with size 1, rather than disappear
     * @throws IllegalArgumentException if a dimension is out of range
     * @since 0.1
     */
    public Tensor mean(long[] dims, boolean keepdim) {
        return Reduction.MEAN.of(self(), dims, keepdim);
    }

    /**
     * Returns the Euclidean length of all elements as one vector.
     *
     * @since 0.1
     */
    public double norm() {
        return Reduction.NORM.of(self());
    }

    /**
     * Returns the Euclidean lengths along a dimension, which disappears; of whole numbers as
     * float32.
     *
     * @param dim the dimension; a negative one counts from the end
     * @throws IllegalArgumentException if a dimension is out of range
     * @since 0.1
     */
    public Tensor norm(long dim) {
        return norm(new long[] {dim}, false);
    }

    /**
     * Returns the Euclidean lengths along some dimensions; of whole numbers as float32.
     *
     * @param dims the dimensions; negative ones count from the end
     * @param keepdim whether the dimensions stay, with size 1, rather than disappear
     * @throws IllegalArgumentException if a dimension is out of range
     * @since 0.1
     */
    public Tensor norm(long[] dims, boolean keepdim) {
        return Reduction.NORM.of(self(), dims, keepdim);
    }

    /**
     * Returns the largest element; NaN if one is, negative infinity if there are none.
     *
     * @throws IllegalArgumentException if there are no elements and they would be whole numbers
     * @since 0.1
     */
    public double max() {
        return Reduction.MAX.of(self());
    }

    /**
     * Returns the largest elements along a dimension, which disappears.
     *
     * @param dim the dimension; a negative one counts from the end
     * @throws IllegalArgumentException if a dimension is out of range, or has size 0 and holds
     *     whole numbers
     * @since 0.1
     */
    public Tensor max(long dim) {
        return max(new long[] {dim}, false);
    }

    /**
     * Returns the largest elements along some dimensions.
     *
     * @param dims the dimensions; negative ones count from the end
     * @param keepdim whether the dimensions stay, with size 1, rather than disappear
     * @throws IllegalArgumentException if a dimension is out of range, or has size 0 and holds
     *     whole numbers
     * @since 0.1
     */
    public Tensor max(long[] dims, boolean keepdim) {
        return Reduction.MAX.of(self(), dims, keepdim);
    }

    /**
     * Returns the smallest element; NaN if one is, positive infinity if there are none.
     *
     * @throws IllegalArgumentException if there are no elements and they would be whole numbers
     * @since 0.1
     */
    public double min() {
        return Reduction.MIN.of(self());
    }

    /**
     * Returns the smallest elements along a dimension, which disappears.
     *
     * @param dim the dimension; a negative one counts from the end
     * @throws IllegalArgumentException if a dimension is out of range, or has size 0 and holds
     *     whole numbers
     * @since 0.1
     */
    public Tensor min(long dim) {
        return min(new long[] {dim}, false);
    }

    /**
     * Returns the smallest elements along some dimensions.
     *
     * @param dims the dimensions; negative ones count from the end
     * @param keepdim whether the dimensions stay, with size 1, rather than disappear
     * @throws IllegalArgumentException if a dimension is out of range, or has size 0 and holds
     *     whole numbers
     * @since 0.1
     */
    public Tensor min(long[] dims, boolean keepdim) {
        return Reduction.MIN.of(self(), dims, keepdim);
    }

    /**
     * Returns the index of the largest element among all in row-major order: the first of equals,
     * and the first NaN if there is one.
     *
     * @throws IllegalArgumentException if there are no elements
     * @since 0.1
     */
    public long argmax() {
        return new Extreme(true).in(self());
    }

    /**
     * Returns the indices of the largest elements along a dimension, as int64.
     *
     * @param dim the dimension; a negative one counts from the end
     * @param keepdim whether the dimension stays, with size 1, rather than disappears
     * @throws IllegalArgumentException if the dimension is out of range or has size 0
     * @since 0.1
     */
    public Tensor argmax(long dim, boolean keepdim) {
        return new Extreme(true).in(self(), dim, keepdim);
    }

    /**
     * Returns the indices of the largest elements along a dimension, which disappears, as int64.
     *
     * @param dim the dimension; a negative one counts from the end
     * @throws IllegalArgumentException if the dimension is out of range or has size 0
     * @since 0.1
     */
    public Tensor argmax(long dim) {
        return argmax(dim, false);
    }

    /**
     * Returns the index of the smallest element among all in row-major order: the first of equals,
     * and the first NaN if there is one.
     *
     * @throws IllegalArgumentException if there are no elements
     * @since 0.1
     */
    public long argmin() {
        return new Extreme(false).in(self());
    }

    /**
     * Returns the indices of the smallest elements along a dimension, as int64.
     *
     * @param dim the dimension; a negative one counts from the end
     * @param keepdim whether the dimension stays, with size 1, rather than disappears
     * @throws IllegalArgumentException if the dimension is out of range or has size 0
     * @since 0.1
     */
    public Tensor argmin(long dim, boolean keepdim) {
        return new Extreme(false).in(self(), dim, keepdim);
    }

    /**
     * Returns the indices of the smallest elements along a dimension, which disappears, as int64.
     *
     * @param dim the dimension; a negative one counts from the end
     * @throws IllegalArgumentException if the dimension is out of range or has size 0
     * @since 0.1
     */
    public Tensor argmin(long dim) {
        return argmin(dim, false);
    }

    /**
     * Returns the largest elements along the last dimension, the largest first, and where they are.
     *
     * @throws IllegalArgumentException if there are fewer, or no dimension
     * @since 0.1
     */
    public TopK topk(long k) {
        return topk(k, -1, true);
    }

    /**
     * Returns the largest or the smallest elements along a dimension, in order, and where they are.
     * Of equals the one with the smaller index comes first; NaN counts as the largest number.
     *
     * @param k how many
     * @param dim the dimension; a negative one counts from the end
     * @param largest whether the largest are asked for, rather than the smallest
     * @throws IllegalArgumentException if there are fewer, or the dimension is out of range
     * @since 0.1
     */
    public TopK topk(long k, long dim, boolean largest) {
        return Ranking.top(self(), k, dim, largest);
    }

    /**
     * Returns whether any element is not 0.
     *
     * @since 0.1
     */
    public boolean any() {
        return self().ne(0).max() > 0;
    }

    /**
     * Returns whether no element is 0.
     *
     * @since 0.1
     */
    public boolean all() {
        return self().ne(0).min() > 0;
    }

    /**
     * Returns shares that are positive and sum to 1 along a dimension; of whole numbers as float32.
     *
     * @param dim the dimension; a negative one counts from the end
     * @throws IllegalArgumentException if the dimension is out of range
     * @since 0.1
     */
    public Tensor softmax(long dim) {
        return Softmax.of(self(), dim);
    }

    /**
     * Returns the logarithms of {@link #softmax}.
     *
     * @param dim the dimension; a negative one counts from the end
     * @throws IllegalArgumentException if the dimension is out of range
     * @since 0.1
     */
    public Tensor log_softmax(long dim) {
        return Softmax.logarithmOf(self(), dim);
    }

    /**
     * Returns the matrix product by the rules of {@code torch.matmul}: vectors are rows on the left
     * and columns on the right, leading dimensions are batches and are broadcast.
     *
     * @throws IllegalArgumentException if the shapes do not fit or the elements are no
     *     floating-point numbers
     * @since 0.1
     */
    public Tensor matmul(Tensor other) {
        return MatrixProduct.of(self(), other);
    }

    /**
     * Returns the sum of all products of elements at the same place, in double precision.
     *
     * @throws IllegalArgumentException if the shapes differ
     * @since 0.1
     */
    public double dot(Tensor other) {
        if (!layout().hasShape(other.layout())) {
            throw new IllegalArgumentException(
                    "dot needs two tensors of one shape, given %s and %s"
                            .formatted(layout(), other.layout()));
        }
        return self().to(DType.FLOAT64).mul(other.to(DType.FLOAT64)).sum();
    }

    /**
     * Returns the cosine of the angle between this and {@code other}, both taken as one long
     * vector; NaN if one is all zero.
     *
     * @throws IllegalArgumentException if the shapes differ
     * @since 0.1
     */
    public double cosine(Tensor other) {
        return dot(other) / (norm() * other.norm());
    }

    /**
     * Returns the cosines of the angles between the vectors along a dimension, which disappears;
     * NaN where one is all zero. Shapes are broadcast first.
     *
     * @param other the other tensor
     * @param dim the dimension; a negative one counts from the end
     * @throws IllegalArgumentException if the shapes do not fit or the dimension is out of range
     * @since 0.1
     */
    public Tensor cosine(Tensor other, long dim) {
        Layout shape = Broadcast.of(layout(), other.layout());
        Tensor a = view(Broadcast.to(layout(), shape)).to(DType.FLOAT64);
        Tensor b = other.view(Broadcast.to(other.layout(), shape)).to(DType.FLOAT64);
        Tensor cosines = a.mul(b).sum(dim).div(a.norm(dim).mul(b.norm(dim)));
        return cosines.to(Promotion.floating(Promotion.of(self(), other)));
    }
}
