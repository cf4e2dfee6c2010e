package dev.blockscope.interleave;

import dev.blockscope.Block;
import dev.blockscope.BlockResult;
import dev.blockscope.Lending;
import dev.blockscope.SharedLocals;
import dev.blockscope.SharedUse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Several traces that push together: what blocks of one frame bind in one trace, those of the next
 * see, and the frames see it all when the session has ended well, and nothing if it has not.
 *
 * <pre>{@code
 * Session.run(() -> {
 *     model.trace(first, reader);
 *     return model.trace(second, writer).result();
 * });
 * }</pre>
 *
 * <p>Every trace that runs meanwhile on the thread, or is started by a block of such a trace, is
 * part of it. A session within a session is part of the outer one.
 *
 * @since 0.1
 */
public final class Session {
    private static final ScopedValue<Session> CURRENT = ScopedValue.newInstance();

    private final List<BlockResult> results = new ArrayList<>();
    private final Map<SharedLocals, SharedLocals> kept = new LinkedHashMap<>();
    private final Set<Block> blocks = new LinkedHashSet<>();

    private Session() {}

    /**
     * What is done in a session.
     *
     * @param <T> what it returns; may be null
     * @param <X> the checked exception it may throw
     * @since 0.1
     */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object, X extends Exception> {
        /** Does it. */
        T run() throws X;
    }

    /**
     * Runs traces in a session, and pushes what their blocks assigned when all is done.
     *
     * @return what {@code work} returned
     * @throws X if {@code work} throws it; then nothing is pushed of any trace
     * @throws dev.blockscope.PushException if a frame refuses a name
     */
    public static <T extends @Nullable Object, X extends Exception> T run(Work<T, X> work)
            throws X {
        if (CURRENT.isBound()) {
            return CURRENT.get().part(work);
        }
        Session session = new Session();
        try {
            return Lending.during(() -> {
                T result = ScopedValue.where(CURRENT, session).call(work::run);
                session.push();
                return result;
            });
        } finally {
            SharedUse.release(session.blocks);
        }
    }

    /** Returns the session that this thread runs traces in, or null. */
    static @Nullable Session current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    /** Runs a task as a part of a session, whatever thread this is. */
    static void join(@Nullable Session session, Runnable task) {
        if (session == null) {
            task.run();
        } else {
            ScopedValue.where(CURRENT, session).run(task);
        }
    }

    /** Brings a trace that begins what the earlier ones have left. */
    synchronized void begin(SharedUse use) {
        use.bring(kept);
    }

    /** Takes what a trace that ended well has left. */
    synchronized void end(SharedUse use, List<Block> ofTrace, List<BlockResult> itsResults) {
        kept.putAll(use.leave());
        blocks.addAll(ofTrace);
        results.addAll(itsResults);
    }

    private synchronized void push() {
        results.forEach(BlockResult::push);
    }

    /** What a part that fails has left is not pushed, even if the rest goes on. */
    private <T extends @Nullable Object, X extends Exception> T part(Work<T, X> work) throws X {
        int before = results.size();
        boolean done = false;
        try {
            T result = work.run();
            done = true;
            return result;
        } finally {
            if (!done) {
                results.subList(before, results.size()).clear();
            }
        }
    }
}
