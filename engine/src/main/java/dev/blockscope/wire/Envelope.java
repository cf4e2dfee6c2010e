package dev.blockscope.wire;

import static java.util.Objects.requireNonNull;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockSource;
import dev.blockscope.FrameCode;
import dev.blockscope.FunctionSource;
import dev.blockscope.FunctionSourceException;
import dev.blockscope.FunctionSources;
import dev.blockscope.Limits;
import dev.blockscope.SerializedFrame;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A block that travels: its text and place, and the values of the names it reads, wherever its
 * scope had them, in its snapshot, with its siblings or in its frame's globals. Names that it only
 * binds do not travel, nor what it does not mention.
 *
 * {@snippet :
 * byte[] bytes = Envelope.of(engine.capture("total = price * quantity", frame)).toBytes();
 * // On another machine:
 * BlockResult result = Envelope.read(bytes).capture(engine).run();
 * }
 *
 * <p>Values travel as the plain data they are to a block: a record as a map, an enum constant as
 * its name. Lists, maps, sets and arrays that are shared, or hold themselves, come out so.
 *
 * @param source the text and its place
 * @param frame the place of the frame
 * @param values the names that the block reads, in the order of the text, with their values
 * @param limits how much a run may take
 * @since 0.1
 */
public record Envelope(
        BlockSource source, FrameCode frame, Map<String, @Nullable Object> values, Limits limits) {
    /** Copies the map, not its values. */
    public Envelope {
        requireNonNull(source, "source");
        requireNonNull(frame, "frame");
        requireNonNull(limits, "limits");
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * Puts a block into an envelope. Functions of the guest's are taken apart as {@link
     * FunctionSource} says.
     *
     * @throws UnsendableException if a function cannot travel, naming the variable, or if the block
     *     itself is a function literal of a script
     * @throws IllegalStateException if a value lives in an engine that is closed
     */
    public static Envelope of(Block block) {
        UnsendableException.requireSendable(block);
        Map<String, @Nullable Object> values;
        try {
            values = new FunctionSources().valuesOf(block);
        } catch (FunctionSourceException e) {
            throw new UnsendableException(e);
        }
        return new Envelope(block.source(), block.frame().code(), values, block.limits());
    }

    /**
     * Reads an envelope of plain values.
     *
     * @throws EnvelopeException if the bytes are none, or of another version
     */
    public static Envelope read(byte[] bytes) {
        return read(bytes, Vocabulary.EMPTY);
    }

    /**
     * Reads an envelope.
     *
     * @param vocabulary what its values may name
     * @throws EnvelopeException if the bytes are none, or of another version, or name what the
     *     vocabulary does not know
     */
    public static Envelope read(byte[] bytes, Vocabulary vocabulary) {
        return EnvelopeFormat.read(bytes, vocabulary);
    }

    /**
     * Returns the envelope as bytes.
     *
     * @throws UnsendableException if one of the values cannot travel, naming the variable
     */
    public byte[] toBytes() {
        return toBytes(Vocabulary.EMPTY);
    }

    /**
     * Returns the envelope as bytes.
     *
     * @param vocabulary what may travel as a name or under one
     * @throws UnsendableException if one of the values cannot travel, naming the variable
     */
    public byte[] toBytes(Vocabulary vocabulary) {
        return EnvelopeFormat.write(this, vocabulary);
    }

    /**
     * Captures the block here. Its frame is a {@link SerializedFrame}: what it assigns is in the
     * result, and its errors show the file and the lines it was written at.
     *
     * @throws dev.blockscope.BlockException if the text does not parse
     * @throws IllegalArgumentException if the engine does not have the language
     */
    public Block capture(BlockEngine engine) {
        return engine.capture(source, SerializedFrame.of(frame), values).within(limits);
    }
}
