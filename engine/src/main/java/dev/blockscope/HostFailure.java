package dev.blockscope;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Stands in for a host exception where that cannot be had: when the {@link BlockException} it
 * caused is serialized, or comes from another machine. Its message is the original's, with the
 * class in front.
 *
 * @since 0.1
 */
public final class HostFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Where a chain of causes is cut. */
    private static final int DEEPEST = 50;

    private final String className;

    private HostFailure(Throwable original) {
        super(textOf(original));
        className = original.getClass().getName();
        setStackTrace(original.getStackTrace());
    }

    private HostFailure(String className, String text) {
        super(text);
        this.className = className;
        setStackTrace(new StackTraceElement[0]);
    }

    /**
     * Returns what stands for an exception of another JVM. It has no stack trace.
     *
     * @param className the name of its class, which need not exist here
     * @param text its class and message, or its class alone if it had none
     */
    public static HostFailure named(String className, String text) {
        return new HostFailure(className, text);
    }

    /** Returns what tells of an exception by its class and message, without its causes. */
    public static HostFailure describing(Throwable original) {
        return original instanceof HostFailure already ? already : new HostFailure(original);
    }

    /** Returns the name of the original's class. */
    public String className() {
        return className;
    }

    /** Returns what can be serialized of an exception: itself, or what stands in for it. */
    static Throwable of(Throwable original) {
        return sent(original, new IdentityHashMap<>(), DEEPEST);
    }

    /** Exceptions may have each other as causes, and so may those that stand in for them. */
    private static HostFailure standIn(
            Throwable original, Map<Throwable, HostFailure> known, int deepest) {
        HostFailure met = known.get(original);
        if (met != null) {
            return met;
        }
        HostFailure failure = new HostFailure(original);
        known.put(original, failure);
        if (deepest > 0) {
            if (original.getCause() != null) {
                failure.initCause(sent(original.getCause(), known, deepest - 1));
            }
            for (Throwable besides : original.getSuppressed()) {
                if (!Thrown.isPlumbing(besides)) {
                    failure.addSuppressed(sent(besides, known, deepest - 1));
                }
            }
        }
        return failure;
    }

    private static Throwable sent(
            Throwable original, Map<Throwable, HostFailure> known, int deepest) {
        return isSerializable(original) ? original : standIn(original, known, deepest);
    }

    private static String textOf(Throwable original) {
        String name = original.getClass().getName();
        String message = Thrown.messageOf(original);
        return message.equals(name) ? name : name + ": " + message;
    }

    /** An exception may say itself how it is written, and fail at it in its own way. */
    private static boolean isSerializable(Throwable cause) {
        try (ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream())) {
            out.writeObject(cause);
            return true;
        } catch (IOException | RuntimeException | StackOverflowError e) {
            return false;
        }
    }
}
