package dev.blockscope.truffle;

import com.oracle.truffle.api.interop.TruffleObject;
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
        ExecutableExport.register(NamespaceText.class, NamespaceText::make);
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

    private void make(Object[] functions) {
        NamespaceRoot run = new NamespaceRoot(functions[0], functions[1]);
        text =
                new ParsedText(
                        run.getCallTarget(),
                        List.of(),
                        List.of(),
                        WriteFollower.Watch.NOTHING,
                        false,
                        false,
                        null);
    }
}
