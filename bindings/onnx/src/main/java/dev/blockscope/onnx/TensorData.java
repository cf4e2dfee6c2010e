package dev.blockscope.onnx;

import dev.blockscope.LiveValue;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;

/**
 * All elements of a tensor as one flat array for guest code; writing into it changes the tensor.
 */
final class TensorData implements ProxyArray, LiveValue {
    private final Tensor tensor;

    TensorData(Tensor tensor) {
        this.tensor = tensor;
    }

    @Override
    public Object get(long index) {
        return element(index).number();
    }

    @Override
    public void set(long index, Value value) {
        TensorMembers.assign(element(index), value);
    }

    @Override
    public long getSize() {
        return tensor.size();
    }

    /** Returns the elements as a Java array of their own. */
    @Override
    public Object copy() {
        return tensor.dtype().isFloatingPoint() ? tensor.toFloatArray() : tensor.toLongArray();
    }

    private Tensor element(long index) {
        Tensor part = tensor;
        long rest = index;
        long inside = tensor.size();
        for (long dim : tensor.shape()) {
            inside /= dim;
            part = part.at(rest / inside);
            rest %= inside;
        }
        return part;
    }
}
