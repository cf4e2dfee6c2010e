package dev.blockscope;

import com.google.common.math.LongMath;
import dev.blockscope.truffle.GuestAccess;
import dev.blockscope.truffle.Meter;
import dev.blockscope.truffle.Stoppable;
import dev.blockscope.truffle.StoppedAt;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What one run may still take of its {@link Limits}. Whoever finds that a limit is reached says so
 * here, and that ends the run: its own thread, the one that waits for it, or a {@link Watch}.
 */
final class Allowance {
    private final Limits limits;
    private final GuestAccess guest;
    private final BlockSource block;
    private final @Nullable StopSignal signal;
    private final @Nullable Meter meter;
    private final AtomicReference<@Nullable ReachedLimit> reached = new AtomicReference<>();
    private volatile @Nullable Stoppable work;

    /** The realm whose turn the run has. */
    private @Nullable Realm realm;

    /** The thread of the run. */
    private @Nullable Thread thread;

    /** Whether the caller is free whatever the run does. */
    private final boolean guarded;

    /**
     * When the run began; 0 as long as one that is not guarded has had to wait for nothing. A look
     * at the clock takes a tenth of a small run.
     */
    private long began;

    private long output;
    private long results;
    private long besideHeap;

    private Allowance(
            Limits limits,
            GuestAccess guest,
            BlockSource block,
            @Nullable StopSignal signal,
            boolean guarded) {
        this.limits = limits;
        this.guest = guest;
        this.block = block;
        this.signal = signal;
        this.guarded = guarded;
        this.meter =
                limits.areCounted() || limits.areWatched()
                        ? guest.meter(limits.statements(), limits.recursion())
                        : null;
        if (guarded) {
            begin();
        }
    }

    /**
     * Returns what a run may take that begins now, and whose caller is free whatever it does.
     *
     * @param block the text that is named if the run is ended where nothing is known of its places
     * @param signal what else may end it, or null
     */
    static Allowance guarded(
            Limits limits, GuestAccess guest, BlockSource block, @Nullable StopSignal signal) {
        return new Allowance(limits, guest, block, signal, true);
    }

    /** The same of a run on its caller's thread, which ends by itself or goes no further. */
    static Allowance unguarded(
            Limits limits, GuestAccess guest, BlockSource block, @Nullable StopSignal signal) {
        return new Allowance(limits, guest, block, signal, false);
    }

    private void begin() {
        began = System.nanoTime() | 1;
    }

    Limits limits() {
        return limits;
    }

    /** Returns what counts the guest's work, or null if nothing need be counted. */
    @Nullable Meter meter() {
        return meter;
    }

    boolean isGuarded() {
        return guarded;
    }

    /** Returns the time that is left, in nanoseconds; not positive if there is none. */
    long nanosLeft() {
        if (!limits.hasTime()) {
            return Long.MAX_VALUE;
        }
        if (began == 0) {
            begin();
        }
        return limits.nanos() - (System.nanoTime() - began);
    }

    /** Returns the limit that was reached, or null if none was. */
    @Nullable ReachedLimit reached() {
        ReachedLimit told = reached.get();
        Meter.Excess excess = told != null || meter == null ? null : meter.excess();
        return switch (excess) {
            case null -> told;
            case STATEMENTS -> new ReachedLimit(Limit.STATEMENTS, limits.statements());
            case RECURSION -> new ReachedLimit(Limit.RECURSION, limits.recursion());
        };
    }

    /** Says that a limit is reached; the first that is stays. Ends the run at its guest code. */
    ReachedLimit reach(Limit limit) {
        ReachedLimit mine = new ReachedLimit(limit, limits.valueOf(limit));
        reached.compareAndSet(null, mine);
        Stoppable underWay = work;
        if (underWay != null) {
            guest.stop(underWay);
        }
        ReachedLimit first = reached.get();
        return first == null ? mine : first;
    }

    /** Whether the run is to end before its text does: a limit is reached, or it was stopped. */
    boolean isToEnd() {
        return reached() != null || (signal != null && signal.isStopped());
    }

    /** Returns what whoever waited for a run that is to end is told, now that it is left behind. */
    BlockException failure() {
        ReachedLimit limit = reached();
        return limit == null
                ? BlockException.ofStopped(reason(), places(), block, List.of())
                : BlockException.ofLimit(limit, places(), block, List.of());
    }

    /** Who was not stopped, and has reached no limit, is left by an engine that closes. */
    private String reason() {
        String stopped = signal == null ? null : signal.reason();
        return stopped == null ? BlockEngine.CLOSED : stopped;
    }

    /** Has something done, on the thread that stops the run, when somebody does. */
    void onStop(Runnable action) {
        if (signal != null) {
            signal.addListener(action);
        }
    }

    void notOnStop(Runnable action) {
        if (signal != null) {
            signal.removeListener(action);
        }
    }

    /**
     * Does nothing as long as nobody has stopped the run, which has not begun.
     *
     * @throws BlockException if somebody has
     */
    void requireNotStopped() {
        if (signal != null && signal.isStopped()) {
            throw BlockException.ofStopped(reason(), List.of(), block, List.of());
        }
    }

    /** Lets guest work be ended from now on. It is ended at once if a limit is reached already. */
    void begin(Stoppable guestWork) {
        work = guestWork;
        if (reached.get() != null) {
            guest.stop(guestWork);
        }
    }

    /** Returns where the guest's work was when it was ended, or was last seen. */
    List<StoppedAt> places() {
        Stoppable ended = work;
        if (meter != null && meter.excess() != null && reached.get() == null) {
            return meter.exceededAt();
        }
        if (ended != null && !ended.stoppedAt().isEmpty()) {
            return ended.stoppedAt();
        }
        return meter == null ? List.of() : meter.lastSeenAt();
    }

    /** Notes that the run has the turn of a realm, for those who may leave it behind there. */
    void entered(Realm turn) {
        if (guarded) {
            synchronized (this) {
                realm = turn;
                thread = Thread.currentThread();
            }
        }
    }

    /** Notes that the run has given the turn back. */
    void left(Realm turn) {
        if (guarded) {
            synchronized (this) {
                realm = null;
                turn.isHome();
            }
        }
    }

    /** Notes that nobody waits for the run any longer; its realm may have to do without a turn. */
    synchronized void leaveBehind() {
        if (realm != null && thread != null) {
            realm.isOverdue(thread);
        }
    }

    /** Whether the run cannot come home: another that was left behind has the turn of its realm. */
    synchronized boolean isKeptOut() {
        return realm != null && thread != null && realm.isKeptFrom(thread);
    }

    /**
     * Counts what leaves the run for the host.
     *
     * @throws LimitException if it is too much, or if the run is to end
     */
    void handsOver(long more) {
        results = LongMath.saturatedAdd(results, more);
        if (results > limits.resultSize()) {
            throw LimitException.handingOver(reach(Limit.RESULT_SIZE));
        }
        requireMore();
    }

    /**
     * Does nothing as long as no limit is reached.
     *
     * @throws LimitException if one is
     */
    void requireMore() {
        ReachedLimit end = reached();
        if (end != null) {
            throw new LimitException(end);
        }
    }

    /**
     * Looks at how much one argument of a host function is.
     *
     * @throws LimitException if it is too much, or if the run is to end
     */
    void passes(long size) {
        if (size > limits.resultSize()) {
            throw LimitException.handingOver(reach(Limit.RESULT_SIZE));
        }
        requireMore();
    }

    /**
     * Looks at how deep something that leaves the run is nested.
     *
     * @throws LimitException if it is too deep
     */
    void handsOverAt(int depth) {
        if (depth > limits.resultDepth()) {
            throw LimitException.handingOver(reach(Limit.RESULT_DEPTH));
        }
    }

    /**
     * Counts memory that the guest takes outside of the heap, in bytes. Returns false if it is too
     * much: then the run is about to end.
     */
    boolean takesBesideHeap(long bytes) {
        besideHeap = LongMath.saturatedAdd(besideHeap, bytes);
        if (besideHeap > limits.allocatedBytes()) {
            reach(Limit.ALLOCATION);
            return false;
        }
        return true;
    }

    /**
     * Counts what the guest writes, in bytes. Returns false if it is too much: then the run is
     * about to end, and what was written is not to be shown.
     */
    boolean writes(long bytes) {
        output += bytes;
        if (output > limits.outputBytes()) {
            reach(Limit.OUTPUT);
            return false;
        }
        return true;
    }
}
