package dev.blockscope.wire;

import static java.util.Objects.requireNonNull;

import dev.blockscope.BlockResult;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a trace that ran elsewhere came to.
 *
 * @param <R> what the computation returns
 * @param result what it returned; null if it was stopped, or if nobody asked for the result
 * @param blocks what the blocks came to, those of edits first, then in definition order
 * @param stopped who stopped the computation, if a block did
 * @since 0.1
 */
public record Traced<R extends @Nullable Object>(
        @Nullable R result, List<BlockResult> blocks, Optional<String> stopped) {
    /** Copies the list. */
    public Traced {
        blocks = List.copyOf(blocks);
        requireNonNull(stopped, "stopped");
    }
}
