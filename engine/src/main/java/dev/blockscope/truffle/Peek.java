package dev.blockscope.truffle;

import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.interop.TruffleObject;
import org.jspecify.annotations.Nullable;

/**
 * Reads one member of a guest object, if that runs no guest code. As a guest object it is executed
 * with the object and the member's name once.
 */
public final class Peek implements TruffleObject {
    static {
        ExecutableExport.register(Peek.class, Peek::look);
    }

    private @Nullable Object found;

    /** Creates one that has not looked yet. */
    public Peek() {}

    /** Returns the member's value, or null if there is none or guest code would tell it. */
    public @Nullable Object found() {
        return found;
    }

    private void look(Object[] arguments) throws InteropException {
        InteropLibrary any = InteropLibrary.getUncached();
        String member = any.asString(arguments[1]);
        if (any.hasMembers(arguments[0])
                && !any.hasMemberReadSideEffects(arguments[0], member)
                && any.isMemberReadable(arguments[0], member)) {
            found = any.readMember(arguments[0], member);
        }
    }
}
