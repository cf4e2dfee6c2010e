package dev.blockscope.pekko;

import dev.blockscope.OutputLine;
import dev.blockscope.wire.Outcomes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Lines that a job said and that were not sent yet: the newest ones, of a bounded size. */
final class LineBuffer {
    /** How many lines are kept. */
    static final int MOST_LINES = 10_000;

    /** How many bytes of them are kept. */
    static final int MOST_BYTES = 16 * Parcel.LARGEST;

    private final Deque<byte[]> lines = new ArrayDeque<>();
    private int bytes;
    private int dropped;

    /** Lines that go together, and how many before them were dropped. */
    record Batch(List<byte[]> lines, int dropped) {
        boolean isEmpty() {
            return lines.isEmpty() && dropped == 0;
        }
    }

    /** Adds a line. Returns whether there was none, so that somebody must be told. */
    synchronized boolean add(byte[] line) {
        boolean first = lines.isEmpty() && dropped == 0;
        if (line.length > Parcel.LARGEST) {
            dropped++;
            return first;
        }
        lines.addLast(line);
        bytes += line.length;
        while (lines.size() > MOST_LINES || bytes > MOST_BYTES) {
            removeFirst();
            dropped++;
        }
        return first;
    }

    private byte[] removeFirst() {
        byte[] line = lines.removeFirst();
        bytes -= line.length;
        return line;
    }

    /** Takes as many lines as one message holds. */
    synchronized Batch take() {
        List<byte[]> taken = new ArrayList<>();
        int size = 0;
        while (!lines.isEmpty() && size + lines.getFirst().length <= Parcel.LARGEST) {
            byte[] line = removeFirst();
            size += line.length;
            taken.add(line);
        }
        Batch batch = new Batch(taken, dropped);
        dropped = 0;
        return batch;
    }

    /** Returns the line that stands for lines that were dropped. */
    static byte[] droppedLines(int many) {
        return Outcomes.line(
                new OutputLine(
                        OutputLine.Level.WARN,
                        "%d lines were dropped here: more was said than is kept".formatted(many),
                        "",
                        0));
    }
}
