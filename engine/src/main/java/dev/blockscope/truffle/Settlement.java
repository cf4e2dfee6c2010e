package dev.blockscope.truffle;

import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.interop.TruffleObject;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a promise. As a guest object it is a function {@code (rejected, value)} that the
 * promise's reactions call.
 */
public final class Settlement implements TruffleObject {
    static {
        ExecutableExport.register(Settlement.class, Settlement::settle);
    }

    private boolean settled;
    private boolean rejected;
    private @Nullable Object value;

    /** Creates that of a promise that is pending. */
    public Settlement() {}

    /** Whether the promise is no longer pending. */
    public boolean isSettled() {
        return settled;
    }

    /** Whether it was rejected. */
    public boolean isRejected() {
        return rejected;
    }

    /** Returns its value, or the reason of its rejection: a raw guest value. */
    public @Nullable Object value() {
        return value;
    }

    private void settle(Object[] arguments) throws InteropException {
        rejected = InteropLibrary.getUncached().asBoolean(arguments[0]);
        value = arguments[1];
        settled = true;
    }
}
