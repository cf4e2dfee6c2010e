package dev.blockscope;

import static com.google.common.base.Preconditions.checkState;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long what a computation lends to blocks is theirs: until the trace is over and pushed. Blocks
 * hand values on to those of a trace around it, or of the same session; so it lasts as long as the
 * outermost of these.
 *
 * <pre>{@code
 * interleaver.run(blocks, visits -> {
 *     Buffer buffer = pool.take();
 *     Lending.atEnd(buffer::invalidate);
 *     Lending.onceUnused(() -> pool.giveBack(buffer));
 *     return fill(buffer, visits);
 * });
 * }</pre>
 *
 * @since 0.1
 */
public final class Lending {
    private static final ScopedValue<Lending> CURRENT = ScopedValue.newInstance();

    private final List<Runnable> ends = new ArrayList<>();
    private final List<Runnable> onceUnused = new ArrayList<>();

    /** Whether a trace has failed, of which a block may still run. */
    private boolean failed;

    /**
     * Something that runs traces.
     *
     * @param <T> what it returns
     * @param <X> what it may throw
     */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object, X extends Exception> {
        /** Runs them. */
        T run() throws X;
    }

    private Lending() {}

    /**
     * Runs traces. What their computations lend is taken back when all is done, however it ends.
     *
     * @return what {@code work} returned
     * @throws X if {@code work} throws it
     */
    public static <T extends @Nullable Object, X extends Exception> T during(Work<T, X> work)
            throws X {
        if (CURRENT.isBound()) {
            return CURRENT.get().part(work);
        }
        Lending lending = new Lending();
        try {
            return ScopedValue.where(CURRENT, lending).call(() -> lending.part(work));
        } finally {
            lending.end();
        }
    }

    private <T extends @Nullable Object, X extends Exception> T part(Work<T, X> work) throws X {
        boolean well = false;
        try {
            T result = work.run();
            well = true;
            return result;
        } finally {
            if (!well) {
                fail();
            }
        }
    }

    /**
     * Has a task run when the blocks of the trace that this thread runs may use no longer what the
     * computation lends them.
     *
     * @param task takes it back; must not throw
     * @throws IllegalStateException if this thread runs no trace
     */
    public static void atEnd(Runnable task) {
        checkState(CURRENT.isBound(), "a computation lends values only while a trace runs it");
        CURRENT.get().add(task);
    }

    /**
     * Has a task run after those of {@link #atEnd}, when no block can be in the middle of using
     * what was lent: not at all if a trace fails, because one of its blocks may have been left
     * behind in host code.
     *
     * @param task gives to others what was lent; must not throw
     * @throws IllegalStateException if this thread runs no trace
     */
    public static void onceUnused(Runnable task) {
        checkState(CURRENT.isBound(), "a computation lends values only while a trace runs it");
        CURRENT.get().addOnceUnused(task);
    }

    /** Returns the one that this thread is in, or null; another thread can {@link #join} it. */
    public static @Nullable Lending current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    /**
     * Runs a task of a trace on a thread of its own, as a part of what another thread is in.
     *
     * @param lending the one that the other thread is in; null if it is in none
     */
    public static void join(@Nullable Lending lending, Runnable task) {
        if (lending == null) {
            task.run();
        } else {
            ScopedValue.where(CURRENT, lending).run(task);
        }
    }

    private synchronized void add(Runnable task) {
        ends.add(task);
    }

    private synchronized void addOnceUnused(Runnable task) {
        onceUnused.add(task);
    }

    private synchronized void fail() {
        failed = true;
    }

    private synchronized void end() {
        ends.forEach(Runnable::run);
        if (!failed) {
            onceUnused.forEach(Runnable::run);
        }
    }
}
