package dev.blockscope.wire;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamWriteException;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import com.google.common.io.CountingOutputStream;
import dev.blockscope.BlockSource;
import dev.blockscope.FrameCode;
import dev.blockscope.Limits;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Envelopes, and what comes back of them, as bytes in version 1 of the format, which the page "The
 * envelope" describes.
 */
final class EnvelopeFormat {
    private static final int VERSION = 1;
    private static final String MAGIC = "blockscope";
    static final Set<String> NAMES =
            Set.of("language", "text", "origin", "frame", "values", "limits");

    /** As many as an array has on every JVM. */
    private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

    private EnvelopeFormat() {}

    static byte[] write(Envelope envelope, Vocabulary vocabulary) {
        return write(
                vocabulary,
                7,
                (out, values) -> {
                    out.writeFieldName("frame");
                    writeCode(envelope.frame(), out);
                    writeSource(envelope.source(), out, values);
                    writeVariables("values", envelope.values(), out, values);
                    writeLimits(envelope.limits(), out, values);
                });
    }

    /**
     * Writes something that begins as an envelope does.
     *
     * @param size the number of its parts, with the version
     */
    static byte[] write(Vocabulary vocabulary, int size, Body body) {
        return write(vocabulary, size, 0, body);
    }

    /**
     * Writes something that begins as an envelope does.
     *
     * @param size the number of its parts, with the version
     * @param depth how deep in its parts the values are
     */
    static byte[] write(Vocabulary vocabulary, int size, int depth, Body body) {
        // What is large here are tensors: an array that grows would copy them each time.
        ExactBytes bytes = new ExactBytes(sizeOf(vocabulary, size, depth, body));
        write(bytes, size, body, out -> new ValueWriter(out, vocabulary, depth));
        return bytes.toByteArray();
    }

    /** Returns how many bytes would be written. */
    static long measure(Vocabulary vocabulary, int size, Body body) {
        return measure(vocabulary, size, 0, body);
    }

    private static long measure(Vocabulary vocabulary, int size, int depth, Body body) {
        CountingOutputStream counted = new CountingOutputStream(OutputStream.nullOutputStream());
        write(counted, size, body, out -> ValueWriter.counting(out, vocabulary, depth));
        return counted.getCount();
    }

    private static int sizeOf(Vocabulary vocabulary, int size, int depth, Body body) {
        long bytes = measure(vocabulary, size, depth, body);
        if (bytes > MOST_BYTES) {
            throw new EnvelopeException(
                    "what is to travel has %d bytes, and an envelope takes up to %d; send it in parts"
                            .formatted(bytes, MOST_BYTES));
        }
        return (int) bytes;
    }

    /** Writes to what takes any bytes. */
    private static void write(
            OutputStream to, int size, Body body, Function<CBORGenerator, ValueWriter> writer) {
        try (CBORGenerator out = Cbor.FACTORY.createGenerator(to)) {
            out.writeStartObject(size);
            out.writeNumberField(MAGIC, VERSION);
            body.write(out, writer.apply(out));
            out.writeEndObject();
        } catch (StreamWriteException e) {
            throw new EnvelopeException(
                    "what is to travel has the name of a variable, a file, a function or a model that is no Unicode text; give it another (%s)"
                            .formatted(e.getOriginalMessage()),
                    e);
        } catch (IOException e) {
            throw new AssertionError("memory takes any bytes", e);
        }
    }

    /** Writes the parts behind the version. */
    @FunctionalInterface
    interface Body {
        void write(CBORGenerator out, ValueWriter values) throws IOException;
    }

    /** Writes names with their values as one part. */
    static void writeVariables(
            String part,
            Map<String, @Nullable Object> variables,
            CBORGenerator out,
            ValueWriter values)
            throws IOException {
        out.writeFieldName(part);
        out.writeStartObject(variables, variables.size());
        for (Map.Entry<String, @Nullable Object> variable : variables.entrySet()) {
            out.writeFieldName(variable.getKey());
            values.write(variable.getValue(), ValuePath.of(variable.getKey()));
        }
        out.writeEndObject();
    }

    /** Writes a text with its place as the parts {@code language}, {@code origin}, {@code text}. */
    static void writeSource(BlockSource source, CBORGenerator out, ValueWriter values)
            throws IOException {
        out.writeStringField("language", source.language());
        out.writeFieldName("origin");
        out.writeStartArray(source, 3);
        out.writeString(source.file());
        out.writeNumber(source.line());
        out.writeNumber(source.column());
        out.writeEndArray();
        out.writeFieldName("text");
        values.write(source.text(), ValuePath.of("the text"));
    }

    static void writeCode(FrameCode frame, CBORGenerator out) throws IOException {
        out.writeStartArray(frame, 3);
        out.writeString(frame.file());
        out.writeNumber(frame.firstLine());
        out.writeString(frame.name());
        out.writeEndArray();
    }

    static void writeLimits(Limits limits, CBORGenerator out, ValueWriter values)
            throws IOException {
        out.writeFieldName("limits");
        values.write(WireLimits.toPlain(limits), ValuePath.of("the limits"));
    }

    static Envelope read(byte[] bytes, Vocabulary vocabulary) {
        return envelope(parts(bytes, vocabulary, NAMES));
    }

    /**
     * Reads something that begins as an envelope does.
     *
     * @param names what parts there may be
     */
    static Parts parts(byte[] bytes, Vocabulary vocabulary, Set<String> names) {
        try (CBORParser in = Cbor.FACTORY.createParser(bytes)) {
            ValueReader values = new ValueReader(in, bytes.length, vocabulary);
            requireVersion(in);
            Parts parts = Parts.of(in, values, names, bytes.length);
            if (in.nextToken() != null) {
                throw values.wrong("there are more bytes than one envelope");
            }
            return parts;
        } catch (JacksonException e) {
            throw new EnvelopeException(
                    "the envelope is damaged at byte %d: %s"
                            .formatted(
                                    e.getLocation() == null ? 0 : e.getLocation().getByteOffset(),
                                    e.getOriginalMessage()),
                    e);
        } catch (IOException e) {
            throw new AssertionError("an array of bytes gives all its bytes", e);
        }
    }

    /** Before anything else is read: another version may have anything in it. */
    private static void requireVersion(CBORParser in) throws IOException {
        if (in.nextToken() != JsonToken.START_OBJECT
                || !MAGIC.equals(in.nextFieldName())
                || in.nextToken() != JsonToken.VALUE_NUMBER_INT) {
            throw new EnvelopeException(
                    "these bytes are no envelope, which begins with \"%s\" and its version"
                            .formatted(MAGIC));
        }
        if (in.getNumberType() != CBORParser.NumberType.INT || in.getIntValue() != VERSION) {
            throw new EnvelopeException(
                    "the envelope is of version %s, and version %d is what can be read here; use the same release of blockscope on both sides"
                            .formatted(in.getText(), VERSION));
        }
    }

    static Envelope envelope(Parts parts) {
        return new Envelope(
                source(parts),
                code(parts.row("frame", 3)),
                parts.map("values"),
                WireLimits.ofPlain(parts.map("limits")));
    }

    static BlockSource source(Parts parts) {
        Parts.Row origin = parts.row("origin", 3);
        return new BlockSource(
                parts.text("language"),
                parts.text("text"),
                origin.text(0),
                origin.position(1),
                origin.position(2));
    }

    static FrameCode code(Parts.Row row) {
        return new FrameCode(row.text(0), row.position(1), row.text(2));
    }
}
