package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.interop.TruffleObject;
import org.jspecify.annotations.Nullable;

/**
 * The promises of one context. A promise must be followed before the guest is left: a rejection
 * that nobody has asked about by then is an error of its own, which tells no place.
 *
 * <p>As a guest object it is a function {@code (follow, promise)}, which is told once how a promise
 * is followed, {@code follow(promise, settlement)}, and is shown one, whose class is that of all.
 */
public final class Promises implements TruffleObject {
    static {
        ExecutableExport.register(Promises.class, Promises::learn);
    }

    private @Nullable Object follow;
    private @Nullable Class<?> type;

    /** Creates those of a context whose language has not told of any. */
    public Promises() {}

    private void learn(Object[] arguments) {
        follow = arguments[0];
        type = arguments[1].getClass();
    }

    /** Whether a raw guest value is a promise. */
    public boolean isPromise(@Nullable Object value) {
        return value != null && value.getClass() == type;
    }

    /** Begins to follow a promise; the context must be entered. */
    @TruffleBoundary
    Settlement follow(Object promise) {
        Settlement settlement = new Settlement();
        try {
            InteropLibrary.getUncached().execute(follow, promise, settlement);
        } catch (InteropException e) {
            throw new AssertionError("a promise could not be followed", e);
        }
        return settlement;
    }
}
