package dev.blockscope.script;

import java.io.Serial;

/** Says that a text has something that only the language itself can tell the meaning of. */
final class NotPlainException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    /** Thrown at every other text, and never shown. */
    NotPlainException() {
        super(null, null, false, false);
    }

    static void unless(boolean plain) throws NotPlainException {
        if (!plain) {
            throw new NotPlainException();
        }
    }
}
