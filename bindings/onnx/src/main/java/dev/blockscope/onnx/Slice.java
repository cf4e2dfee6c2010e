package dev.blockscope.onnx;

/**
 * A stretch of the model file.
 *
 * @param offset where it starts, in bytes from the start of the file
 * @param length its length in bytes
 */
record Slice(long offset, long length) {}
