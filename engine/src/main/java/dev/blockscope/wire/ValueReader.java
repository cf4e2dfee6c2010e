package dev.blockscope.wire;

import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import dev.blockscope.BlockSource;
import dev.blockscope.FunctionSource;
import dev.blockscope.HostPart;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads plain Java values. What comes is not trusted: nothing is made that is larger than the bytes
 * it came in by more than a constant factor, and no class is looked up by a name.
 */
final class ValueReader {
    /** A decimal number beyond these powers of ten takes seconds to work with. */
    private static final int LARGEST_SCALE = 10_000;

    /** Values of which the hashes are taken, beyond which that takes seconds. */
    private static final long MOST_HASHED = 10L * Cbor.MOST_VALUES;

    /** How many times the bytes of the envelope may be in what objects are made of. */
    private static final long MOST_COPIES = 100;

    private final CBORParser in;
    private final int length;
    private final Vocabulary vocabulary;
    private final List<@Nullable Object> shared = new ArrayList<>();
    private int depth;
    private long hashed;
    private long made;

    /**
     * Creates a reader.
     *
     * @param length the number of bytes that there are
     */
    ValueReader(CBORParser in, int length, Vocabulary vocabulary) {
        this.in = in;
        this.length = length;
        this.vocabulary = vocabulary;
    }

    /**
     * Reads the next value.
     *
     * @throws EnvelopeException if it is none of the format
     */
    @Nullable Object read() throws IOException {
        return readAt(next());
    }

    private JsonToken next() throws IOException {
        JsonToken token = in.nextToken();
        if (token == null) {
            throw wrong("the bytes end where a value was expected");
        }
        return token;
    }

    private @Nullable Object readAt(JsonToken token) throws IOException {
        if (++depth > Cbor.DEEPEST) {
            throw wrong("values are nested more than %d levels deep".formatted(Cbor.DEEPEST));
        }
        Tags tags = Tags.of(in, this);
        int number = shared.size();
        if (tags.shared()) {
            // Its place is taken before what is inside of it takes one.
            shared.add(Unfinished.VALUE);
        }
        Object value = readTagged(token, tags.meaning(), tags.shared() ? number : -1);
        if (tags.shared()) {
            shared.set(number, value);
        }
        depth--;
        return value;
    }

    private @Nullable Object readTagged(JsonToken token, int tag, int number) throws IOException {
        return switch (token) {
            case VALUE_NULL -> untagged(tag, null);
            case VALUE_TRUE -> untagged(tag, true);
            case VALUE_FALSE -> untagged(tag, false);
            case VALUE_STRING -> text(tag, in.getText());
            case VALUE_NUMBER_INT ->
                    tag == CborTags.REFERENCE
                            ? sharedValue(in.getIntValue())
                            : untagged(tag, integer());
            case VALUE_NUMBER_FLOAT -> untagged(tag, fraction());
            case VALUE_EMBEDDED_OBJECT -> binary(tag);
            case START_OBJECT -> map(tag, number);
            case START_ARRAY -> array(tag, number);
            default -> throw wrong("found %s where a value was expected".formatted(token));
        };
    }

    private <T extends @Nullable Object> T untagged(int tag, T value) {
        if (tag != Tags.NONE) {
            throw wrong("tag %d stands before a value of another kind".formatted(tag));
        }
        return value;
    }

    private Object integer() throws IOException {
        return switch (in.getNumberType()) {
            case INT -> in.getIntValue();
            case LONG -> in.getLongValue();
            default -> in.getBigIntegerValue();
        };
    }

    private Object fraction() throws IOException {
        if (in.getNumberType() == NumberType.FLOAT) {
            return in.getFloatValue();
        }
        if (in.getNumberType() == NumberType.DOUBLE) {
            return in.getDoubleValue();
        }
        BigDecimal decimal = in.getDecimalValue();
        if (Math.abs((long) decimal.scale()) > LARGEST_SCALE) {
            throw wrong(
                    "a decimal number has the exponent %d, expected at most %d"
                            .formatted(-(long) decimal.scale(), LARGEST_SCALE));
        }
        return decimal;
    }

    private Object text(int tag, String text) {
        return switch (tag) {
            case CborTags.INSTANT -> parsed("a point in time", text, Instant::parse);
            case CborTags.DATE -> parsed("a day", text, LocalDate::parse);
            default -> untagged(tag, text);
        };
    }

    private <T> T parsed(String what, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (DateTimeException e) {
            throw wrong("\"%s\" is not %s".formatted(Parts.shown(text), what));
        }
    }

    private @Nullable Object sharedValue(int number) {
        if (number < 0 || number >= shared.size()) {
            throw wrong(
                    "a reference to value %d, of which there are %d"
                            .formatted(number, shared.size()));
        }
        Object value = shared.get(number);
        if (value == Unfinished.VALUE) {
            throw wrong("value %d refers to itself and cannot".formatted(number));
        }
        return value;
    }

    private Object binary(int tag) throws IOException {
        BinaryPieces pieces = new BinaryPieces();
        in.readBinaryValue(pieces);
        ByteBuffer bytes = pieces.joined();
        TypedArray type = TypedArray.tagged(tag);
        if (type == null) {
            byte[] plain = new byte[bytes.remaining()];
            bytes.get(plain);
            return untagged(tag, plain);
        }
        try {
            return type.array(bytes);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private Map<String, @Nullable Object> map(int tag, int number) throws IOException {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        begun(number, untagged(tag, map));
        fill(map);
        return map;
    }

    private void fill(Map<String, @Nullable Object> map) throws IOException {
        for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
            map.put(name, read());
        }
        if (in.currentToken() != JsonToken.END_OBJECT) {
            throw wrong("a map does not end");
        }
    }

    private @Nullable Object array(int tag, int number) throws IOException {
        if (tag == CborTags.OBJECT) {
            return object(number);
        }
        if (tag != CborTags.SET) {
            List<@Nullable Object> list = new ArrayList<>();
            begun(number, untagged(tag, list));
            readRest(list);
            return list;
        }
        // A set that holds itself has no hash to be found by.
        List<@Nullable Object> elements = new ArrayList<>();
        readRest(elements);
        requireHashable(elements);
        return new LinkedHashSet<>(elements);
    }

    /** The hash of a value goes through all that it refers to, as often as it does. */
    private void requireHashable(List<@Nullable Object> elements) {
        long size = Expanse.values(elements);
        if (size == Expanse.ENDLESS) {
            throw wrong("a set holds a value that holds itself");
        }
        hashed += Math.min(size, MOST_HASHED + 1);
        if (hashed > MOST_HASHED) {
            throw wrong(
                    "sets hold values that refer to others more than %d times"
                            .formatted(MOST_HASHED));
        }
    }

    private void begun(int number, Object value) {
        if (number >= 0) {
            shared.set(number, value);
        }
    }

    private void readRest(Collection<@Nullable Object> into) throws IOException {
        for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
            into.add(readAt(token));
        }
    }

    private @Nullable Object object(int number) throws IOException {
        if (next() != JsonToken.VALUE_STRING) {
            throw wrong("an object begins with its name");
        }
        String name = in.getText();
        return switch (name) {
            case CborTags.MAP -> pairs(number);
            case CborTags.ARRAY -> objects(number);
            case CborTags.FUNCTION -> function(number);
            default -> {
                Object content = read();
                if (next() != JsonToken.END_ARRAY) {
                    throw wrong("a \"%s\" is made of one value".formatted(Parts.shown(name)));
                }
                yield made(name, content);
            }
        };
    }

    /** Bytes and lists that several objects refer to may be copied for each. */
    private void requireRoomFor(String name, @Nullable Object content) {
        made += Math.min(Expanse.bytes(content), MOST_COPIES * length + 1);
        if (made > MOST_COPIES * length) {
            throw wrong(
                    "what a \"%s\" is made of is referred to so often that it comes to more than %d times the envelope"
                            .formatted(Parts.shown(name), MOST_COPIES));
        }
    }

    private @Nullable Object made(String name, @Nullable Object content) {
        requireRoomFor(name, content);
        try {
            return switch (name) {
                case CborTags.NAMED -> named(content);
                case CborTags.UTF_16 -> unitsOf(bytes(content));
                case CborTags.CHARS -> unitsOf(bytes(content)).toCharArray();
                case CborTags.BOOLEANS -> TypedArray.truthsOf(bytes(content));
                default -> ofForm(name, content);
            };
        } catch (EnvelopeException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new EnvelopeException(
                    "the content of a \"%s\" is none: %s"
                            .formatted(Parts.shown(name), e.getMessage()),
                    e);
        }
    }

    private @Nullable Object ofForm(String name, @Nullable Object content) {
        ObjectForm form = ObjectForm.named(name);
        if (form != null) {
            return form.of(content, name);
        }
        Vocabulary.Type<?> type = vocabulary.type(name);
        if (type == null) {
            throw wrong(
                    "values of the type \"%s\" are not known here; add it to the vocabulary"
                            .formatted(Parts.shown(name)));
        }
        return type.ofPlain().apply(content);
    }

    /** Returns what a name refers to, or what is at a place in it. */
    private Object named(@Nullable Object content) {
        if (!(content instanceof List<?> row)) {
            return referenced(content);
        }
        Object place = row.size() == 2 ? row.get(1) : null;
        if (place != null && referenced(row.getFirst()) instanceof HostPart whole) {
            return whole.partAt(place);
        }
        throw wrong("a part of a reference is its name and a place in it");
    }

    private Object referenced(@Nullable Object content) {
        Object found = content instanceof String name ? vocabulary.referenced(name) : null;
        if (found == null) {
            throw wrong(
                    "the name \"%s\" refers to nothing here; known names: %s"
                            .formatted(Parts.shown(content), vocabulary.known()));
        }
        return found;
    }

    private byte[] bytes(@Nullable Object content) {
        if (content instanceof byte[] bytes) {
            return bytes;
        }
        throw wrong("bytes were expected");
    }

    private static String unitsOf(byte[] bytes) {
        char[] units = new char[bytes.length / 2];
        for (int i = 0; i < units.length; i++) {
            units[i] = (char) ((bytes[2 * i] << 8) | (bytes[2 * i + 1] & 0xff));
        }
        return String.valueOf(units);
    }

    private Map<@Nullable Object, @Nullable Object> pairs(int number) throws IOException {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        begun(number, map);
        for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
            Object key = readAt(token);
            if (key instanceof Collection || key instanceof Map) {
                throw wrong("a key of a map is a list or a map");
            }
            map.put(key, read());
        }
        return map;
    }

    private Object objects(int number) throws IOException {
        JsonToken size = next();
        // Each element takes a byte at least, so a length beyond the bytes is a lie.
        if (size != JsonToken.VALUE_NUMBER_INT
                || in.getNumberType() != NumberType.INT
                || in.getIntValue() < 0
                || in.getIntValue() > length) {
            throw wrong("an array begins with its length");
        }
        @Nullable Object[] array = new Object[in.getIntValue()];
        begun(number, array);
        for (int i = 0; i < array.length; i++) {
            array[i] = read();
        }
        if (next() != JsonToken.END_ARRAY) {
            throw wrong("an array has more elements than its length says");
        }
        return array;
    }

    /** A function may close over itself, so it is there before its variables have values. */
    private FunctionSource function(int number) throws IOException {
        Parts.Row program = Parts.Row.of(read(), "function", 5);
        Map<String, @Nullable Object> variables = new LinkedHashMap<>();
        FunctionSource function =
                new FunctionSource(
                        new BlockSource(
                                program.text(0),
                                program.text(1),
                                program.text(2),
                                program.position(3),
                                program.position(4)),
                        variables);
        begun(number, function);
        if (next() != JsonToken.START_OBJECT || !in.getCurrentTags().isEmpty()) {
            throw wrong("a function ends with a map of its variables");
        }
        fill(variables);
        if (next() != JsonToken.END_ARRAY) {
            throw wrong("a function is made of a program and its variables");
        }
        return function;
    }

    EnvelopeException wrong(String what) {
        return new EnvelopeException(
                "the envelope is damaged at byte %d: %s"
                        .formatted(in.currentLocation().getByteOffset(), what));
    }

    /** Stands for a shared value whose content is still being read. */
    private enum Unfinished {
        VALUE
    }

    /**
     * The tags in front of a value.
     *
     * @param shared whether others refer to it
     * @param meaning the tag that says what it is, or {@link #NONE}
     */
    private record Tags(boolean shared, int meaning) {
        static final int NONE = -1;

        private static final int[] MEANINGS = {
            CborTags.OBJECT,
            CborTags.REFERENCE,
            CborTags.SET,
            CborTags.INSTANT,
            CborTags.DATE,
            CborTags.INT16_ARRAY,
            CborTags.INT32_ARRAY,
            CborTags.INT64_ARRAY,
            CborTags.FLOAT32_ARRAY,
            CborTags.FLOAT64_ARRAY,
        };

        private static final Tags FEW = new Tags(false, NONE);

        static Tags of(CBORParser in, ValueReader reader) {
            CBORParser.TagList tags = in.getCurrentTags();
            if (tags.isEmpty() || isNumber(in, tags)) {
                return FEW;
            }
            boolean shared = tags.contains(CborTags.SHARED);
            int meaning = NONE;
            for (int tag : MEANINGS) {
                if (tags.contains(tag)) {
                    meaning = tag;
                    break;
                }
            }
            if (tags.size() != (shared ? 1 : 0) + (meaning == NONE ? 0 : 1)) {
                throw reader.wrong(
                        "tag %d is not part of the format".formatted(tags.getFirstTag()));
            }
            return new Tags(shared, meaning);
        }

        /** Large numbers are tagged as well, and read by the library. */
        private static boolean isNumber(CBORParser in, CBORParser.TagList tags) {
            boolean number =
                    in.currentToken() == JsonToken.VALUE_NUMBER_INT
                            || in.currentToken() == JsonToken.VALUE_NUMBER_FLOAT;
            return number && !tags.contains(CborTags.REFERENCE);
        }
    }
}
