/**
 * Models: opens an ONNX file, shows it as a tree of modules, and runs it in step with blocks.
 *
 * <p>Start at {@link dev.blockscope.onnx.OnnxModel}. What blocks read and replace is a {@link
 * dev.blockscope.onnx.Tensor}.
 */
@NullMarked
package dev.blockscope.onnx;

import org.jspecify.annotations.NullMarked;
