package dev.blockscope.wire;

import static com.google.common.base.Preconditions.checkArgument;

import dev.blockscope.Block;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A computation that is elsewhere, in step with which blocks run there: whole traces travel, and
 * what their blocks assigned comes back.
 *
 * {@snippet :
 * RemoteComputation pricing = RemoteComputation.of(dispatcher.toModel("pricing"));
 * Map<String, Object> locals = new HashMap<>(Map.of("order", pricing.envoy()));
 * Block block = engine.capture("seen = order.total", Frame.of(locals));
 * pricing.trace(input, block).future().get();
 * }
 *
 * <p>It behaves as an {@code Interleaver} does here: blocks of one frame share what they bind while
 * their trace runs, what they assign is pushed at its end in definition order, and the first error
 * comes out as itself, at the user's line, with nothing pushed. Safe for use by many threads.
 *
 * @since 0.1
 */
public final class RemoteComputation {
    private final Dispatcher dispatcher;
    private final String name;
    private final RemoteEnvoy envoy;

    private RemoteComputation(Dispatcher dispatcher, String name, RemoteEnvoy envoy) {
        this.dispatcher = dispatcher;
        this.name = name;
        this.envoy = envoy;
    }

    /**
     * Returns the computation that a dispatcher leads to. Nothing is asked of a worker yet.
     *
     * @param dispatcher one {@linkplain Dispatcher#toModel to a model}, whose name is that of the
     *     {@linkplain Vocabulary.Builder#computation computation}
     * @throws IllegalArgumentException if it is to no model
     */
    public static RemoteComputation of(Dispatcher dispatcher) {
        String name = dispatcher.model();
        checkArgument(
                !name.isEmpty(),
                "the dispatcher leads to no computation; say to which by toModel(name)");
        RemoteEnvoy envoy = RemoteEnvoy.of(name);
        Vocabulary known = Vocabulary.builder().reference(name, envoy).build();
        return new RemoteComputation(dispatcher.knowing(known), name, envoy);
    }

    /** Returns the name by which workers know it. */
    public String name() {
        return name;
    }

    /**
     * Returns what a block holds in its hand for the computation. It is put into the locals of a
     * frame; where the block runs it is the computation's own.
     */
    public Object envoy() {
        return envoy;
    }

    /**
     * Runs a trace elsewhere.
     *
     * @param input what the computation takes, which travels by value; may be null
     * @param blocks the blocks that run in step with it, in definition order
     * @throws UnsendableException if the input, or a value that a block reads, cannot travel,
     *     naming the variable
     * @throws DispatchException if it is not taken, as when the queue is full
     */
    public RemoteTrace<Traced<@Nullable Object>> trace(@Nullable Object input, Block... blocks) {
        return trace(TraceRequest.of(input, blocks));
    }

    /**
     * Runs a trace elsewhere.
     *
     * @throws UnsendableException if an input, or a value that a block reads, cannot travel, naming
     *     the variable
     * @throws DispatchException if it is not taken, as when the queue is full
     */
    public RemoteTrace<Traced<@Nullable Object>> trace(TraceRequest request) {
        return submit(List.of(request), List::getFirst, event -> {});
    }

    /**
     * Runs traces elsewhere as one job, one after the other: a session. What blocks of a frame bind
     * in one trace, those of the next see; all is pushed when the last has ended well.
     *
     * @param made makes of what the traces came to what the job comes to, before anything is pushed
     * @param events is told how it goes, on a thread of the carrier's, which it should not hold up;
     *     what it throws ends the run
     * @throws UnsendableException if an input, or a value that a block reads, cannot travel, naming
     *     the variable
     * @throws DispatchException if it is not taken, as when the queue is full
     */
    public <T> RemoteTrace<T> submit(
            List<TraceRequest> requests,
            Function<? super List<Traced<@Nullable Object>>, ? extends T> made,
            Consumer<? super RunEvent> events) {
        List<TraceRequest> all = List.copyOf(requests);
        RemoteTrace<T> trace = new RemoteTrace<>(name, all, made, dispatcher.vocabulary(), events);
        return dispatcher.begin(trace, TraceJob.of(name, all).toBytes(dispatcher.vocabulary()));
    }

    /**
     * Asks the computation to describe itself, without a trace.
     *
     * @param made makes of the plain values that it tells what the future comes to
     * @throws DispatchException if the question is not taken, as when the queue is full
     */
    public <T> CompletableFuture<T> describe(Function<@Nullable Object, ? extends T> made) {
        RemoteDescription<T> description =
                new RemoteDescription<>(name, made, dispatcher.vocabulary());
        return dispatcher.begin(description, RemoteDescription.toBytes(name)).future();
    }
}
