package dev.blockscope.onnx;

/**
 * The size of one dimension as a model declares it: fixed, or left open with or without a name.
 *
 * @param name the name of an open size, such as {@code "batch_size"}; empty if it is fixed or has
 *     none
 * @param size the number of elements; -1 if it is open
 * @since 0.1
 */
public record Dimension(String name, long size) {
    /** Makes a dimension. */
    public Dimension {
        if (size < -1) {
            throw new IllegalArgumentException("a dimension has size " + size);
        }
    }

    /**
     * Returns whether the size is known before a run.
     *
     * @since 0.1
     */
    public boolean isFixed() {
        return size >= 0;
    }

    /** Returns the size, the name of an open size, or {@code "?"}. */
    @Override
    public String toString() {
        if (isFixed()) {
            return Long.toString(size);
        }
        return name.isEmpty() ? "?" : name;
    }
}
