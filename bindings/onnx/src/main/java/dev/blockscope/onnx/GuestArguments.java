package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
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
                    "%s takes %s arguments, %d were given"
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

    /** Returns the {@code i}-th argument, a whole number; {@code open} if it is left out. */
    long integer(int i, long open) {
        return has(i) ? integer(i) : open;
    }

    /** Returns the {@code i}-th argument, a number; {@code open} if it is left out. */
    double number(int i, double open) {
        return has(i) ? number(i) : open;
    }

    /** Returns the {@code i}-th argument, true or false; false if it is left out. */
    boolean flag(int i) {
        if (has(i) && !values[i].isBoolean()) {
            throw unfit(i, "true or false");
        }
        return has(i) && values[i].asBoolean();
    }

    /** Returns whether the {@code i}-th argument is there and not null. */
    boolean has(int i) {
        return i < values.length && !values[i].isNull();
    }

    /** Returns whether the {@code i}-th argument is a number rather than a tensor or an array. */
    boolean isNumber(int i) {
        return values[i].isNumber();
    }

    /** Returns the {@code i}-th argument, a text. */
    String text(int i) {
        if (values[i].isString()) {
            return values[i].asString();
        }
        throw unfit(i, "a text");
    }

    /** Returns all arguments from the {@code i}-th on, whole numbers or one array of them. */
    long[] integers(int i) {
        if (values.length == i + 1 && values[i].hasArrayElements()) {
            return elements(i);
        }
        return LongStream.range(i, values.length).map(k -> integer((int) k)).toArray();
    }

    /** Returns the {@code i}-th argument, a whole number or an array of them. */
    long[] dims(int i) {
        return values[i].hasArrayElements() ? elements(i) : new long[] {integer(i)};
    }

    private long[] elements(int i) {
        long[] elements = new long[Math.toIntExact(values[i].getArraySize())];
        for (int k = 0; k < elements.length; k++) {
            Value value = values[i].getArrayElement(k);
            if (!value.fitsInLong()) {
                throw unfit(i, "whole numbers");
            }
            elements[k] = value.asLong();
        }
        return elements;
    }

    /** Returns the {@code i}-th argument, an array of tensors. */
    List<Tensor> tensors(int i) {
        List<Tensor> tensors = new ArrayList<>();
        for (long k = 0; values[i].hasArrayElements() && k < values[i].getArraySize(); k++) {
            tensors.add(
                    asTensor(values[i].getArrayElement(k))
                            .orElseThrow(() -> unfit(i, "an array of tensors")));
        }
        if (tensors.isEmpty()) {
            throw unfit(i, "an array of tensors");
        }
        return tensors;
    }

    /** Returns the {@code i}-th argument as a tensor that can be combined with {@code other}. */
    Tensor operand(int i, Tensor other) {
        Value value = values[i];
        Optional<Tensor> tensor = asTensor(value);
        if (tensor.isPresent()) {
            return tensor.get();
        }
        if (value.isNumber()) {
            return Tensor.full(Promotion.of(other, value.asDouble()), value.asDouble());
        }
        Tensor array = array(i);
        return other.dtype().isFloatingPoint() ? array.to(other.dtype()) : array;
    }

    /**
     * Returns the {@code i}-th argument, a tensor, a number or an array, as a tensor: booleans as
     * bool, whole numbers as int64, others as float32.
     */
    Tensor array(int i) {
        return asTensor(values[i])
                .or(() -> new GuestNumbers(values[i]).tensor())
                .orElseThrow(
                        () -> unfit(i, "a tensor, a number or an array of numbers, nested evenly"));
    }

    private static Optional<Tensor> asTensor(Value value) {
        return value.isProxyObject() && value.asProxyObject() instanceof Tensor tensor
                ? Optional.of(tensor)
                : Optional.empty();
    }

    private IllegalArgumentException unfit(int i, String expected) {
        return new IllegalArgumentException(
                "%s: argument %d is %s, expected %s"
                        .formatted(method, i + 1, describe(values[i]), expected));
    }

    private static String describe(Value value) {
        String text = value.isString() ? '"' + value.asString() + '"' : value.toString();
        return text.length() <= 60 ? text : text.substring(0, 57) + "...";
    }
}
