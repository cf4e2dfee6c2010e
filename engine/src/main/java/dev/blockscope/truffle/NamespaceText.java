package dev.blockscope.truffle;

import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.interop.TruffleObject;
import com.oracle.truffle.api.library.LibraryExport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a parsed text of two guest functions, for a language that keeps the variables of a text's
 * top level in an object and not in a frame. As a guest object it is executed with them once.
 *
 * <p>The first function opens a run: it takes the arguments and answers an object whose members are
 * the variables that the run assigned so far. The second takes that object and runs the text.
 */
public final class NamespaceText implements TruffleObject {
    static {
        LibraryExport.register(NamespaceText.class, new Exports());
    }

    private @Nullable ParsedText text;

    /** Creates an object that has no text yet. */
    public NamespaceText() {}

    /**
     * Returns the text.
     *
     * @throws IllegalStateException if the two functions were not given yet
     */
    public ParsedText text() {
        ParsedText made = text;
        if (made == null) {
            throw new IllegalStateException("execute this object with the text's two functions");
        }
        return made;
    }

    private static final class Exports extends LibraryExport<InteropLibrary> {
        Exports() {
            super(InteropLibrary.class, NamespaceText.class, false, false, 0);
        }

        @Override
        protected InteropLibrary createUncached(Object receiver) {
            return new Executable();
        }

        @Override
        protected InteropLibrary createCached(Object receiver) {
            return new Executable();
        }
    }

    private static final class Executable extends InteropLibrary {
        @Override
        public boolean accepts(Object receiver) {
            return receiver instanceof NamespaceText;
        }

        @Override
        public boolean isExecutable(Object receiver) {
            return true;
        }

        @Override
        public Object execute(Object receiver, Object... arguments) {
            NamespaceText made = (NamespaceText) receiver;
            NamespaceRoot run = new NamespaceRoot(arguments[0], arguments[1]);
            made.text =
                    new ParsedText(
                            run.getCallTarget(), List.of(), List.of(), WriteFollower.Watch.NOTHING);
            return true;
        }

        @Override
        public boolean isAdoptable() {
            return false;
        }
    }
}
