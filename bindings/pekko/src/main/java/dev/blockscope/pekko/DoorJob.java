package dev.blockscope.pekko;

import dev.blockscope.wire.Carrier;
import dev.blockscope.wire.DispatchException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What has become of one job and was not written to its author yet. Of what the block said these
 * are the newest lines, of a bounded size: the author's connection may be slower than the block.
 */
final class DoorJob implements Carrier.Receiver {
    private static final long ALIVE_SECONDS = 2;

    private final Deque<DoorEvent> events = new ArrayDeque<>();
    private int lines;
    private int bytes;

    /** How many lines before the first one that is left were dropped. */
    private int dropped;

    @Override
    public void started(String worker, int attempt) {
        add(DoorEvent.started(worker, attempt));
    }

    @Override
    public synchronized void said(int attempt, byte[] line) {
        lines++;
        bytes += line.length;
        add(DoorEvent.said(attempt, line));
        while (lines > LineBuffer.MOST_LINES || bytes > LineBuffer.MOST_BYTES) {
            dropOldestLine();
        }
    }

    /** What else has happened is little, and is told whatever becomes of lines. */
    private void dropOldestLine() {
        Iterator<DoorEvent> oldest = events.iterator();
        DoorEvent event = oldest.next();
        while (!isLine(event)) {
            event = oldest.next();
        }
        oldest.remove();
        forget(event);
        dropped++;
    }

    private static boolean isLine(DoorEvent event) {
        return event.event().equals(DoorEvent.SAID);
    }

    private void forget(DoorEvent line) {
        lines--;
        bytes -= line.bytes().length;
    }

    @Override
    public void lost(String worker, int attempt, String reason) {
        add(DoorEvent.lost(worker, attempt, reason));
    }

    @Override
    public void ended(int attempt, byte[] outcome) {
        add(DoorEvent.ended(attempt, outcome));
    }

    @Override
    public void failed(DispatchException reason) {
        add(DoorEvent.failed(reason));
    }

    private synchronized void add(DoorEvent event) {
        events.add(event);
        notifyAll();
    }

    /** Returns the next event, or null if there is none for a while. */
    private synchronized @Nullable DoorEvent next() throws InterruptedException {
        if (events.isEmpty()) {
            TimeUnit.SECONDS.timedWait(this, ALIVE_SECONDS);
        }
        DoorEvent event = events.peek();
        if (event == null || !isLine(event)) {
            return events.poll();
        }
        if (dropped > 0) {
            byte[] told = LineBuffer.droppedLines(dropped);
            dropped = 0;
            return DoorEvent.said(event.attempt(), told);
        }
        forget(event);
        return events.poll();
    }

    /**
     * Writes what becomes of the job, to its end.
     *
     * @throws IOException if nobody listens any more
     */
    void writeTo(OutputStream out) throws IOException, InterruptedException {
        boolean more = true;
        while (more) {
            DoorEvent event = next();
            DoorEvent said = event == null ? DoorEvent.alive() : event;
            out.write(DoorEvent.MAPPER.writeValueAsBytes(said));
            out.flush();
            more = !said.last();
        }
    }
}
