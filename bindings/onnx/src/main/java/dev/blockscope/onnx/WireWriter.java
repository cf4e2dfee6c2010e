package dev.blockscope.onnx;

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes one message of the protobuf wire format, field by field. */
final class WireWriter {
    private final ByteArrayDataOutput out = ByteStreams.newDataOutput();

    /** Writes an integer field. */
    WireWriter integer(int field, long value) {
        varint((long) field << 3);
        varint(value);
        return this;
    }

    /** Writes a text field. */
    WireWriter text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a message field. */
    WireWriter message(int field, WireWriter value) {
        return bytes(field, value.toByteArray());
    }

    /** Writes a field whose bytes are known already. */
    WireWriter raw(int field, ByteBuffer value) {
        byte[] copy = new byte[value.remaining()];
        value.get(value.position(), copy);
        return bytes(field, copy);
    }

    /** Writes fields that are known already, with their numbers. */
    WireWriter copy(ByteBuffer fields) {
        byte[] copy = new byte[fields.remaining()];
        fields.get(fields.position(), copy);
        out.write(copy);
        return this;
    }

    /** Returns what has been written. */
    byte[] toByteArray() {
        return out.toByteArray();
    }

    private WireWriter bytes(int field, byte[] value) {
        varint((long) field << 3 | 2);
        varint(value.length);
        out.write(value);
        return this;
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
