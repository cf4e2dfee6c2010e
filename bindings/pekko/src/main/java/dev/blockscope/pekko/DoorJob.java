package dev.blockscope.pekko;

import dev.blockscope.wire.Carrier;
import dev.blockscope.wire.DispatchException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What has become of one job and was not written to its author yet. */
final class DoorJob implements Carrier.Receiver {
    private static final int LINES = 10_000;
    private static final long ALIVE_SECONDS = 2;

    private final Queue<DoorEvent> events = new ArrayDeque<>();
    private int dropped;

    @Override
    public void started(String worker, int attempt) {
        add(DoorEvent.started(worker, attempt));
    }

    @Override
    public synchronized void said(int attempt, byte[] line) {
        if (events.size() >= LINES) {
            // The author's connection is slower than the block.
            dropped++;
            return;
        }
        tellDropped(attempt);
        add(DoorEvent.said(attempt, line));
    }

    private void tellDropped(int attempt) {
        if (dropped > 0) {
            add(DoorEvent.said(attempt, LineBuffer.droppedLines(dropped)));
            dropped = 0;
        }
    }

    @Override
    public void lost(String worker, int attempt, String reason) {
        add(DoorEvent.lost(worker, attempt, reason));
    }

    @Override
    public synchronized void ended(int attempt, byte[] outcome) {
        tellDropped(attempt);
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
