package dev.blockscope.pekko;

import static com.google.common.base.Preconditions.checkArgument;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.MappingIterator;
import dev.blockscope.wire.Carrier;
import dev.blockscope.wire.DispatchException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An author's way to a gateway on another machine, through its {@link Door}.
 *
 * {@snippet :
 * Carrier carrier = DoorCarrier.builder(URI.create("https://gateway:8443")).token(token).tls(tls).build();
 * try (Dispatcher dispatcher = Dispatcher.over(carrier, vocabulary).toModel("minilm")) {
 *     dispatcher.submit(block).future().get();
 * }
 * }
 *
 * @since 0.1
 */
public final class DoorCarrier implements Carrier {
    private static final Logger LOG = LoggerFactory.getLogger(DoorCarrier.class);

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final Duration ANSWERING = Duration.ofSeconds(30);

    /** What a slow line takes for a MiB of an envelope. */
    private static final Duration SENDING = Duration.ofSeconds(2);

    private final URI door;
    private final @Nullable String token;
    private final @Nullable Tls tls;
    private final Duration silence;
    private final HttpClient client;
    private final ExecutorService readers =
            Executors.newCachedThreadPool(
                    Thread.ofPlatform().daemon().name("blockscope-door-", 1).factory());
    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("blockscope-door-watch").factory());
    private final Set<Open> jobs = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    private DoorCarrier(Builder builder) throws IOException {
        this.door = builder.door;
        this.token = builder.token;
        this.tls = builder.tls;
        this.silence = builder.silence;
        HttpClient.Builder settings =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(builder.connecting);
        if (builder.tls != null) {
            SSLParameters parameters = new SSLParameters();
            parameters.setProtocols(new String[] {"TLSv1.3"});
            settings.sslContext(builder.tls.context()).sslParameters(parameters);
        }
        this.client = settings.build();
        long millis = silence.dividedBy(4).toMillis();
        var _ = watch.scheduleAtFixedRate(this::listen, millis, millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Returns a builder of a way to a door.
     *
     * @param door its address, as {@link Door#address} tells it
     * @throws IllegalArgumentException if it is not encrypted and not loopback
     */
    public static Builder builder(URI door) {
        return new Builder(door);
    }

    @Override
    public Carried carry(Job job, Receiver receiver) {
        if (closed.get()) {
            throw closedException();
        }
        String query =
                "?model=%s&once=%s"
                        .formatted(URLEncoder.encode(job.queue(), UTF_8), !job.repeatable());
        HttpResponse<InputStream> response =
                send(
                        request("/v1/jobs" + query)
                                .timeout(timeFor(job.envelope().length))
                                .POST(HttpRequest.BodyPublishers.ofByteArray(job.envelope())));
        if (response.statusCode() != 200) {
            throw refused(response);
        }
        Open open = new Open(response.body(), receiver);
        jobs.add(open);
        readers.execute(open);
        return open::cancel;
    }

    private static Duration timeFor(int bytes) {
        return ANSWERING.plus(SENDING.multipliedBy(bytes >> 20));
    }

    /**
     * A door says at least that it is there. A machine that stands still or is not there any more
     * ends no connection, and whoever reads it would wait for ever.
     */
    private void listen() {
        for (Open job : jobs) {
            if (System.nanoTime() - job.lastHeard > silence.toNanos()) {
                job.giveUp(
                        gone("nothing was heard from it for %d ms".formatted(silence.toMillis())));
            }
        }
    }

    /**
     * Returns the names of the models that workers have.
     *
     * @throws DispatchException if the door cannot be reached, or does not let this author in
     */
    public List<String> models() {
        HttpResponse<InputStream> response = send(request("/v1/models").GET());
        if (response.statusCode() != 200) {
            throw refused(response);
        }
        try (InputStream body = response.body()) {
            return DoorEvent.MAPPER.readValue(body, new TypeReference<List<String>>() {});
        } catch (IOException e) {
            throw gone(e);
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(door.resolve(path)).timeout(ANSWERING);
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    private HttpResponse<InputStream> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw gone(why(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DispatchException(
                    DispatchException.Kind.CLOSED, "the thread was interrupted at the door");
        }
    }

    /** An answer of a door is an event; of anything else it is any text. */
    private DispatchException refused(HttpResponse<InputStream> response) {
        byte[] answer;
        try (InputStream body = response.body()) {
            answer = body.readNBytes(Parcel.LARGEST);
        } catch (IOException e) {
            return gone(e);
        }
        try {
            return DoorEvent.MAPPER.readValue(answer, DoorEvent.class).failure();
        } catch (IOException e) {
            return new DispatchException(
                    DispatchException.Kind.REFUSED,
                    "the door %s answers with status %d: %s"
                            .formatted(door, response.statusCode(), new String(answer, UTF_8)));
        }
    }

    /** Says why no answer came, and what to do if the two sides speak differently. */
    private String why(IOException e) {
        if (!"https".equals(door.getScheme())) {
            return speaksTls()
                    ? "it speaks TLS only; give its address with https, and a Tls that believes its certificate"
                    : said(e);
        }
        if (Handshake.isDisbelief(e)) {
            return tls == null
                    ? "its certificate is none that this JVM believes; give the carrier a Tls that does"
                    : "its certificate is none that %s knows; add it there"
                            .formatted(tls.trustStore());
        }
        if (Handshake.isRefusal(e) || refusesCertificate(e)) {
            return tls == null
                    ? "it lets authors in by their certificates; give the carrier a Tls"
                    : "it does not believe the certificate in %s; have it added to the store of its authors"
                            .formatted(tls.keyStore());
        }
        // One that speaks no TLS may take what it gets for the beginning of a request.
        return e instanceof SSLException || e instanceof HttpConnectTimeoutException
                ? "nobody there speaks TLS 1.3 (%s); if the door speaks none, give its address with http"
                        .formatted(said(e))
                : said(e);
    }

    private boolean speaksTls() {
        try (Socket socket = connected(HTTP_PORT)) {
            return Handshake.isSpokenBy(socket);
        } catch (IOException e) {
            LOG.debug("nobody listens at {}", door, e);
            return false;
        }
    }

    /**
     * Whether the door does not believe this author's certificate, or misses one, where what a
     * request came to does not tell. A door judges when the author's side of the handshake is done
     * and a request may be under way already; then its verdict can be lost with the connection. One
     * that asks for nothing hears it.
     */
    private boolean refusesCertificate(IOException ofRequest) {
        if (ofRequest instanceof HttpTimeoutException || ofRequest instanceof ConnectException) {
            return false;
        }
        try (Socket plain = connected(HTTPS_PORT);
                Socket secure = Handshake.with(plain, client.sslContext())) {
            var _ = secure.getInputStream().read();
            return false;
        } catch (IOException e) {
            return Handshake.isRefusal(e);
        }
    }

    private Socket connected(int usualPort) throws IOException {
        int port = door.getPort() < 0 ? usualPort : door.getPort();
        return Handshake.connected(door.getHost(), port);
    }

    private static String said(IOException e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    private DispatchException gone(IOException e) {
        return gone(said(e));
    }

    private DispatchException gone(String why) {
        return new DispatchException(
                DispatchException.Kind.CLOSED,
                "the door %s cannot be reached, or is not there any more: %s".formatted(door, why));
    }

    private static DispatchException closedException() {
        return new DispatchException(
                DispatchException.Kind.CLOSED, "the way to the door is closed; open another one");
    }

    @Override
    public void close() {
        closed.set(true);
        for (Open job : jobs) {
            job.giveUp(closedException());
        }
        watch.shutdownNow();
        readers.shutdown();
        client.shutdownNow();
    }

    /** A job whose events are read. */
    private final class Open implements Runnable {
        private final InputStream events;
        private final Receiver receiver;
        private final AtomicBoolean over = new AtomicBoolean();

        /** What the door calls it, once that is known. */
        private volatile @Nullable String id;

        private volatile long lastHeard = System.nanoTime();

        Open(InputStream events, Receiver receiver) {
            this.events =
                    new FilterInputStream(events) {
                        @Override
                        public int read(byte[] bytes, int from, int most) throws IOException {
                            int read = super.read(bytes, from, most);
                            lastHeard = System.nanoTime();
                            return read;
                        }
                    };
            this.receiver = receiver;
        }

        @Override
        public void run() {
            try (MappingIterator<DoorEvent> each =
                    DoorEvent.MAPPER.readerFor(DoorEvent.class).readValues(events)) {
                boolean more = true;
                while (more) {
                    if (!each.hasNextValue()) {
                        throw new IOException("it has ended in the middle of a job");
                    }
                    DoorEvent event = each.nextValue();
                    if (event.event().equals(DoorEvent.TAKEN)) {
                        id = event.job();
                    }
                    more = !over.get() && event.tell(receiver);
                }
                if (over.getAndSet(true)) {
                    delete();
                }
            } catch (IOException e) {
                giveUp(gone(e));
            } finally {
                jobs.remove(this);
            }
        }

        void giveUp(DispatchException reason) {
            if (over.compareAndSet(false, true)) {
                receiver.failed(reason);
                end();
            }
        }

        /** Nobody waits for the answer; whoever reads the events looks for this as well. */
        void cancel() {
            if (!over.getAndSet(true) && id != null) {
                readers.execute(this::delete);
            }
        }

        private void delete() {
            String known = id;
            if (known == null) {
                return;
            }
            try (InputStream answer =
                    send(request("/v1/jobs/" + URLEncoder.encode(known, UTF_8)).DELETE()).body()) {
                var _ = answer.readAllBytes();
            } catch (IOException | DispatchException e) {
                LOG.warn("the job {} could not be cancelled", known, e);
            } finally {
                end();
            }
        }

        /** A connection that ends takes its job with it, if nothing else does. */
        private void end() {
            try {
                events.close();
            } catch (IOException e) {
                LOG.debug("the answer about the job {} had ended", id, e);
            }
        }
    }

    /**
     * How an author reaches a door.
     *
     * @since 0.1
     */
    public static final class Builder {
        private final URI door;
        private Duration silence = Duration.ofSeconds(15);
        private Duration connecting = Duration.ofSeconds(10);
        private @Nullable String token;
        private @Nullable Tls tls;

        private Builder(URI door) {
            this.door = requireNonNull(door, "door");
            checkArgument(
                    "https".equals(door.getScheme()) || NodeSettings.isLoopback(door.getHost()),
                    "the door %s is on another machine, and what is sent there is not encrypted; give its address with https",
                    door);
        }

        /** Says who the author is, by a secret that the door knows. */
        public Builder token(String secret) {
            this.token = requireNonNull(secret, "secret");
            return this;
        }

        /** Says which certificates are believed, and which one is the author's. */
        public Builder tls(Tls own) {
            this.tls = requireNonNull(own, "own");
            return this;
        }

        /**
         * Sets after how long without a word of the door it is taken for gone. It speaks every 2
         * seconds at least.
         */
        public Builder silence(Duration longest) {
            checkArgument(
                    longest.isPositive(), "the longest silence is %s, expected more", longest);
            this.silence = longest;
            return this;
        }

        /** Waits so long for a connection, for tests. */
        Builder connecting(Duration longest) {
            this.connecting = longest;
            return this;
        }

        /**
         * Creates the carrier. Nothing is sent before the first job.
         *
         * @throws IOException if a key store cannot be read
         */
        public DoorCarrier build() throws IOException {
            return new DoorCarrier(this);
        }
    }
}
