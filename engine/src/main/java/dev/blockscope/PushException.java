package dev.blockscope;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A frame refused a name that a block wants to write back. No name of that push is left written,
 * except those that {@link #notRestored} lists. The cause is what the frame's locals said.
 *
 * @since 0.1
 */
public final class PushException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final ImmutableMap<String, Throwable> notRestored;
    private final Traceback traceback;

    PushException(String name, Throwable refusal, Map<String, Throwable> notRestored) {
        this(name, refusal, notRestored, List.of());
    }

    private PushException(
            String name,
            @Nullable Throwable refusal,
            Map<String, Throwable> notRestored,
            List<Traceback.Entry> place) {
        super(message(name, refusal, notRestored), refusal);
        this.name = name;
        this.traceback = new Traceback(message(name, refusal, notRestored), place);
        this.notRestored = ImmutableMap.copyOf(notRestored);
        notRestored.values().forEach(this::addSuppressed);
    }

    /** Returns the name that was refused. */
    public String name() {
        return name;
    }

    /**
     * Returns the names that had been written before the refusal and could not be given their old
     * values back, the last written first, each with the reason. It is empty if the locals are as
     * they were. The reasons are also suppressed exceptions of this one.
     */
    public Map<String, Throwable> notRestored() {
        return notRestored;
    }

    /**
     * Returns the place at which the block assigned the name, as {@link BlockException#traceback}
     * does; without entries if what was pushed did not come from a block.
     */
    public Traceback traceback() {
        return traceback;
    }

    /** Returns the same refusal of what a block assigned at a place. */
    PushException at(Traceback.Entry place) {
        return new PushException(name, getCause(), notRestored, List.of(place));
    }

    private static String message(
            String name, @Nullable Throwable refusal, Map<String, Throwable> notRestored) {
        String refused =
                "cannot push \"%s\" into the frame: its locals refused the name (%s); make the locals accept it, keep the block from assigning it, or leave it out with pushOnly"
                        .formatted(name, refusal);
        return notRestored.isEmpty()
                ? refused
                : refused
                        + notRestored.keySet().stream()
                                .map(left -> "\"" + left + "\"")
                                .collect(
                                        joining(
                                                ", ",
                                                "; names written before it could not be restored: ",
                                                ""));
    }
}
