package dev.blockscope.interleave;

import static java.util.Objects.requireNonNull;

import dev.blockscope.AttendedRun;
import dev.blockscope.Block;
import dev.blockscope.BlockEvent;
import dev.blockscope.BlockException;
import dev.blockscope.BlockResult;
import dev.blockscope.CallSite;
import dev.blockscope.Observation;
import dev.blockscope.StopSignal;
import dev.blockscope.Turn;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The interleaver's side of one running block. Either the block's thread runs or the computation's
 * does, so that nothing here needs a lock but what ends the block.
 */
final class Mediator {
    private static final ThreadLocal<@Nullable Mediator> CURRENT = new ThreadLocal<>();

    private static final int MOST_REFUSALS = 1_000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private final TraceRun run;
    private final Invoke invoke;
    private final int position;
    private final StopSignal signal;
    private final Waits waits;
    private final Handover handover;
    private final CountDownLatch end = new CountDownLatch(1);

    /** The block's run once it has started. */
    private @Nullable AttendedRun attended;

    private @Nullable Wait wait;
    private @Nullable Offer lastSeen;
    private boolean noMore;
    private boolean ending;
    private int refusals;
    private @Nullable BlockResult result;
    private @Nullable Throwable failure;

    /** Whether the block was to end and has not, and nobody waits for it any longer. */
    private boolean leftBehind;

    private volatile boolean ended;

    /** Creates the side of one of {@code blocks} blocks, on the computation's thread. */
    Mediator(TraceRun run, Invoke invoke, int position, int blocks, StopSignal signal) {
        this.run = run;
        this.invoke = invoke;
        this.position = position;
        this.signal = signal;
        this.waits = new Waits(invoke.block());
        this.handover = new Handover(PATIENCE, blocks == 1);
    }

    /** Returns the mediator of the block that runs on this thread, or null. */
    static @Nullable Mediator current() {
        return CURRENT.get();
    }

    /** Returns the mediator of the block on this thread, if it runs with a computation's points. */
    static @Nullable Mediator current(HookPoints points) {
        Mediator mediator = CURRENT.get();
        return mediator != null && mediator.run.points() == points ? mediator : null;
    }

    // The computation's side.

    /** Starts the block and waits until it waits for something or has ended. */
    void start() throws InterruptedException {
        AttendedRun begun = AttendedRun.of(block(), signal);
        handover.toBlock();
        run.threadsOf(block()).execute(giveBackThread -> runBlock(begun, giveBackThread));
        attended = begun;
        awaitTurn();
    }

    /** Returns what the block waits for, or null if it has ended. */
    @Nullable Wait awaited() {
        return ended ? null : wait;
    }

    /** Lets the block go on, which finds what it waited for in its run, and waits for it. */
    void resume() throws InterruptedException {
        handover.toBlock();
        awaitTurn();
    }

    /** Tells the block that what it waits for does not come. */
    void refuse() throws InterruptedException {
        noMore = true;
        resume();
    }

    /** Ends the block where it waits; what it has bound is its result. */
    void endHere() throws InterruptedException {
        waits.unserved(requireNonNull(wait), "the computation was stopped");
        // The block ends itself once it has the turn: ended before, it could be gone without it.
        ending = true;
        resume();
    }

    /**
     * Waits for the block. The computation may have been started by a block of the same frame,
     * which must not keep the turn from this one meanwhile.
     */
    private void awaitTurn() throws InterruptedException {
        outsideOfBlock(() -> {
            handover.awaitHost(this::requireToWait);
            return true;
        });
    }

    private void requireToWait() {
        run.requireGoingOn();
        BlockException late = requireNonNull(attended).leaveIfOverdue();
        if (late != null) {
            leftBehind = true;
            throw late;
        }
    }

    private static boolean outsideOfBlock(HostWait wait) throws InterruptedException {
        @Nullable InterruptedException[] interrupted = {null};
        Supplier<Boolean> waiting =
                () -> {
                    try {
                        return wait.end();
                    } catch (InterruptedException e) {
                        interrupted[0] = e;
                        return false;
                    }
                };
        boolean result = Turn.release(waiting);
        if (interrupted[0] != null) {
            throw interrupted[0];
        }
        return result;
    }

    @FunctionalInterface
    private interface HostWait {
        boolean end() throws InterruptedException;
    }

    /** Ends the block wherever it is, without asking it. */
    synchronized void stop(String why) {
        if (!ended) {
            signal.stop(why);
            if (attended != null) {
                attended.interrupt();
            }
        }
    }

    /** Waits until the block, which was stopped, has ended or is left behind. */
    void join() throws InterruptedException {
        AttendedRun begun = attended;
        if (begun != null && !leftBehind) {
            leftBehind = !outsideOfBlock(() -> comesHome(begun));
        }
    }

    private boolean comesHome(AttendedRun begun) throws InterruptedException {
        while (!end.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS)) {
            if (begun.leaveIfOverdue() != null) {
                return false;
            }
        }
        return true;
    }

    boolean hasEnded() {
        return ended;
    }

    @Nullable Throwable failure() {
        return failure;
    }

    BlockResult result() {
        if (result == null) {
            throw new AssertionError("a block's result was taken before its end");
        }
        return result;
    }

    Block block() {
        return invoke.block();
    }

    /** Returns the rows of a batch that are the block's, or null if it sees the whole values. */
    @Nullable RowRange rows() {
        return invoke.rows();
    }

    /** Returns the block's place in definition order. */
    int position() {
        return position;
    }

    Waits waits() {
        return waits;
    }

    // The block's side.

    private void runBlock(AttendedRun begun, Runnable giveBackThread) {
        handover.begin();
        CURRENT.set(this);
        try {
            run.inSession(() -> result = begun.evaluate());
        } catch (Throwable e) {
            // Kept for the computation's thread, which raises it.
            failure = e;
        } finally {
            CURRENT.remove();
            end(giveBackThread);
        }
    }

    private void end(Runnable giveBackThread) {
        synchronized (this) {
            ended = true;
        }
        giveBackThread.run();
        end.countDown();
        handover.end();
    }

    /** Waits for a visit of a point and returns its value. */
    @Nullable Object read(HookPoint<?> point, int visit) {
        return run.valueFor(this, await(point, visit));
    }

    /** Waits for a visit of a point and replaces its value. */
    void replace(HookPoint<?> point, int visit, @Nullable Object assigned) {
        run.replace(this, await(point, visit), point, assigned);
    }

    /** Waits for the entry into a module and has the computation leave it out. */
    void skip(HookModule<?> module, int visit, @Nullable Object output) {
        Offer entry = await(module.inputs(), visit);
        if (!entry.isSkippable()) {
            throw HookException.notSkippable(
                    module.path(),
                    visit,
                    "the computation visits its inputs and does not enter it");
        }
        if (rows() != null) {
            throw HookException.notSkippable(
                    module.path(), visit, "others in the batch have rows of it too");
        }
        entry.skip(run.instead(module.output(), output));
    }

    /**
     * Waits until a part is visited so many times. Returns false if that does not come any more.
     */
    boolean awaitAny(HookNode part, int visit) {
        return run.isNowOrPast(part, visit)
                || (!run.isOverFor(this) && !isRefused(new Wait.ForAny(part, visit)));
    }

    /** Waits for the others at a barrier. */
    void meet(String name, int needed) {
        Barrier barrier = run.barrier(name, needed);
        if (needed > 1) {
            Wait atBarrier = new Wait.AtBarrier(barrier);
            barrier.enter(this);
            if (run.isShort(barrier) || isRefused(atBarrier)) {
                int come = barrier.come();
                barrier.leave(this);
                throw refused(HookException.barrierShort(name, needed, come), atBarrier);
            }
        }
    }

    /** Ends the computation as soon as the turn is handed back. */
    void stopComputation(@Nullable String reason) {
        run.stop(
                this,
                new Stopped(
                        block().source(),
                        CallSite.current().map(CallSite::line).orElse(block().source().line()),
                        reason));
    }

    /** Notes that a loop over visits came to its end before the last of them. */
    void endedEarly(HookNode part, int from, int to) {
        waits.endedEarly(part, from, to);
    }

    int blocks() {
        return run.blocks();
    }

    private Offer await(HookPoint<?> point, int visit) {
        Offer now = run.offered(point, visit);
        if (now != null) {
            return seen(now, point);
        }
        Wait forPoint = new Wait.ForPoint(point, visit);
        if (run.isHopeless(this, point, visit) || isRefused(forPoint)) {
            throw refused(run.whyHopeless(point, visit), forPoint);
        }
        return seen(requireNonNull(run.offered(point, visit), "offer"), point);
    }

    /** Counts a visit once, however often the block asks while it lasts. */
    private Offer seen(Offer offer, HookPoint<?> point) {
        if (offer != lastSeen) {
            lastSeen = offer;
            waits.served(point);
        }
        return offer;
    }

    /** Hands the turn back and waits. Returns true if what is waited for does not come. */
    private boolean isRefused(Wait forWhat) {
        Observation waited = block().engine().observe(BlockEvent.Kind.WAIT);
        wait = forWhat;
        run.waits(forWhat, 1);
        Turn.release(() -> {
            handover.await(signal);
            if (ending) {
                signal.end();
            }
            return true;
        });
        run.waits(forWhat, -1);
        wait = null;
        if (waited != null) {
            waited.end(block().source(), forWhat.text());
        }
        if (signal.isStopped()) {
            // The guest is stopped at its next step in any case; this keeps it from taking one.
            throw new CancellationException("the trace has ended");
        }
        boolean refused = noMore;
        noMore = false;
        return refused;
    }

    /** A block that catches its refusals and asks on would never hand the turn back. */
    private HookException refused(HookException reason, Wait forWhat) {
        waits.unserved(forWhat, reason.reason().toString());
        if (++refusals == MOST_REFUSALS) {
            signal.stop(
                    "the block asked %d times for what it cannot have: %s"
                            .formatted(MOST_REFUSALS, reason.getMessage()));
        }
        return reason;
    }
}
