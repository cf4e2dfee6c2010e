package dev.blockscope.pekko;

import dev.blockscope.OutputLine;
import dev.blockscope.wire.Outcomes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Lines that a job said and that were not sent yet: a bounded number, the newest ones. */
final class LineBuffer {
    private final int most;
    private final Deque<byte[]> lines = new ArrayDeque<>();
    private int dropped;

    LineBuffer(int most) {
        this.most = most;
    }

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
        if (lines.size() == most) {
            lines.removeFirst();
            dropped++;
        }
        lines.addLast(line);
        return first;
    }

    /** Takes as many lines as one message holds. */
    synchronized Batch take() {
        List<byte[]> taken = new ArrayList<>();
        int bytes = 0;
        while (!lines.isEmpty() && bytes + lines.getFirst().length <= Parcel.LARGEST) {
            byte[] line = lines.removeFirst();
            bytes += line.length;
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
