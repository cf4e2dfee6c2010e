package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.exception.AbstractTruffleException;
import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.strings.TruffleString;
import org.jspecify.annotations.Nullable;

/**
 * One variable of a run at the moment it was taken.
 *
 * @param name its name
 * @param value its value: a Java string, boolean, number or a raw guest object; a text that is
 *     longer than the run may hand over stays a guest's
 * @param state what became of it
 */
public record Variable(String name, Object value, State state) {
    /** What became of a variable in a run. */
    public enum State {
        /** It holds what was given to it. */
        GIVEN,
        /** It has no value yet. */
        UNDEFINED,
        /** The run gave it its value. */
        ASSIGNED
    }

    @SuppressWarnings("ReferenceEquality") // identity is what tells an untouched value
    static Variable of(
            String name, Object value, boolean parameter, @Nullable Object given, long longest) {
        if (parameter && given == Unset.UNSET) {
            return new Variable(
                    name,
                    plain(value, longest),
                    value == Unset.UNSET ? State.UNDEFINED : State.ASSIGNED);
        }
        // Without a boundary where it is cheap: most values are numbers that were not touched.
        if (parameter && value == given) {
            return new Variable(name, plain(value), State.GIVEN);
        }
        if (value instanceof Integer number) {
            boolean same =
                    parameter
                            && given instanceof Integer before
                            && before.intValue() == number.intValue();
            return new Variable(name, value, same ? State.GIVEN : State.ASSIGNED);
        }
        return slow(name, value, parameter, given, longest);
    }

    /** Returns a guest string as a Java string, and anything else as it is. */
    static Object plain(Object value) {
        return value instanceof TruffleString text ? javaString(text) : value;
    }

    /** The same, except of a text that is longer than so many UTF-16 units. */
    static Object plain(Object value, long longest) {
        return value instanceof TruffleString text && !TextLength.exceeds(text, longest)
                ? javaString(text)
                : value;
    }

    @TruffleBoundary
    private static Variable slow(
            String name, Object raw, boolean parameter, @Nullable Object given, long longest) {
        // A long text that was given may be what the variable holds now.
        boolean wasText = parameter && given instanceof String text && text.length() > longest;
        Object value = wasText ? plain(raw) : plain(raw, longest);
        if (parameter) {
            boolean same = given != null && isSame(plain(given), value);
            return new Variable(name, value, same ? State.GIVEN : State.ASSIGNED);
        }
        return new Variable(name, value, isUndefined(value) ? State.UNDEFINED : State.ASSIGNED);
    }

    @TruffleBoundary
    private static String javaString(TruffleString text) {
        return text.toJavaStringUncached();
    }

    /** Whether a value stands for no value: the language's own or ours. */
    static boolean isUnset(Object value) {
        return value == Unset.UNSET || isUndefined(value);
    }

    /** Whether a value is the language's "no value yet", as opposed to its null. */
    private static boolean isUndefined(Object value) {
        InteropLibrary interop = InteropLibrary.getUncached();
        return interop.isNull(value)
                && "undefined".equals(String.valueOf(interop.toDisplayString(value)));
    }

    private static boolean isSame(Object given, Object now) {
        InteropLibrary interop = InteropLibrary.getUncached();
        if (given instanceof Number before && now instanceof Number after) {
            return before.longValue() == after.longValue()
                    && Double.compare(before.doubleValue(), after.doubleValue()) == 0;
        }
        if (given instanceof Character letter) {
            return letter.toString().equals(now);
        }
        if (given.equals(now) || (interop.isNull(given) && interop.isNull(now))) {
            return true;
        }
        return interop.hasIdentity(given)
                && interop.hasIdentity(now)
                && interop.isIdentical(given, now, interop);
    }

    /** Returns the value of a variable of a scope object, or null if it is in its dead zone. */
    static @Nullable Object read(Object scope, String name) {
        try {
            return InteropLibrary.getUncached().readMember(scope, name);
        } catch (InteropException e) {
            return null;
        } catch (AbstractTruffleException e) {
            // A name in its dead zone is listed by some scopes, and reading it is the guest's
            // error.
            return null;
        }
    }
}
