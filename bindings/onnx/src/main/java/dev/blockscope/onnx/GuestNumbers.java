package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.graalvm.polyglot.Value;

/** Numbers in arrays of guest code, nested evenly, as a tensor. */
final class GuestNumbers {
    private final List<Value> numbers = new ArrayList<>();
    private final List<Long> shape = new ArrayList<>();
    private final boolean even;

    GuestNumbers(Value array) {
        for (Value v = array; v.hasArrayElements(); v = v.getArrayElement(0)) {
            shape.add(v.getArraySize());
            if (v.getArraySize() == 0) {
                break;
            }
        }
        even = collect(array, 0);
    }

    private boolean collect(Value value, int depth) {
        if (depth == shape.size()) {
            numbers.add(value);
            return value.isNumber() || value.isBoolean();
        }
        boolean fits = value.hasArrayElements() && value.getArraySize() == shape.get(depth);
        for (long k = 0; fits && k < shape.get(depth); k++) {
            fits = collect(value.getArrayElement(k), depth + 1);
        }
        return fits;
    }

    /** Returns the tensor; empty if the numbers are not nested evenly or are no numbers. */
    Optional<Tensor> tensor() {
        boolean booleans = !numbers.isEmpty() && numbers.stream().allMatch(Value::isBoolean);
        boolean mixed = !booleans && numbers.stream().anyMatch(Value::isBoolean);
        if (!even || mixed) {
            return Optional.empty();
        }
        Tensor tensor = Tensor.zeros(type(booleans), sizes());
        Storage storage = tensor.storage();
        for (int i = 0; i < numbers.size(); i++) {
            Value value = numbers.get(i);
            switch (tensor.dtype()) {
                case BOOL -> storage.setLong(i, value.asBoolean() ? 1 : 0);
                case INT64 -> storage.setLong(i, value.asLong());
                default -> storage.set(i, value.asDouble());
            }
        }
        return Optional.of(tensor);
    }

    private DType type(boolean booleans) {
        if (booleans) {
            return DType.BOOL;
        }
        boolean whole = !numbers.isEmpty() && numbers.stream().allMatch(Value::fitsInLong);
        return whole ? DType.INT64 : DType.FLOAT32;
    }

    private long[] sizes() {
        return shape.stream().mapToLong(Long::longValue).toArray();
    }
}
