package dev.blockscope.pekko;

import dev.blockscope.wire.Carrier;
import dev.blockscope.wire.DispatchException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** A job that a gateway has taken. Its fields belong to the {@link LeaseBook}. */
final class LeasedJob {
    private final String id;
    private final String author;
    private final Carrier.Job job;
    private final Carrier.Receiver receiver;
    private final Executor teller;

    /** The attempts that came to nothing. */
    final List<DispatchException.Attempt> lost = new ArrayList<>();

    /** How often it was begun. */
    int attempts;

    /** Whether its receiver has been told the end. */
    boolean settled;

    /**
     * Creates a job.
     *
     * @param teller runs one task after the other
     */
    LeasedJob(
            String id, String author, Carrier.Job job, Carrier.Receiver receiver, Executor teller) {
        this.id = id;
        this.author = author;
        this.job = job;
        this.receiver = receiver;
        this.teller = teller;
    }

    String id() {
        return id;
    }

    String author() {
        return author;
    }

    String model() {
        return job.queue();
    }

    boolean repeatable() {
        return job.repeatable();
    }

    byte[] payload() {
        return job.envelope();
    }

    /** Tells the receiver, in order, on another thread: it may be slow. */
    void tell(Consumer<Carrier.Receiver> what) {
        teller.execute(() -> what.accept(receiver));
    }
}
