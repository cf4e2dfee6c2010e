package dev.blockscope;

import java.io.Serializable;

/**
 * A limit that a run has reached.
 *
 * @param limit which one
 * @param value how much it allowed, in the unit of the limit
 * @since 0.1
 */
public record ReachedLimit(Limit limit, long value) implements Serializable {
    @Override
    public String toString() {
        return limit.excess(value);
    }
}
