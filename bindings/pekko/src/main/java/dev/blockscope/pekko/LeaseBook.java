package dev.blockscope.pekko;

import static java.util.Objects.requireNonNull;

import dev.blockscope.wire.DispatchException;
import dev.blockscope.wire.DispatchException.Attempt;
import dev.blockscope.wire.DispatchException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs wait and which slot has which: all that a gateway decides, without its messages and
 * its clock. A slot gets one job; while it beats, the lease holds; a lease without a beat for its
 * term puts the job back at the head. The first outcome of a job counts.
 *
 * <p>Times are nanoseconds of any clock. Receivers are told on other threads.
 *
 * @param <S> what a slot is told by
 */
final class LeaseBook<S> {
    private final Terms terms;
    private final Map<String, FairQueue> queues = new LinkedHashMap<>();
    private final Map<S, SlotEntry> slots = new LinkedHashMap<>();

    /** Those that some worker has or had: one may come back. */
    private final Set<String> models = new TreeSet<>();

    private long done;
    private long retried;
    private long late;
    private boolean closed;

    LeaseBook(Terms terms) {
        this.terms = terms;
    }

    /** A slot is to run a job. */
    record Grant<S>(S slot, LeasedJob job, int attempt) {}

    /** A slot runs a job that nobody waits for. */
    record Stop<S>(S slot, String job, int attempt) {}

    /** A job that a slot has been given. */
    private static final class Lease {
        private final LeasedJob job;
        private final int attempt;
        private long lastBeat;

        /** Whether the job is believed lost; the slot gets no other one before it has spoken. */
        private boolean lost;

        Lease(LeasedJob job, int attempt, long now) {
            this.job = job;
            this.attempt = attempt;
            this.lastBeat = now;
        }

        boolean is(String id, int ofAttempt) {
            return job.id().equals(id) && attempt == ofAttempt;
        }
    }

    private static final class SlotEntry {
        private final String worker;
        private final Set<String> models;
        private @Nullable Lease lease;
        private boolean leaving;

        /**
         * Whether its worker is believed lost: then it gets no job before one of them has spoken.
         */
        private boolean silent;

        SlotEntry(String worker, Collection<String> models) {
            this.worker = worker;
            this.models = Set.copyOf(models);
        }

        boolean serves(String model) {
            return model.isEmpty() || models.contains(model);
        }

        boolean isFree() {
            return lease == null && !leaving && !silent;
        }
    }

    static DispatchException tooLarge(long size, int largest) {
        return new DispatchException(
                Kind.TOO_LARGE,
                "the block is %d bytes with the values that it reads, and no more than %d are sent"
                        .formatted(size, largest));
    }

    /**
     * Takes a job.
     *
     * @throws DispatchException if it is not taken, with the numbers
     */
    synchronized void add(LeasedJob job) {
        if (closed) {
            throw closedException();
        }
        String model = job.model();
        if (!model.isEmpty() && !models.contains(model)) {
            throw DispatchException.noSuchModel(model, models);
        }
        if (job.payload().length > terms.largest()) {
            throw tooLarge(job.payload().length, terms.largest());
        }
        FairQueue queue = queues.computeIfAbsent(model, it -> new FairQueue());
        int mine = queue.sizeOf(job.author());
        if (queue.size() >= terms.waiting() || mine >= terms.share()) {
            throw new DispatchException(
                    Kind.FULL,
                    "%d blocks wait %s, %d of them yours, and no more than %d may wait, %d of them yours; take results before you submit more"
                            .formatted(
                                    queue.size(),
                                    model.isEmpty() ? "for a slot" : "for the model " + model,
                                    mine,
                                    terms.waiting(),
                                    terms.share()));
        }
        queue.add(job);
    }

    /** Gives a job up: its receiver hears no more. Returns the slot that runs it, if one does. */
    synchronized @Nullable Stop<S> cancel(LeasedJob job) {
        if (job.settled) {
            return null;
        }
        job.settled = true;
        queue(job).remove(job);
        return runningElsewhere(job);
    }

    /** Fails a job. Returns the slot that runs it, if one does. */
    synchronized @Nullable Stop<S> fail(LeasedJob job, DispatchException reason) {
        if (job.settled) {
            return null;
        }
        Stop<S> stop = cancel(job);
        job.tell(receiver -> receiver.failed(reason));
        return stop;
    }

    /** A slot says that it is there and free, as it does whenever it has nothing else to say. */
    synchronized void hello(S slot, String worker, Collection<String> ofWorker) {
        SlotEntry known = slots.get(slot);
        if (known == null) {
            models.addAll(ofWorker);
            slots.put(slot, new SlotEntry(worker, ofWorker));
            return;
        }
        heard(slot);
        if (known.lease != null && known.lease.lost) {
            known.lease = null;
        }
    }

    /** A slot says that it runs a job. Returns false if it need not. */
    synchronized boolean beat(S slot, String job, int attempt, long now) {
        heard(slot);
        Lease lease = lease(slot, job, attempt);
        if (lease == null) {
            return false;
        }
        // One that was believed lost may still be the first to end.
        lease.lastBeat = now;
        return !lease.job.settled;
    }

    /**
     * A slot's job has said lines.
     *
     * @param told is run when its receiver has taken them
     */
    synchronized void said(S slot, String job, int attempt, List<byte[]> lines, Runnable told) {
        Lease lease = lease(slot, job, attempt);
        if (lease != null) {
            lease.job.tell(receiver -> {
                lines.forEach(line -> receiver.said(attempt, line));
                told.run();
            });
        }
    }

    /** A slot's job has ended. Returns another slot that still runs it, if one does. */
    synchronized @Nullable Stop<S> done(S slot, String job, int attempt, byte[] outcome) {
        Lease lease = lease(slot, job, attempt);
        if (lease == null) {
            late++;
            return null;
        }
        LeasedJob ended = lease.job;
        free(slot);
        ended.tell(receiver -> receiver.ended(attempt, outcome));
        if (ended.settled) {
            late++;
            return null;
        }
        done++;
        return cancel(ended);
    }

    /** A slot that leaves did not begin a job, which does not count. */
    synchronized void declined(S slot, String job, int attempt) {
        Lease lease = lease(slot, job, attempt);
        if (lease == null) {
            return;
        }
        free(slot);
        bye(slot);
        if (!lease.lost && !lease.job.settled) {
            lease.job.attempts--;
            queue(lease.job).addAgain(lease.job);
        }
    }

    /** A slot takes no more. */
    synchronized void bye(S slot) {
        SlotEntry entry = slots.get(slot);
        if (entry != null) {
            entry.leaving = true;
        }
    }

    /** A slot is no more. */
    synchronized void gone(S slot) {
        SlotEntry entry = slots.remove(slot);
        if (entry == null) {
            return;
        }
        silence(entry.worker, true);
        if (entry.lease != null) {
            lose(entry, entry.lease, "the worker has gone");
        }
    }

    /** A slot that speaks speaks for the others of its worker. */
    private void heard(S slot) {
        SlotEntry entry = slots.get(slot);
        if (entry != null && entry.silent) {
            silence(entry.worker, false);
        }
    }

    private void silence(String worker, boolean silent) {
        for (SlotEntry entry : slots.values()) {
            if (entry.worker.equals(worker)) {
                entry.silent = silent;
            }
        }
    }

    /** Takes for lost what has not beaten for its term. */
    synchronized void expire(long now) {
        for (SlotEntry entry : slots.values()) {
            Lease lease = entry.lease;
            if (lease != null && now - lease.lastBeat > terms.lease().toNanos()) {
                Duration silent = Duration.ofNanos(now - lease.lastBeat);
                lose(entry, lease, "no beat for %d ms".formatted(silent.toMillis()));
            }
        }
    }

    private void lose(SlotEntry entry, Lease lease, String reason) {
        LeasedJob job = lease.job;
        if (lease.lost) {
            return;
        }
        lease.lost = true;
        silence(entry.worker, true);
        if (job.settled) {
            return;
        }
        job.lost.add(new Attempt(entry.worker, reason));
        job.tell(receiver -> receiver.lost(entry.worker, lease.attempt, reason));
        if (!job.repeatable()) {
            fail(job, lost(job, Kind.OUTCOME_UNKNOWN, "and may not be begun again"));
        } else if (job.attempts >= terms.attempts()) {
            fail(job, lost(job, Kind.LOST, "as often as it may be begun"));
        } else {
            retried++;
            queue(job).addAgain(job);
        }
    }

    private static DispatchException lost(LeasedJob job, Kind kind, String end) {
        StringBuilder attempts = new StringBuilder();
        for (Attempt attempt : job.lost) {
            attempts.append("; on ").append(attempt.worker()).append(": ").append(attempt.reason());
        }
        return new DispatchException(
                kind,
                "the block was begun %d times, %s; nobody knows whether it ran to its end%s"
                        .formatted(job.attempts, end, attempts),
                job.lost);
    }

    /** Gives jobs to free slots, as far as there are both. */
    synchronized List<Grant<S>> grants(long now) {
        List<Grant<S>> grants = new ArrayList<>();
        for (Map.Entry<S, SlotEntry> slot : slots.entrySet()) {
            SlotEntry entry = slot.getValue();
            LeasedJob job = entry.isFree() ? next(entry) : null;
            if (job != null) {
                int attempt = ++job.attempts;
                entry.lease = new Lease(job, attempt, now);
                job.tell(receiver -> receiver.started(entry.worker, attempt));
                grants.add(new Grant<>(slot.getKey(), job, attempt));
            }
        }
        return grants;
    }

    /** The queues take turns, as the authors do in each. */
    private @Nullable LeasedJob next(SlotEntry entry) {
        for (Map.Entry<String, FairQueue> candidate : queues.entrySet()) {
            String model = candidate.getKey();
            FairQueue queue = candidate.getValue();
            LeasedJob job = entry.serves(model) ? queue.poll() : null;
            if (job != null) {
                queues.remove(model);
                queues.put(model, queue);
                return job;
            }
        }
        return null;
    }

    /** Gives up all jobs: their receivers are told. */
    synchronized void close() {
        closed = true;
        List<LeasedJob> left = new ArrayList<>();
        for (FairQueue queue : queues.values()) {
            for (LeasedJob job = queue.poll(); job != null; job = queue.poll()) {
                left.add(job);
            }
        }
        for (SlotEntry entry : slots.values()) {
            if (entry.lease != null) {
                left.add(entry.lease.job);
            }
        }
        left.forEach(job -> fail(job, closedException()));
    }

    static DispatchException closedException() {
        return new DispatchException(Kind.CLOSED, "the gateway is closed; start another one");
    }

    synchronized GatewayState state() {
        Map<String, Integer> waiting = new LinkedHashMap<>();
        queues.forEach((model, queue) -> waiting.put(model, queue.size()));
        Map<String, GatewayState.WorkerState> workers = new LinkedHashMap<>();
        for (SlotEntry entry : slots.values()) {
            int running = entry.lease != null && !entry.lease.lost ? 1 : 0;
            workers.merge(
                    entry.worker,
                    new GatewayState.WorkerState(1, running, entry.models),
                    GatewayState.WorkerState::plus);
        }
        return new GatewayState(waiting, workers, done, retried, late);
    }

    /** Returns the names of the models that some worker has or had. */
    synchronized List<String> models() {
        return List.copyOf(models);
    }

    /** Returns the lease that a slot speaks of, or null if it has none, or another one by now. */
    private @Nullable Lease lease(S slot, String job, int attempt) {
        SlotEntry entry = slots.get(slot);
        Lease lease = entry == null ? null : entry.lease;
        return lease != null && lease.is(job, attempt) ? lease : null;
    }

    /** The slot that has been free the longest comes first. */
    private void free(S slot) {
        SlotEntry entry = requireNonNull(slots.remove(slot), "slot");
        entry.lease = null;
        slots.put(slot, entry);
    }

    private FairQueue queue(LeasedJob job) {
        return queues.computeIfAbsent(job.model(), it -> new FairQueue());
    }

    private @Nullable Stop<S> runningElsewhere(LeasedJob job) {
        for (Map.Entry<S, SlotEntry> slot : slots.entrySet()) {
            Lease lease = slot.getValue().lease;
            if (lease != null && lease.job == job && !lease.lost) {
                return new Stop<>(slot.getKey(), job.id(), lease.attempt);
            }
        }
        return null;
    }
}
