package dev.blockscope;

import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/**
 * Carries what a host function threw through guest code. Truffle notes the guest's frames on any
 * exception that passes; on this one, and not on the host's own.
 */
final class CallbackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Has JavaScript call what is carried by the name of its own class. */
    static final Source NAMES = GuestScripts.read("host-errors.js");

    private final Throwable thrown;

    CallbackException(Throwable thrown) {
        super(Thrown.messageOf(thrown));
        this.thrown = thrown;
    }

    /** Returns the host's own exception, be it carried or not. */
    static Throwable unwrap(Throwable host) {
        return host instanceof CallbackException carrier ? carrier.thrown : host;
    }

    /** Returns what {@link #NAMES} is to be called with. */
    static Object[] arguments() {
        ProxyExecutable nameOf =
                given ->
                        given[0].isHostObject()
                                        && given[0].asHostObject() instanceof CallbackException e
                                ? e.thrown.getClass().getName()
                                : null;
        return new Object[] {new CallbackException(new IllegalStateException()), nameOf};
    }

    /** Guest code that prints what it caught sees the host's own exception. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // not a message of its own: the other's text
    public String toString() {
        return thrown.toString();
    }
}
