package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A value that the file declares a type for: an input, an output or something between.
 *
 * @param name its name
 * @param spec its type; absent if it is no tensor or its type is left open
 * @param proto the declaration as the file has it
 */
record Declared(String name, Optional<TensorSpec> spec, ByteBuffer proto) {}
