package dev.blockscope;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has a thread of the engine do guest work while the caller waits, so that the caller is free when
 * the time is up, whatever the work is in: a host function that waits for ever, or a builtin that
 * no request reaches.
 *
 * <p>The caller's thread is the watchdog. When a limit is reached it asks the guest to stop,
 * interrupts the host code that the work may be in, and gives the work a moment to come home. Work
 * that does not is left behind, and its realm with it, until it comes home after all.
 */
final class Guard<T extends @Nullable Object> implements Runnable {
    private static final long MILLI = 1_000_000;

    /** Most work is over before a thread could be sent to sleep and woken. */
    private static final long LOOK_NANOS = 30_000;

    private static final boolean SEVERAL_CORES = Runtime.getRuntime().availableProcessors() > 1;

    /** How often the memory that was taken is looked at. */
    private static final long BETWEEN_LOOKS = 5 * MILLI;

    /** How long the caller waits for work that was stopped; in host code it may be anywhere. */
    private static final long GRACE_IN_HOST = 50 * MILLI;

    private static final long GRACE_IN_GUEST = 500 * MILLI;

    private final Allowance allowance;
    private final BlockSource block;
    private final Overdue overdue;
    private final Supplier<T> work;
    private final Thread caller = Thread.currentThread();

    private @Nullable Thread worker;
    private long allocatedBefore;
    private boolean interruptedByUs;
    private boolean stillInterrupted;
    private boolean leftBehind;
    private @Nullable Outcome<T> outcome;
    private volatile boolean done;

    private Guard(Allowance allowance, BlockSource block, Overdue overdue, Supplier<T> work) {
        this.allowance = allowance;
        this.block = block;
        this.overdue = overdue;
        this.work = work;
    }

    /**
     * Does work that obeys an allowance, and waits for it.
     *
     * @param block the text that is named if the work does not come home
     * @throws BlockException if a limit was reached, and what else the work throws
     */
    static <T extends @Nullable Object> T over(
            BlockEngine engine, Allowance allowance, BlockSource block, Supplier<T> work) {
        Guard<T> guard = new Guard<>(allowance, block, engine.overdue(), work);
        engine.start(guard);
        // A block that this thread is in must not keep the turn from the work.
        return Turn.release(guard::await);
    }

    @Override
    public void run() {
        synchronized (this) {
            worker = Thread.currentThread();
            allocatedBefore = Allocation.of(worker);
        }
        Outcome<T> result;
        try {
            result = new Outcome<>(work.get(), null);
        } catch (Throwable e) {
            // Kept for the caller's thread, which raises it.
            result = new Outcome<>(null, e);
        }
        synchronized (this) {
            worker = null;
            // An interrupt that was meant for this work must not reach the next one on the thread.
            stillInterrupted = Thread.interrupted();
            outcome = result;
            done = true;
            if (leftBehind) {
                overdue.ended();
            }
        }
        LockSupport.unpark(caller);
    }

    private T await() {
        if (SEVERAL_CORES) {
            look();
        }
        boolean interrupted = false;
        while (!done && allowance.reached() == null) {
            long left = allowance.nanosLeft();
            if (left <= 0) {
                allowance.reach(Limit.TIME);
            } else if (allocated() > allowance.limits().allocatedBytes()) {
                allowance.reach(Limit.ALLOCATION);
            } else {
                sleep(allowance.limits().hasAllocation() ? Math.min(left, BETWEEN_LOOKS) : left);
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

    private void sleep(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    private synchronized long allocated() {
        return worker == null || !allowance.limits().hasAllocation()
                ? 0
                : Allocation.of(worker) - allocatedBefore;
    }

    /** An interrupt of the caller is one of the host code that runs on its behalf. */
    private boolean passOnInterrupt() {
        if (!Thread.interrupted()) {
            return false;
        }
        interruptWorker(false);
        return true;
    }

    private synchronized void interruptWorker(boolean byUs) {
        interruptedByUs |= byUs;
        if (worker != null) {
            worker.interrupt();
        }
    }

    /** Waits a moment for work that is about to end. Returns whether it has ended. */
    private boolean comesHome() {
        interruptWorker(true);
        long stopped = System.nanoTime();
        boolean interrupted = false;
        while (!done) {
            long waited = System.nanoTime() - stopped;
            if (waited > GRACE_IN_GUEST || (waited > GRACE_IN_HOST && isInHostCode())) {
                break;
            }
            sleep(2 * MILLI);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return done;
    }

    /** Whether the work is in a function of the host's, as far as its stack tells. */
    private boolean isInHostCode() {
        Thread thread;
        synchronized (this) {
            thread = worker;
        }
        if (thread == null) {
            return false;
        }
        for (StackTraceElement element : thread.getStackTrace()) {
            String type = element.getClassName();
            if (!type.startsWith("java.") && !type.startsWith("jdk.")) {
                return !type.startsWith("com.oracle.truffle.")
                        && !type.startsWith("org.graalvm.")
                        && !type.startsWith("dev.blockscope.");
            }
        }
        return false;
    }

    /**
     * Gives up the work. What it was doing goes on until it comes to guest code, and ends there.
     */
    private synchronized void leave() {
        ReachedLimit reached = allowance.reached();
        if (done || reached == null) {
            return;
        }
        leftBehind = true;
        overdue.begins();
        allowance.leaveBehind();
        throw BlockException.ofLimit(reached, allowance.places(), block, List.of());
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
