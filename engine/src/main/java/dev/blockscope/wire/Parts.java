package dev.blockscope.wire;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of an envelope as they were read, each asked for as what it must be. */
final class Parts {
    private final Map<String, @Nullable Object> read = new LinkedHashMap<>();
    private final Allowance allowance;
    private final int depth;

    private Parts(Allowance allowance, int depth) {
        this.allowance = allowance;
        this.depth = depth;
    }

    /**
     * How much may be made of parts. They may refer to each other, and what is made of them is made
     * as often; but none who writes an envelope has it come to more than its bytes.
     */
    private static final class Allowance {
        private final long bytes;
        private long taken;

        Allowance(long bytes) {
            this.bytes = bytes;
        }

        void take(int values) {
            taken += values;
            if (taken > bytes) {
                throw new EnvelopeException(
                        "the parts of the envelope refer to each other, and come to more than its %d bytes"
                                .formatted(bytes));
            }
        }
    }

    /**
     * Reads all parts up to the envelope's end.
     *
     * @param names what parts there may be
     * @param length the number of bytes of the envelope
     */
    static Parts of(CBORParser in, ValueReader values, Set<String> names, int length)
            throws IOException {
        Parts parts = new Parts(new Allowance(length), 0);
        for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
            if (!names.contains(name)) {
                throw values.wrong("there is no part named \"%s\"".formatted(name));
            }
            parts.read.put(name, values.read());
        }
        if (in.currentToken() != JsonToken.END_OBJECT) {
            throw values.wrong("the envelope does not end");
        }
        return parts;
    }

    /** Returns the parts that one of these is made of, which was written as a map. */
    Parts inner(String name) {
        return inner(name, get(name));
    }

    /** Returns the parts that a value in one of these is made of, which was written as a map. */
    Parts inner(String what, @Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new EnvelopeException("the part \"%s\" is not a map".formatted(what));
        }
        if (depth == Cbor.DEEPEST) {
            throw new EnvelopeException(
                    "the part \"%s\" is nested more than %d levels deep"
                            .formatted(what, Cbor.DEEPEST));
        }
        allowance.take(1 + map.size());
        Parts parts = new Parts(allowance, depth + 1);
        map.forEach((name, part) -> parts.read.put(shown(name), part));
        return parts;
    }

    /** Returns parts of which each is a map of parts. */
    List<Parts> each(String name, Set<String> names) {
        List<Parts> each = new ArrayList<>();
        for (Object one : list(name)) {
            each.add(inner(name, one).only(names));
        }
        return each;
    }

    /** Returns parts of which each is a list of a fixed length. */
    List<Row> rows(String name, int size) {
        List<Row> rows = new ArrayList<>();
        for (Object one : list(name)) {
            allowance.take(size);
            rows.add(Row.of(one, name, size));
        }
        return rows;
    }

    /** Returns these parts, if all are among some. */
    Parts only(Set<String> names) {
        for (String name : read.keySet()) {
            if (!names.contains(name)) {
                throw new EnvelopeException(
                        "there is no part named \"%s\" beside \"%s\""
                                .formatted(name, read.keySet().iterator().next()));
            }
        }
        return this;
    }

    String text(String name) {
        if (read.get(name) instanceof String text) {
            return text;
        }
        throw missing(name, "a text");
    }

    /** Returns a part whose keys are texts, as those of every map read are but for a tagged one. */
    @SuppressWarnings("unchecked")
    Map<String, @Nullable Object> map(String name) {
        if (read.get(name) instanceof Map<?, ?> map
                && taken(map.size())
                && map.keySet().stream().allMatch(String.class::isInstance)) {
            return (Map<String, @Nullable Object>) map;
        }
        throw missing(name, "a map");
    }

    boolean has(String name) {
        return read.containsKey(name);
    }

    /** Returns a part, or null if it is null or there is none. */
    @Nullable Object get(String name) {
        return read.get(name);
    }

    /** Returns a constant by its name. */
    <E extends Enum<E>> E constant(String name, Class<E> type) {
        return constant(name, get(name), type);
    }

    static <E extends Enum<E>> E constant(String name, @Nullable Object value, Class<E> type) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(value)) {
                return constant;
            }
        }
        throw new EnvelopeException(
                "the part \"%s\" is none of %s"
                        .formatted(name, Arrays.toString(type.getEnumConstants())));
    }

    List<?> list(String name) {
        return list(name, get(name));
    }

    /** Returns a value in one of these parts that is a list. */
    List<?> list(String name, @Nullable Object value) {
        if (value instanceof List<?> list) {
            allowance.take(list.size());
            return list;
        }
        throw missing(name, "a list");
    }

    private boolean taken(int values) {
        allowance.take(values);
        return true;
    }

    /** Returns what is told of a value where another one was expected: not what is in it. */
    static String shown(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case String text -> text.length() <= 60 ? text : text.substring(0, 59) + "…";
            case Boolean truth -> truth.toString();
            case Integer number -> number.toString();
            case Long number -> number.toString();
            case Double number -> number.toString();
            default -> "a value of the type " + value.getClass().getSimpleName();
        };
    }

    /** Returns a part that is a whole number and not negative. */
    int count(String name) {
        if (read.get(name) instanceof Integer count && count >= 0) {
            return count;
        }
        throw missing(name, "a whole number from 0 on");
    }

    /** Returns a part that is true or false. */
    boolean truth(String name) {
        if (read.get(name) instanceof Boolean truth) {
            return truth;
        }
        throw missing(name, "true or false");
    }

    Row row(String name, int size) {
        if (!(read.get(name) instanceof List<?>)) {
            throw missing(name, "a list of %d".formatted(size));
        }
        allowance.take(size);
        return Row.of(read.get(name), name, size);
    }

    private EnvelopeException missing(String name, String expected) {
        return new EnvelopeException(
                read.containsKey(name)
                        ? "the part \"%s\" of the envelope is not %s".formatted(name, expected)
                        : "the envelope has no part \"%s\"".formatted(name));
    }

    /** A part that is a list of a fixed length. */
    record Row(String name, List<?> values) {
        static Row of(@Nullable Object read, String name, int size) {
            if (read instanceof List<?> row && row.size() == size) {
                return new Row(name, row);
            }
            throw new EnvelopeException(
                    "the part \"%s\" of the envelope is not a list of %d".formatted(name, size));
        }

        String text(int index) {
            if (values.get(index) instanceof String text) {
                return text;
            }
            throw wrong(index, "a text");
        }

        /** Returns a whole number that is not negative. */
        int count(int index) {
            if (values.get(index) instanceof Integer count && count >= 0) {
                return count;
            }
            throw wrong(index, "a whole number from 0 on");
        }

        /** Returns a line or a column, which start at 1. */
        int position(int index) {
            if (values.get(index) instanceof Integer position && position >= 1) {
                return position;
            }
            throw wrong(index, "a whole number from 1 on");
        }

        private EnvelopeException wrong(int index, String expected) {
            return new EnvelopeException(
                    "item %d of the part \"%s\" of the envelope is not %s"
                            .formatted(index, name, expected));
        }
    }
}
