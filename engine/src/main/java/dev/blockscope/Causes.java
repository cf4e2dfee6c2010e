package dev.blockscope;

import java.util.List;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * Finds the host exception behind a guest error. A guest that wraps what it caught in {@code new
 * Error(text, {cause})} hides it from the polyglot exception; the way is the error's own member.
 */
final class Causes {
    /** Where a chain of causes is cut: it may be a ring. */
    private static final int DEEPEST = 20;

    private Causes() {}

    /** Returns the host's own exception, or a guest error's cause as data, or null. */
    static @Nullable Throwable of(PolyglotException e, Dialect dialect) {
        if (e.isHostException()) {
            return CallbackException.unwrap(e.asHostException());
        }
        return e.isGuestException() ? of(e.getGuestObject(), dialect, DEEPEST) : null;
    }

    private static @Nullable Throwable of(@Nullable Value error, Dialect dialect, int deepest) {
        if (error == null || deepest == 0) {
            return null;
        }
        Value cause = causeOf(error, dialect.causeMember());
        if (cause == null || cause.isNull()) {
            return null;
        }
        if (cause.isHostObject() && cause.asHostObject() instanceof Throwable host) {
            return CallbackException.unwrap(host);
        }
        if (!cause.isException()) {
            return null;
        }
        try {
            throw cause.throwException();
        } catch (PolyglotException raised) {
            return raised.isHostException()
                    ? CallbackException.unwrap(raised.asHostException())
                    : new BlockException(
                            dialect.id(),
                            BlockException.Kind.RUNTIME,
                            Tracebacks.of(raised, dialect, null),
                            List.of(),
                            of(cause, dialect, deepest - 1));
        }
    }

    private static @Nullable Value causeOf(Value error, String member) {
        try {
            return error.hasMembers() && error.hasMember(member) ? error.getMember(member) : null;
        } catch (PolyglotException e) {
            // A getter of the guest that throws must not replace the error it belongs to.
            return null;
        }
    }
}
