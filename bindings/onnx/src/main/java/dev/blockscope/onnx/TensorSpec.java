package dev.blockscope.onnx;

import java.util.List;

/**
 * What a model says about one of its tensors before it runs.
 *
 * @param name the name of the tensor in the file
 * @param dtype the type of its elements
 * @param shape its dimensions, outermost first; empty for a scalar and where nothing is known
 * @since 0.1
 */
public record TensorSpec(String name, DType dtype, List<Dimension> shape) {
    /** Makes a specification. */
    public TensorSpec {
        shape = List.copyOf(shape);
    }

    /**
     * Returns element type and shape, such as {@code "float32 [batch_size, 384]"}.
     *
     * @since 0.1
     */
    public String type() {
        return shape.isEmpty() ? dtype.toString() : dtype + " " + shape;
    }

    /** Returns the name with {@link #type}. */
    @Override
    public String toString() {
        return name + ": " + type();
    }
}
