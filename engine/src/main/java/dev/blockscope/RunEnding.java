package dev.blockscope;

import static java.util.Objects.requireNonNull;

import dev.blockscope.truffle.Harvest;
import dev.blockscope.truffle.Meter;
import dev.blockscope.truffle.Settlement;
import dev.blockscope.truffle.Stoppable;
import dev.blockscope.truffle.StoppedAt;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.graalvm.polyglot.PolyglotException;
import org.jspecify.annotations.Nullable;

/**
 * How a run ends that does not come to its end: by an error of its own, by a limit, because it was
 * stopped, or because a value of it has no plain Java. Tells which of them it was, and makes the
 * exception that the host gets.
 */
final class RunEnding {
    /** What guest code may take that only makes an error clearer. */
    private static final long STATEMENTS_AFTERWARDS = 10_000;

    private static final long CALLS_AFTERWARDS = 100;
    private static final Duration TIME_AFTERWARDS = Duration.ofMillis(200);

    private final Home home;
    private final RunBindings bindings;
    private final @Nullable StopSignal signal;
    private final @Nullable Allowance allowance;

    RunEnding(
            Home home,
            RunBindings bindings,
            @Nullable StopSignal signal,
            @Nullable Allowance allowance) {
        this.home = home;
        this.bindings = bindings;
        this.signal = signal;
        this.allowance = allowance;
    }

    /** Makes the exception of a run that {@code end} has ended. */
    BlockException of(Throwable end, Block block, Harvest run) {
        return afterwards(() -> {
            if (end instanceof PolyglotException) {
                home.realm().sweepAfterFailureIf(block.analysis().mayTouchGlobal());
            }
            if (isAtLimit()) {
                return end instanceof LimitException over && over.isHandingOver()
                        ? tooLarge(over, block)
                        : limited(end, run);
            }
            if (end instanceof ConversionException lost) {
                return unconvertible(lost, block);
            }
            if (signal != null && signal.isStopped()) {
                return stopped(requireNonNull(signal.reason()), end, run);
            }
            if (isByClose(end)) {
                return stopped(BlockEngine.CLOSED + " while the block ran", end, run);
            }
            return failed((PolyglotException) end, block, run);
        });
    }

    private BlockException failed(PolyglotException e, Block block, Harvest run) {
        Traceback traceback =
                Tracebacks.of(e, home.realm(), home.block(), placeWithoutLines(block, run));
        return BlockException.of(e, home.realm(), boundBy(run), traceback);
    }

    /**
     * Returns where the run is told to have failed if the failure has no lines: only errors of the
     * language keep theirs when a promise is rejected with them.
     */
    private Traceback.Entry placeWithoutLines(Block block, Harvest run) {
        Settlement settlement = run.settlement();
        if (settlement == null || !settlement.isRejected()) {
            return Tracebacks.entryOf(home.block());
        }
        StoppedAt failed = run.failedAt();
        return failed == null ? block.placeOfValue() : Tracebacks.entryAt(failed);
    }

    /** Host code that is interrupted by the close may end by whatever it makes of that. */
    private boolean isByClose(Throwable end) {
        return home.realm().engine().isClosed()
                && end instanceof PolyglotException e
                && (BlockException.isEndFromOutside(e) || e.isHostException());
    }

    private boolean isAtLimit() {
        return allowance != null && allowance.reached() != null;
    }

    private BlockException limited(Throwable end, Harvest run) {
        Allowance taken = requireNonNull(allowance);
        ReachedLimit reached = requireNonNull(taken.reached());
        List<StoppedAt> places = taken.places();
        if (places.isEmpty() && end instanceof PolyglotException e) {
            // It ended in a call of the host, which the guest's own lines lead to.
            List<Traceback.Entry> lines = Tracebacks.of(e, home.realm(), home.block()).entries();
            return BlockException.ofLimit(
                    reached, new Traceback(reached.toString(), lines), home.block(), boundBy(run));
        }
        return BlockException.ofLimit(reached, places, home.block(), boundBy(run));
    }

    /** The code was over, so the place is that of the value. */
    private BlockException tooLarge(LimitException e, Block block) {
        String name = e.name();
        String message =
                "%s; %s is what went beyond it"
                        .formatted(e.limit(), name == null ? "its value" : '"' + name + '"');
        Traceback.Entry place = name == null ? block.placeOfValue() : block.placeOf(name);
        return BlockException.ofLimit(
                e.limit(), new Traceback(message, List.of(place)), home.block(), bindings.list());
    }

    private BlockException stopped(String reason, Throwable end, Harvest run) {
        List<StoppedAt> places = allowance == null ? run.stoppedAt() : allowance.places();
        if (places.isEmpty() && end instanceof PolyglotException e) {
            List<Traceback.Entry> lines = Tracebacks.of(e, home.realm(), home.block()).entries();
            return BlockException.ofStopped(
                    new Traceback(reason, lines), home.block(), boundBy(run));
        }
        return BlockException.ofStopped(reason, places, home.block(), boundBy(run));
    }

    private BlockException unconvertible(ConversionException e, Block block) {
        Traceback.Entry place =
                e.name() == null ? Tracebacks.entryOf(home.block()) : block.placeOf(e.name());
        return BlockException.of(e, home, place, bindings.list());
    }

    private List<BoundName> boundBy(@Nullable Harvest run) {
        if (run == null || home.realm().isLost()) {
            // What a run that was left behind binds would hide what siblings have bound since.
            return List.of();
        }
        bindings.bindMidway(run);
        return bindings.list();
    }

    /** Looks at what a failed run has left. Guest code that this runs is held to little. */
    private BlockException afterwards(Supplier<BlockException> look) {
        Realm realm = home.realm();
        if (allowance == null || allowance.limits().areNone() || realm.isClosed()) {
            return look.get();
        }
        Meter little = realm.guest().meter(STATEMENTS_AFTERWARDS, CALLS_AFTERWARDS);
        AtomicReference<@Nullable Future<?>> end = new AtomicReference<>();
        try {
            return realm.following(little, call -> end.set(stopSoon(call)), look);
        } catch (PolyglotException e) {
            if (!realm.isClosed()) {
                throw e;
            }
            // It was closed just now, and no guest code runs any more.
            return look.get();
        } finally {
            Future<?> planned = end.get();
            if (planned != null) {
                planned.cancel(false);
            }
        }
    }

    private Future<?> stopSoon(Stoppable call) {
        Realm realm = home.realm();
        return realm.engine().watch().after(TIME_AFTERWARDS, () -> realm.guest().stop(call));
    }

    /** Ends a run that was stopped before it began. */
    void requireNotStopped() {
        String reason = signal == null ? null : signal.reason();
        if (reason != null) {
            throw givenUp(reason, null);
        }
    }

    /** Ends a run that has reached a limit. */
    void requireMore() {
        if (allowance != null) {
            allowance.requireMore();
        }
    }

    /** Ends a run that waits and must not go on. */
    void requireGoingOn(@Nullable Harvest run) {
        requireMore();
        String reason = signal == null ? null : signal.reason();
        if (reason == null && home.realm().isClosed()) {
            reason = BlockEngine.CLOSED + " while the block waited";
        }
        if (reason != null) {
            throw givenUp(reason, run);
        }
    }

    /** Makes the exception of a run that is stopped where no code of it is under way. */
    BlockException givenUp(String reason, @Nullable Harvest run) {
        return BlockException.ofStopped(reason, placesOf(run), home.block(), boundBy(run));
    }

    /** Makes the exception of a run whose promise has nothing left that could settle it. */
    BlockException unsettled(String why, @Nullable Harvest run) {
        return BlockException.ofUnsettled(why, placesOf(run), home, boundBy(run));
    }

    private static List<StoppedAt> placesOf(@Nullable Harvest waiting) {
        return waiting == null ? List.of() : waiting.waitsAt();
    }
}
