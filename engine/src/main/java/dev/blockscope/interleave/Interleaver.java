package dev.blockscope.interleave;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.blockscope.Block;
import dev.blockscope.BlockException;
import dev.blockscope.BlockResult;
import dev.blockscope.Lending;
import dev.blockscope.SharedUse;
import dev.blockscope.StopSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Runs blocks in step with a computation, one at a time and in definition order.
 *
 * <pre>{@code
 * Interleaver pricing = Interleaver.of(points);
 * Trace<Double> trace = pricing.run(blocks, visits -> price(order, visits));
 * }</pre>
 *
 * <p>Before the computation starts, every block runs to its first wait. The computation then runs
 * on the caller's thread; at each visit the blocks that wait for the point go on. After it, what
 * the blocks assigned is pushed, in definition order. If the computation or any block fails, the
 * others are ended, nothing is pushed, and the first failure comes out as itself.
 *
 * <p>It may be used from many threads, each of which runs traces of its own. A block may start a
 * trace.
 *
 * @since 0.1
 */
public final class Interleaver {
    private final HookPoints points;
    private final Replacement replacement;
    private final Rows rows;
    private final @Nullable Duration timeout;
    private final List<Edit> edits = new CopyOnWriteArrayList<>();

    private Interleaver(Builder builder) {
        this.points = builder.points;
        this.replacement = builder.replacement;
        this.rows = builder.rows;
        this.timeout = builder.timeout;
    }

    /** Returns an interleaver of a computation with these points, with the defaults. */
    public static Interleaver of(HookPoints points) {
        return builder(points).build();
    }

    /**
     * Returns a builder with the defaults: any value may replace any other, batches are lists, and
     * a trace takes as long as it takes.
     */
    public static Builder builder(HookPoints points) {
        return new Builder(points);
    }

    /** Returns the places that the computation visits. */
    public HookPoints points() {
        return points;
    }

    /**
     * Runs a computation in step with blocks.
     *
     * @param blocks the blocks, in definition order
     * @return what the computation returned, and the blocks' results, which are pushed
     * @throws BlockException if a block fails; if it asked for a point that it cannot have, with a
     *     {@link HookException} as its cause
     * @throws CancellationException if the trace takes longer than its timeout, or this thread is
     *     interrupted while it waits for a block; then its interrupt flag stays set
     * @throws IllegalStateException if the blocks' engine may not use a thread for each of them
     * @throws X if the computation throws it
     */
    public <R extends @Nullable Object, X extends Exception> Trace<R> run(
            List<Block> blocks, Computation<R, X> computation) throws X {
        return run(blocks, computation, new StopSignal());
    }

    /**
     * Runs a computation in step with blocks, until a signal cancels the trace. The running block
     * is stopped at once, and the computation at its next visit.
     *
     * @param signal cancels the trace when it is stopped, from whatever thread
     * @return what the computation returned, and the blocks' results, which are pushed
     * @throws BlockException if a block fails
     * @throws CancellationException if the trace is cancelled, takes longer than its timeout, or
     *     this thread is interrupted while it waits for a block
     * @throws X if the computation throws it
     */
    public <R extends @Nullable Object, X extends Exception> Trace<R> run(
            List<Block> blocks, Computation<R, X> computation, StopSignal signal) throws X {
        return trace(blocks.stream().map(Invoke::of).toList(), computation, signal.child());
    }

    /**
     * Runs a computation once for all inputs of a batch.
     *
     * @return what the computation returned, and the blocks' results, which are pushed
     * @throws HookException if the batch has no input, or a block that runs in it runs it again
     * @throws BlockException if a block fails
     * @throws CancellationException if the trace takes longer than its timeout, this thread is
     *     interrupted while it waits for a block, or the blocks' engine is closed
     * @throws X if the computation throws it
     */
    public <I, R extends @Nullable Object, X extends Exception> Trace<R> run(
            Batch<I> batch, Batch.Computation<I, R, X> computation) throws X {
        return run(batch, computation, new StopSignal());
    }

    /**
     * Runs a computation once for all inputs of a batch, until a signal cancels the trace.
     *
     * @param signal cancels the trace when it is stopped, from whatever thread
     * @return what the computation returned, and the blocks' results, which are pushed
     * @throws HookException if the batch has no input, or a block that runs in it runs it again
     * @throws BlockException if a block fails
     * @throws CancellationException if the trace is cancelled, takes longer than its timeout, or
     *     this thread is interrupted while it waits for a block
     * @throws X if the computation throws it
     */
    public <I, R extends @Nullable Object, X extends Exception> Trace<R> run(
            Batch<I> batch, Batch.Computation<I, R, X> computation, StopSignal signal) throws X {
        List<I> inputs = batch.begin();
        try {
            return trace(
                    batch.invokes(), visits -> computation.run(visits, inputs), signal.child());
        } finally {
            batch.end();
        }
    }

    private <R extends @Nullable Object, X extends Exception> Trace<R> trace(
            List<Invoke> invokes, Computation<R, X> computation, StopSignal signal) throws X {
        return Lending.during(() -> traceOnce(invokes, computation, signal));
    }

    private <R extends @Nullable Object, X extends Exception> Trace<R> traceOnce(
            List<Invoke> invokes, Computation<R, X> computation, StopSignal signal) throws X {
        List<Invoke> all = new ArrayList<>();
        edits.forEach(edit -> all.add(Invoke.of(edit.block())));
        all.addAll(invokes);
        List<Block> blocks = all.stream().map(Invoke::block).toList();
        Session session = Session.current();
        try (TraceThreads threads = TraceThreads.of(blocks, signal);
                SharedUse use = SharedUse.of(blocks)) {
            if (session != null) {
                session.begin(use);
            }
            TraceRun run = new TraceRun(this, all, threads, signal);
            Trace<R> trace = run(run, computation);
            if (session != null) {
                session.end(use, blocks, trace.blocks());
            } else {
                trace.blocks().forEach(BlockResult::push);
            }
            return trace;
        }
    }

    private static <R extends @Nullable Object, X extends Exception> Trace<R> run(
            TraceRun run, Computation<R, X> computation) throws X {
        @Nullable R result;
        try {
            run.startBlocks();
            result = inStep(run, computation);
            if (run.isStopped()) {
                run.endBlocks();
            } else {
                run.finishBlocks();
            }
        } catch (Throwable e) {
            run.unwindAfter(e);
            throw e;
        }
        run.unwind();
        return new Trace<R>(result, run.results(), run.report());
    }

    /** Runs the computation, unless it is stopped before, and until it is. */
    private static <R extends @Nullable Object, X extends Exception> @Nullable R inStep(
            TraceRun run, Computation<R, X> computation) throws X {
        if (run.isStopped()) {
            return null;
        }
        try {
            return computation.run(run);
        } catch (Exception e) {
            if (StoppedException.isBehind(e, run)) {
                return null;
            }
            throw e;
        }
    }

    /**
     * Keeps a block on the computation: it takes part in each trace that begins from now on, after
     * the edits that are there and before the trace's own blocks, and sees the whole of a batch.
     *
     * @return takes the block off again when it is closed
     */
    public Edit edit(Block block) {
        Edit edit = new Edit(this, requireNonNull(block, "block"));
        edits.add(edit);
        return edit;
    }

    /** Returns the edits, in the order in which they run. */
    public List<Edit> edits() {
        return List.copyOf(edits);
    }

    /** Takes all edits off the computation. */
    public void clearEdits() {
        edits.clear();
    }

    void remove(Edit edit) {
        edits.remove(edit);
    }

    Replacement replacement() {
        return replacement;
    }

    Rows rows() {
        return rows;
    }

    @Nullable Duration timeout() {
        return timeout;
    }

    /** Returns when a trace that begins now is to be over, by {@link System#nanoTime}. */
    long deadline() {
        return timeout == null ? Long.MAX_VALUE : System.nanoTime() + timeout.toNanos();
    }

    /**
     * The settings of an interleaver.
     *
     * @since 0.1
     */
    public static final class Builder {
        private final HookPoints points;
        private Replacement replacement = Replacement.ANY;
        private Rows rows = Rows.LISTS;
        private @Nullable Duration timeout;

        private Builder(HookPoints points) {
            this.points = requireNonNull(points, "points");
        }

        /** Sets what a value may be replaced by, instead of anything of the point's type. */
        public Builder replacement(Replacement decision) {
            this.replacement = requireNonNull(decision, "decision");
            return this;
        }

        /** Sets how values are cut into the rows of a batch, instead of {@link Rows#LISTS}. */
        public Builder rows(Rows cut) {
            this.rows = requireNonNull(cut, "cut");
            return this;
        }

        /**
         * Sets how long a trace may take. A block that runs when the time is over is stopped; the
         * computation is at its next visit.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder timeout(Duration most) {
            checkArgument(most.isPositive(), "the timeout is %s, expected a positive one", most);
            this.timeout = most;
            return this;
        }

        /** Returns the interleaver. */
        public Interleaver build() {
            return new Interleaver(this);
        }
    }
}
