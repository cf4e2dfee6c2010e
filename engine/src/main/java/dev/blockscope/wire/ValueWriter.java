package dev.blockscope.wire;

import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import dev.blockscope.BlockSource;
import dev.blockscope.FunctionSource;
import dev.blockscope.FunctionSourceException;
import dev.blockscope.FunctionSources;
import dev.blockscope.GuestFunction;
import dev.blockscope.HostPart;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes plain Java values. Every list, map, set and array is marked as shared, so that a second
 * appearance, also inside itself, is a reference to the first; scalars are written again.
 */
final class ValueWriter {
    private static final String HOST_ONLY =
            "host objects and functions stay in their JVM; send what the block needs of it as a map or a record, or give it a name on both sides with Vocabulary.reference";

    private final CBORGenerator out;
    private final Vocabulary vocabulary;
    private final FunctionSources functions = new FunctionSources();
    private final IdentityHashMap<Object, Integer> written = new IdentityHashMap<>();
    private final boolean counts;
    private int depth;

    /**
     * Creates a writer.
     *
     * @param depth how deep in other values those are that it writes
     */
    ValueWriter(CBORGenerator out, Vocabulary vocabulary, int depth) {
        this(out, vocabulary, depth, false);
    }

    private ValueWriter(CBORGenerator out, Vocabulary vocabulary, int depth, boolean counts) {
        this.out = out;
        this.vocabulary = vocabulary;
        this.depth = depth;
        this.counts = counts;
    }

    /** Creates a writer for who counts the bytes, and does not look at those of arrays. */
    static ValueWriter counting(CBORGenerator out, Vocabulary vocabulary, int depth) {
        return new ValueWriter(out, vocabulary, depth, true);
    }

    /**
     * Writes a value.
     *
     * @throws UnsendableException if it, or something in it, cannot travel
     */
    void write(@Nullable Object value, ValuePath path) throws IOException {
        if (++depth > Cbor.DEEPEST) {
            throw unsendable(
                    value, path, "values travel up to %d levels deep".formatted(Cbor.DEEPEST));
        }
        if (!writeScalar(value) && value != null && !writeKnown(value, path)) {
            writeShared(value, path);
        }
        depth--;
    }

    private boolean writeScalar(@Nullable Object value) throws IOException {
        switch (value) {
            case null -> out.writeNull();
            case Boolean truth -> out.writeBoolean(truth);
            case Integer number -> out.writeNumber(number);
            case Long number when number.intValue() != number -> out.writeNumber(number);
            case Double number -> out.writeNumber(number);
            case Float number -> out.writeNumber(number);
            case BigInteger number -> out.writeNumber(number);
            case BigDecimal number -> out.writeNumber(number);
            case String text -> writeText(text);
            case Enum<?> constant -> out.writeString(constant.name());
            case Instant time -> writeTagged(CborTags.INSTANT, time);
            case LocalDate day -> writeTagged(CborTags.DATE, day);
            default -> {
                ObjectForm form = ObjectForm.of(value);
                if (form == null) {
                    return false;
                }
                beginObject(form.wireName(), 1);
                writeScalar(form.plain(value));
                out.writeEndArray();
            }
        }
        return true;
    }

    /** A text with half a surrogate pair, which a guest can make, is no Unicode text. */
    private void writeText(String text) throws IOException {
        if (isWellFormed(text)) {
            out.writeString(text);
        } else {
            writeObject(CborTags.UTF_16, unitsOf(text));
        }
    }

    /** By hand: an encoder would replace what is malformed. */
    private static byte[] unitsOf(CharSequence text) {
        byte[] bytes = new byte[2 * text.length()];
        for (int i = 0; i < text.length(); i++) {
            bytes[2 * i] = (byte) (text.charAt(i) >> 8);
            bytes[2 * i + 1] = (byte) text.charAt(i);
        }
        return bytes;
    }

    static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (Character.isHighSurrogate(unit)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(unit)) {
                return false;
            }
        }
        return true;
    }

    private void writeTagged(int tag, Object shown) throws IOException {
        out.writeTag(tag);
        out.writeString(shown.toString());
    }

    /** Writes what both sides know by a name. */
    private boolean writeKnown(Object value, ValuePath path) throws IOException {
        String name = vocabulary.nameOf(value);
        if (name != null) {
            beginObject(CborTags.NAMED, 1);
            out.writeString(name);
            out.writeEndArray();
            return true;
        }
        if (value instanceof HostPart part) {
            return writePart(part, path);
        }
        if (value instanceof Optional<?> optional) {
            write(optional.orElse(null), path);
            return true;
        }
        if (value instanceof GuestFunction function) {
            writeShared(sourceOf(function, path), path);
            return true;
        }
        return false;
    }

    /** Writes a part of what both sides know by a name. */
    private boolean writePart(HostPart part, ValuePath path) throws IOException {
        String whole = vocabulary.nameOf(part.whole());
        if (whole == null) {
            return false;
        }
        beginObject(CborTags.NAMED, 1);
        out.writeStartArray(part, 2);
        out.writeString(whole);
        write(part.place(), path);
        out.writeEndArray();
        out.writeEndArray();
        return true;
    }

    private FunctionSource sourceOf(GuestFunction function, ValuePath path) {
        try {
            return functions.of(function);
        } catch (FunctionSourceException e) {
            throw new UnsendableException(path.variable(), path + e.path(), "function", e.reason());
        }
    }

    private void writeShared(Object value, ValuePath path) throws IOException {
        Integer number = written.get(value);
        if (number != null) {
            out.writeTag(CborTags.REFERENCE);
            out.writeNumber(number);
            return;
        }
        Vocabulary.Type<?> type = vocabulary.typeOf(value);
        if (type == null) {
            requireSendable(value, path);
        }
        written.put(value, written.size());
        out.writeTag(CborTags.SHARED);
        if (type != null) {
            beginObject(type.name(), 1);
            write(type.plain(value), path);
            out.writeEndArray();
        } else {
            writeContents(value, path);
        }
    }

    private void writeContents(Object value, ValuePath path) throws IOException {
        switch (value) {
            case FunctionSource function -> writeFunction(function, path);
            case Map<?, ?> map -> writeMap(map, path);
            case Set<?> set -> {
                out.writeTag(CborTags.SET);
                writeElements(set.toArray(), path);
            }
            case Collection<?> collection -> writeElements(collection.toArray(), path);
            case Record record -> writeMap(componentsOf(record, path), path);
            case Object[] array -> {
                beginObject(CborTags.ARRAY, array.length + 1);
                out.writeNumber(array.length);
                writeAll(array, path);
                out.writeEndArray();
            }
            default -> writePrimitives(value);
        }
    }

    private void writeFunction(FunctionSource function, ValuePath path) throws IOException {
        BlockSource program = function.program();
        beginObject(CborTags.FUNCTION, 2);
        out.writeStartArray(program, 5);
        out.writeString(program.language());
        writeText(program.text());
        out.writeString(program.file());
        out.writeNumber(program.line());
        out.writeNumber(program.column());
        out.writeEndArray();
        out.writeStartObject(function, function.variables().size());
        for (Map.Entry<String, @Nullable Object> variable : function.variables().entrySet()) {
            out.writeFieldName(variable.getKey());
            write(variable.getValue(), path.in(variable.getKey()));
        }
        out.writeEndObject();
        out.writeEndArray();
    }

    private void writeElements(@Nullable Object[] elements, ValuePath path) throws IOException {
        out.writeStartArray(elements, elements.length);
        writeAll(elements, path);
        out.writeEndArray();
    }

    private void writeAll(@Nullable Object[] elements, ValuePath path) throws IOException {
        for (int i = 0; i < elements.length; i++) {
            write(elements[i], path.at(i));
        }
    }

    private void writeMap(Map<?, ?> live, ValuePath path) throws IOException {
        // Copied, so that its size is that of what is written.
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>(live);
        if (map.keySet().stream().allMatch(key -> key instanceof String t && isWellFormed(t))) {
            out.writeStartObject(map, map.size());
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.writeFieldName((String) entry.getKey());
                write(entry.getValue(), path.at(entry.getKey()));
            }
            out.writeEndObject();
            return;
        }
        beginObject(CborTags.MAP, 2 * map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (!writeScalar(entry.getKey())) {
                throw unsendable(
                        entry.getKey(),
                        path.at("key " + entry.getKey()),
                        "keys of maps travel if they are texts, numbers, truth values or times");
            }
            write(entry.getValue(), path.at(String.valueOf(entry.getKey())));
        }
        out.writeEndArray();
    }

    private static Map<String, @Nullable Object> componentsOf(Record record, ValuePath path) {
        Map<String, @Nullable Object> components = new LinkedHashMap<>();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            try {
                component.getAccessor().setAccessible(true);
                components.put(component.getName(), component.getAccessor().invoke(record));
            } catch (ReflectiveOperationException | RuntimeException e) {
                throw unsendable(
                        record,
                        path,
                        "its component \"%s\" cannot be read; open its package to dev.blockscope.engine"
                                .formatted(component.getName()));
            }
        }
        return components;
    }

    private void writePrimitives(Object array) throws IOException {
        switch (array) {
            case byte[] bytes -> out.writeBinary(bytes);
            case boolean[] truths -> writeObject(CborTags.BOOLEANS, TypedArray.bytesOf(truths));
            case char[] letters -> writeObject(CborTags.CHARS, unitsOf(CharBuffer.wrap(letters)));
            default -> {
                TypedArray type = TypedArray.of(array);
                out.writeTag(type.tag());
                int size = type.size(array);
                out.writeBinary(counts ? new UnreadBytes(size) : type.bytes(array), size);
            }
        }
    }

    private void writeObject(String name, byte[] content) throws IOException {
        beginObject(name, 1);
        out.writeBinary(content);
        out.writeEndArray();
    }

    private void beginObject(String name, int size) throws IOException {
        out.writeTag(CborTags.OBJECT);
        out.writeStartArray(name, size + 1);
        out.writeString(name);
    }

    private static void requireSendable(Object value, ValuePath path) {
        boolean sendable =
                value instanceof Map
                        || value instanceof Collection
                        || value instanceof Record
                        || value instanceof FunctionSource
                        || value.getClass().isArray();
        if (!sendable) {
            throw unsendable(value, path, HOST_ONLY);
        }
    }

    private static UnsendableException unsendable(
            @Nullable Object value, ValuePath path, String why) {
        String type = value == null ? "null" : value.getClass().getName();
        return new UnsendableException(path.variable(), path.toString(), type, why);
    }
}
