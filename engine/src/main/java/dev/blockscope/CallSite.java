package dev.blockscope;

import dev.blockscope.truffle.StoppedAt;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * The place in a user's text from which the host is called, for host code that has something to say
 * about the call.
 *
 * <pre>{@code
 * Consumer<String> note = text -> log.info("{}: {}", CallSite.current().orElseThrow(), text);
 * }</pre>
 *
 * @param file the name of the text
 * @param line the line, 1-based
 * @param column the column, 1-based
 * @since 0.1
 */
public record CallSite(String file, int line, int column) implements Serializable {
    /** Returns the place from which guest code calls the host on this thread, if any does. */
    public static Optional<CallSite> current() {
        Run run = Run.current();
        if (run == null || !run.isInGuest()) {
            return Optional.empty();
        }
        List<StoppedAt> calls = run.home().realm().guest().calls(1);
        return calls.isEmpty() ? Optional.empty() : Optional.of(of(calls.getFirst()));
    }

    private static CallSite of(StoppedAt call) {
        return new CallSite(call.file(), call.line(), call.column());
    }

    /** Returns the place as file and line. */
    @Override
    public String toString() {
        return file + ":" + line;
    }
}
