package dev.blockscope.jsr223;

import dev.blockscope.BlockException;
import dev.blockscope.BlockSource;
import dev.blockscope.PushException;
import dev.blockscope.Traceback;
import javax.script.ScriptException;

/** What a script's failure is to who uses {@code javax.script}. */
final class Failures {
    /** What {@code javax.script} has for a line or a column that is not known. */
    private static final int UNKNOWN = -1;

    private Failures() {}

    /** Returns the failure of a script, with the innermost place in a script. */
    static ScriptException of(BlockException e) {
        Traceback.Entry place = e.traceback().innermost();
        ScriptException failure =
                place == null
                        ? new ScriptException(e.getMessage())
                        : new ScriptException(
                                e.getMessage(),
                                place.file(),
                                known(place.line()),
                                known(place.column()));
        failure.initCause(e);
        return failure;
    }

    /** Returns the failure of bindings that refuse what a script has bound. */
    static ScriptException of(PushException e, BlockSource source) {
        ScriptException failure = new ScriptException(e.getMessage(), source.file(), UNKNOWN);
        failure.initCause(e);
        return failure;
    }

    private static int known(int position) {
        return position > 0 ? position : UNKNOWN;
    }
}
