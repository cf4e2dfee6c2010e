package dev.blockscope.wire;

import dev.blockscope.Block;
import dev.blockscope.BlockResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One trace or several that run elsewhere as one job. Of what its attempts come to, the first
 * counts: what all its blocks assigned is pushed into their frames, once and in definition order.
 * If one of them failed, nothing of any is pushed.
 *
 * @param <T> what it comes to
 * @since 0.1
 */
public final class RemoteTrace<T> extends RemoteJob<T> {
    private final List<TraceRequest> requests;
    private final List<Block> blocks;
    private final Function<? super List<Traced<@Nullable Object>>, ? extends T> made;

    /**
     * Creates a job that was not handed over yet.
     *
     * @param made makes of what the traces came to what the job does
     */
    RemoteTrace(
            String computation,
            List<TraceRequest> requests,
            Function<? super List<Traced<@Nullable Object>>, ? extends T> made,
            Vocabulary vocabulary,
            Consumer<? super RunEvent> events) {
        super("the trace of \"%s\"".formatted(computation), vocabulary, events);
        this.requests = requests;
        this.blocks = TraceJob.blocksOf(requests);
        this.made = made;
    }

    @Override
    T resultOf(Outcome outcome) {
        if (!(outcome instanceof Outcome.Traces(var traces)) || traces.size() != requests.size()) {
            throw unreadable("it is not the outcome of %d traces".formatted(requests.size()));
        }
        List<Traced<@Nullable Object>> all = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            all.add(traced(requests.get(i), traces.get(i)));
        }
        // Made before anything is pushed: a result that is none must leave the frames alone.
        T result = made.apply(all);
        all.forEach(trace -> trace.blocks().forEach(BlockResult::push));
        return result;
    }

    private Traced<@Nullable Object> traced(TraceRequest request, Outcome.OfTrace trace) {
        List<Block> its = request.blocks();
        if (trace.blocks().size() != its.size()) {
            throw unreadable(
                    "it has the results of %d blocks, and there are %d"
                            .formatted(trace.blocks().size(), its.size()));
        }
        List<BlockResult> results = new ArrayList<>();
        for (int i = 0; i < its.size(); i++) {
            Outcome.Result result = trace.blocks().get(i);
            results.add(its.get(i).resultOfTrace(result.value(), result.bindings()));
        }
        return new Traced<>(trace.result(), results, Optional.ofNullable(trace.stopped()));
    }

    /** What no block has said, such as that lines were dropped, the first one tells. */
    @Override
    void tell(WireOutput output) {
        if (!blocks.isEmpty()) {
            int position = output.block() < blocks.size() ? output.block() : 0;
            output.said().tell(blocks.get(position).output());
        }
    }
}
