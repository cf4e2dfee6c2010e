package dev.blockscope.wire;

import static java.util.Objects.requireNonNull;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.Limits;
import java.util.function.Consumer;

/**
 * Runs blocks elsewhere as if they ran here: what they assign is pushed into their frame, what they
 * say goes to their listener, and their errors point at the user's lines.
 *
 * {@snippet :
 * try (Dispatcher dispatcher = Dispatcher.inJvm(workers)) {
 *     Block block = engine.capture("total = price * quantity", frame);
 *     dispatcher.submit(block).future().get();
 *     locals.get("total"); // 12
 * }
 * }
 *
 * <p>A block travels as an {@link Envelope}, also with {@link #inJvm}, so that what cannot travel
 * is found without a cluster. Safe for use by many threads.
 *
 * @since 0.1
 */
public final class Dispatcher implements AutoCloseable {
    private static final int WAITING = 10_000;

    private final Carrier carrier;
    private final Vocabulary vocabulary;
    private final String queue;
    private final boolean repeatable;

    private Dispatcher(Carrier carrier, Vocabulary vocabulary, String queue, boolean repeatable) {
        this.carrier = requireNonNull(carrier, "carrier");
        this.vocabulary = requireNonNull(vocabulary, "vocabulary");
        this.queue = requireNonNull(queue, "queue");
        this.repeatable = repeatable;
    }

    /**
     * Returns a dispatcher to workers that a carrier reaches.
     *
     * @param vocabulary what values may name, here as there
     */
    public static Dispatcher over(Carrier carrier, Vocabulary vocabulary) {
        return new Dispatcher(carrier, vocabulary, "", true);
    }

    /**
     * Returns a dispatcher that runs plain blocks in this JVM, as many at once as there are
     * processors; 10,000 more may wait.
     *
     * @param workers runs the blocks; it is not the one that captured them, and stays open
     */
    public static Dispatcher inJvm(BlockEngine workers) {
        return inJvm(
                new EnvelopeRunner(workers, Vocabulary.EMPTY, Limits.NONE),
                Runtime.getRuntime().availableProcessors(),
                WAITING);
    }

    /**
     * Returns a dispatcher that runs blocks in this JVM.
     *
     * @param runner runs them; its engine stays open
     * @param slots how many run at once
     * @param waiting how many more may wait
     * @throws IllegalArgumentException if {@code slots} is not positive or {@code waiting} negative
     */
    public static Dispatcher inJvm(EnvelopeRunner runner, int slots, int waiting) {
        return over(new PoolCarrier(runner, slots, waiting), runner.vocabulary());
    }

    /**
     * Returns this dispatcher for blocks that need a model. If no worker has it, {@link #submit}
     * throws a {@link DispatchException} of the kind {@link DispatchException.Kind#NO_SUCH_MODEL}.
     *
     * @param name the name by which the workers' vocabulary refers to the model
     */
    public Dispatcher toModel(String name) {
        return new Dispatcher(carrier, vocabulary, name, repeatable);
    }

    /**
     * Returns this dispatcher for blocks that must not be begun a second time, because of what they
     * do to host objects. If the worker is lost they fail with {@link
     * DispatchException.Kind#OUTCOME_UNKNOWN}.
     */
    public Dispatcher once() {
        return new Dispatcher(carrier, vocabulary, queue, false);
    }

    /**
     * Has a block run elsewhere.
     *
     * @throws UnsendableException if a value that it reads cannot travel, naming the variable
     * @throws DispatchException if it is not taken, as when the queue is full
     */
    public RemoteRun submit(Block block) {
        return submit(block, event -> {});
    }

    /**
     * Has a block run elsewhere, and a listener told how that goes.
     *
     * @param events is told on a thread of the carrier's, which it should not hold up; what it
     *     throws ends the run
     * @throws UnsendableException if a value that it reads cannot travel, naming the variable
     * @throws DispatchException if it is not taken, as when the queue is full
     */
    public RemoteRun submit(Block block, Consumer<? super RunEvent> events) {
        RemoteRun run = new RemoteRun(block, vocabulary, events);
        return begin(run, Envelope.of(block).toBytes(vocabulary));
    }

    /**
     * Returns this dispatcher, which knows more beyond plain values.
     *
     * @param more means what it says where this dispatcher knows something else by that name
     */
    public Dispatcher knowing(Vocabulary more) {
        return new Dispatcher(carrier, vocabulary.and(more), queue, repeatable);
    }

    Vocabulary vocabulary() {
        return vocabulary;
    }

    /** Returns the name of the model that its blocks need, or an empty text. */
    String model() {
        return queue;
    }

    /** Hands a job over. */
    <J extends RemoteJob<?>> J begin(J job, byte[] envelope) {
        job.begin(carrier, new Carrier.Job(envelope, queue, repeatable));
        return job;
    }

    /** Closes the carrier: blocks that wait or run fail. */
    @Override
    public void close() {
        carrier.close();
    }
}
