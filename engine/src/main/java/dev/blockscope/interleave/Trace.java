package dev.blockscope.interleave;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import dev.blockscope.BlockResult;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run of a computation in step with blocks, after it has ended well.
 *
 * @param <R> what the computation returned; may be null
 * @since 0.1
 */
public final class Trace<R extends @Nullable Object> {
    private final @Nullable R result;
    private final ImmutableList<BlockResult> blocks;
    private final RunReport report;

    Trace(@Nullable R result, List<BlockResult> blocks, RunReport report) {
        this.result = result;
        this.blocks = ImmutableList.copyOf(blocks);
        this.report = report;
    }

    /**
     * Returns what the computation returned.
     *
     * @throws IllegalStateException if a block stopped it; see {@link #stopped}
     */
    @SuppressWarnings("NullAway") // R, unless the computation was stopped
    public R result() {
        checkState(
                stopped().isEmpty(),
                "the computation has no result, it was stopped by %s; ask stopped() first",
                stopped().map(Stopped::toString).orElse(""));
        return result;
    }

    /** Returns who stopped the computation, or empty if it ran to its end. */
    public Optional<Stopped> stopped() {
        return report.stopped();
    }

    /**
     * Returns what the blocks came to, those of edits first, then in definition order. It is
     * pushed, or will be when the {@linkplain Session session} ends.
     */
    public List<BlockResult> blocks() {
        return blocks;
    }

    /** Returns what became of the blocks' waits and names. */
    public RunReport report() {
        return report;
    }
}
