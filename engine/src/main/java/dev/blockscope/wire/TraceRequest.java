package dev.blockscope.wire;

import static java.util.Objects.requireNonNull;

import dev.blockscope.Block;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A trace that is to run elsewhere: a computation's input, and the blocks that run in step with it.
 *
 * @param input what the computation takes; null if it takes nothing, or if the blocks have inputs
 *     of their own
 * @param invokes the blocks in definition order, those of edits first
 * @param wantsResult whether what the computation returns is to come back as well
 * @since 0.1
 */
public record TraceRequest(@Nullable Object input, List<Invoke> invokes, boolean wantsResult) {
    /** Copies the list. */
    public TraceRequest {
        invokes = List.copyOf(invokes);
    }

    /** Returns a request for blocks that all see the one input, and for no result. */
    public static TraceRequest of(@Nullable Object input, Block... blocks) {
        List<Invoke> invokes =
                Arrays.stream(blocks).map(block -> new Invoke(block, List.of())).toList();
        return new TraceRequest(input, invokes, false);
    }

    /** Returns the blocks in definition order. */
    public List<Block> blocks() {
        return invokes.stream().map(Invoke::block).toList();
    }

    /**
     * A block that takes part.
     *
     * @param block the block
     * @param inputs the inputs that are its own, if several are run at once; otherwise empty
     * @since 0.1
     */
    public record Invoke(Block block, List<? extends @Nullable Object> inputs) {
        /** Copies the list. */
        public Invoke {
            requireNonNull(block, "block");
            inputs = Collections.unmodifiableList(new ArrayList<>(inputs));
        }
    }
}
