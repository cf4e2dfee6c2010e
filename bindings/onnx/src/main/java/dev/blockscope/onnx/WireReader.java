package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one message of the protobuf wire format, field by field, without trusting a byte of it.
 *
 * <p>Lengths are checked against the enclosing message before anything is allocated, nesting is
 * bounded, and every complaint names the place as a path (such as {@code model.graph.node[3]}) and
 * as an offset in the file.
 */
final class WireReader {
    /** As deep as protobuf's own readers go by default. */
    static final int MAX_DEPTH = 100;

    /** Names and domains are short; a text beyond this is damage. */
    static final int MAX_TEXT_BYTES = 1 << 20;

    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;
    private static final int MAX_VARINT_BYTES = 10;

    private final Path file;
    private final ByteBuffer bytes;
    private final int start;
    private final int end;
    private final @Nullable WireReader parent;
    private final String label;
    private final int index;
    private final int depth;

    private int position;
    private int field;
    private int wireType;
    private int fieldStart;
    private int valueStart;
    private int valueLength;
    private long number;

    /** Prepares to read {@code bytes}, the whole of {@code file}, as one message. */
    WireReader(Path file, ByteBuffer bytes) {
        this.file = file;
        this.bytes = bytes;
        this.start = 0;
        this.end = bytes.limit();
        this.parent = null;
        this.label = "model";
        this.index = -1;
        this.depth = 0;
    }

    /** Prepares to read the current field of {@code parent} as a message. */
    private WireReader(WireReader parent, String label, int index) {
        this.file = parent.file;
        this.bytes = parent.bytes;
        this.start = parent.valueStart;
        this.end = parent.valueStart + parent.valueLength;
        this.parent = parent;
        this.label = label;
        this.index = index;
        this.depth = parent.depth + 1;
        this.position = start;
        this.fieldStart = start;
    }

    /** Moves on to the next field; false at the end of the message. */
    boolean next() throws OnnxFileException {
        if (position == end) {
            return false;
        }
        fieldStart = position;
        long tag = readVarint();
        field = (int) (tag >>> 3);
        wireType = (int) (tag & 7);
        if (tag >>> 32 != 0 || field == 0) {
            throw damaged("a field number between 1 and 536870911 was expected");
        }
        valueStart = position;
        switch (wireType) {
            case VARINT -> number = readVarint();
            case FIXED64 -> skip(8);
            case FIXED32 -> skip(4);
            case BYTES -> {
                long length = readVarint();
                valueStart = position;
                skip(length);
            }
            default -> throw damaged("wire type " + wireType + " is none that ONNX files use");
        }
        valueLength = position - valueStart;
        return true;
    }

    /** Returns the number of the current field. */
    int field() {
        return field;
    }

    /** Returns the current field as an integer. */
    long integer() throws OnnxFileException {
        require(VARINT, "an integer");
        return number;
    }

    /**
     * Adds the integers of the current field, be it packed or one of a repeated row.
     *
     * @param most how many there may be together with those that are in {@code all} already
     */
    void integers(List<Long> all, int most) throws OnnxFileException {
        if (wireType == VARINT) {
            all.add(number);
            limit(all.size(), most, "integers in a row");
            return;
        }
        WireReader packed = message("packed", -1);
        while (packed.position < packed.end) {
            packed.fieldStart = packed.position;
            all.add(packed.readVarint());
            limit(all.size(), most, "integers in a row");
        }
    }

    /** Returns the current field as text. */
    String text() throws OnnxFileException {
        require(BYTES, "a text");
        if (valueLength > MAX_TEXT_BYTES) {
            throw damaged(
                    "a text is %d bytes, the limit is %d".formatted(valueLength, MAX_TEXT_BYTES));
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(bytes.slice(valueStart, valueLength))
                    .toString();
        } catch (CharacterCodingException _) {
            throw damaged("a text in UTF-8 was expected");
        }
    }

    /** Returns where the bytes of the current field are. */
    Slice slice() throws OnnxFileException {
        require(BYTES, "a row of bytes");
        return new Slice(valueStart, valueLength);
    }

    /** Returns a read-only copy of the bytes of the current field, on the heap. */
    ByteBuffer copy() throws OnnxFileException {
        require(BYTES, "a row of bytes");
        byte[] copy = new byte[valueLength];
        bytes.get(valueStart, copy);
        return ByteBuffer.wrap(copy).asReadOnlyBuffer();
    }

    /** Returns a read-only copy of this whole message, on the heap. */
    ByteBuffer whole() {
        byte[] copy = new byte[end - start];
        bytes.get(start, copy);
        return ByteBuffer.wrap(copy).asReadOnlyBuffer();
    }

    /** Returns the place of this message in its row; -1 if it is none of a row. */
    int index() {
        return index;
    }

    /** Returns a reader of the message in the current field. */
    WireReader message(String name) throws OnnxFileException {
        return message(name, -1);
    }

    /** Returns a reader of the message in the current field, the {@code row}-th of its row. */
    WireReader message(String name, int row) throws OnnxFileException {
        require(BYTES, "a message");
        if (depth == MAX_DEPTH) {
            throw damaged("messages are nested deeper than %d".formatted(MAX_DEPTH));
        }
        return new WireReader(this, name, row);
    }

    /** Bounds what a damaged or hostile file can make us hold. */
    void limit(int count, int most, String what) throws OnnxFileException {
        if (count > most) {
            throw damaged("more than %d %s".formatted(most, what));
        }
    }

    /** Makes a complaint about the current field. */
    OnnxFileException damaged(String text) {
        String where = place() + " at byte " + fieldStart;
        return new OnnxFileException(file, fieldStart, where + ": " + text, null);
    }

    private String place() {
        String numbered = index < 0 ? label : label + "[" + index + "]";
        return parent == null ? numbered : parent.place() + "." + numbered;
    }

    private void require(int expected, String what) throws OnnxFileException {
        if (wireType != expected) {
            throw damaged("field %d is not %s (wire type %d)".formatted(field, what, wireType));
        }
    }

    private void skip(long length) throws OnnxFileException {
        if (length < 0 || length > end - position) {
            throw damaged(
                    "field %d is %s bytes long, but only %d are left (is the file truncated?)"
                            .formatted(field, Long.toUnsignedString(length), end - position));
        }
        position += (int) length;
    }

    private long readVarint() throws OnnxFileException {
        long value = 0;
        for (int i = 0; i < MAX_VARINT_BYTES; i++) {
            if (position == end) {
                throw damaged("an integer is cut off (is the file truncated?)");
            }
            byte next = bytes.get(position++);
            value |= (long) (next & 0x7f) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        throw damaged("an integer is longer than %d bytes".formatted(MAX_VARINT_BYTES));
    }
}
