package dev.blockscope;

/**
 * Carries what a host function threw through guest code. Truffle notes the guest's frames on any
 * exception that passes; on this one, and not on the host's own.
 */
final class CallbackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Throwable thrown;

    CallbackException(Throwable thrown) {
        super(Thrown.messageOf(thrown));
        this.thrown = thrown;
    }

    /** Returns the host's own exception, be it carried or not. */
    static Throwable unwrap(Throwable host) {
        return host instanceof CallbackException carrier ? carrier.thrown : host;
    }

    /** Guest code that prints what it caught sees the host's own exception. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // not a message of its own: the other's text
    public String toString() {
        return thrown.toString();
    }
}
