package dev.blockscope;

import dev.blockscope.truffle.StoppedAt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * What one run has under way beside its own code: timers, and futures of the host that it asked for
 * their values. What comes due is done by the run's own thread, one after the other and under its
 * turn, and only while the run waits for its promise. All of it ends with the run.
 */
final class EventLoop {
    /** How many timers and futures a run may have under way. */
    private static final int MOST = 100_000;

    private final Home home;
    private final PriorityQueue<Timer> due =
            new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingInt(Timer::id));
    private final Map<Integer, Timer> timers = new HashMap<>();
    private final Map<Integer, Pending> futures = new LinkedHashMap<>();

    /** What has come from other threads; the only thing of the loop that those touch. */
    private final BlockingQueue<Runnable> arrived = new LinkedBlockingQueue<>();

    private int last;

    /** Creates the loop of a run that has nothing under way. */
    EventLoop(Home home) {
        this.home = home;
    }

    /** Calls a function of the guest's when some time has passed, once or again and again. */
    int schedule(String name, Value callback, int millis, boolean repeated) {
        int id = next();
        add(new Timer(id, at(millis), repeated ? millis : 0, callback, pending(name)));
        return id;
    }

    /** Forgets a timer, if there is one of this number. */
    void cancel(int id) {
        Timer timer = timers.remove(id);
        if (timer != null) {
            due.remove(timer);
        }
    }

    /** Hands the value of a host's future to one of two functions of the guest's. */
    void await(CompletionStage<?> future, Value resolve, Value reject) {
        int id = next();
        futures.put(id, pending("CompletableFuture"));
        var _ =
                future.whenComplete((value, failure) ->
                        arrived.add(() -> {
                            futures.remove(id);
                            settle(value, failure, resolve, reject);
                        }));
    }

    private static void settle(
            @Nullable Object value, @Nullable Throwable failure, Value resolve, Value reject) {
        if (failure == null) {
            resolve.executeVoid(HostToGuest.convert(value));
        } else {
            reject.executeVoid(HostToGuest.convert(causeOf(failure)));
        }
    }

    /** A future that depends on another wraps what that failed with. */
    private static Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /**
     * Does what comes due until something is so, or until nothing is left that could make it so.
     *
     * @param wait waits outside of the run's turn
     * @param check throws if the run must not go on
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    void runUntil(BooleanSupplier satisfied, Wait wait, Runnable check)
            throws InterruptedException {
        check.run();
        while (!satisfied.getAsBoolean() && !(isIdle() && arrived.isEmpty())) {
            Runnable next = takeDue();
            if (next == null) {
                next = wait.forNext(this::takeNext);
            }
            check.run();
            next.run();
        }
    }

    /** Has a waiting run look whether it must not go on; called by any thread. */
    void wake() {
        arrived.add(EventLoop::lookAgain);
    }

    /** Returns what is still under way. */
    List<Pending> pending() {
        List<Pending> pending = new ArrayList<>();
        due.stream()
                .sorted(Comparator.comparingInt(Timer::id))
                .forEach(timer -> pending.add(timer.pending()));
        pending.addAll(futures.values());
        return List.copyOf(pending);
    }

    private boolean isIdle() {
        return due.isEmpty() && futures.isEmpty();
    }

    /** Returns what can be done at once, or null: what has arrived goes before what is due. */
    private @Nullable Runnable takeDue() {
        Runnable first = arrived.poll();
        if (first != null) {
            return first;
        }
        Timer timer = due.peek();
        return timer != null && timer.at() - System.nanoTime() <= 0 ? () -> fire(timer) : null;
    }

    private Runnable takeNext() throws InterruptedException {
        Timer timer = due.peek();
        if (timer == null) {
            return arrived.take();
        }
        Runnable next = arrived.poll(timer.at() - System.nanoTime(), TimeUnit.NANOSECONDS);
        return next == null ? EventLoop::lookAgain : next;
    }

    /** What there is to do when something may have come due. */
    private static void lookAgain() {}

    private void fire(Timer timer) {
        cancel(timer.id());
        if (timer.period() > 0) {
            add(timer.again(at(timer.period())));
        }
        timer.callback().executeVoid();
    }

    private void add(Timer timer) {
        timers.put(timer.id(), timer);
        due.add(timer);
    }

    private int next() {
        if (due.size() + futures.size() >= MOST) {
            throw new CallbackException(
                    new IllegalStateException(
                            "the block has %d timers and futures under way, which is the most that a run may have"
                                    .formatted(MOST)));
        }
        return ++last;
    }

    private Pending pending(String what) {
        List<StoppedAt> calls = home.realm().guest().calls(1);
        return calls.isEmpty()
                ? new Pending(what, home.block().file(), 0)
                : new Pending(what, calls.getFirst().file(), calls.getFirst().line());
    }

    private static long at(int millis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Waits for what comes next in a way of its own. */
    interface Wait {
        Runnable forNext(Next next) throws InterruptedException;
    }

    /** Blocks until there is something to do. */
    interface Next {
        Runnable take() throws InterruptedException;
    }

    /**
     * A call that is to come.
     *
     * @param at when, as {@code System.nanoTime} counts
     * @param period the milliseconds between two calls, or 0 if there is one
     */
    private record Timer(int id, long at, int period, Value callback, Pending pending) {
        Timer again(long next) {
            return new Timer(id, next, period, callback, pending);
        }
    }
}
