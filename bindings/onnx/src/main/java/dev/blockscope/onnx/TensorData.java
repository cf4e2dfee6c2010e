package dev.blockscope.onnx;

import dev.blockscope.LiveValue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;

/**
 * All elements of a tensor as one flat array for guest code; writing into it changes the tensor.
 *
 * <p>In JavaScript that is a typed array over the tensor's own memory. Where there can be none (the
 * elements are not side by side, or the context speaks another language or may not see buffers), an
 * array of ours stands in that goes through the tensor element by element.
 */
final class TensorData implements ProxyArray, LiveValue {
    private static final Map<DType, String> TYPED_ARRAYS =
            Map.of(
                    DType.FLOAT32, "Float32Array",
                    DType.FLOAT64, "Float64Array",
                    DType.INT64, "BigInt64Array",
                    DType.INT32, "Int32Array",
                    DType.INT16, "Int16Array",
                    DType.INT8, "Int8Array",
                    DType.UINT8, "Uint8Array",
                    DType.BOOL, "Uint8Array");

    private static final Source TYPED_ARRAY =
            Source.newBuilder(
                            "js",
                            "(type, buffer) => new globalThis[type](new ArrayBuffer(buffer))",
                            "blockscope-tensor-data.js")
                    .internal(true)
                    .buildLiteral();

    private final Tensor tensor;

    private TensorData(Tensor tensor) {
        this.tensor = tensor;
    }

    /** Returns the elements for the guest code that is running. */
    static Object of(Tensor tensor) {
        String type = TYPED_ARRAYS.get(tensor.dtype());
        if (type == null || !tensor.layout().isRowMajor() || tensor.layout().repeats()) {
            return new TensorData(tensor);
        }
        Context context = Context.getCurrent();
        Value buffer = context.asValue(memory(tensor));
        boolean possible =
                buffer.hasBufferElements() && context.getEngine().getLanguages().containsKey("js");
        return possible ? context.eval(TYPED_ARRAY).execute(type, buffer) : new TensorData(tensor);
    }

    private static ByteBuffer memory(Tensor tensor) {
        int width = tensor.dtype().bytes();
        return tensor.storage()
                .share()
                .slice(tensor.layout().offset() * width, tensor.layout().size() * width)
                .order(ByteOrder.nativeOrder());
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
