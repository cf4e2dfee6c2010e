package dev.blockscope.wire;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of an envelope as they were read, each asked for as what it must be. */
final class Parts {
    private static final Set<String> NAMES =
            Set.of("language", "text", "origin", "frame", "values", "limits");

    private final Map<String, @Nullable Object> read = new LinkedHashMap<>();

    private Parts() {}

    /** Reads all parts up to the envelope's end. */
    static Parts of(CBORParser in, ValueReader values) throws IOException {
        Parts parts = new Parts();
        for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
            if (!NAMES.contains(name)) {
                throw values.wrong("there is no part named \"%s\"".formatted(name));
            }
            parts.read.put(name, values.read());
        }
        if (in.currentToken() != JsonToken.END_OBJECT) {
            throw values.wrong("the envelope does not end");
        }
        return parts;
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
