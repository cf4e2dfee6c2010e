package dev.blockscope.wire;

import dev.blockscope.OutputLine;
import dev.blockscope.OutputListener;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Something that a block says, as bytes: a line, or how far it is.
 *
 * @param block the position of the block, if several run as one job
 * @param said what it says
 */
record WireOutput(int block, Said said) {
    private static final String LINE = "line";
    private static final String PROGRESS = "progress";
    private static final String BLOCK = "block";

    /** What is said. */
    sealed interface Said {
        /** Tells a listener of the block's. */
        void tell(OutputListener listener);
    }

    /** A line. */
    record Line(OutputLine line) implements Said {
        @Override
        public void tell(OutputListener listener) {
            listener.print(line);
        }
    }

    /** How much is done, and of how much. */
    record Progress(double done, double total) implements Said {
        @Override
        public void tell(OutputListener listener) {
            listener.progress(done, total);
        }
    }

    /** Returns a listener that hands on what a block says as bytes. */
    static OutputListener to(Consumer<byte[]> said, int block) {
        return new OutputListener() {
            @Override
            public void print(OutputLine line) {
                hand(new Line(line));
            }

            @Override
            public void progress(double done, double total) {
                hand(new Progress(done, total));
            }

            private void hand(Said one) {
                said.accept(new WireOutput(block, one).toBytes());
            }
        };
    }

    byte[] toBytes() {
        return EnvelopeFormat.write(
                Vocabulary.EMPTY,
                block == 0 ? 2 : 3,
                (out, values) -> {
                    switch (said) {
                        case Line(OutputLine line) -> {
                            out.writeFieldName(LINE);
                            values.write(
                                    List.of(
                                            line.level().name(),
                                            line.text(),
                                            line.file(),
                                            line.line()),
                                    ValuePath.of("the line"));
                        }
                        case Progress(double done, double total) -> {
                            out.writeFieldName(PROGRESS);
                            values.write(List.of(done, total), ValuePath.of("the progress"));
                        }
                    }
                    if (block != 0) {
                        out.writeNumberField(BLOCK, block);
                    }
                });
    }

    /**
     * Reads what a block said.
     *
     * @throws EnvelopeException if the bytes are none
     */
    static WireOutput read(byte[] bytes) {
        Parts parts = EnvelopeFormat.parts(bytes, Vocabulary.EMPTY, Set.of(LINE, PROGRESS, BLOCK));
        return new WireOutput(
                parts.has(BLOCK) ? parts.count(BLOCK) : 0,
                parts.has(PROGRESS) ? progress(parts.row(PROGRESS, 2)) : line(parts.row(LINE, 4)));
    }

    private static Line line(Parts.Row row) {
        return new Line(
                new OutputLine(
                        Parts.constant(LINE, row.values().getFirst(), OutputLine.Level.class),
                        row.text(1),
                        row.text(2),
                        row.count(3)));
    }

    private static Progress progress(Parts.Row row) {
        double done = number(row.values().getFirst());
        double total = number(row.values().getLast());
        if (done >= 0 && done <= total && total > 0 && total < Double.POSITIVE_INFINITY) {
            return new Progress(done, total);
        }
        throw new EnvelopeException(
                "the part \"%s\" is %s, expected how much is done and of how much"
                        .formatted(PROGRESS, row.values().stream().map(Parts::shown).toList()));
    }

    private static double number(@Nullable Object read) {
        return read instanceof Number number ? number.doubleValue() : Double.NaN;
    }
}
