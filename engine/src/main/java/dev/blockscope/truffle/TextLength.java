package dev.blockscope.truffle;

import static com.oracle.truffle.api.strings.TruffleString.Encoding.UTF_16;

import com.oracle.truffle.api.interop.TruffleObject;
import com.oracle.truffle.api.strings.TruffleString;

/**
 * Tells how long a guest text is. A text that was put together of parts stays as it is for that,
 * while to make a string of it takes as much time and room as it is long.
 *
 * <p>As a guest object it is executed with the text.
 */
public final class TextLength implements TruffleObject {
    static {
        ExecutableExport.register(TextLength.class, TextLength::look);
    }

    private static final int UNKNOWN = -1;

    private long units = UNKNOWN;

    /** Creates one that has seen no text yet. */
    public TextLength() {}

    /** Returns the length in UTF-16 units, or -1 if it can only be told by making a string. */
    public long units() {
        return units;
    }

    private void look(Object[] arguments) {
        units = of(arguments[0]);
    }

    private static long of(Object text) {
        return switch (text) {
            case TruffleString guest when guest.isCompatibleToUncached(UTF_16) ->
                    guest.byteLength(UTF_16) / Character.BYTES;
            case String host -> host.length();
            default -> UNKNOWN;
        };
    }

    /** Whether a guest text is known to be longer than so many UTF-16 units. */
    static boolean exceeds(TruffleString text, long most) {
        return text.isCompatibleToUncached(UTF_16)
                && text.byteLength(UTF_16) / Character.BYTES > most;
    }
}
