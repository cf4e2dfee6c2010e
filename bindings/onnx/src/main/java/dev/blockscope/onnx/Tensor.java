package dev.blockscope.onnx;

import dev.blockscope.LiveValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * An array of numbers with a shape and an element type, in row-major order.
 *
 * <p>Names and rules are those of PyTorch and NumPy: sizes that do not match are broadcast,
 * dimensions and indices may count from the end, {@link #at}, {@link #select}, {@link #slice} and
 * {@link #transpose} give views that share memory with this tensor, and methods whose names end in
 * an underscore change the tensor and return it. Arithmetic is done in float32, and in int64 where
 * both sides are; other element types are converted first, by {@link #to}.
 *
 * <p>The memory is Java's own: a tensor stays valid after the model that made it is closed, and
 * changing it later changes nothing in the model.
 *
 * <p>Guest code sees the same methods under the same names, and {@code shape}, {@code dtype},
 * {@code length}, {@code size}, {@code data} and {@code T} as properties. {@code t[2]} is a row (a
 * number if there is one dimension), {@code t[2] = x} fills or copies into it, {@code toArray()}
 * gives nested arrays, and {@code data} is a flat view of all elements.
 *
 * <p>Not safe for use by several threads at once if one of them changes it.
 *
 * @since 0.1
 */
@SuppressWarnings("MemberName") // methods that change the tensor are named as in PyTorch
public final class Tensor implements ProxyObject, ProxyArray, LiveValue, Cloneable {
    private final Storage storage;
    private final Layout layout;

    /** Makes a tensor of zeros. */
    Tensor(DType dtype, Layout rowMajor) {
        this(Storage.allocate(dtype, rowMajor.size()), rowMajor);
    }

    private Tensor(Storage storage, Layout layout) {
        this.storage = storage;
        this.layout = layout;
    }

    /**
     * Makes a float32 tensor with a copy of {@code values}.
     *
     * @param values the elements in row-major order
     * @param shape the sizes, outermost first; none means one dimension
     * @throws IllegalArgumentException if the shape has another number of elements
     * @since 0.1
     */
    public static Tensor of(float[] values, long... shape) {
        Tensor tensor = new Tensor(DType.FLOAT32, layoutFor(values.length, shape));
        tensor.storage.bytes().asFloatBuffer().put(values);
        return tensor;
    }

    /**
     * Makes an int64 tensor with a copy of {@code values}.
     *
     * @param values the elements in row-major order
     * @param shape the sizes, outermost first; none means one dimension
     * @throws IllegalArgumentException if the shape has another number of elements
     * @since 0.1
     */
    public static Tensor of(long[] values, long... shape) {
        Tensor tensor = new Tensor(DType.INT64, layoutFor(values.length, shape));
        tensor.storage.bytes().asLongBuffer().put(values);
        return tensor;
    }

    /**
     * Makes a tensor of zeros.
     *
     * @param dtype the element type
     * @param shape the sizes, outermost first; none makes a scalar
     * @throws IllegalArgumentException if a tensor cannot hold elements of that type
     * @since 0.1
     */
    public static Tensor zeros(DType dtype, long... shape) {
        return new Tensor(dtype, Layout.rowMajor(shape));
    }

    /**
     * Makes a tensor whose elements are all the same.
     *
     * @param dtype the element type
     * @param value the value of every element
     * @param shape the sizes, outermost first; none makes a scalar
     * @throws IllegalArgumentException if a tensor cannot hold such elements
     * @since 0.1
     */
    public static Tensor full(DType dtype, double value, long... shape) {
        return zeros(dtype, shape).fill_(value);
    }

    /** Makes a tensor with a copy of {@code bytes}, its elements in native byte order. */
    static Tensor copyOf(DType dtype, long[] shape, ByteBuffer bytes) {
        Tensor tensor = zeros(dtype, shape);
        tensor.storage.bytes().put(bytes);
        return tensor;
    }

    private static Layout layoutFor(int length, long... shape) {
        Layout layout = shape.length == 0 ? Layout.rowMajor(length) : Layout.rowMajor(shape);
        if (layout.size() != length) {
            throw new IllegalArgumentException(
                    "shape %s needs %d elements, %d were given"
                            .formatted(layout, layout.size(), length));
        }
        return layout;
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
        return storage.get(single());
    }

    /**
     * Returns an element.
     *
     * @param index one index for each dimension; a negative one counts from the end
     * @throws IllegalArgumentException if an index is out of range or there are too few
     * @since 0.1
     */
    public double item(long... index) {
        return at(index).item();
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
        if (index.length > layout.rank()) {
            throw new IllegalArgumentException(
                    "%d indices %s for shape %s, expected at most %d"
                            .formatted(
                                    index.length, Arrays.toString(index), layout, layout.rank()));
        }
        Layout part = layout;
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
        return view(layout.select(dim, index));
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
        return view(layout.slice(dim, from, to));
    }

    /**
     * Returns a view with two dimensions exchanged.
     *
     * @throws IllegalArgumentException if one of them is out of range
     * @since 0.1
     */
    public Tensor transpose(long first, long second) {
        return view(layout.transpose(first, second));
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
        Tensor source = layout.isRowMajor() ? this : clone();
        return source.view(source.layout.reshape(shape));
    }

    /**
     * Converts the elements. On the way to whole numbers fractions are cut off.
     *
     * @return this tensor if it has that element type already, else a new one
     * @throws IllegalArgumentException if that type cannot hold one of the elements
     * @since 0.1
     */
    public Tensor to(DType dtype) {
        if (dtype == dtype()) {
            return this;
        }
        Tensor converted = zeros(dtype, shape());
        int step = Rows.step(layout);
        int[] next = {0};
        boolean whole = !dtype.isFloatingPoint();
        Rows.walk(
                (starts, count) -> {
                    for (int i = 0; i < count; i++) {
                        int from = starts[0] + i * step;
                        if (whole) {
                            converted.storage.setLong(next[0]++, storage.getLong(from));
                        } else {
                            converted.storage.set(next[0]++, storage.get(from));
                        }
                    }
                },
                layout);
        return converted;
    }

    /**
     * Returns the sum of this and {@code other}, element by element.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor add(Tensor other) {
        return Arithmetic.ADD.of(this, other);
    }

    /**
     * Returns the sum of this and a number.
     *
     * @since 0.1
     */
    public Tensor add(double number) {
        return add(scalar(number));
    }

    /**
     * Returns the difference of this and {@code other}, element by element.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor sub(Tensor other) {
        return Arithmetic.SUB.of(this, other);
    }

    /**
     * Returns the difference of this and a number.
     *
     * @since 0.1
     */
    public Tensor sub(double number) {
        return sub(scalar(number));
    }

    /**
     * Returns the product of this and {@code other}, element by element.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor mul(Tensor other) {
        return Arithmetic.MUL.of(this, other);
    }

    /**
     * Returns the product of this and a number.
     *
     * @since 0.1
     */
    public Tensor mul(double number) {
        return mul(scalar(number));
    }

    /**
     * Returns the quotient of this and {@code other}, element by element, as float32.
     *
     * @throws IllegalArgumentException if the shapes do not fit
     * @since 0.1
     */
    public Tensor div(Tensor other) {
        return Arithmetic.DIV.of(this, other);
    }

    /**
     * Returns the quotient of this and a number, as float32.
     *
     * @since 0.1
     */
    public Tensor div(double number) {
        return div(scalar(number));
    }

    /**
     * Returns the matrix product by the rules of {@code torch.matmul}: vectors are rows on the left
     * and columns on the right, leading dimensions are batches and are broadcast.
     *
     * @throws IllegalArgumentException if the shapes do not fit or the elements are not float32
     * @since 0.1
     */
    public Tensor matmul(Tensor other) {
        return MatrixProduct.of(this, other);
    }

    /**
     * Returns the sum of all products of elements at the same place.
     *
     * @throws IllegalArgumentException if the shapes differ
     * @since 0.1
     */
    public double dot(Tensor other) {
        requireSameShape("dot", other);
        return mul(other).sum();
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
     * Returns the sum of all elements, added up in double precision.
     *
     * @since 0.1
     */
    public double sum() {
        return Reduction.SUM.of(this);
    }

    /**
     * Returns the sums along a dimension, which disappears.
     *
     * @throws IllegalArgumentException if the dimension is out of range
     * @since 0.1
     */
    public Tensor sum(long dim) {
        return Reduction.SUM.of(this, dim, false);
    }

    /**
     * Returns the mean of all elements; NaN if there are none.
     *
     * @since 0.1
     */
    public double mean() {
        return Reduction.MEAN.of(this);
    }

    /**
     * Returns the means along a dimension as float32; the dimension disappears.
     *
     * @throws IllegalArgumentException if the dimension is out of range
     * @since 0.1
     */
    public Tensor mean(long dim) {
        return Reduction.MEAN.of(this, dim, false);
    }

    /**
     * Returns the Euclidean length of all elements as one vector.
     *
     * @since 0.1
     */
    public double norm() {
        return Reduction.NORM.of(this);
    }

    /**
     * Returns the Euclidean lengths along a dimension as float32; the dimension stays with size 1,
     * so that {@code t.div(t.norm(-1))} makes every row a unit vector.
     *
     * @throws IllegalArgumentException if the dimension is out of range
     * @since 0.1
     */
    public Tensor norm(long dim) {
        return Reduction.NORM.of(this, dim, true);
    }

    /**
     * Returns the largest element; negative infinity if there are none.
     *
     * @since 0.1
     */
    public double max() {
        return Reduction.MAX.of(this);
    }

    /**
     * Returns the smallest element; positive infinity if there are none.
     *
     * @since 0.1
     */
    public double min() {
        return Reduction.MIN.of(this);
    }

    /**
     * Returns the elements without their signs.
     *
     * @since 0.1
     */
    public Tensor abs() {
        Arithmetic.requireNumbers(this);
        Tensor result = clone();
        for (int i = 0; i < layout.size(); i++) {
            if (dtype() == DType.INT64) {
                result.storage.setLong(i, Math.abs(result.storage.getLong(i)));
            } else {
                result.storage.set(i, Math.abs(result.storage.get(i)));
            }
        }
        return result;
    }

    /**
     * Returns float32 shares that are positive and sum to 1 along a dimension.
     *
     * @throws IllegalArgumentException if the dimension is out of range
     * @since 0.1
     */
    public Tensor softmax(long dim) {
        return Softmax.of(this, dim);
    }

    /**
     * Adds {@code other} to this tensor, element by element.
     *
     * @return this tensor
     * @throws IllegalArgumentException if {@code other} cannot be broadcast to this shape
     * @since 0.1
     */
    public Tensor add_(Tensor other) {
        Arithmetic.ADD.into(this, other);
        return this;
    }

    /**
     * Adds a number to every element of this tensor.
     *
     * @return this tensor
     * @since 0.1
     */
    public Tensor add_(double number) {
        return add_(scalar(number));
    }

    /**
     * Subtracts {@code other} from this tensor, element by element.
     *
     * @return this tensor
     * @throws IllegalArgumentException if {@code other} cannot be broadcast to this shape
     * @since 0.1
     */
    public Tensor sub_(Tensor other) {
        Arithmetic.SUB.into(this, other);
        return this;
    }

    /**
     * Subtracts a number from every element of this tensor.
     *
     * @return this tensor
     * @since 0.1
     */
    public Tensor sub_(double number) {
        return sub_(scalar(number));
    }

    /**
     * Multiplies this tensor by {@code other}, element by element.
     *
     * @return this tensor
     * @throws IllegalArgumentException if {@code other} cannot be broadcast to this shape
     * @since 0.1
     */
    public Tensor mul_(Tensor other) {
        Arithmetic.MUL.into(this, other);
        return this;
    }

    /**
     * Multiplies every element of this tensor by a number.
     *
     * @return this tensor
     * @since 0.1
     */
    public Tensor mul_(double number) {
        return mul_(scalar(number));
    }

    /**
     * Divides this float32 tensor by {@code other}, element by element.
     *
     * @return this tensor
     * @throws IllegalArgumentException if {@code other} cannot be broadcast to this shape
     * @since 0.1
     */
    public Tensor div_(Tensor other) {
        Arithmetic.DIV.into(this, other);
        return this;
    }

    /**
     * Divides every element of this float32 tensor by a number.
     *
     * @return this tensor
     * @since 0.1
     */
    public Tensor div_(double number) {
        return div_(scalar(number));
    }

    /**
     * Sets every element to a number.
     *
     * @return this tensor
     * @throws IllegalArgumentException if the element type cannot hold the number
     * @since 0.1
     */
    public Tensor fill_(double number) {
        int step = Rows.step(layout);
        Rows.walk(
                (starts, count) -> {
                    for (int i = 0; i < count; i++) {
                        storage.set(starts[0] + i * step, number);
                    }
                },
                layout);
        storage.changed();
        return this;
    }

    /**
     * Copies the elements of {@code source} into this tensor.
     *
     * @return this tensor
     * @throws IllegalArgumentException if {@code source} cannot be broadcast to this shape or has
     *     another element type
     * @since 0.1
     */
    public Tensor copy_(Tensor source) {
        if (source.dtype() != dtype()) {
            throw new IllegalArgumentException(
                    "a %s tensor cannot be copied into one of %s; convert it with to(\"%s\")"
                            .formatted(source.dtype(), dtype(), dtype()));
        }
        boolean overlaps = source.storage == storage && !source.layout.equalTo(layout);
        Tensor from = overlaps ? source.clone() : source;
        Copying.copy(from, from.layout.broadcastTo(layout), this);
        storage.changed();
        return this;
    }

    /**
     * Returns a copy with memory of its own.
     *
     * @since 0.1
     */
    @Override
    public Tensor clone() {
        Tensor copy = zeros(dtype(), shape());
        Copying.copy(this, layout, copy);
        return copy;
    }

    /**
     * Returns the elements in row-major order, converted to float32.
     *
     * @since 0.1
     */
    public float[] toFloatArray() {
        Tensor source = to(DType.FLOAT32);
        Tensor flat = source.layout.isRowMajor() ? source : source.clone();
        float[] values = new float[layout.size()];
        flat.storage.bytes().asFloatBuffer().get(flat.layout.offset(), values);
        return values;
    }

    /**
     * Returns the elements in row-major order, converted to int64; fractions are cut off.
     *
     * @since 0.1
     */
    public long[] toLongArray() {
        Tensor source = to(DType.INT64);
        Tensor flat = source.layout.isRowMajor() ? source : source.clone();
        long[] values = new long[layout.size()];
        flat.storage.bytes().asLongBuffer().get(flat.layout.offset(), values);
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
            Tensor part = at(i);
            list.add(part.dim() == 0 ? part.number() : part.toList());
        }
        return list;
    }

    /** Returns {@link #clone}: what a block pushes does not change when the block's tensor does. */
    @Override
    public Tensor copy() {
        return clone();
    }

    /** Returns element type, shape and the first elements. */
    @Override
    public String toString() {
        return TensorText.of(this);
    }

    // What guest code sees.

    /** Returns a property or method for guest code; null if there is none of that name. */
    @Override
    public @Nullable Object getMember(String key) {
        return TensorMembers.get(this, key);
    }

    /** Returns the names of the properties and methods for guest code. */
    @Override
    public Object getMemberKeys() {
        return ProxyArray.fromList(TensorMembers.names());
    }

    /** Returns whether guest code sees a property or method of that name. */
    @Override
    public boolean hasMember(String key) {
        return TensorMembers.has(this, key);
    }

    /**
     * Copies into the row that a negative index names.
     *
     * @throws IllegalArgumentException if {@code key} is no index: the members of a tensor cannot
     *     be set
     */
    @Override
    public void putMember(String key, Value value) {
        TensorMembers.put(this, key, value);
    }

    /** Returns the row at an index as a view, or the number if there is one dimension. */
    @Override
    public Object get(long index) {
        Tensor part = at(index);
        return part.dim() == 0 ? part.number() : part;
    }

    /** Fills the row at an index with a number, or copies a tensor or an array into it. */
    @Override
    public void set(long index, Value value) {
        TensorMembers.assign(at(index), value);
    }

    /** Returns the size of the first dimension; 0 for a scalar. */
    @Override
    public long getSize() {
        return layout.rank() == 0 ? 0 : layout.dim(0);
    }

    /** Returns the one element as the Java type that fits. */
    Object number() {
        int index = single();
        if (dtype().isFloatingPoint()) {
            return storage.get(index);
        }
        long value = storage.getLong(index);
        return dtype() == DType.BOOL ? (Object) (value != 0) : (Object) value;
    }

    Storage storage() {
        return storage;
    }

    Layout layout() {
        return layout;
    }

    /** Returns the same memory seen through another layout. */
    Tensor view(Layout part) {
        return new Tensor(storage, part);
    }

    private int single() {
        if (layout.size() != 1) {
            throw new IllegalArgumentException(
                    "a tensor of shape %s is not one number, give an index for each dimension"
                            .formatted(layout));
        }
        return layout.offset();
    }

    /** A whole number keeps an int64 tensor int64, as in PyTorch. */
    private Tensor scalar(double number) {
        boolean whole = dtype() == DType.INT64 && number == Math.rint(number);
        return full(whole ? DType.INT64 : DType.FLOAT32, number);
    }

    private void requireSameShape(String what, Tensor other) {
        if (!layout.hasShape(other.layout)) {
            throw new IllegalArgumentException(
                    "%s needs two tensors of one shape, given %s and %s"
                            .formatted(what, layout, other.layout));
        }
    }
}
