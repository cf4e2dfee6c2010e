package dev.blockscope;

/**
 * A frame refused a name that a block wants to write back. No name of that push is left written,
 * except where restoring one failed too: such failures are suppressed exceptions of this one.
 *
 * @since 0.1
 */
public final class PushException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String name;

    PushException(String name, RuntimeException refusal) {
        super(
                "cannot push \"%s\" into the frame: its locals refused the name (%s); make the locals accept it or keep the block from assigning it"
                        .formatted(name, refusal),
                refusal);
        this.name = name;
    }

    /** Returns the name that was refused. */
    public String name() {
        return name;
    }
}
