package dev.blockscope.onnx;

import static java.util.Objects.requireNonNull;

import dev.blockscope.Block;
import dev.blockscope.interleave.Batch;
import dev.blockscope.wire.RemoteComputation;
import dev.blockscope.wire.RemoteTrace;
import dev.blockscope.wire.RunEvent;
import dev.blockscope.wire.TraceRequest;
import dev.blockscope.wire.Traced;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Several traces of a model elsewhere, which run there one after the other as one job: what blocks
 * of a frame bind in one trace, those of the next see. All is pushed when the last has ended well,
 * and nothing if any block failed.
 *
 * <pre>{@code
 * model.session()
 *         .edit(steering)
 *         .trace(first, reader)
 *         .trace(second, writer)
 *         .submit();
 * }</pre>
 *
 * <p>Not safe for use by several threads.
 *
 * @since 0.1
 */
public final class RemoteSession {
    private final RemoteComputation computation;
    private final boolean withOutputs;
    private final List<Block> edits = new ArrayList<>();
    private final List<TraceRequest> requests = new ArrayList<>();

    RemoteSession(RemoteComputation computation, boolean withOutputs) {
        this.computation = computation;
        this.withOutputs = withOutputs;
    }

    /**
     * Keeps a block on the model for the traces that are added from now on: it runs in each, before
     * the edits' successors and the trace's own blocks, and sees the whole of a batch.
     *
     * @return this
     * @since 0.1
     */
    public RemoteSession edit(Block block) {
        edits.add(requireNonNull(block, "block"));
        return this;
    }

    /**
     * Adds a trace.
     *
     * @param inputs a tensor for each input of the model, by name
     * @param blocks the blocks that look in, in definition order
     * @return this
     * @since 0.1
     */
    public RemoteSession trace(Map<String, Tensor> inputs, Block... blocks) {
        List<Batch.Part<Map<String, Tensor>>> parts = new ArrayList<>();
        for (Block block : blocks) {
            parts.add(new Batch.Part<>(block, List.of()));
        }
        return add(requireNonNull(inputs, "inputs"), parts);
    }

    /**
     * Adds a trace of several inputs at once.
     *
     * @return this
     * @since 0.1
     */
    public RemoteSession trace(Batch<Map<String, Tensor>> batch) {
        return add(null, batch.parts());
    }

    private RemoteSession add(
            @Nullable Map<String, Tensor> inputs, List<Batch.Part<Map<String, Tensor>>> parts) {
        List<TraceRequest.Invoke> invokes = new ArrayList<>();
        edits.forEach(edit -> invokes.add(new TraceRequest.Invoke(edit, List.of())));
        parts.forEach(part -> invokes.add(new TraceRequest.Invoke(part.block(), part.inputs())));
        requests.add(new TraceRequest(inputs, invokes, withOutputs));
        return this;
    }

    List<TraceRequest> requests() {
        return requests;
    }

    /**
     * Has the traces run elsewhere.
     *
     * @return the run, whose future comes to what each trace came to, with the outputs of each
     *     input if they are asked for
     * @throws dev.blockscope.wire.UnsendableException if a value that a block reads cannot travel,
     *     naming the variable
     * @throws dev.blockscope.wire.DispatchException if it is not taken, as when the queue is full
     * @since 0.1
     */
    public RemoteTrace<List<Traced<List<Map<String, Tensor>>>>> submit() {
        return submit(event -> {});
    }

    /**
     * Has the traces run elsewhere, and a listener told how that goes.
     *
     * @param events is told on a thread of the carrier's, which it should not hold up; what it
     *     throws ends the run
     * @return the run
     * @throws dev.blockscope.wire.UnsendableException if a value that a block reads cannot travel,
     *     naming the variable
     * @throws dev.blockscope.wire.DispatchException if it is not taken, as when the queue is full
     * @since 0.1
     */
    public RemoteTrace<List<Traced<List<Map<String, Tensor>>>>> submit(
            Consumer<? super RunEvent> events) {
        return computation.submit(
                requests,
                traces ->
                        traces.stream()
                                .map(traced -> outputs(traced, RemoteSession::ofEach))
                                .toList(),
                events);
    }

    /** Returns what a trace came to, with its result as what it must be. */
    static <R> Traced<R> outputs(Traced<?> traced, Function<Object, R> result) {
        Object told = traced.result();
        return new Traced<>(
                told == null ? null : result.apply(told), traced.blocks(), traced.stopped());
    }

    /** Returns the outputs of each input; of a trace without a batch there is one. */
    static List<Map<String, Tensor>> ofEach(Object result) {
        return result instanceof List<?> each
                ? each.stream().map(TensorForm::named).toList()
                : List.of(TensorForm.named(result));
    }
}
