package dev.blockscope;

/**
 * A host value that is only good while the computation it belongs to runs, such as a tensor in a
 * model's own memory. What a block returns or pushes is the copy.
 *
 * @since 0.1
 */
public interface LiveValue {
    /**
     * Returns an equal value that stays good.
     *
     * @throws IllegalStateException if the computation is over, and this value good no more
     */
    Object copy();
}
