package dev.blockscope.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The runtime's tensors that one run holds, by name. All are closed in the end. */
final class NativeTensors implements AutoCloseable {
    private final NativeLedger ledger;
    private final Map<String, Held> held = new HashMap<>();

    /**
     * A tensor with the memory that it is in; null if that is the runtime's, or somebody else's.
     */
    private record Held(OnnxTensor tensor, @Nullable ByteBuffer memory) {}

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
                take(value.getKey(), new Held(tensor, null));
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
        others.held.forEach((name, each) -> close(held.put(name, each)));
        others.held.clear();
    }

    /** Takes over a value that somebody else holds, under another name. */
    void move(String to, NativeTensors others, String from) {
        Held moved = others.find(from);
        others.held.remove(from);
        close(held.put(to, moved));
    }

    private void take(String name, Held taken) {
        ledger.valueOpened();
        close(held.put(name, taken));
    }

    /** Holds a copy of a tensor, so that changing it later changes nothing here. */
    void put(String name, Tensor tensor) throws OrtException {
        ByteBuffer memory = ledger.buffers().take(tensor.layout().size() * tensor.dtype().bytes());
        Tensor copy =
                new Tensor(Storage.in(tensor.dtype(), memory), Layout.rowMajor(tensor.shape()));
        Copying.copy(tensor, tensor.layout(), copy);
        take(name, new Held(open(copy), memory));
    }

    /**
     * Holds a tensor, without a copy if it is off the heap; it must not change while it is held.
     */
    void lend(String name, Tensor tensor) throws OrtException {
        Tensor whole = tensor.whole();
        if (whole.storage().isOffHeap()) {
            take(name, new Held(open(whole), null));
        } else {
            put(name, whole);
        }
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
        return new Tensor(
                Storage.in(dtype, copy(tensor)), Layout.rowMajor(tensor.getInfo().getShape()));
    }

    /** Returns a copy of a held tensor as one that is lent. */
    Tensor lend(String name, DType dtype, Loan loan) {
        OnnxTensor tensor = get(name);
        return loan.of(dtype, tensor.getInfo().getShape(), copy(tensor));
    }

    /** The runtime gives its values away as copies only. */
    private static ByteBuffer copy(OnnxTensor tensor) {
        return tensor.getByteBuffer().order(ByteOrder.nativeOrder());
    }

    /** Returns whether a value of that name is held. */
    boolean has(String name) {
        return held.containsKey(name);
    }

    OnnxTensor get(String name) {
        return find(name).tensor();
    }

    private Held find(String name) {
        Held found = held.get(name);
        if (found == null) {
            throw new IllegalStateException("no value for \"" + name + "\" at this place");
        }
        return found;
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

    private void close(@Nullable Held gone) {
        if (gone != null) {
            gone.tensor().close();
            ledger.valueClosed();
            if (gone.memory() != null) {
                ledger.buffers().giveBack(gone.memory());
            }
        }
    }
}
