package dev.blockscope.wire;

import dev.blockscope.Block;
import dev.blockscope.BlockResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A block that runs elsewhere. Of what its attempts come to, the first counts: it is pushed into
 * the block's frame, once.
 *
 * @since 0.1
 */
public final class RemoteRun {
    private final Block block;
    private final Vocabulary vocabulary;
    private final Consumer<? super RunEvent> events;
    private final Future future = new Future();
    private final AtomicInteger late = new AtomicInteger();
    private final AtomicReference<Carrier.Carried> carried = new AtomicReference<>(() -> {});

    RemoteRun(Block block, Vocabulary vocabulary, Consumer<? super RunEvent> events) {
        this.block = block;
        this.vocabulary = vocabulary;
        this.events = events;
    }

    /**
     * Returns the result, once what the block assigned has been pushed. It fails with what {@link
     * Block#run} would throw, or with a {@link DispatchException} if the block was not run.
     * Cancelling the future cancels the run, which then pushes nothing.
     */
    public CompletableFuture<BlockResult> future() {
        return future;
    }

    /** Takes the block from its queue, or stops it. It then pushes nothing, if it has not yet. */
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

    private BlockResult resultOf(byte[] outcome) {
        return switch (read(outcome)) {
            case Outcome.Result(Object value, var bindings) -> {
                BlockResult result = block.resultOf(value, bindings);
                result.push();
                yield result;
            }
            case Outcome.Failure(var exception) -> throw exception;
            case Outcome.Refusal(String reason) ->
                    throw new DispatchException(DispatchException.Kind.REFUSED, reason);
            case Outcome.TooLarge(String reason) ->
                    throw new DispatchException(DispatchException.Kind.TOO_LARGE, reason);
        };
    }

    private Outcome read(byte[] outcome) {
        try {
            return Outcome.read(outcome, vocabulary, block.source().language());
        } catch (EnvelopeException e) {
            throw new DispatchException(
                    DispatchException.Kind.REFUSED,
                    "what the block %s came to cannot be read here: %s"
                            .formatted(block.source(), e.getMessage()));
        }
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
                telling(() -> block.output().print(WireOutput.read(line)));
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

    private final class Future extends CompletableFuture<BlockResult> {
        /**
         * Either it is cancelled or it has pushed, whoever comes first. Returns false if it was
         * settled before.
         */
        synchronized boolean settle(Supplier<BlockResult> outcome) {
            if (isDone()) {
                return false;
            }
            try {
                return complete(outcome.get());
            } catch (RuntimeException | Error e) {
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
        public <T> CompletableFuture<T> newIncompleteFuture() {
            return new CompletableFuture<>();
        }
    }
}
