package dev.blockscope;

import java.util.HashSet;
import java.util.Set;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * Finds the host exception behind a guest error. A guest that wraps what it caught in {@code new
 * Error(text, {cause})} hides it from the polyglot exception; the way is the error's own member.
 */
final class Causes {
    private Causes() {}

    /** Returns the host's own exception, or a guest error's cause as data, or null. */
    static @Nullable Throwable of(PolyglotException e) {
        if (e.isHostException()) {
            return e.asHostException();
        }
        return e.isGuestException() ? of(e.getGuestObject(), new HashSet<>()) : null;
    }

    private static @Nullable Throwable of(@Nullable Value error, Set<Value> seen) {
        if (error == null || !seen.add(error)) {
            return null;
        }
        Value cause = causeOf(error);
        if (cause == null || cause.isNull()) {
            return null;
        }
        if (cause.isHostObject() && cause.asHostObject() instanceof Throwable host) {
            return host;
        }
        if (!cause.isException()) {
            return null;
        }
        try {
            throw cause.throwException();
        } catch (PolyglotException raised) {
            return raised.isHostException()
                    ? raised.asHostException()
                    : new BlockException(
                            BlockException.Kind.RUNTIME,
                            Tracebacks.of(raised, null),
                            java.util.List.of(),
                            of(cause, seen));
        }
    }

    private static @Nullable Value causeOf(Value error) {
        try {
            return error.hasMembers() && error.hasMember("cause") ? error.getMember("cause") : null;
        } catch (PolyglotException e) {
            // A getter of the guest that throws must not replace the error it belongs to.
            return null;
        }
    }
}
