package dev.blockscope;

import com.google.common.math.LongMath;
import dev.blockscope.Dialect.Kind;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * Makes plain Java of guest values: values that outlive the context, are equal to what a Java
 * program would write, and do not change when guest code goes on.
 *
 * <p>Shared references stay shared and cycles stay cycles. Reading a value may run guest code (a
 * getter, a proxy); what that throws says at which path it happened.
 */
final class GuestToHost {
    private static final long LARGEST_EXACT = (1L << 53) - 1;
    private static final int DEEPEST = 500;

    /** As long as an array of Java's can be. */
    private static final int LONGEST = Integer.MAX_VALUE - 8;

    /** A recursion around it may have used the stack up just as well as the value itself. */
    private static final String NO_STACK = "the stack came to its end while it was read";

    /** Whose names of types count in a context that is none of ours. */
    private static final Dialect ELSEWHERE = new JavaScript();

    /** Where the value's functions are called; null for a context that is none of ours. */
    private final @Nullable Home home;

    private final boolean leaving;
    private final Map<Value, Object> done;

    /** What takes functions apart, or null if they stay functions. */
    private final @Nullable FunctionSources sources;

    /** What the run that this is for may hand over, or null if that is not limited. */
    private final @Nullable Allowance allowance;

    /** How much what was converted is, if that is counted; not yet there in a cycle. */
    private final Map<Value, Extent> extents;

    private int depth;
    private int deepest;
    private long size;

    private GuestToHost(@Nullable Home home, boolean leaving) {
        this(home, leaving, null, new HashMap<>());
    }

    private GuestToHost(
            @Nullable Home home,
            boolean leaving,
            @Nullable FunctionSources sources,
            Map<Value, Object> done) {
        this.home = home;
        this.leaving = leaving;
        this.sources = sources;
        this.done = done;
        this.allowance = Run.allowanceHere();
        this.extents = allowance == null ? Map.of() : new HashMap<>();
    }

    /** Converts what leaves the run: live host values are copied. */
    static @Nullable Object convert(Value value, Home home) {
        return new GuestToHost(home, true).convert(value);
    }

    /**
     * Converts what is to leave the engine, so that functions become their sources.
     *
     * @param done what was converted before, which is the same again
     * @throws FunctionSourceException if a function cannot be taken apart
     */
    static @Nullable Object convert(
            Value value, Home home, FunctionSources sources, Map<Value, Object> done) {
        return new GuestToHost(home, true, sources, done).convert(value);
    }

    /**
     * Converts what a run left: strings, booleans and numbers come as Java's own and cost nothing,
     * the rest is a raw guest object.
     */
    static @Nullable Object ofRaw(@Nullable Object raw, Home home) {
        return raw != null && isPrimitive(raw)
                ? ofPrimitive(raw)
                : convert(home.realm().asValue(raw), home);
    }

    /** Converts what a run left and, if that is limited, counts it. */
    static @Nullable Object ofRaw(@Nullable Object raw, Home home, @Nullable Allowance allowance) {
        if (allowance != null && raw != null && isPrimitive(raw)) {
            allowance.handsOver(raw instanceof String text ? text.length() + 1L : 1);
        }
        return ofRaw(raw, home);
    }

    /** Whether a run's value is a string, a boolean or a number, which belong to no realm. */
    static boolean isPrimitive(Object raw) {
        return raw instanceof Integer
                || raw instanceof Double
                || raw instanceof String
                || raw instanceof Boolean
                || raw instanceof Long;
    }

    /** Returns what {@link #isPrimitive} means of a value, or null if it is nothing of it. */
    static @Nullable Object primitiveOf(Value value) {
        if (value.isBoolean()) {
            return value.asBoolean();
        }
        if (value.isString()) {
            return value.asString();
        }
        if (value.isNumber() && !Guest.typeName(value).equals("bigint")) {
            Object number = value.as(Object.class);
            return isPrimitive(number) ? number : null;
        }
        return null;
    }

    /** Converts a string, a boolean or a number that a run left. */
    static Object ofPrimitive(Object raw) {
        return switch (raw) {
            case Double number -> isWhole(number) ? whole(number.longValue()) : number;
            case Long number -> whole(number);
            default -> raw;
        };
    }

    /**
     * Converts an argument that the running block passes to the host: live values stay live. In a
     * context that is none of ours functions stay what they are there.
     */
    static @Nullable Object argument(Value value) {
        Run run = Run.current();
        try {
            return new GuestToHost(run == null ? null : run.home(), false).convert(value);
        } catch (ConversionException e) {
            throw e.inArgument();
        }
    }

    private @Nullable Object convert(Value value) {
        try {
            return convert(value, "");
        } catch (StackOverflowError e) {
            throw new ConversionException("", NO_STACK, e);
        }
    }

    private @Nullable Object convert(Value value, String path) {
        count(1);
        if (value.isNull()) {
            return null;
        }
        if (value.isBoolean()) {
            return value.asBoolean();
        }
        if (value.isString()) {
            return text(value);
        }
        if (value.isProxyObject()) {
            Object proxy = value.asProxyObject();
            return keep(proxy instanceof HostView view ? view.host() : proxy, path);
        }
        if (value.isHostObject()) {
            Object host = value.asHostObject();
            return keep(
                    host instanceof CallbackException e ? CallbackException.unwrap(e) : host, path);
        }
        if (value.isNumber()) {
            return number(value);
        }
        if (value.isInstant()) {
            return value.asInstant();
        }
        if (value.isDate()) {
            return value.isTime()
                    ? LocalDateTime.of(value.asDate(), value.asTime())
                    : value.asDate();
        }
        return reference(value, path);
    }

    /** Returns a text, which is not made a Java string before it is known that it may be one. */
    private String text(Value value) {
        long length = allowance == null || home == null ? -1 : home.realm().lengthOf(value);
        if (length >= 0) {
            count(length);
            return value.asString();
        }
        String text = value.asString();
        count(text.length());
        return text;
    }

    private Object keep(Object host, String path) {
        if (!leaving || !(host instanceof LiveValue live)) {
            return host;
        }
        try {
            return live.copy();
        } catch (IllegalStateException e) {
            throw new ConversionException(path, String.valueOf(e.getMessage()), e);
        }
    }

    private @Nullable Object number(Value value) {
        if (kindOf(value) == Kind.BIG_INTEGER) {
            return value.asBigInteger();
        }
        return switch (value.as(Object.class)) {
            case Byte number -> number.intValue();
            case Short number -> number.intValue();
            case Long number -> whole(number);
            case Float number -> number(number.doubleValue());
            case Double number -> number(number);
            case null, default -> value.as(Object.class);
        };
    }

    /** Whole numbers are whole in Java too. */
    private static Object number(double number) {
        return isWhole(number) ? whole((long) number) : (Object) number;
    }

    /** Whether a number is whole, as far as that is exact; negative zero is not. */
    private static boolean isWhole(double number) {
        return Math.rint(number) == number
                && Math.abs(number) <= LARGEST_EXACT
                && Double.doubleToRawLongBits(number) != Long.MIN_VALUE;
    }

    private static Object whole(long number) {
        return number == (int) number ? (Object) (int) number : (Object) number;
    }

    private @Nullable Object reference(Value value, String path) {
        Object known = done.get(value);
        if (known != null) {
            countAgain(value);
            return known;
        }
        if (allowance != null) {
            allowance.handsOverAt(depth + 1);
        }
        long sizeBefore = size;
        int deepestBefore = deepest;
        if (++depth > DEEPEST) {
            throw new ConversionException(
                    path, "it is nested more than %d levels deep".formatted(DEEPEST), null);
        }
        deepest = depth;
        try {
            Object read = read(value, path);
            if (allowance != null) {
                extents.put(value, new Extent(size - sizeBefore, deepest - depth));
            }
            return read;
        } catch (PolyglotException e) {
            throw unreadable(path, e);
        } finally {
            deepest = Math.max(deepest, deepestBefore);
            depth--;
        }
    }

    /** Whoever goes through a result comes by what is shared as often as it is there. */
    private void countAgain(Value shared) {
        Extent extent = extents.get(shared);
        if (extent != null && allowance != null) {
            allowance.handsOverAt(depth + 1 + extent.levels);
            deepest = Math.max(deepest, depth + 1 + extent.levels);
            count(extent.size);
        }
    }

    /**
     * How much a value is.
     *
     * @param size what is in it
     * @param levels how many levels deep that is
     */
    private record Extent(long size, int levels) {}

    private @Nullable Object read(Value value, String path) {
        if (value.canExecute()) {
            if (sources != null && home != null) {
                return sources.of(value, home, path);
            }
            return remember(
                    value,
                    home == null ? value.as(Function.class) : home.realm().functionOf(value, home));
        }
        if (value.hasArrayElements()) {
            return array(value, path);
        }
        if (value.hasBufferElements()) {
            byte[] bytes = new byte[counted(value.getBufferSize(), path)];
            if (bytes.length > 0) {
                value.readBuffer(0, bytes, 0, bytes.length);
            }
            return remember(value, bytes);
        }
        if (value.hasHashEntries()) {
            return map(value, path);
        }
        return switch (kindOf(value)) {
            case SET -> set(value, path);
            case TEXT -> value.toString();
            case PROXY -> isArray(value) ? proxiedArray(value, path) : members(value, path);
            case BOXED -> convert(value.invokeMember("valueOf"), path);
            case BYTE_VIEW -> remember(value, viewed(value, path));
            case PROMISE -> settled(value, path);
            case NO_DATE -> null;
            default -> value.isException() ? value.toString() : members(value, path);
        };
    }

    /**
     * What becomes of a promise is known once it has told so, which it never does at once. One that
     * has no value yet, or failed, is shown as its text: siblings may go on with it.
     */
    private @Nullable Object settled(Value promise, String path) {
        Settling settling = new Settling();
        promise.invokeMember("then", settling.taker(false), settling.taker(true));
        Value outcome = settling.outcome;
        return outcome == null || settling.rejected ? promise.toString() : convert(outcome, path);
    }

    /** What a promise tells of itself. The guest may hold it for long. */
    private static final class Settling {
        private @Nullable Value outcome;
        private boolean rejected;

        ProxyExecutable taker(boolean rejects) {
            return arguments -> {
                rejected = rejects;
                outcome = arguments[0];
                return null;
            };
        }
    }

    private byte[] viewed(Value view, String path) {
        byte[] bytes = new byte[counted(view.getMember("byteLength").asLong(), path)];
        if (bytes.length > 0) {
            view.getMember("buffer")
                    .readBuffer(view.getMember("byteOffset").asLong(), bytes, 0, bytes.length);
        }
        return bytes;
    }

    private Object array(Value value, String path) {
        // Counted before room is made for it: a sparse array can be as long as it likes.
        int length = counted(value.getArraySize(), path);
        return switch (kindOf(value)) {
            case BYTES -> {
                byte[] bytes = new byte[length];
                for (int i = 0; i < length; i++) {
                    bytes[i] = (byte) value.getArrayElement(i).asInt();
                }
                yield remember(value, bytes);
            }
            case FLOATS -> {
                float[] floats = new float[length];
                for (int i = 0; i < length; i++) {
                    floats[i] = (float) value.getArrayElement(i).asDouble();
                }
                yield remember(value, floats);
            }
            case DOUBLES -> {
                double[] doubles = new double[length];
                for (int i = 0; i < length; i++) {
                    doubles[i] = value.getArrayElement(i).asDouble();
                }
                yield remember(value, doubles);
            }
            case INTS -> {
                int[] ints = new int[length];
                for (int i = 0; i < length; i++) {
                    ints[i] = value.getArrayElement(i).asInt();
                }
                yield remember(value, ints);
            }
            case LONGS -> {
                long[] longs = new long[length];
                for (int i = 0; i < length; i++) {
                    longs[i] = value.getArrayElement(i).asLong();
                }
                yield remember(value, longs);
            }
            default -> {
                List<@Nullable Object> list = new ArrayList<>(length);
                done.put(value, list);
                for (int i = 0; i < length; i++) {
                    list.add(convert(value.getArrayElement(i), path + "[" + i + "]"));
                }
                yield list;
            }
        };
    }

    private Object map(Value value, String path) {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        done.put(value, map);
        Value entries = value.getHashEntriesIterator();
        while (entries.hasIteratorNextElement()) {
            Value entry = entries.getIteratorNextElement();
            Object key = convert(entry.getArrayElement(0), path + " key");
            if (map.containsKey(key)) {
                throw new ConversionException(
                        path,
                        "two of its keys are equal in Java, %s; key it by text or by numbers"
                                .formatted(key),
                        null);
            }
            map.put(key, convert(entry.getArrayElement(1), path + ".get(" + key + ")"));
        }
        return map;
    }

    private Object set(Value value, String path) {
        Set<@Nullable Object> set = new LinkedHashSet<>();
        done.put(value, set);
        Value elements = value.getIterator();
        while (elements.hasIteratorNextElement()) {
            set.add(convert(elements.getIteratorNextElement(), path + " element"));
        }
        return set;
    }

    private Object members(Value value, String path) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        done.put(value, map);
        for (String key : value.getMemberKeys()) {
            map.put(key, member(value, key, path + "." + key));
        }
        if (leaving && home != null && home.frame() instanceof NamespaceFrame frame) {
            frame.keepObject(map, value, home);
        }
        return map;
    }

    /** A proxy of an array is an array to the language, and an object with numbered members. */
    private Object proxiedArray(Value value, String path) {
        List<@Nullable Object> list = new ArrayList<>();
        done.put(value, list);
        int length = counted(value.getMember("length").asLong(), path);
        for (int i = 0; i < length; i++) {
            list.add(member(value, Integer.toString(i), path + "[" + i + "]"));
        }
        return list;
    }

    private boolean isArray(Value value) {
        Value array = home == null ? null : home.realm().builtin("Array");
        return array != null && array.invokeMember("isArray", value).asBoolean();
    }

    private @Nullable Object member(Value value, String key, String path) {
        @Nullable Value member;
        try {
            member = value.getMember(key);
        } catch (PolyglotException e) {
            throw unreadable(path, e);
        }
        // A proxy may list what it does not have, and a getter may have deleted it.
        return member == null ? null : convert(member, path);
    }

    private void count(long more) {
        if (allowance == null) {
            return;
        }
        size = LongMath.saturatedAdd(size, more);
        if (leaving) {
            allowance.handsOver(more);
        } else {
            allowance.passes(size);
        }
    }

    /** Counts so many elements. */
    private int counted(long length, String path) {
        count(length);
        if (length > LONGEST) {
            throw new ConversionException(
                    path,
                    "it has %d elements, a list has at most %d".formatted(length, LONGEST),
                    null);
        }
        return (int) length;
    }

    private ConversionException unreadable(String path, PolyglotException e) {
        if (BlockException.isOverflow(e, dialect())) {
            return new ConversionException(path, NO_STACK, e);
        }
        return new ConversionException(path, "reading it failed, " + e.getMessage(), e);
    }

    private Kind kindOf(Value value) {
        return dialect().kindOf(value, name -> home == null ? null : home.realm().builtin(name));
    }

    private Dialect dialect() {
        return home == null ? ELSEWHERE : home.realm().dialect();
    }

    private Object remember(Value value, Object converted) {
        done.put(value, converted);
        return converted;
    }
}
