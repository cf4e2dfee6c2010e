package dev.blockscope.pekko;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.blockscope.wire.DispatchException;
import dev.blockscope.wire.EnvelopeRunner;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node of a cluster that runs blocks: it joins a gateway and offers it slots, in each of which
 * one block runs at a time.
 *
 * <p>A node that the gateway believed lost, because its machine stood still or could not be
 * reached, joins again by itself. Blocks that it ran in the meantime were begun elsewhere.
 *
 * @since 0.1
 */
public final class Worker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final Builder builder;
    private final CompletableFuture<Worker> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final ExecutorService threads =
            Executors.newCachedThreadPool(
                    Thread.ofPlatform().daemon().name("blockscope-slot-", 1).factory());

    // Guarded by this object: the node, which is another one after each time it was believed lost.
    private Node node;
    private boolean closing;

    /** What there is from one start to the next. */
    private record Node(
            ActorSystem<Void> system,
            List<ActorRef<SlotCommand>> slots,
            CompletableFuture<Void> ended) {}

    private Worker(Builder builder) {
        this.builder = builder;
        this.node = open();
    }

    /**
     * Returns a builder of a worker that joins a gateway, with one slot.
     *
     * @param gateway its address, as {@link Gateway#address} tells it
     */
    public static Builder builder(String gateway) {
        return new Builder(gateway);
    }

    private Node open() {
        List<ActorRef<SlotCommand>> slots = new CopyOnWriteArrayList<>();
        Slot common =
                new Slot(
                        builder.name,
                        Map.copyOf(builder.runners),
                        builder.largest,
                        builder.grace,
                        builder.protocol,
                        threads,
                        new Reports());
        ActorSystem<Void> system =
                ActorSystem.create(
                        Behaviors.setup(context -> {
                            for (int i = 0; i < builder.slots; i++) {
                                slots.add(context.spawn(SlotActor.of(common), "slot-" + i));
                            }
                            return Behaviors.empty();
                        }),
                        NodeSettings.SYSTEM,
                        NodeSettings.ofWorker(
                                builder.host, builder.tls, builder.gateway, builder.patience));
        CompletableFuture<Void> ended = Nodes.ended(system);
        var _ = ended.whenComplete((done, failure) -> over());
        return new Node(system, slots, ended);
    }

    /** The node has ended: on purpose, or since the gateway took it for lost. */
    private synchronized void over() {
        if (closing) {
            ended.complete(null);
        } else if (!ready.isDone()) {
            Thread.startVirtualThread(this::tellUnreachable);
        } else if (ready.isCompletedExceptionally()) {
            ended.complete(null);
        } else {
            LOG.info("the worker {} is no member any more and joins again", builder.name);
            node = open();
        }
    }

    /** Looks at the gateway once more, which may take seconds. */
    private void tellUnreachable() {
        ready.completeExceptionally(
                new DispatchException(
                        DispatchException.Kind.CLOSED,
                        "the worker %s could not join the gateway at %s within %d seconds: %s"
                                .formatted(
                                        builder.name,
                                        builder.gateway,
                                        builder.patience.toSeconds(),
                                        JoinFailure.of(builder.gateway, builder.tls))));
        ended.complete(null);
    }

    /** What the slots tell of the gateway. */
    private final class Reports implements Slot.Listener {
        private final AtomicInteger welcomed = new AtomicInteger();

        @Override
        public void welcomed() {
            if (welcomed.incrementAndGet() == builder.slots) {
                ready.complete(Worker.this);
            }
        }

        @Override
        public void refused(String reason) {
            ready.completeExceptionally(
                    new DispatchException(DispatchException.Kind.REFUSED, reason));
            Thread.startVirtualThread(Worker.this::close);
        }
    }

    /**
     * Returns what is done when the gateway knows all slots. It fails with a {@link
     * DispatchException} that says why if the gateway cannot be joined in time, or refuses the
     * worker.
     */
    public CompletableFuture<Worker> ready() {
        return ready.copy();
    }

    /** Returns what is done when the worker has ended. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /**
     * Takes no more blocks, waits for those that run, and then closes.
     *
     * @param atMost how long it waits; what runs then is begun elsewhere
     * @return whether all had ended by then
     */
    public boolean drain(Duration atMost) {
        Node drained;
        synchronized (this) {
            closing = true;
            drained = node;
        }
        List<CompletableFuture<?>> idle = new ArrayList<>();
        for (ActorRef<SlotCommand> slot : drained.slots()) {
            idle.add(
                    AskPattern.<SlotCommand, SlotCommand.SlotDrained>ask(
                                    slot,
                                    SlotCommand.Drain::new,
                                    atMost,
                                    drained.system().scheduler())
                            .toCompletableFuture());
        }
        CompletableFuture<Void> all =
                CompletableFuture.allOf(idle.toArray(CompletableFuture<?>[]::new));
        boolean ended = all.handle((done, failure) -> failure == null).join();
        close();
        return ended;
    }

    /** Leaves the cluster at once. Blocks that run are begun elsewhere. */
    @Override
    public void close() {
        Node closed;
        synchronized (this) {
            closing = true;
            closed = node;
        }
        Nodes.terminate(closed.system(), closed.ended());
        ready.completeExceptionally(
                new DispatchException(DispatchException.Kind.CLOSED, "the worker is closed"));
        threads.shutdownNow();
    }

    /**
     * How a worker is to be.
     *
     * @since 0.1
     */
    public static final class Builder {
        private final String gateway;
        private final Map<String, EnvelopeRunner> runners = new LinkedHashMap<>();
        private String name = "worker-" + ProcessHandle.current().pid();
        private String host = "127.0.0.1";
        private int slots = 1;
        private int largest = Terms.DEFAULT.largest();
        private int protocol = Message.PROTOCOL;
        private Duration grace = Duration.ofSeconds(5);
        private Duration patience = Duration.ofSeconds(20);
        private @Nullable Tls tls;

        private Builder(String gateway) {
            this.gateway = requireNonNull(gateway, "gateway");
        }

        /** Calls it by a name, which is told with everything that happens there. */
        public Builder name(String said) {
            this.name = requireNonNull(said, "said");
            return this;
        }

        /** Has it listen on an address of this machine, on any free port. */
        public Builder host(String address) {
            this.host = requireNonNull(address, "address");
            return this;
        }

        /** Sets how many blocks run at once. */
        public Builder slots(int many) {
            checkArgument(many > 0, "there are %s slots, expected at least 1", many);
            this.slots = many;
            return this;
        }

        /** Sets how many bytes a block or its outcome has at most. */
        public Builder largest(int bytes) {
            checkArgument(bytes > 0, "the largest payload is %s, expected at least 1 byte", bytes);
            this.largest = bytes;
            return this;
        }

        /** Sets how long a block that was cancelled has to end before its slot goes on. */
        public Builder grace(Duration time) {
            this.grace = requireNonNull(time, "time");
            return this;
        }

        /** Sets how long it tries to join the gateway before it gives up. */
        public Builder patience(Duration time) {
            checkArgument(time.isPositive(), "the patience is %s, expected more", time);
            this.patience = time;
            return this;
        }

        /** Has all connections encrypted, with certificates on both sides. */
        public Builder tls(Tls both) {
            this.tls = requireNonNull(both, "both");
            return this;
        }

        /**
         * Has it run blocks that need no model.
         *
         * @param runner runs them; its engine stays open when the worker closes
         */
        public Builder runner(EnvelopeRunner runner) {
            return model("", runner);
        }

        /**
         * Has it run blocks that need a model.
         *
         * @param model the name of the model, to which {@link
         *     dev.blockscope.wire.Dispatcher#toModel} refers
         * @param runner runs them; its vocabulary has the model
         */
        public Builder model(String model, EnvelopeRunner runner) {
            runners.put(requireNonNull(model, "model"), requireNonNull(runner, "runner"));
            return this;
        }

        /** Speaks another version, for tests. */
        Builder protocol(int version) {
            this.protocol = version;
            return this;
        }

        /**
         * Starts it. It has joined when {@link Worker#ready} is done.
         *
         * @throws IllegalArgumentException if it has nothing to run, its names are too long, the
         *     gateway's address is none, or its own is not loopback and there is no TLS
         * @throws IOException if a key store cannot be read
         */
        public Worker start() throws IOException {
            Tls.requireReadable(tls);
            checkArgument(
                    !runners.isEmpty(),
                    "the worker %s has nothing to run; give it a runner or a model",
                    name);
            String excess = Message.Hello.excess(name, runners.keySet());
            checkArgument(excess == null, "%s", excess);
            return new Worker(this);
        }
    }
}
