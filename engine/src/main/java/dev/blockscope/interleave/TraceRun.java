package dev.blockscope.interleave;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

import dev.blockscope.Block;
import dev.blockscope.BlockEvent;
import dev.blockscope.BlockException;
import dev.blockscope.BlockResult;
import dev.blockscope.Conversion;
import dev.blockscope.Lending;
import dev.blockscope.Observation;
import dev.blockscope.StopSignal;
import dev.blockscope.ThreadLease;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run of a computation in step with blocks: how far the computation is, and who waits for what.
 * One thread at a time has the turn, the computation's or a block's.
 */
final class TraceRun implements Visits {
    private final Interleaver settings;
    private final HookPoints points;
    private final TraceThreads threads;
    private final StopSignal signal;
    private final long deadline;
    private final @Nullable Session session = Session.current();
    private final @Nullable Lending lending = Lending.current();
    private final Thread host = Thread.currentThread();
    private final List<Mediator> mediators = new ArrayList<>();
    private final Map<String, Barrier> barriers = new LinkedHashMap<>();
    private final int[] visits;
    private final int[] waiting;
    private int waitingForAny;

    /** Whether each visit has to look up: something failed, was stopped, or may run out of time. */
    private boolean alert;

    private @Nullable Offer current;

    /** The block that has the turn, or had it when the run failed. */
    private @Nullable Mediator running;

    private @Nullable RuntimeException failure;
    private @Nullable Mediator stopper;
    private @Nullable Stopped stopped;
    private boolean over;

    TraceRun(Interleaver settings, List<Invoke> invokes, TraceThreads threads, StopSignal signal) {
        this.settings = settings;
        this.points = settings.points();
        this.threads = threads;
        this.signal = signal;
        this.deadline = settings.deadline();
        this.alert = deadline != Long.MAX_VALUE;
        this.visits = new int[points.size()];
        this.waiting = new int[points.size()];
        for (Invoke invoke : invokes) {
            mediators.add(
                    new Mediator(this, invoke, mediators.size(), invokes.size(), signal.child()));
        }
    }

    HookPoints points() {
        return points;
    }

    // What the computation calls.

    @Override
    public Set<String> awaited() {
        Set<String> awaited = new LinkedHashSet<>();
        for (Mediator mediator : mediators) {
            switch (mediator.awaited()) {
                case Wait.ForPoint one when isNext(one.point(), one.visit()) ->
                        awaited.add(one.point().path());
                case Wait.ForAny any ->
                        pointsOf(any.part())
                                .filter(point ->
                                        isNext(point, any.visit()) && any.part().covers(point))
                                .forEach(point -> awaited.add(point.path()));
                case null, default -> {}
            }
        }
        return awaited;
    }

    @Override
    public boolean isAwaited(HookPoint<?> point) {
        requireOurs(point);
        if (waiting[point.index()] == 0 && waitingForAny == 0) {
            return false;
        }
        Offer next = new Offer(point, visits[point.index()], null, null);
        return mediators.stream()
                .map(Mediator::awaited)
                .anyMatch(wait -> wait != null && next.meets(wait));
    }

    /** Returns the points of the tree, or the one of a name. */
    private Stream<HookPoint<?>> pointsOf(HookNode part) {
        HookNode output = part.isAside() ? part.child(HookNode.OUTPUT) : null;
        HookPoint<?> own = output == null ? null : output.point();
        return own == null ? points.all().stream() : Stream.of(own);
    }

    private boolean isNext(HookPoint<?> point, int visit) {
        return visits[point.index()] == visit;
    }

    @Override
    public @Nullable Object visit(String point, @Nullable Object value) {
        return visit(points.point(point), value);
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // what replaces a value was checked to fit
    public <T extends @Nullable Object> T visit(HookPoint<T> point, T value) {
        requireOurs(point);
        int index = point.index();
        if (waiting[index] == 0 && waitingForAny == 0 && !alert && !signal.isStopped()) {
            visits[index]++;
            return value;
        }
        return (T) serve(new Offer(point, visits[index], value, null), index).value();
    }

    @Override
    public void passNamed(int from, int to) {
        for (int i = points.firstNamed() + from; i < points.firstNamed() + to; i++) {
            visits[i]++;
        }
    }

    @Override
    public <T extends @Nullable Object> Entry<T> enter(HookModule<T> module, List<?> inputs) {
        HookPoint<?> point = module.inputs();
        requireOurs(point);
        int index = point.index();
        if (waiting[index] == 0 && waitingForAny == 0 && !alert && !signal.isStopped()) {
            visits[index]++;
            return new Entry<>(asInputs(inputs), false, null);
        }
        // Of their own, so that blocks can change them in place.
        List<@Nullable Object> own = new ArrayList<>(inputs);
        return serve(new Offer(point, visits[index], own, module), index).entry();
    }

    @SuppressWarnings("unchecked") // a list that is only read may be of anything
    private static List<@Nullable Object> asInputs(List<?> inputs) {
        return (List<@Nullable Object>) inputs;
    }

    @SuppressWarnings("ReferenceEquality") // a computation is itself and no other
    private void requireOurs(HookPoint<?> point) {
        checkArgument(
                point.owner() == points,
                "the computation visits \"%s\", which is not among its hook points",
                point);
    }

    /** Lets everybody run who waits for a visit, until nobody does. */
    private Offer serve(Offer offer, int index) {
        requireMayVisit();
        Observation visited =
                mediators.isEmpty()
                        ? null
                        : mediators.getFirst().block().engine().observe(BlockEvent.Kind.VISIT);
        boolean served = false;
        current = offer;
        try {
            boolean moved = true;
            while (moved) {
                moved = openBarriers();
                for (Mediator mediator : mediators) {
                    Wait wait = mediator.awaited();
                    if (wait != null && offer.meets(wait)) {
                        step(mediator, Mediator::resume);
                        moved = true;
                        served = true;
                    }
                }
            }
        } finally {
            current = null;
        }
        if (visited != null && served) {
            visited.end(mediators.getFirst().block().source(), offer.toString());
        }
        visits[index]++;
        if (stopped != null) {
            throw new StoppedException(this, stopped);
        }
        return offer;
    }

    private void requireMayVisit() {
        checkState(
                Thread.currentThread() == host,
                "a visit on thread \"%s\"; a computation visits its points on the thread that runs it",
                Thread.currentThread().getName());
        rethrowFailure();
        checkState(!over, "the trace is over and the computation visits a point");
        if (current != null) {
            throw new IllegalStateException(
                    "the computation visits a point from within the visit of another");
        }
        if (stopped != null) {
            throw new StoppedException(this, stopped);
        }
        fail(this::requireGoingOn);
    }

    // What the interleaver calls.

    /** Runs every block to its first wait. */
    void startBlocks() {
        for (Mediator mediator : mediators) {
            step(mediator, Mediator::start);
        }
        while (openBarriers()) {
            // Those who go on may come to the next.
        }
    }

    /** Whether the computation is not to begin, or was stopped. */
    boolean isStopped() {
        return stopped != null;
    }

    @Nullable Stopped stopped() {
        return stopped;
    }

    /** Tells the blocks that still wait that nothing more will come. */
    void finishBlocks() {
        rethrowFailure();
        end();
        for (Mediator next = nextToRefuse(); next != null; next = nextToRefuse()) {
            step(next, Mediator::refuse);
            while (openBarriers()) {
                // Those who go on may come to the next.
            }
        }
    }

    /** Those who wait for each other come last: one whom a point was refused may join them. */
    private @Nullable Mediator nextToRefuse() {
        Mediator atBarrier = null;
        for (Mediator mediator : mediators) {
            Wait wait = mediator.awaited();
            if (wait instanceof Wait.AtBarrier) {
                atBarrier = atBarrier == null ? mediator : atBarrier;
            } else if (wait != null) {
                return mediator;
            }
        }
        return atBarrier;
    }

    /** Ends the blocks that still wait, now that the computation was stopped. */
    void endBlocks() {
        rethrowFailure();
        end();
        for (Mediator mediator : mediators) {
            if (mediator.awaited() != null) {
                step(mediator, Mediator::endHere);
            }
        }
    }

    /** Returns what the blocks came to, in definition order. */
    List<BlockResult> results() {
        return mediators.stream().map(Mediator::result).toList();
    }

    RunReport report() {
        return RunReport.of(
                mediators.stream().map(Mediator::waits).toList(),
                results(),
                mediators.stream().map(Mediator::block).toList(),
                stopped);
    }

    /** Ends whatever still runs after a failure, which stays the one that comes out. */
    void unwindAfter(Throwable failed) {
        unwind();
        // Where the block was that ran when the trace was cancelled.
        if (failed instanceof CancellationException
                && failed.getCause() == null
                && running != null
                && running.failure() instanceof BlockException stoppedThere) {
            failed.initCause(stoppedThere);
        }
    }

    /**
     * Ends whatever still runs; after a good ending only threads that are about to end do. A block
     * that does not come home from host code is left behind, and so are those who wait for its
     * turn.
     */
    void unwind() {
        end();
        String reason = signal.reason();
        mediators.forEach(
                mediator -> mediator.stop(reason == null ? "the trace has ended" : reason));
        boolean interrupted = Thread.interrupted();
        try {
            for (Mediator mediator : mediators) {
                mediator.join();
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void end() {
        over = true;
        alert = true;
    }

    private void step(Mediator mediator, Step step) {
        running = mediator;
        fail(() -> {
            try {
                step.take(mediator);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CancellationException(
                        "the thread that runs the computation was interrupted while %s ran"
                                .formatted(mediator.block()));
            }
            requireGoingOn();
            if (mediator.failure() != null) {
                throw asUnchecked(mediator.failure());
            }
        });
        running = null;
    }

    /** What fails here is met again at each visit: a computation may swallow it. */
    private void fail(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            failure = e;
            alert = true;
            throw e;
        }
    }

    /**
     * Checks that nobody cancels the trace.
     *
     * @throws CancellationException if somebody does
     */
    void requireGoingOn() {
        String reason = signal.reason();
        if (reason != null) {
            throw new CancellationException(reason);
        }
        if (deadline != Long.MAX_VALUE && System.nanoTime() - deadline > 0) {
            signal.stop(
                    "the trace took longer than its timeout of %s ms"
                            .formatted(requireNonNull(settings.timeout()).toMillis()));
            requireGoingOn();
        }
    }

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
                    throw new AssertionError("a block's run throws unchecked exceptions only", e);
        };
    }

    /** Lets those go on whose barrier is complete. Returns whether there were any. */
    private boolean openBarriers() {
        boolean opened = false;
        for (Barrier barrier : List.copyOf(barriers.values())) {
            if (barrier.isComplete()) {
                opened = true;
                for (Mediator mediator : barrier.open()) {
                    step(mediator, Mediator::resume);
                }
            }
        }
        return opened;
    }

    // What the blocks call, on their threads while they have the turn.

    ThreadLease threadsOf(Block block) {
        return threads.of(block.engine());
    }

    /** Runs a block as a part of the trace's session, and of what is around it. */
    void inSession(Runnable block) {
        Lending.join(lending, () -> Session.join(session, block));
    }

    int blocks() {
        return mediators.size();
    }

    /**
     * Whether nothing more comes for a block; one that another has stopped is ended where it waits.
     */
    boolean isOverFor(Mediator mediator) {
        return over || stopper == mediator;
    }

    /** Returns the visit of a point if it is under way, or null. */
    @Nullable Offer offered(HookPoint<?> point, int visit) {
        Offer now = current;
        return now != null && now.is(point, visit) ? now : null;
    }

    /** Whether a visit cannot come any more. */
    boolean isHopeless(Mediator mediator, HookPoint<?> point, int visit) {
        return visits[point.index()] > visit || isOverFor(mediator);
    }

    HookException whyHopeless(HookPoint<?> point, int visit) {
        int reached = visits[point.index()];
        if (reached > visit) {
            return HookException.passed(point.path(), visit, reached, points.same(point.path()));
        }
        return stopped == null
                ? HookException.neverReached(point.path(), visit, reached)
                : HookException.stopped(point.path(), visit, stopped.toString());
    }

    /** Whether a part is being visited for the given time or has been. */
    boolean isNowOrPast(HookNode part, int visit) {
        if (current != null && current.meets(new Wait.ForAny(part, visit))) {
            return true;
        }
        return pointsOf(part)
                .anyMatch(point -> visits[point.index()] > visit && part.covers(point));
    }

    void waits(Wait wait, int more) {
        switch (wait) {
            case Wait.ForPoint one -> waiting[one.point().index()] += more;
            case Wait.ForAny _ -> waitingForAny += more;
            case Wait.AtBarrier _ -> {}
        }
    }

    @Nullable Object valueFor(Mediator mediator, Offer offer) {
        RowRange rows = mediator.rows();
        return rows == null ? offer.value() : settings.rows().of(offer.value(), rows);
    }

    void replace(Mediator mediator, Offer offer, HookPoint<?> point, @Nullable Object assigned) {
        RowRange rows = mediator.rows();
        Object fitted = fit(point, assigned);
        Object checked =
                settings.replacement().check(point.path(), valueFor(mediator, offer), fitted);
        if (rows == null) {
            offer.replace(checked);
            return;
        }
        try {
            offer.replace(settings.rows().replaced(offer.value(), rows, checked));
        } catch (IllegalArgumentException e) {
            throw HookException.wrongValue(point.path(), String.valueOf(e.getMessage()));
        }
    }

    /** Returns what to go on with where a block gives a module's output in place of running it. */
    @Nullable Object instead(HookPoint<?> output, @Nullable Object given) {
        return settings.replacement().checkSkip(output.path(), fit(output, given));
    }

    private @Nullable Object fit(HookPoint<?> point, @Nullable Object assigned) {
        try {
            return Conversion.fit(assigned, point.type());
        } catch (IllegalArgumentException e) {
            throw HookException.wrongValue(point.path(), String.valueOf(e.getMessage()));
        }
    }

    Barrier barrier(String name, int needed) {
        Barrier barrier = barriers.computeIfAbsent(name, key -> new Barrier(key, needed));
        checkArgument(
                barrier.needed() == needed,
                "barrier \"%s\" waits for %s blocks elsewhere and for %s here; say the same number",
                name,
                barrier.needed(),
                needed);
        return barrier;
    }

    /** Whether fewer blocks can come to a barrier than it waits for. */
    boolean isShort(Barrier barrier) {
        return barrier.needed()
                > mediators.stream().filter(mediator -> !mediator.hasEnded()).count();
    }

    void stop(Mediator mediator, Stopped by) {
        if (!over && stopped == null) {
            stopper = mediator;
            stopped = by;
            alert = true;
        }
    }

    @FunctionalInterface
    private interface Step {
        void take(Mediator mediator) throws InterruptedException;
    }
}
