package dev.blockscope.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The runtime's tensors that one run holds, by name. All are closed in the end. */
final class NativeTensors implements AutoCloseable {
    private final NativeLedger ledger;
    private final Map<String, OnnxTensor> held = new HashMap<>();

    NativeTensors(NativeLedger ledger) {
        this.ledger = ledger;
    }

    /**
     * Takes over all values that the runtime made in a run.
     *
     * @throws IllegalStateException if one of them is a sequence or a map
     */
    void takeAll(OrtSession.Result made) {
        List<String> others = new ArrayList<>();
        for (Map.Entry<String, OnnxValue> value : made) {
            if (value.getValue() instanceof OnnxTensor tensor) {
                take(value.getKey(), tensor);
            } else {
                others.add(value.getKey());
                value.getValue().close();
            }
        }
        if (!others.isEmpty()) {
            throw new IllegalStateException(
                    "the values %s are no tensors, they cannot be passed on".formatted(others));
        }
    }

    /** Takes over all values that somebody else holds. */
    void takeAll(NativeTensors others) {
        others.held.forEach((name, tensor) -> close(held.put(name, tensor)));
        others.held.clear();
    }

    /** Takes over a value that somebody else holds, under another name. */
    void move(String to, NativeTensors others, String from) {
        OnnxTensor tensor = others.get(from);
        others.held.remove(from);
        close(held.put(to, tensor));
    }

    private void take(String name, OnnxTensor tensor) {
        ledger.valueOpened();
        close(held.put(name, tensor));
    }

    /** Holds a copy of a tensor, so that changing it later changes nothing here. */
    void put(String name, Tensor tensor) throws OrtException {
        take(name, open(tensor.clone()));
    }

    /** Holds a tensor without a copy; it must not change while it is held. */
    void lend(String name, Tensor tensor) throws OrtException {
        boolean whole = tensor.layout().isRowMajor() && tensor.layout().offset() == 0;
        take(name, open(whole ? tensor : tensor.clone()));
    }

    private static OnnxTensor open(Tensor tensor) throws OrtException {
        int bytes = tensor.layout().size() * tensor.dtype().bytes();
        return OnnxTensor.createTensor(
                OrtEnvironment.getEnvironment(),
                tensor.storage().bytes().limit(bytes),
                tensor.shape(),
                tensor.dtype().javaType());
    }

    /** Returns a copy of a held tensor in Java's memory. */
    Tensor copy(String name, DType dtype) {
        OnnxTensor tensor = get(name);
        return Tensor.copyOf(dtype, tensor.getInfo().getShape(), tensor.getByteBuffer());
    }

    /** Returns whether a value of that name is held. */
    boolean has(String name) {
        return held.containsKey(name);
    }

    OnnxTensor get(String name) {
        OnnxTensor tensor = held.get(name);
        if (tensor == null) {
            throw new IllegalStateException("no value for \"" + name + "\" at this place");
        }
        return tensor;
    }

    /** Returns the names of what is held. */
    Iterable<String> names() {
        return held.keySet().stream().toList();
    }

    void drop(String name) {
        close(held.remove(name));
    }

    /** Lets go of all values. */
    void dropAll() {
        names().forEach(this::drop);
    }

    @Override
    public void close() {
        dropAll();
    }

    private void close(@Nullable OnnxTensor tensor) {
        if (tensor != null) {
            tensor.close();
            ledger.valueClosed();
        }
    }
}
