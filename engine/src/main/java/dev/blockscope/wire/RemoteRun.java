package dev.blockscope.wire;

import dev.blockscope.Block;
import dev.blockscope.BlockResult;
import java.util.function.Consumer;

/**
 * A block that runs elsewhere. Of what its attempts come to, the first counts: it is pushed into
 * the block's frame, once.
 *
 * @since 0.1
 */
public final class RemoteRun extends RemoteJob<BlockResult> {
    private final Block block;

    RemoteRun(Block block, Vocabulary vocabulary, Consumer<? super RunEvent> events) {
        super("the block " + block.source(), vocabulary, events);
        this.block = block;
    }

    @Override
    BlockResult resultOf(Outcome outcome) {
        if (!(outcome instanceof Outcome.Result(Object value, var bindings))) {
            throw unreadable("it is the outcome of a trace");
        }
        BlockResult result = block.resultOf(value, bindings);
        result.push();
        return result;
    }

    @Override
    void tell(WireOutput output) {
        output.said().tell(block.output());
    }
}
