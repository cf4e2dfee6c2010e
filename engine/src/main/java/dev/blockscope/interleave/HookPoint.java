package dev.blockscope.interleave;

import org.jspecify.annotations.Nullable;

/**
 * A named place in a computation where a value is offered to blocks and may be replaced. A
 * computation looks its points up once and visits them as often as it likes.
 *
 * @param <T> what its values are; a replacement must fit it
 * @since 0.1
 */
@SuppressWarnings("UnusedTypeParameter") // it ties the values of a visit to the point
public final class HookPoint<T extends @Nullable Object> {
    private final HookPoints owner;
    private final HookNode node;
    private final Class<?> type;
    private final int index;

    HookPoint(HookPoints owner, HookNode node, Class<?> type, int index) {
        this.owner = owner;
        this.node = node;
        this.type = type;
        this.index = index;
    }

    /** Returns the name, a dotted path such as {@code encoder.layer.3.output}. */
    public String path() {
        return node.path();
    }

    /** Returns what its values are; {@code Object} if they may be anything. */
    public Class<?> type() {
        return type;
    }

    HookPoints owner() {
        return owner;
    }

    HookNode node() {
        return node;
    }

    /** Returns the position among the points of the computation. */
    int index() {
        return index;
    }

    @Override
    public String toString() {
        return path();
    }
}
