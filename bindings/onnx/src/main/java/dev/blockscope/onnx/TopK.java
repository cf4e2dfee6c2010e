package dev.blockscope.onnx;

import dev.blockscope.LiveValue;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * The first elements along a dimension, in order, and where they were. Guest code takes it apart as
 * {@code const [values, indices] = t.topk(5)} or by its properties of these names.
 *
 * @param values the elements
 * @param indices their places along the dimension, as int64
 * @since 0.1
 */
public record TopK(Tensor values, Tensor indices) implements ProxyObject, ProxyArray, LiveValue {
    private static final List<Object> NAMES = List.of("values", "indices");

    /** Returns {@code values} or {@code indices} for guest code; null for another name. */
    @Override
    public @Nullable Object getMember(String key) {
        return Map.of("values", values, "indices", indices).get(key);
    }

    /** Returns the two names for guest code. */
    @Override
    public Object getMemberKeys() {
        return ProxyArray.fromList(NAMES);
    }

    /** Returns whether it is one of the two names. */
    @Override
    public boolean hasMember(String key) {
        return NAMES.contains(key);
    }

    /**
     * Refuses, the two cannot be replaced.
     *
     * @throws IllegalArgumentException always
     */
    @Override
    public void putMember(String key, Value value) {
        throw new IllegalArgumentException("\"" + key + "\" of the result of topk cannot be set");
    }

    /** Returns the values for 0 and the indices for 1. */
    @Override
    public Object get(long index) {
        return switch ((int) index) {
            case 0 -> values;
            case 1 -> indices;
            default ->
                    throw new ArrayIndexOutOfBoundsException("topk gives 2 tensors, not " + index);
        };
    }

    /**
     * Refuses, the two cannot be replaced.
     *
     * @throws IllegalArgumentException always
     */
    @Override
    public void set(long index, Value value) {
        throw new IllegalArgumentException("the result of topk cannot be changed");
    }

    /** Returns 2. */
    @Override
    public long getSize() {
        return 2;
    }

    /** Returns copies of both. */
    @Override
    public TopK copy() {
        return new TopK(values.clone(), indices.clone());
    }
}
