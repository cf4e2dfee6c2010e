package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.util.List;

/** A constant tensor of the model file, mostly a weight. */
sealed interface Initializer {
    /** Returns the name that nodes read it by. */
    String name();

    /** Returns how many bytes of weights it stands for. */
    long weightBytes();

    /** Returns how many parameters of the model it holds: shapes and indices are none. */
    long parameters();

    /**
     * A constant that a segment repeats as the file has it: a small one, or one whose bytes are in
     * a file of their own already.
     *
     * @param name the name that nodes read it by
     * @param weightBytes how many bytes of weights it stands for
     * @param parameters how many parameters of the model it holds
     * @param proto the tensor as the file has it
     */
    record Repeated(String name, long weightBytes, long parameters, ByteBuffer proto)
            implements Initializer {}

    /**
     * A constant that stays in the model file; a segment points at its bytes.
     *
     * @param name the name that nodes read it by
     * @param typeCode the element type's number
     * @param dims the shape
     * @param parameters how many parameters of the model it holds
     * @param bytes where its elements are
     */
    record Pointed(String name, long typeCode, List<Long> dims, long parameters, Slice bytes)
            implements Initializer {
        public Pointed {
            dims = List.copyOf(dims);
        }

        @Override
        public long weightBytes() {
            return bytes.length();
        }
    }
}
