package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The right to run in a frame: one block of a frame runs at a time, on whatever thread.
 *
 * <p>Host code that a block calls and that must wait for something can give the turn away
 * meanwhile, so that the block's siblings run:
 *
 * <pre>{@code
 * Supplier<String> fetch = () -> Turn.release(() -> client.get(url));
 * }</pre>
 *
 * @since 0.1
 */
public final class Turn {
    private Turn() {}

    /**
     * Lets siblings of the running block run while {@code action} does. What the block has bound so
     * far is shared first. The turn is taken again before this returns. Called where no block runs,
     * it just runs the action.
     *
     * @param action host code that uses no guest value
     * @return what the action returns
     */
    public static <T extends @Nullable Object> T release(Supplier<T> action) {
        requireNonNull(action, "action");
        Run run = Run.current();
        if (run == null) {
            return action.get();
        }
        run.share();
        Realm realm = run.home().realm();
        T result = realm.guest().outside(() -> withoutTurn(realm.turn(), action));
        run.comeBack();
        return result;
    }

    /** Does something while other threads may have a turn that this one has. */
    static <T extends @Nullable Object> T withoutTurn(ReentrantLock turn, Supplier<T> action) {
        int holds = turn.getHoldCount();
        for (int i = 0; i < holds; i++) {
            turn.unlock();
        }
        try {
            return action.get();
        } finally {
            // Taken before the context is entered again: entering while another thread is inside
            // would poison the context.
            for (int i = 0; i < holds; i++) {
                turn.lock();
            }
        }
    }
}
