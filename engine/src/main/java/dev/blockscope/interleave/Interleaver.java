package dev.blockscope.interleave;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.blockscope.Block;
import dev.blockscope.BlockException;
import dev.blockscope.BlockResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Runs blocks in step with a computation, one at a time and in definition order.
 *
 * <p>Before the computation starts, every block runs to its first wait. The computation then runs
 * on the caller's thread; at each visit the blocks that wait for the point go on. After it, what
 * the blocks assigned is pushed, in definition order. If the computation or any block fails, the
 * others are ended, nothing is pushed, and the first failure comes out as itself.
 *
 * @since 0.1
 */
public final class Interleaver {
    /** How long a block that was stopped may take to come home from host code that it called. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private Interleaver() {}

    /** Runs a computation in step with blocks that may replace any value by any other. */
    public static <R extends @Nullable Object, X extends Exception> Trace<R> run(
            HookPoints points, List<Block> blocks, Computation<R, X> computation) throws X {
        return run(points, Replacement.ANY, blocks, computation);
    }

    /**
     * Runs a computation in step with blocks.
     *
     * @param points the places that {@code computation} visits
     * @param replacement decides what a value may be replaced by
     * @param blocks the blocks, in definition order
     * @return what the computation returned, and the blocks' results, which are pushed
     * @throws BlockException if a block fails
     * @throws HookException if a block waits for a point that is never reached, or that was passed,
     *     and does not catch it: as the cause of a {@link BlockException}
     * @throws CancellationException if this thread is interrupted while it waits for a block; its
     *     interrupt flag stays set
     * @throws X if the computation throws it
     */
    public static <R extends @Nullable Object, X extends Exception> Trace<R> run(
            HookPoints points,
            Replacement replacement,
            List<Block> blocks,
            Computation<R, X> computation)
            throws X {
        Run<R> run = new Run<>(points, replacement, blocks);
        R result;
        try {
            run.startBlocks();
            result = computation.run(run);
            run.finishBlocks();
        } catch (Throwable e) {
            run.unwindAfter(e);
            throw e;
        }
        run.unwind();
        return run.push(result);
    }

    /** One run: the mediators and how far the computation is. */
    static final class Run<R extends @Nullable Object> implements Visits {
        private final HookPoints points;
        private final Replacement replacement;
        private final List<Mediator> mediators = new ArrayList<>();
        private final Set<String> passed = new HashSet<>();
        private @Nullable RuntimeException failure;
        private boolean over;

        Run(HookPoints points, Replacement replacement, List<Block> blocks) {
            this.points = requireNonNull(points, "points");
            this.replacement = requireNonNull(replacement, "replacement");
            for (Block block : blocks) {
                mediators.add(new Mediator(this, block));
            }
        }

        HookPoints points() {
            return points;
        }

        Replacement replacement() {
            return replacement;
        }

        /** Returns why a block need not wait for a point, or null if the point may still come. */
        @Nullable HookException whyHopeless(String point) {
            if (passed.contains(point)) {
                return HookException.passed(point);
            }
            return over ? HookException.neverReached(point) : null;
        }

        @Override
        public Set<String> awaited() {
            Set<String> awaited = new LinkedHashSet<>();
            for (Mediator mediator : mediators) {
                String point = mediator.awaited();
                if (point != null) {
                    awaited.add(point);
                }
            }
            return awaited;
        }

        @Override
        public @Nullable Object visit(String point, @Nullable Object value) {
            checkArgument(
                    points.contains(point),
                    "the computation visits \"%s\", which is not among its hook points",
                    point);
            rethrowFailure();
            Object current = value;
            for (Mediator mediator : mediators) {
                if (point.equals(mediator.awaited())) {
                    Object offer = current;
                    current = step(mediator, () -> mediator.serve(offer));
                }
            }
            passed.add(point);
            return current;
        }

        void startBlocks() {
            for (Mediator mediator : mediators) {
                step(
                        mediator,
                        () -> {
                            mediator.start();
                            return null;
                        });
            }
        }

        /** Tells the blocks that still wait that nothing more will come. */
        void finishBlocks() {
            rethrowFailure();
            over = true;
            for (Mediator mediator : mediators) {
                String point = mediator.awaited();
                if (point != null) {
                    step(
                            mediator,
                            () -> {
                                mediator.refuse(HookException.neverReached(point));
                                return null;
                            });
                }
            }
        }

        Trace<R> push(R result) {
            List<BlockResult> results = mediators.stream().map(Mediator::result).toList();
            results.forEach(BlockResult::push);
            return new Trace<>(result, results);
        }

        /** Ends whatever still runs after a failure, which stays the one that comes out. */
        void unwindAfter(Throwable failed) {
            try {
                unwind();
            } catch (RuntimeException e) {
                failed.addSuppressed(e);
            }
        }

        /** Ends whatever still runs; after a good ending only threads that are about to end do. */
        void unwind() {
            mediators.forEach(Mediator::stop);
            boolean interrupted = Thread.interrupted();
            try {
                for (Mediator mediator : mediators) {
                    if (!mediator.join(GRACE)) {
                        throw new IllegalStateException(
                                "%s is still in a host function %d s after it was stopped; its thread goes on until that returns"
                                        .formatted(mediator.block(), GRACE.toSeconds()));
                    }
                }
            } catch (InterruptedException e) {
                interrupted = true;
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private @Nullable Object step(Mediator mediator, Step step) {
            try {
                Object value = step.take();
                if (mediator.failure() != null) {
                    failure = asUnchecked(mediator.failure());
                }
                rethrowFailure();
                return value;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failure =
                        new CancellationException(
                                "the thread that runs the computation was interrupted while %s ran"
                                        .formatted(mediator.block()));
                throw failure;
            }
        }

        /** A computation that swallowed a block's failure meets it again at its next visit. */
        private void rethrowFailure() {
            if (failure != null) {
                throw failure;
            }
        }

        private static RuntimeException asUnchecked(Throwable e) {
            return switch (e) {
                case RuntimeException unchecked -> unchecked;
                case Error error -> throw error;
                default ->
                        throw new AssertionError(
                                "a block's run throws unchecked exceptions only", e);
            };
        }
    }

    @FunctionalInterface
    private interface Step {
        @Nullable Object take() throws InterruptedException;
    }
}
