package dev.blockscope;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * Renders values as text that is the same for a guest value and for the plain Java that a block's
 * result has in its place. A function is a function, whatever it does.
 */
final class PlainText {
    private static final Set<String> SHOWN_AS_TEXT =
            Set.of("symbol", "RegExp", "Error", "WeakMap", "WeakSet", "WeakRef");

    private PlainText() {}

    /** Renders a guest value. */
    static String of(Value value) {
        return of(value, new ArrayList<>());
    }

    /** Renders a value as the host gets it. */
    static String of(@Nullable Object value) {
        return of(value, new ArrayList<>());
    }

    private static String of(@Nullable Value value, List<Object> above) {
        if (value == null || value.isNull()) {
            return "null";
        }
        if (value.isBoolean()) {
            return String.valueOf(value.asBoolean());
        }
        if (value.isString()) {
            return quoted(value.asString());
        }
        String type = Guest.typeName(value);
        if (value.isNumber()) {
            return type.equals("bigint") ? value.asBigInteger() + "n" : number(value.asDouble());
        }
        if (value.isInstant()) {
            return value.asInstant().toString();
        }
        if (value.canExecute()) {
            return "function";
        }
        int depth = above.indexOf(value);
        if (depth >= 0) {
            return "^" + depth;
        }
        above.add(value);
        String text = nested(value, type, above);
        above.removeLast();
        return text;
    }

    private static String nested(Value value, String type, List<Object> above) {
        List<String> parts = new ArrayList<>();
        if (value.hasArrayElements()) {
            for (long i = 0; i < value.getArraySize(); i++) {
                parts.add(of(value.getArrayElement(i), above));
            }
            return switch (type) {
                case "Uint8Array", "Uint8ClampedArray", "Int8Array" -> {
                    for (int i = 0; i < parts.size(); i++) {
                        parts.set(i, String.valueOf((byte) value.getArrayElement(i).asInt()));
                    }
                    yield "byte" + parts;
                }
                case "Float32Array" -> "float" + parts;
                case "Float64Array" -> "double" + parts;
                case "Int16Array", "Uint16Array", "Int32Array" -> "int" + parts;
                case "Uint32Array" -> "long" + parts;
                case "BigInt64Array" ->
                        "long" + parts.stream().map(p -> p.replace("n", "")).toList();
                default -> parts.toString();
            };
        }
        if (value.hasBufferElements()) {
            for (long i = 0; i < value.getBufferSize(); i++) {
                parts.add(String.valueOf(value.readBufferByte(i)));
            }
            return "byte" + parts;
        }
        if (value.hasHashEntries()) {
            Value entries = value.getHashEntriesIterator();
            while (entries.hasIteratorNextElement()) {
                Value entry = entries.getIteratorNextElement();
                parts.add(
                        of(entry.getArrayElement(0), above)
                                + ": "
                                + of(entry.getArrayElement(1), above));
            }
            return "map" + parts;
        }
        if (type.equals("Set")) {
            Value elements = value.getIterator();
            while (elements.hasIteratorNextElement()) {
                parts.add(of(elements.getIteratorNextElement(), above));
            }
            return "set" + parts;
        }
        if (SHOWN_AS_TEXT.contains(type) || isIterator(value)) {
            return quoted(value.toString());
        }
        if (type.equals("Promise")) {
            List<Value> outcome = new ArrayList<>();
            ProxyExecutable take = arguments -> outcome.add(arguments[0]);
            ProxyExecutable ignore = arguments -> null;
            value.invokeMember("then", take, ignore);
            return outcome.isEmpty() ? quoted(value.toString()) : of(outcome.getFirst(), above);
        }
        if (type.equals("Date")) {
            return "null";
        }
        if (type.equals("DataView")) {
            int start = value.getMember("byteOffset").asInt();
            for (int i = 0; i < value.getMember("byteLength").asInt(); i++) {
                parts.add(
                        String.valueOf(value.getMember("buffer").readBufferByte((long) start + i)));
            }
            return "byte" + parts;
        }
        for (String key : value.getMemberKeys()) {
            parts.add(quoted(key) + ": " + of(value.getMember(key), above));
        }
        return "map" + parts;
    }

    /** What the language shows of an iterator begins with its kind. */
    private static boolean isIterator(Value value) {
        return value.hasMember("next") && value.toString().matches("(Generator|.*Iterator)\\{.*");
    }

    private static String of(@Nullable Object value, List<Object> above) {
        return switch (value) {
            case null -> "null";
            case Boolean truth -> truth.toString();
            case String text -> quoted(text);
            case java.math.BigInteger number -> number + "n";
            case Number number -> number(number.doubleValue());
            case Instant instant -> instant.toString();
            case GuestFunction _ -> "function";
            case byte[] bytes -> "byte" + Arrays.toString(bytes);
            case int[] ints -> "int" + Arrays.toString(ints);
            case long[] longs -> "long" + Arrays.toString(longs);
            case float[] floats -> {
                List<String> parts = new ArrayList<>();
                for (float f : floats) {
                    parts.add(number(f));
                }
                yield "float" + parts;
            }
            case double[] doubles ->
                    "double" + Arrays.stream(doubles).mapToObj(PlainText::number).toList();
            case List<?> list -> nested(list, above, e -> of(e, above), list, "");
            case Set<?> set -> nested(set, above, e -> of(e, above), set, "set");
            case Map<?, ?> map ->
                    nested(
                            map,
                            above,
                            e -> of(e.getKey(), above) + ": " + of(e.getValue(), above),
                            map.entrySet(),
                            "map");
            default -> value.getClass().getName() + " " + value;
        };
    }

    private static <T> String nested(
            Object whole,
            List<Object> above,
            Function<T, String> part,
            Iterable<? extends T> parts,
            String type) {
        for (int i = 0; i < above.size(); i++) {
            if (System.identityHashCode(above.get(i)) == System.identityHashCode(whole)) {
                return "^" + i;
            }
        }
        above.add(whole);
        List<String> texts = new ArrayList<>();
        parts.forEach(p -> texts.add(part.apply(p)));
        above.removeLast();
        return type + texts;
    }

    private static String number(double number) {
        boolean whole = Math.rint(number) == number && Math.abs(number) < 1e15;
        boolean negativeZero = number == 0 && 1 / number < 0;
        return whole && !negativeZero ? String.valueOf((long) number) : String.valueOf(number);
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }
}
