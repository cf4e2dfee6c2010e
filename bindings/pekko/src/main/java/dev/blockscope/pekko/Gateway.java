package dev.blockscope.pekko;

import static java.util.Objects.requireNonNull;

import com.typesafe.config.Config;
import dev.blockscope.wire.Carrier;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.remote.RemoteTransportException;
import org.jspecify.annotations.Nullable;

/**
 * The node of a cluster that keeps the queues, gives blocks to the workers and takes their
 * outcomes. It runs none itself.
 *
 * {@snippet :
 * try (Gateway gateway = Gateway.builder().start();
 *         Dispatcher dispatcher = Dispatcher.over(gateway.carrier("ann"), Vocabulary.EMPTY)) {
 *     // Elsewhere: Worker.builder(gateway.address()).runner(…).start()
 *     dispatcher.submit(engine.capture("total = price * quantity", frame)).future().get();
 * }
 * }
 *
 * <p>Its queues are in memory: what waits when its JVM ends is lost, and whoever submitted it is
 * told if he is elsewhere. Safe for use by many threads.
 *
 * @since 0.1
 */
public final class Gateway implements AutoCloseable {
    private final Terms terms;
    private final @Nullable Tls tls;
    private final LeaseBook<ActorRef<Message.ToSlot>> book;
    private final ActorSystem<GatewayCommand> system;
    private final ExecutorService tellers =
            Executors.newCachedThreadPool(
                    Thread.ofPlatform().daemon().name("blockscope-gateway-", 1).factory());

    private Gateway(Builder builder) throws IOException {
        this.tls = builder.tls;
        this.terms = builder.terms;
        this.book = new LeaseBook<>(builder.terms);
        this.system = listening(builder);
        Cluster cluster = Cluster.get(system);
        cluster.manager().tell(Join.create(cluster.selfMember().address()));
    }

    private ActorSystem<GatewayCommand> listening(Builder builder) throws IOException {
        Config settings = NodeSettings.ofGateway(builder.host, builder.port, builder.tls);
        try {
            return ActorSystem.create(
                    GatewayActor.of(book, builder.terms), NodeSettings.SYSTEM, settings);
        } catch (RemoteTransportException e) {
            throw Nodes.cannotListen("gateway", builder.host, builder.port, e);
        }
    }

    /** Returns a builder of a gateway on any free port of 127.0.0.1, on the default terms. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the address that workers join, as {@code host:port}. */
    public String address() {
        Address address = Cluster.get(system).selfMember().address();
        return address.getHost().orElseThrow() + ":" + address.getPort().orElseThrow();
    }

    /**
     * Returns one author's way to the queues. Closing it gives up his blocks and leaves the gateway
     * open.
     *
     * @param author by what fair shares are counted
     */
    public Carrier carrier(String author) {
        return new GatewayCarrier(requireNonNull(author, "author"), book, system::tell, tellers);
    }

    /** Returns by what its nodes know each other, or null if they speak in plain text. */
    @Nullable Tls tls() {
        return tls;
    }

    /** Returns on what terms blocks are taken and given. */
    public Terms terms() {
        return terms;
    }

    /** Returns what waits and runs now. */
    public GatewayState state() {
        return book.state();
    }

    /** Returns the names of the models that some worker has or had. */
    public List<String> models() {
        return book.models();
    }

    /**
     * Waits until so many blocks can run at once.
     *
     * @return whether they can, before the time was over
     */
    public boolean awaitSlots(int slots, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (state().slots() < slots) {
            if (System.nanoTime() > end) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return true;
    }

    /** Leaves the cluster. Blocks that wait or run fail, which their authors are told. */
    @Override
    public void close() {
        book.close();
        Nodes.terminate(system);
        tellers.shutdown();
    }

    /**
     * How a gateway is to be.
     *
     * @since 0.1
     */
    public static final class Builder {
        private String host = "127.0.0.1";
        private int port;
        private @Nullable Tls tls;
        private Terms terms = Terms.DEFAULT;

        private Builder() {}

        /** Has it listen on an address of this machine. */
        public Builder host(String address) {
            this.host = requireNonNull(address, "address");
            return this;
        }

        /** Has it listen on a port; 0 is any free one. */
        public Builder port(int number) {
            this.port = number;
            return this;
        }

        /** Has all connections encrypted, with certificates on both sides. */
        public Builder tls(Tls both) {
            this.tls = requireNonNull(both, "both");
            return this;
        }

        /** Sets on what terms blocks are taken and given. */
        public Builder terms(Terms others) {
            this.terms = requireNonNull(others, "others");
            return this;
        }

        /**
         * Starts it. It can be joined at once.
         *
         * @throws IllegalArgumentException if the address is not loopback and there is no TLS
         * @throws IOException if it cannot listen there, or a key store cannot be read
         */
        public Gateway start() throws IOException {
            Tls.requireReadable(tls);
            return new Gateway(this);
        }
    }
}
