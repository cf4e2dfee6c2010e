package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.Value;

/** The arguments of a method of a tensor as guest code gave them. */
final class GuestArguments {
    private final String method;
    private final Value[] values;

    /**
     * Takes the arguments of a call.
     *
     * @throws IllegalArgumentException if there are too few or too many
     */
    GuestArguments(String method, int least, int most, Value... values) {
        this.method = method;
        this.values = values;
        if (values.length < least || values.length > most) {
            String expected = least == most ? "" + least : least + " to " + most;
            throw new IllegalArgumentException(
                    "tensor.%s takes %s arguments, %d were given"
                            .formatted(method, expected, values.length));
        }
    }

    int count() {
        return values.length;
    }

    /** Returns the {@code i}-th argument, a number. */
    double number(int i) {
        if (values[i].isNumber() && values[i].fitsInDouble()) {
            return values[i].asDouble();
        }
        throw unfit(i, "a number");
    }

    /** Returns the {@code i}-th argument, a whole number. */
    long integer(int i) {
        if (values[i].fitsInLong()) {
            return values[i].asLong();
        }
        throw unfit(i, "a whole number");
    }

    /** Returns the {@code i}-th argument, a text. */
    String text(int i) {
        if (values[i].isString()) {
            return values[i].asString();
        }
        throw unfit(i, "a text");
    }

    /** Returns all arguments, whole numbers or one array of them. */
    long[] integers() {
        boolean inArray = values.length == 1 && values[0].hasArrayElements();
        int length = inArray ? (int) values[0].getArraySize() : values.length;
        long[] integers = new long[length];
        for (int i = 0; i < length; i++) {
            Value value = inArray ? values[0].getArrayElement(i) : values[i];
            if (!value.fitsInLong()) {
                throw unfit(inArray ? 0 : i, "whole numbers");
            }
            integers[i] = value.asLong();
        }
        return integers;
    }

    /** Returns the {@code i}-th argument as a tensor that can be combined with {@code other}. */
    Tensor operand(int i, Tensor other) {
        Value value = values[i];
        if (value.isProxyObject() && value.asProxyObject() instanceof Tensor tensor) {
            return tensor;
        }
        if (value.isNumber()) {
            boolean whole = other.dtype() == DType.INT64 && value.fitsInLong();
            return Tensor.full(whole ? DType.INT64 : DType.FLOAT32, value.asDouble());
        }
        if (value.hasArrayElements()) {
            return fromArray(i);
        }
        throw unfit(i, "a tensor, a number or an array of numbers");
    }

    private Tensor fromArray(int i) {
        List<Long> shape = new ArrayList<>();
        for (Value v = values[i]; v.hasArrayElements(); v = v.getArrayElement(0)) {
            shape.add(v.getArraySize());
            if (v.getArraySize() == 0) {
                break;
            }
        }
        List<Float> elements = new ArrayList<>();
        collect(i, values[i], 0, shape, elements);
        float[] flat = new float[elements.size()];
        for (int k = 0; k < flat.length; k++) {
            flat[k] = elements.get(k);
        }
        return Tensor.of(flat, shape.stream().mapToLong(Long::longValue).toArray());
    }

    private void collect(int i, Value value, int depth, List<Long> shape, List<Float> elements) {
        if (depth == shape.size()) {
            if (!value.isNumber()) {
                throw unfit(i, "an array of numbers, nested evenly");
            }
            elements.add((float) value.asDouble());
            return;
        }
        if (!value.hasArrayElements() || value.getArraySize() != shape.get(depth)) {
            throw unfit(i, "an array of numbers, nested evenly");
        }
        for (long k = 0; k < value.getArraySize(); k++) {
            collect(i, value.getArrayElement(k), depth + 1, shape, elements);
        }
    }

    private IllegalArgumentException unfit(int i, String expected) {
        return new IllegalArgumentException(
                "tensor.%s: argument %d is %s, expected %s"
                        .formatted(method, i + 1, describe(values[i]), expected));
    }

    private static String describe(Value value) {
        String text = value.isString() ? '"' + value.asString() + '"' : value.toString();
        return text.length() <= 60 ? text : text.substring(0, 57) + "...";
    }
}
