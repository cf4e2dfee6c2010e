package dev.blockscope.wire;

import dev.blockscope.HostFailure;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Something that is done elsewhere. Of what its attempts come to, the first counts.
 *
 * @param <T> what it comes to
 * @since 0.1
 */
public abstract sealed class RemoteJob<T> permits RemoteRun, RemoteTrace, RemoteDescription {
    private final String what;
    private final Vocabulary vocabulary;
    private final Consumer<? super RunEvent> events;
    private final Future future = new Future();
    private final AtomicInteger late = new AtomicInteger();
    private final AtomicReference<Carrier.Carried> carried = new AtomicReference<>(() -> {});

    /**
     * Creates a job that was not handed over yet.
     *
     * @param what what it is, for messages
     */
    RemoteJob(String what, Vocabulary vocabulary, Consumer<? super RunEvent> events) {
        this.what = what;
        this.vocabulary = vocabulary;
        this.events = events;
    }

    /** Returns what became of it, pushed, of an outcome that is no failure. */
    abstract T resultOf(Outcome outcome);

    /** Tells what a block said to the listener of that block. */
    abstract void tell(WireOutput output);

    /**
     * Returns the result, once what blocks assigned has been pushed. It fails with what it would
     * fail with here, such as a {@link dev.blockscope.BlockException}, or with a {@link
     * DispatchException} if it was not run. Cancelling the future cancels the run, which then
     * pushes nothing.
     */
    public CompletableFuture<T> future() {
        return future;
    }

    /** Takes it from its queue, or stops it. It then pushes nothing, if it has not yet. */
    public void cancel() {
        future.cancel(true);
    }

    /**
     * Returns how many outcomes came when the run was over already: of an attempt that was believed
     * lost, or after it was cancelled. They count for nothing.
     */
    public int lateOutcomes() {
        return late.get();
    }

    /** Hands the job over; what the carrier refuses is thrown. */
    void begin(Carrier carrier, Carrier.Job job) {
        carried.set(carrier.carry(job, new Arrivals()));
        if (future.isDone()) {
            // It was over before there was something to cancel.
            carried.get().cancel();
        }
    }

    private T resultOf(byte[] bytes) throws Exception {
        Outcome outcome = read(bytes);
        return switch (outcome) {
            case Outcome.Failure(Exception exception) -> throw exception;
            case Outcome.Failure(Error error) -> throw error;
            case Outcome.Failure(Throwable other) -> throw HostFailure.describing(other);
            case Outcome.Refusal(String reason) ->
                    throw new DispatchException(DispatchException.Kind.REFUSED, reason);
            case Outcome.TooLarge(String reason) ->
                    throw new DispatchException(DispatchException.Kind.TOO_LARGE, reason);
            case Outcome.Result _, Outcome.Traces _ -> resultOf(outcome);
        };
    }

    private Outcome read(byte[] outcome) {
        try {
            return Outcome.read(outcome, vocabulary);
        } catch (EnvelopeException e) {
            throw unreadable(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the exception of an outcome that is none of this job. */
    DispatchException unreadable(String why) {
        return new DispatchException(
                DispatchException.Kind.REFUSED,
                "what %s came to cannot be read here: %s".formatted(what, why));
    }

    private final class Arrivals implements Carrier.Receiver {
        private volatile int current;

        @Override
        public void started(String worker, int attempt) {
            if (attempt >= current) {
                current = attempt;
                telling(() -> events.accept(new RunEvent.Started(worker, attempt)));
            }
        }

        @Override
        public void said(int attempt, byte[] line) {
            // A worker that was believed lost may go on talking.
            if (attempt == current) {
                telling(() -> tell(WireOutput.read(line)));
            }
        }

        @Override
        public void lost(String worker, int attempt, String reason) {
            telling(() -> events.accept(new RunEvent.Lost(worker, attempt, reason)));
        }

        @Override
        public void ended(int attempt, byte[] outcome) {
            if (!future.settle(() -> resultOf(outcome))) {
                late.incrementAndGet();
            }
        }

        @Override
        public void failed(DispatchException reason) {
            future.settle(() -> {
                throw reason;
            });
        }

        /** What a listener throws ends the run, as it would end one here. */
        private void telling(Runnable tell) {
            if (future.isDone()) {
                return;
            }
            try {
                tell.run();
            } catch (RuntimeException e) {
                future.settle(() -> {
                    throw e;
                });
                carried.get().cancel();
            }
        }
    }

    private final class Future extends CompletableFuture<T> {
        /**
         * Either it is cancelled or it has pushed, whoever comes first. Returns false if it was
         * settled before.
         */
        synchronized boolean settle(Callable<? extends T> outcome) {
            if (isDone()) {
                return false;
            }
            try {
                return complete(outcome.call());
            } catch (Exception | Error e) {
                // Whatever it is: who waits for the future must not wait for ever.
                return completeExceptionally(e);
            }
        }

        @Override
        public synchronized boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                carried.get().cancel();
            }
            return cancelled;
        }

        /** What depends on a run is no run. */
        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new CompletableFuture<>();
        }
    }
}
