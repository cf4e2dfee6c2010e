package dev.blockscope;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A block reads a name that is its own, from its snapshot or by assigning it, while a sibling has
 * bound that name since: the block does not see the sibling's newer value.
 *
 * @param block the block that does not see it
 * @param line the line of the block's file on which it first mentions the name, 1-based; its first
 *     line if the name does not stand in the text as it is
 * @param name the name
 * @param hidden the block whose binding is hidden, or null if the host bound the shared name
 * @see BlockEngine.Builder#onShadowed
 * @since 0.1
 */
public record ShadowedBinding(
        BlockSource block, int line, String name, @Nullable BlockSource hidden) {
    /** Checks the parts. */
    public ShadowedBinding {
        requireNonNull(block, "block");
        requireNonNull(name, "name");
    }

    /** Returns what happened, in one line. */
    @Override
    public String toString() {
        return "%s:%d: the block's own \"%s\" hides what %s bound to it since"
                .formatted(block.file(), line, name, hidden == null ? "the host" : hidden);
    }
}
