package dev.blockscope.onnx;

import java.io.Serial;

/**
 * ONNX Runtime failed while it prepared or ran a part of a model: an index out of a table's range,
 * a shape that two operations do not agree on, too little memory. The message names the part and
 * has the runtime's own words; the cause is the runtime's exception.
 *
 * @since 0.1
 */
public final class OnnxRunException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    OnnxRunException(String what, Throwable cause) {
        super("ONNX Runtime failed in " + what + ": " + cause.getMessage(), cause);
    }

    /** Creates the exception of a run elsewhere, of what was told of it. */
    OnnxRunException(String message) {
        super(message);
    }
}
