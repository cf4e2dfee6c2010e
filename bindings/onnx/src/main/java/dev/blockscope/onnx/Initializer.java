package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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
     * @param beside where its elements are, if not in the model file
     */
    record Repeated(
            String name,
            long weightBytes,
            long parameters,
            ByteBuffer proto,
            Optional<Beside> beside)
            implements Initializer {}

    /**
     * Where the elements of a constant are in a file beside the model.
     *
     * @param location the file, from the model's folder
     * @param offset where they begin, in bytes
     * @param length how many bytes they are; 0 if the file says nothing of it
     */
    record Beside(String location, long offset, long length) {
        /**
         * Checks that they are there.
         *
         * @throws OnnxFileException if there is no such file, or it is too short
         */
        void check(Path model, String name) throws OnnxFileException {
            Path file = model.resolveSibling(location);
            if (!Files.isRegularFile(file)) {
                throw new OnnxFileException(
                        model,
                        "the weights \"%s\" are in \"%s\", and there is no such file beside the model"
                                .formatted(name, location));
            }
            long size = file.toFile().length();
            if (offset > size || length > size - offset) {
                throw new OnnxFileException(
                        model,
                        "the weights \"%s\" are %d bytes from byte %d of \"%s\", which has %d bytes"
                                .formatted(name, length, offset, location, size));
            }
        }
    }

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
