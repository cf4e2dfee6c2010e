package dev.blockscope;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has a thread of the engine do guest work while the caller waits, so that the caller is free when
 * the time is up, whatever the work is in: a host function that waits for ever, or a builtin that
 * no request reaches.
 *
 * <p>The caller's thread is the watchdog. When a limit is reached, somebody stops the work, or the
 * engine closes, it asks the guest to stop, interrupts the host code that the work may be in, and
 * gives the work a moment to come home. Work that does not is left behind, and its realm with it,
 * until it comes home after all.
 */
final class Guard<T extends @Nullable Object> implements Runnable {
    private static final long MILLI = 1_000_000;

    /** Most work is over before a thread could be sent to sleep and woken. */
    private static final long LOOK_NANOS = 30_000;

    private static final boolean SEVERAL_CORES = Runtime.getRuntime().availableProcessors() > 1;

    /** How often the memory that was taken is looked at. */
    private static final long BETWEEN_LOOKS = 5 * MILLI;

    /** How often it is looked whether the engine was closed. */
    private static final long BETWEEN_CLOSES = 50 * MILLI;

    private final BlockEngine engine;
    private final Allowance allowance;
    private final Attended attended;
    private final Supplier<T> work;
    private final Thread caller = Thread.currentThread();

    private long allocatedBefore;
    private boolean interruptedByUs;
    private boolean stillInterrupted;
    private @Nullable Outcome<T> outcome;
    private volatile boolean done;

    private Guard(BlockEngine engine, Allowance allowance, Supplier<T> work) {
        this.engine = engine;
        this.allowance = allowance;
        this.attended = new Attended(allowance, engine.overdue());
        this.work = work;
    }

    /**
     * Does work that obeys an allowance, and waits for it.
     *
     * @throws BlockException if a limit was reached or the work was stopped, and what else the work
     *     throws
     */
    static <T extends @Nullable Object> T over(
            BlockEngine engine, Allowance allowance, Supplier<T> work) {
        Guard<T> guard = new Guard<>(engine, allowance, work);
        Runnable wake = () -> LockSupport.unpark(guard.caller);
        allowance.onStop(wake);
        try {
            engine.start(guard);
            // A block that this thread is in must not keep the turn from the work.
            return Turn.release(guard::await);
        } finally {
            allowance.notOnStop(wake);
        }
    }

    @Override
    public void run() {
        synchronized (this) {
            attended.begins();
            allocatedBefore = Allocation.of(Thread.currentThread());
        }
        Outcome<T> result;
        try {
            result = new Outcome<>(work.get(), null);
        } catch (Throwable e) {
            // Kept for the caller's thread, which raises it.
            result = new Outcome<>(null, e);
        }
        synchronized (this) {
            stillInterrupted = attended.ends();
            outcome = result;
            done = true;
        }
        LockSupport.unpark(caller);
    }

    private T await() {
        if (SEVERAL_CORES) {
            look();
        }
        boolean interrupted = false;
        while (!done && !allowance.isToEnd() && !engine.isClosed()) {
            long left = allowance.nanosLeft();
            if (left <= 0) {
                allowance.reach(Limit.TIME);
            } else if (allocated() > allowance.limits().allocatedBytes()) {
                allowance.reach(Limit.ALLOCATION);
            } else {
                sleep(Math.min(left, betweenLooks()));
            }
            interrupted |= passOnInterrupt();
        }
        boolean home = done || comesHome();
        if (interrupted && (!home || (stillInterrupted && !interruptedByUs))) {
            Thread.currentThread().interrupt();
        }
        if (!home) {
            leave();
        }
        return outcome().get();
    }

    private void look() {
        long until = System.nanoTime() + LOOK_NANOS;
        while (!done && System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }

    private long betweenLooks() {
        return allowance.limits().hasAllocation() ? BETWEEN_LOOKS : BETWEEN_CLOSES;
    }

    private void sleep(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    private synchronized long allocated() {
        Thread worker = attended.thread();
        return worker == null || !allowance.limits().hasAllocation()
                ? 0
                : Allocation.of(worker) - allocatedBefore;
    }

    /** An interrupt of the caller is one of the host code that runs on its behalf. */
    private boolean passOnInterrupt() {
        if (!Thread.interrupted()) {
            return false;
        }
        attended.interrupt();
        return true;
    }

    /** Waits a moment for work that is about to end. Returns whether it has ended. */
    private boolean comesHome() {
        interruptedByUs = true;
        long stopped = System.nanoTime();
        boolean interrupted = false;
        while (!done && !attended.hadItsTime(System.nanoTime() - stopped)) {
            attended.tell(System.nanoTime() - stopped);
            sleep(2 * MILLI);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return done;
    }

    private synchronized void leave() {
        if (attended.leave()) {
            throw allowance.failure();
        }
    }

    private synchronized Outcome<T> outcome() {
        if (outcome == null) {
            throw new AssertionError("work that is done has no outcome");
        }
        return outcome;
    }

    /** What the work came to. */
    private record Outcome<T extends @Nullable Object>(
            @Nullable T value, @Nullable Throwable failure) {
        @SuppressWarnings("NullAway") // the value is what the work gave, null or not
        T get() {
            return switch (failure) {
                case null -> value;
                case RuntimeException unchecked -> throw unchecked;
                case Error error -> throw error;
                default -> throw new AssertionError("guest work throws unchecked only", failure);
            };
        }
    }
}
