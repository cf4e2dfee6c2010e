package dev.blockscope.wire;

import dev.blockscope.OutputLine;
import java.util.List;
import java.util.Set;

/**
 * A line that a block says, as bytes.
 *
 * @param block the position of the block, if several run as one job
 * @param line the line
 */
record WireOutput(int block, OutputLine line) {
    private static final String LINE = "line";
    private static final String BLOCK = "block";

    static byte[] write(OutputLine line) {
        return new WireOutput(0, line).toBytes();
    }

    byte[] toBytes() {
        return EnvelopeFormat.write(
                Vocabulary.EMPTY,
                block == 0 ? 2 : 3,
                (out, values) -> {
                    out.writeFieldName(LINE);
                    values.write(
                            List.of(line.level().name(), line.text(), line.file(), line.line()),
                            ValuePath.of("the line"));
                    if (block != 0) {
                        out.writeNumberField(BLOCK, block);
                    }
                });
    }

    /**
     * Reads a line.
     *
     * @throws EnvelopeException if the bytes are none
     */
    static WireOutput read(byte[] bytes) {
        Parts parts = EnvelopeFormat.parts(bytes, Vocabulary.EMPTY, Set.of(LINE, BLOCK));
        Parts.Row row = parts.row(LINE, 4);
        return new WireOutput(
                parts.has(BLOCK) ? parts.count(BLOCK) : 0,
                new OutputLine(
                        Parts.constant(LINE, row.values().getFirst(), OutputLine.Level.class),
                        row.text(1),
                        row.text(2),
                        row.count(3)));
    }
}
