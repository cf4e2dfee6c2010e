package dev.blockscope.truffle;

import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.interop.TruffleObject;
import com.oracle.truffle.api.library.LibraryExport;

/**
 * Lets the guest execute objects of one class, now and then: what is executed in compiled code has
 * an export of its own.
 */
final class ExecutableExport<T extends TruffleObject> extends LibraryExport<InteropLibrary> {
    private final Class<T> type;
    private final Body<T> body;

    private ExecutableExport(Class<T> type, Body<T> body) {
        super(InteropLibrary.class, type, false, false, 0);
        this.type = type;
        this.body = body;
    }

    /** Has {@code body} run when the guest executes an object of a class. It answers nothing. */
    static <T extends TruffleObject> void register(Class<T> type, Body<T> body) {
        LibraryExport.register(type, new ExecutableExport<>(type, body));
    }

    @Override
    protected InteropLibrary createUncached(Object receiver) {
        return new Executable<>(type, body);
    }

    @Override
    protected InteropLibrary createCached(Object receiver) {
        return new Executable<>(type, body);
    }

    /** What an execution does. */
    interface Body<T> {
        void execute(T receiver, Object[] arguments) throws InteropException;
    }

    private static final class Executable<T extends TruffleObject> extends InteropLibrary {
        private final Class<T> type;
        private final Body<T> body;

        Executable(Class<T> type, Body<T> body) {
            this.type = type;
            this.body = body;
        }

        @Override
        public boolean accepts(Object receiver) {
            return type.isInstance(receiver);
        }

        @Override
        public boolean isExecutable(Object receiver) {
            return true;
        }

        @Override
        public Object execute(Object receiver, Object... arguments) {
            try {
                body.execute(type.cast(receiver), arguments);
                return true;
            } catch (InteropException e) {
                throw new AssertionError("the guest refused what it does on its own objects", e);
            }
        }

        @Override
        public boolean isAdoptable() {
            return false;
        }
    }
}
