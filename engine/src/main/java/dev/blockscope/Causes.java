package dev.blockscope;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is behind an error. A guest that wraps what it caught in {@code new Error(text,
 * {cause})}, or gathers errors in an {@code AggregateError}, hides them from the polyglot
 * exception; the way is the error's own members.
 */
final class Causes {
    /**
     * Where a chain of causes is cut, and a list of errors: either may have been made to be long.
     */
    private static final int DEEPEST = 50;

    private static final int MOST = 100;

    private final Realm realm;
    private final Set<Value> told = new HashSet<>();

    private Causes(Realm realm) {
        this.realm = realm;
    }

    /**
     * What is behind an error.
     *
     * @param cause the host's own exception, or a guest error's cause as data, or null
     * @param besides the errors that failed as well
     */
    record Behind(@Nullable Throwable cause, List<Throwable> besides) {
        static final Behind NOTHING = new Behind(null, List.of());
    }

    /** Returns what is behind an error of a realm. */
    static Behind of(PolyglotException e, Realm realm) {
        if (e.isHostException()) {
            return new Behind(CallbackException.unwrap(e.asHostException()), List.of());
        }
        Value error = e.isGuestException() ? e.getGuestObject() : null;
        return error == null || !error.hasMembers()
                ? Behind.NOTHING
                : new Causes(realm).behind(error, DEEPEST);
    }

    private Behind behind(Value error, int deepest) {
        if (deepest == 0 || !told.add(error) || realm.dialect().runsCodeIfRead(error)) {
            return Behind.NOTHING;
        }
        Value cause = realm.peek(error, realm.dialect().causeMember());
        Value errors = realm.peek(error, realm.dialect().errorsMember());
        List<Throwable> besides = new ArrayList<>();
        if (errors != null && errors.hasArrayElements()) {
            for (int i = 0; i < Math.min(errors.getArraySize(), MOST); i++) {
                Value one = realm.peek(errors, Integer.toString(i));
                Throwable failure = one == null ? null : asThrowable(one, deepest - 1);
                if (failure != null) {
                    besides.add(failure);
                }
            }
        }
        return new Behind(cause == null ? null : asThrowable(cause, deepest - 1), besides);
    }

    /** Returns an error as an exception of the host's, or null if it is told already. */
    private @Nullable Throwable asThrowable(Value error, int deepest) {
        if (error.isNull() || told.contains(error)) {
            return null;
        }
        if (error.isHostObject() && error.asHostObject() instanceof Throwable host) {
            return CallbackException.unwrap(host);
        }
        if (!error.isException()) {
            Traceback value = Traceback.empty(Thrown.shown(error, realm));
            return new BlockException(
                    realm.dialect().id(),
                    BlockException.Kind.RUNTIME,
                    value,
                    List.of(),
                    Behind.NOTHING);
        }
        try {
            throw error.throwException();
        } catch (PolyglotException raised) {
            return raised.isHostException()
                    ? CallbackException.unwrap(raised.asHostException())
                    : new BlockException(
                            realm.dialect().id(),
                            BlockException.Kind.RUNTIME,
                            Tracebacks.of(raised, realm, null),
                            List.of(),
                            behind(error, deepest));
        }
    }
}
