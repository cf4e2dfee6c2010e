package dev.blockscope.wire;

import org.jspecify.annotations.Nullable;

/**
 * Bytes are no envelope, or none that can be read here. The message says what was found, at which
 * byte, and what was expected.
 *
 * @since 0.1
 */
public final class EnvelopeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EnvelopeException(String message) {
        this(message, null);
    }

    EnvelopeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
