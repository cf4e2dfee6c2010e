package dev.blockscope;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A name that a block reads, with what its scope has for it.
 *
 * @param name the name
 * @param tier which part of the scope has it
 * @param value the value as plain Java that needs no engine, or a host value
 * @since 0.1
 */
public record ReadValue(String name, Tier tier, @Nullable Object value) {
    /** Checks that name and tier are not null. */
    public ReadValue {
        requireNonNull(name, "name");
        requireNonNull(tier, "tier");
    }

    /** The parts of a scope, in the order in which they are asked. */
    public enum Tier {
        /** The block's own snapshot. */
        OWN,
        /** What the blocks of its frame share. */
        SHARED,
        /** The frame's globals. */
        GLOBAL
    }
}
