package dev.blockscope;

import java.util.Objects;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** Questions about guest values that the polyglot API answers only in a roundabout way. */
final class Guest {
    private Guest() {}

    /** Whether a value is the language's "no value yet", as opposed to its null. */
    static boolean isUndefined(@Nullable Value value) {
        return value == null || (value.isNull() && value.toString().equals("undefined"));
    }

    /** Returns the simple name of the value's class in its own language, or an empty text. */
    static String typeName(Value value) {
        Value type = value.getMetaObject();
        return type == null ? "" : type.getMetaSimpleName();
    }

    /** Whether guest code still holds the very value it was given as {@code given}. */
    @SuppressWarnings("ReferenceEquality") // the question is about identity
    static boolean isSame(@Nullable Object given, Value now) {
        if (given == null || now.isNull()) {
            return given == null && now.isNull();
        }
        if (now.isProxyObject()) {
            return now.asProxyObject() == given;
        }
        if (now.isHostObject()) {
            return now.asHostObject() == given;
        }
        return switch (given) {
            case Value value -> now.equals(value) || samePrimitive(value.as(Object.class), now);
            default -> samePrimitive(given, now);
        };
    }

    private static boolean samePrimitive(@Nullable Object given, Value now) {
        return switch (given) {
            case String text -> now.isString() && text.equals(now.asString());
            case Character letter -> now.isString() && letter.toString().equals(now.asString());
            case Boolean truth -> now.isBoolean() && truth == now.asBoolean();
            case Double number ->
                    now.isNumber()
                            && now.fitsInDouble()
                            && Double.compare(number, now.asDouble()) == 0;
            case Float number ->
                    now.isNumber()
                            && now.fitsInFloat()
                            && Float.compare(number, now.asFloat()) == 0;
            case Number number ->
                    now.isNumber() && Objects.equals(number.toString(), now.toString());
            case null, default -> false;
        };
    }
}
