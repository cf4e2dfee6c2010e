package dev.blockscope.onnx;

import dev.blockscope.LiveValue;
import java.nio.ByteBuffer;
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
 * an underscore change the tensor and return it. What two element types make is their common type
 * by PyTorch's rules: float32 and float16 make float32, int64 and float32 make float32, and a plain
 * number leaves the type as it is unless it has fractions and the type has none. Whole numbers wrap
 * around where they grow too large; conversions refuse what does not fit.
 *
 * <p>The memory is Java's own, and a tensor that a program made, computed or got as a result stays
 * good for ever, also after its model is closed. A tensor that a hook point offers to a block, and
 * every view of it, belongs to the block's run: when the trace is over, or the session that the
 * trace is part of, whoever uses it gets an {@link IllegalStateException}, because a change of it
 * would reach no model. Only its type and its shape can still be asked for. What a block keeps for
 * later is a {@link #clone}, which returning it and assigning it to a name make as well.
 *
 * <p>Guest code sees the same methods under the same names, and {@code shape}, {@code dtype},
 * {@code length}, {@code size}, {@code data} and {@code T} as properties. {@code t[2]} is a row (a
 * number if there is one dimension), {@code t[2] = x} fills or copies into it, {@code toArray()}
 * gives nested arrays, and {@code data} is a typed array, such as a {@code Float32Array}, that
 * shares the tensor's memory. The end of a slice may be left out or {@code null}, and {@code
 * keepdim} too.
 *
 * <p>Not safe for use by several threads at once if one of them changes it.
 *
 * @since 0.1
 */
public final class Tensor extends TensorReductions
        implements ProxyObject, ProxyArray, LiveValue, Cloneable {
    /** Makes a tensor of zeros. */
    Tensor(DType dtype, Layout rowMajor) {
        this(Storage.allocate(dtype, rowMajor.size()), rowMajor);
    }

    Tensor(Storage storage, Layout layout) {
        super(storage, layout);
    }

    @Override
    Tensor self() {
        return this;
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
        tensor.storage().bytes().asFloatBuffer().put(values);
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
        tensor.storage().bytes().asLongBuffer().put(values);
        return tensor;
    }

    /**
     * Makes a float64 tensor with a copy of {@code values}.
     *
     * @param values the elements in row-major order
     * @param shape the sizes, outermost first; none means one dimension
     * @throws IllegalArgumentException if the shape has another number of elements
     * @since 0.1
     */
    public static Tensor of(double[] values, long... shape) {
        Tensor tensor = new Tensor(DType.FLOAT64, layoutFor(values.length, shape));
        tensor.storage().bytes().asDoubleBuffer().put(values);
        return tensor;
    }

    /**
     * Makes an int32 tensor with a copy of {@code values}.
     *
     * @param values the elements in row-major order
     * @param shape the sizes, outermost first; none means one dimension
     * @throws IllegalArgumentException if the shape has another number of elements
     * @since 0.1
     */
    public static Tensor of(int[] values, long... shape) {
        Tensor tensor = new Tensor(DType.INT32, layoutFor(values.length, shape));
        tensor.storage().bytes().asIntBuffer().put(values);
        return tensor;
    }

    /**
     * Makes a bool tensor with a copy of {@code values}.
     *
     * @param values the elements in row-major order
     * @param shape the sizes, outermost first; none means one dimension
     * @throws IllegalArgumentException if the shape has another number of elements
     * @since 0.1
     */
    public static Tensor of(boolean[] values, long... shape) {
        Tensor tensor = new Tensor(DType.BOOL, layoutFor(values.length, shape));
        for (int i = 0; i < values.length; i++) {
            tensor.storage().setLong(i, values[i] ? 1 : 0);
        }
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
        Tensor one = zeros(dtype);
        one.storage().set(0, value);
        return shape.length == 0 ? one : zeros(dtype, shape).copy_(one);
    }

    /**
     * Puts tensors one after the other along a dimension that they have. Different element types
     * become their common one.
     *
     * @param tensors at least one
     * @param dim the dimension; a negative one counts from the end
     * @throws IllegalArgumentException if there are none, or their other sizes differ
     * @since 0.1
     */
    public static Tensor cat(List<Tensor> tensors, long dim) {
        return Joining.cat(tensors, dim);
    }

    /**
     * Puts tensors of one shape side by side along a new dimension. Different element types become
     * their common one.
     *
     * @param tensors at least one
     * @param dim where the new dimension will be; a negative one counts from the end
     * @throws IllegalArgumentException if there are none, or their shapes differ
     * @since 0.1
     */
    public static Tensor stack(List<Tensor> tensors, long dim) {
        return Joining.stack(tensors, dim);
    }

    /** Makes a tensor with a copy of {@code bytes}, its elements in native byte order. */
    static Tensor copyOf(DType dtype, long[] shape, ByteBuffer bytes) {
        Tensor tensor = zeros(dtype, shape);
        tensor.storage().bytes().put(bytes);
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
     * Returns the functions that make tensors, for guest code, under PyTorch's names: {@code
     * tensor([[1, 2], [3, 4]])}, {@code zeros(2, 3)}, {@code ones}, {@code full([2, 3], 7)}, {@code
     * arange(0, 10, 2)}, {@code cat([a, b], 0)}, {@code stack([a, b], 0)} and {@code where(mask, a,
     * b)}. A host binds it to a name of its choice.
     *
     * @since 0.1
     */
    public static ProxyObject functions() {
        return new GuestTensors();
    }

    /**
     * Returns a copy with memory of its own, in row-major order.
     *
     * @since 0.1
     */
    @Override
    public Tensor clone() {
        Tensor copy = zeros(dtype(), shape());
        Copying.copy(this, layout(), copy);
        return copy;
    }

    /**
     * Returns this, or a copy if the memory holds the elements otherwise than in row-major order.
     */
    Tensor whole() {
        return layout().isRowMajor() && layout().offset() == 0 ? this : clone();
    }

    /** Returns {@link #clone}: what a block pushes does not change when the block's tensor does. */
    @Override
    public Tensor copy() {
        return clone();
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
        return layout().rank() == 0 ? 0 : layout().dim(0);
    }
}
