package dev.blockscope.wire;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.blockscope.StopSignal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Workers in this JVM: slots that take one job after the other from one queue. */
final class PoolCarrier implements Carrier {
    private final EnvelopeRunner runner;
    private final int slots;
    private final int most;

    // Guarded by this object; no receiver is told while it is held.
    private final Queue<Running> waiting = new ArrayDeque<>();
    private final Set<Running> running = new HashSet<>();
    private @Nullable String closed;

    PoolCarrier(EnvelopeRunner runner, int slots, int waiting) {
        checkArgument(slots > 0, "there are %s slots, expected at least 1", slots);
        checkArgument(waiting >= 0, "%s blocks may wait, expected 0 or more", waiting);
        this.runner = requireNonNull(runner, "runner");
        this.slots = slots;
        this.most = waiting;
    }

    @Override
    public Carried carry(Job job, Receiver receiver) {
        requireModel(job.queue());
        Running taken = new Running(job, receiver);
        if (admit(taken)) {
            begin(taken);
        }
        return () -> cancel(taken);
    }

    /** A model is a host object of the workers', so its name is one of theirs. */
    private void requireModel(String queue) {
        if (!queue.isEmpty() && runner.vocabulary().referenced(queue) == null) {
            throw DispatchException.noSuchModel(queue, runner.vocabulary().names());
        }
    }

    private void begin(Running job) {
        try {
            runner.engine().threads().execute(() -> work(job));
        } catch (RejectedExecutionException e) {
            // For good, so nobody may be left to wait for a slot.
            remove(job);
            close("the engine of the workers is closed");
            throw closedException();
        }
    }

    /** Returns whether the job has got a slot of its own. */
    private synchronized boolean admit(Running job) {
        if (closed != null) {
            throw closedException();
        }
        if (running.size() < slots) {
            return running.add(job);
        }
        if (waiting.size() >= most) {
            throw new DispatchException(
                    DispatchException.Kind.FULL,
                    "%d blocks wait and %d run, and no more than %d may wait; take results before you submit more"
                            .formatted(waiting.size(), running.size(), most));
        }
        waiting.add(job);
        return false;
    }

    private void work(Running first) {
        for (Running job = first; job != null; job = next(job)) {
            job.run();
        }
    }

    private synchronized @Nullable Running next(Running ended) {
        remove(ended);
        Running next = waiting.poll();
        if (next != null) {
            running.add(next);
        }
        return next;
    }

    private synchronized void remove(Running ended) {
        running.remove(ended);
    }

    private void cancel(Running job) {
        synchronized (this) {
            waiting.remove(job);
        }
        job.signal.stop("the run was cancelled");
    }

    @Override
    public void close() {
        close("the dispatcher is closed");
    }

    /** Gives up all jobs. Why is what the first call says. */
    private void close(String why) {
        List<Running> left;
        synchronized (this) {
            closed = closed == null ? why : closed;
            left = new ArrayList<>(waiting);
            left.addAll(running);
            waiting.clear();
        }
        for (Running job : left) {
            job.receiver.failed(closedException());
            job.signal.stop(why);
        }
    }

    private synchronized DispatchException closedException() {
        return new DispatchException(
                DispatchException.Kind.CLOSED, closed + "; create another dispatcher");
    }

    private final class Running {
        private final Job job;
        private final Receiver receiver;
        private final StopSignal signal = new StopSignal();

        Running(Job job, Receiver receiver) {
            this.job = job;
            this.receiver = receiver;
        }

        void run() {
            receiver.started("this JVM", 1);
            byte[] outcome;
            try {
                outcome = runner.run(job.envelope(), signal, line -> receiver.said(1, line));
            } catch (RuntimeException | Error e) {
                // The slot goes on, and whoever waits for the block is told.
                outcome = Outcome.refusal("the worker failed with " + e);
            }
            receiver.ended(1, outcome);
        }
    }
}
