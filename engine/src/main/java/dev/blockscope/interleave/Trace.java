package dev.blockscope.interleave;

import com.google.common.collect.ImmutableList;
import dev.blockscope.BlockResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a computation in step with blocks, after it has ended well.
 *
 * @param result what the computation returned; may be null
 * @param blocks what the blocks came to, in definition order; already pushed
 * @since 0.1
 */
public record Trace<R extends @Nullable Object>(R result, List<BlockResult> blocks) {
    /** Copies the list. */
    public Trace {
        blocks = ImmutableList.copyOf(blocks);
    }
}
