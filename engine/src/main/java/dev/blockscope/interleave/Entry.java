package dev.blockscope.interleave;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What blocks made of the entry into a module: its inputs, or an output without running it.
 *
 * @param <T> what the module's output is
 * @since 0.1
 */
public final class Entry<T extends @Nullable Object> {
    private final @Nullable List<@Nullable Object> inputs;
    private final boolean skipped;
    private final @Nullable Object output;

    Entry(@Nullable List<@Nullable Object> inputs, boolean skipped, @Nullable Object output) {
        this.inputs = inputs;
        this.skipped = skipped;
        this.output = output;
    }

    /** Returns the inputs to run the module with. */
    public List<@Nullable Object> inputs() {
        return requireNonNull(inputs, "inputs");
    }

    /** Returns whether a block skips the module, which then must not run. */
    public boolean isSkipped() {
        return skipped;
    }

    /**
     * Returns the output that a block gives instead.
     *
     * @throws IllegalStateException if the module is not skipped
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // checked against the type when it was given
    public T output() {
        checkState(skipped, "the module is not skipped; run it");
        return (T) output;
    }
}
