package dev.blockscope.wire;

import dev.blockscope.OutputLine;
import java.util.List;
import java.util.Set;

/** Lines that a block says, as bytes. */
final class WireOutput {
    private static final String LINE = "line";

    private WireOutput() {}

    static byte[] write(OutputLine line) {
        return EnvelopeFormat.write(
                Vocabulary.EMPTY,
                2,
                (out, values) -> {
                    out.writeFieldName(LINE);
                    values.write(
                            List.of(line.level().name(), line.text(), line.file(), line.line()),
                            ValuePath.of("the line"));
                });
    }

    /**
     * Reads a line.
     *
     * @throws EnvelopeException if the bytes are none
     */
    static OutputLine read(byte[] bytes) {
        Parts.Row row = EnvelopeFormat.parts(bytes, Vocabulary.EMPTY, Set.of(LINE)).row(LINE, 4);
        return new OutputLine(
                Parts.constant(LINE, row.values().getFirst(), OutputLine.Level.class),
                row.text(1),
                row.text(2),
                row.count(3));
    }
}
