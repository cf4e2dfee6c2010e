package dev.blockscope;

/**
 * A host object that is a part of a larger one and can be found again in another of that kind, such
 * as a module in the tree of a model. It travels as the name of the whole and its place in it.
 *
 * @since 0.1
 */
public interface HostPart {
    /** Returns what stands for the whole: the same object for all its parts. */
    Object whole();

    /** Returns where in the whole it is, as a plain value. */
    Object place();

    /**
     * Returns the part of the same whole that is at a place.
     *
     * @param place where, as {@link #place} of a whole of this kind gives it; it is not trusted
     * @throws IllegalArgumentException if the whole has no such place
     */
    HostPart partAt(Object place);
}
