package dev.blockscope.wire;

import static java.util.Objects.requireNonNull;

import dev.blockscope.NearestNames;
import java.util.Collection;
import java.util.List;

/**
 * A block was not run elsewhere, or nobody knows whether it was. The message says what happened,
 * with numbers, and what to do.
 *
 * @since 0.1
 */
public final class DispatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Kind {
        /** As many blocks wait as may. */
        FULL,
        /** No worker has the model. */
        NO_SUCH_MODEL,
        /** The block, or what it came to, is larger than what can be sent. */
        TOO_LARGE,
        /** The other side cannot read the block, or this side what it came to. */
        REFUSED,
        /** Workers were lost over it, as often as it may be tried. */
        LOST,
        /** A worker was lost over it, and it may not be tried again: it may have run or not. */
        OUTCOME_UNKNOWN,
        /** The dispatcher was closed, or cannot reach the other side. */
        CLOSED
    }

    /**
     * A time that a block was begun.
     *
     * @param worker the name of the worker
     * @param reason why nothing came of it
     */
    public record Attempt(String worker, String reason) implements java.io.Serializable {
        /** Checks that nothing is null. */
        public Attempt {
            requireNonNull(worker, "worker");
            requireNonNull(reason, "reason");
        }
    }

    private final Kind kind;

    @SuppressWarnings("serial") // a list of List.copyOf
    private final List<Attempt> attempts;

    /** Creates the exception of a block that was not begun. */
    public DispatchException(Kind kind, String message) {
        this(kind, message, List.of());
    }

    /** Creates the exception of a block that was begun some times. */
    public DispatchException(Kind kind, String message, List<Attempt> attempts) {
        super(message);
        this.kind = requireNonNull(kind, "kind");
        this.attempts = List.copyOf(attempts);
    }

    /**
     * Creates the exception of a block for a model that no worker has.
     *
     * @param name the model's name
     * @param models the names of the models that there are
     */
    public static DispatchException noSuchModel(String name, Collection<String> models) {
        return new DispatchException(
                Kind.NO_SUCH_MODEL,
                models.isEmpty()
                        ? "no worker has the model \"%s\", nor any other; start one that has it"
                                .formatted(name)
                        : "no worker has the model \"%s\"; the nearest of %d names are %s"
                                .formatted(name, models.size(), NearestNames.of(name, models)));
    }

    /** Returns why. */
    public Kind kind() {
        return kind;
    }

    /** Returns the times that the block was begun, in order. */
    public List<Attempt> attempts() {
        return attempts;
    }
}
