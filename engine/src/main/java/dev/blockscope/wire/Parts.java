package dev.blockscope.wire;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of an envelope as they were read, each asked for as what it must be. */
final class Parts {
    private final Map<String, @Nullable Object> read = new LinkedHashMap<>();

    private Parts() {}

    /** Returns the parts that a value is made of, which was written as a map. */
    static Parts of(String what, @Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new EnvelopeException("the part \"%s\" is not a map".formatted(what));
        }
        Parts parts = new Parts();
        map.forEach((name, part) -> parts.read.put(String.valueOf(name), part));
        return parts;
    }

    /**
     * Reads all parts up to the envelope's end.
     *
     * @param names what parts there may be
     */
    static Parts of(CBORParser in, ValueReader values, Set<String> names) throws IOException {
        Parts parts = new Parts();
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

    /**
     * Returns the parts that a value is made of, which was written as a map.
     *
     * @param names what parts there may be
     */
    static Parts of(String what, @Nullable Object value, Set<String> names) {
        return of(what, value).only(names);
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
        if (get(name) instanceof List<?> list) {
            return list;
        }
        throw missing(name, "a list");
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
