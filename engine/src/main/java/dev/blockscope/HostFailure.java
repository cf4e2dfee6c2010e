package dev.blockscope;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for a host exception that cannot be serialized, when the {@link BlockException} it
 * caused is. Its message is the original's, with the class in front.
 *
 * @since 0.1
 */
public final class HostFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String className;

    private HostFailure(Throwable original, @Nullable Throwable cause) {
        super(original.toString(), cause);
        className = original.getClass().getName();
        setStackTrace(original.getStackTrace());
    }

    /** Returns the name of the original's class. */
    public String className() {
        return className;
    }

    static HostFailure of(Throwable original) {
        Throwable cause = original.getCause();
        return new HostFailure(original, cause == null ? null : of(cause));
    }

    static boolean isSerializable(Throwable cause) {
        try (ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream())) {
            out.writeObject(cause);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
