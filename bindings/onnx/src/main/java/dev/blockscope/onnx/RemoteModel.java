package dev.blockscope.onnx;

import dev.blockscope.Block;
import dev.blockscope.interleave.Batch;
import dev.blockscope.wire.Dispatcher;
import dev.blockscope.wire.RemoteComputation;
import dev.blockscope.wire.RemoteTrace;
import dev.blockscope.wire.Traced;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A model that workers have: whole traces run there, next to it, and what their blocks assigned
 * comes back. There is no file of it here.
 *
 * <pre>{@code
 * RemoteModel model = RemoteModel.of(dispatcher.toModel("minilm"));
 * Map<String, Object> locals = new HashMap<>(Map.of("model", model.envoy()));
 * Block block = engine.capture("hidden = model.encoder.layer[3].output", Frame.of(locals));
 * model.trace(inputs, block).future().get();
 * Tensor hidden = (Tensor) locals.get("hidden");
 * }</pre>
 *
 * <p>A trace there is what {@link OnnxModel#trace} is here: the same values, and the same errors at
 * the same lines. Tensors travel by value, both ways. Safe for use by many threads.
 *
 * @since 0.1
 */
public final class RemoteModel {
    private final RemoteComputation computation;
    private final boolean withOutputs;

    private RemoteModel(RemoteComputation computation, boolean withOutputs) {
        this.computation = computation;
        this.withOutputs = withOutputs;
    }

    /**
     * Returns the model that a dispatcher leads to. Nothing is asked of a worker yet.
     *
     * @param dispatcher one {@linkplain Dispatcher#toModel to the model}
     * @throws IllegalArgumentException if it is to no model
     * @since 0.1
     */
    public static RemoteModel of(Dispatcher dispatcher) {
        return new RemoteModel(
                RemoteComputation.of(dispatcher.knowing(ModelVocabulary.TENSORS)), false);
    }

    /**
     * Returns this model, whose traces bring back what the model makes, too. Without that only what
     * blocks assign comes back.
     *
     * @since 0.1
     */
    public RemoteModel withOutputs() {
        return new RemoteModel(computation, true);
    }

    /**
     * Returns what blocks hold in their hands for this model. It has no value here.
     *
     * @since 0.1
     */
    public Object envoy() {
        return computation.envoy();
    }

    /**
     * Runs the model elsewhere, in step with blocks.
     *
     * @param inputs a tensor for each input of the model, by name
     * @param blocks the blocks that look in, in definition order; what they assign is pushed at the
     *     end
     * @return the run, whose future comes to the model's outputs by name, if they are asked for
     * @throws dev.blockscope.wire.UnsendableException if a value that a block reads cannot travel,
     *     naming the variable
     * @throws dev.blockscope.wire.DispatchException if it is not taken, as when the queue is full
     * @since 0.1
     */
    public RemoteTrace<Traced<Map<String, Tensor>>> trace(
            Map<String, Tensor> inputs, Block... blocks) {
        return computation.submit(
                session().trace(inputs, blocks).requests(),
                traces -> RemoteSession.outputs(traces.getFirst(), TensorForm::named),
                event -> {});
    }

    /**
     * Runs the model elsewhere once for several inputs, as {@link OnnxModel#trace(Batch)} does
     * here.
     *
     * @return the run, whose future comes to the outputs of each input, if they are asked for
     * @throws dev.blockscope.wire.UnsendableException if a value that a block reads cannot travel,
     *     naming the variable
     * @throws dev.blockscope.wire.DispatchException if it is not taken, as when the queue is full
     * @since 0.1
     */
    public RemoteTrace<Traced<List<Map<String, Tensor>>>> trace(Batch<Map<String, Tensor>> batch) {
        return computation.submit(
                session().trace(batch).requests(),
                traces -> RemoteSession.outputs(traces.getFirst(), RemoteSession::ofEach),
                event -> {});
    }

    /**
     * Begins a session: several traces that run there as one job and push together.
     *
     * @since 0.1
     */
    public RemoteSession session() {
        return new RemoteSession(computation, withOutputs);
    }

    /**
     * Asks a worker what the model is: its inputs, outputs, modules, parameters and shapes. No
     * trace runs for that.
     *
     * @return the description; it fails with a {@link dev.blockscope.wire.DispatchException} if no
     *     worker answers
     * @throws dev.blockscope.wire.DispatchException if the question is not taken, as when no worker
     *     has the model, with the nearest names
     * @since 0.1
     */
    public CompletableFuture<ModelDescription> describe() {
        return computation.describe(new DescriptionForm()::description);
    }
}
