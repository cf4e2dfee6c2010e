package dev.blockscope.pekko;

import static com.google.common.base.Preconditions.checkArgument;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.common.base.Splitter;
import com.google.common.io.ByteStreams;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.blockscope.wire.Carrier;
import dev.blockscope.wire.DispatchException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where authors come in: they reach this address, and never that of the cluster. {@link
 * DoorCarrier} is their side.
 *
 * <ul>
 *   <li>{@code POST /v1/jobs?model=NAME&once=true}, an envelope: takes a job, and answers with what
 *       becomes of it as it happens
 *   <li>{@code DELETE /v1/jobs/ID}: cancels it
 *   <li>{@code GET /v1/models}: the names of the models
 * </ul>
 *
 * <p>Who somebody is says a token or a certificate; an author sees and cancels his own jobs only. A
 * connection that ends takes its job with it.
 *
 * @since 0.1
 */
public final class Door implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Door.class);

    static final String JOBS = "/v1/jobs";
    static final String MODELS = "/v1/models";

    /**
     * How much of what is too large is read and dropped: an author who cannot send on hears no
     * answer.
     */
    private static final long MOST_IGNORED = 256L << 20;

    /** Who comes without a name, which only a door on a loopback address allows. */
    private static final String ANYBODY = "anybody";

    /** Who has come to this thread and not asked for anything yet. */
    private static final ThreadLocal<InetSocketAddress> SHAKING = new ThreadLocal<>();

    private final Builder builder;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Carrier> carriers = new ConcurrentHashMap<>();
    private final Map<String, Taken> jobs = new ConcurrentHashMap<>();

    private Door(Builder builder) throws IOException {
        this.builder = builder;
        this.server = listening(builder);
        server.createContext("/", this::answer);
        server.setExecutor(connection -> threads.execute(() -> serve(connection)));
        server.start();
    }

    private static HttpServer listening(Builder builder) throws IOException {
        InetSocketAddress address = new InetSocketAddress(builder.host, builder.port);
        Tls tls = builder.tls;
        try {
            if (tls == null) {
                return HttpServer.create(address, 0);
            }
            SSLContext context = tls.context();
            HttpsServer secure = HttpsServer.create(address, 0);
            secure.setHttpsConfigurator(new Certificates(context, builder.certificates));
            return secure;
        } catch (BindException e) {
            throw Nodes.cannotListen("door", builder.host, builder.port, e);
        }
    }

    /** The server itself says nothing of a connection on which no request came. */
    private void serve(Runnable connection) {
        SHAKING.remove();
        connection.run();
        InetSocketAddress silent = SHAKING.get();
        if (silent != null) {
            LOG.warn(
                    "{} came to the door and asked for nothing: who is there speaks no TLS 1.3, or one of the two does not believe the other's certificate; authors come to {} by a DoorCarrier with a Tls",
                    silent,
                    address());
        }
    }

    /** Returns a builder of a door on any free port of 127.0.0.1. */
    public static Builder builder(Gateway gateway) {
        return new Builder(gateway);
    }

    /** Returns the address for authors. */
    public URI address() {
        return URI.create(
                "%s://%s:%d"
                        .formatted(
                                builder.tls == null ? "http" : "https",
                                builder.host,
                                server.getAddress().getPort()));
    }

    /** Closes the door: jobs that came through it are given up. The gateway stays open. */
    @Override
    public void close() {
        carriers.values().forEach(Carrier::close);
        server.stop(1);
        threads.shutdown();
    }

    /** A job that came through the door. */
    private record Taken(String author, Carrier.Carried carried, DoorJob told) {}

    private void answer(HttpExchange exchange) throws IOException {
        SHAKING.remove();
        try (exchange) {
            String author = author(exchange);
            if (author == null) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                text(exchange, 401, "say who you are: Authorization: Bearer TOKEN");
            } else {
                answer(exchange, author);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(HttpExchange exchange, String author)
            throws IOException, InterruptedException {
        String path = exchange.getRequestURI().getPath();
        if (path.equals(JOBS)) {
            if (isAsked(exchange, "POST")) {
                take(exchange, author);
            }
        } else if (path.startsWith(JOBS + "/")) {
            if (isAsked(exchange, "DELETE")) {
                cancel(exchange, author, path.substring(JOBS.length() + 1));
            }
        } else if (path.equals(MODELS)) {
            if (isAsked(exchange, "GET")) {
                models(exchange);
            }
        } else {
            text(
                    exchange,
                    404,
                    "there is nothing at %s; the door has %s and %s".formatted(path, JOBS, MODELS));
        }
    }

    /** Returns whether it is what the path is for; if not, says what is. */
    private static boolean isAsked(HttpExchange exchange, String method) throws IOException {
        if (exchange.getRequestMethod().equals(method)) {
            return true;
        }
        exchange.getResponseHeaders().set("Allow", method);
        text(exchange, 405, "this path is for %s".formatted(method));
        return false;
    }

    private @Nullable String author(HttpExchange exchange) {
        if (builder.certificates && exchange instanceof HttpsExchange secure) {
            try {
                return secure.getSSLSession().getPeerPrincipal().getName();
            } catch (SSLPeerUnverifiedException e) {
                return null;
            }
        }
        if (builder.tokens.isEmpty()) {
            return ANYBODY;
        }
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        if (given == null || !given.startsWith("Bearer ")) {
            return null;
        }
        byte[] token = given.substring("Bearer ".length()).getBytes(UTF_8);
        String author = null;
        // All of them, so that the time does not tell how much of one was right.
        for (Map.Entry<String, String> known : builder.tokens.entrySet()) {
            if (MessageDigest.isEqual(known.getKey().getBytes(UTF_8), token)) {
                author = known.getValue();
            }
        }
        return author;
    }

    private void models(HttpExchange exchange) throws IOException {
        byte[] names = DoorEvent.MAPPER.writeValueAsBytes(builder.gateway.models());
        exchange.getResponseHeaders().set("Content-Type", "application/cbor");
        exchange.sendResponseHeaders(200, names.length);
        exchange.getResponseBody().write(names);
    }

    private void take(HttpExchange exchange, String author)
            throws IOException, InterruptedException {
        int largest = builder.gateway.terms().largest();
        InputStream body = exchange.getRequestBody();
        byte[] envelope = body.readNBytes(largest);
        long more = ByteStreams.exhaust(ByteStreams.limit(body, MOST_IGNORED));
        if (more > 0) {
            refuse(exchange, LeaseBook.tooLarge(largest + more, largest));
            return;
        }
        Map<String, String> asked = query(exchange.getRequestURI());
        boolean once = Boolean.parseBoolean(asked.get("once"));
        Carrier.Job job = new Carrier.Job(envelope, asked.getOrDefault("model", ""), !once);
        DoorJob told = new DoorJob();
        Carrier.Carried carried;
        try {
            carried = carriers.computeIfAbsent(author, builder.gateway::carrier).carry(job, told);
        } catch (DispatchException e) {
            refuse(exchange, e);
            return;
        }
        String id = UUID.randomUUID().toString();
        jobs.put(id, new Taken(author, carried, told));
        try {
            exchange.getResponseHeaders().set("Content-Type", "application/cbor-seq");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write(DoorEvent.MAPPER.writeValueAsBytes(DoorEvent.taken(id)));
            out.flush();
            told.writeTo(out);
        } finally {
            // Nobody listens any more, or it is over.
            carried.cancel();
            jobs.remove(id);
        }
    }

    private static void refuse(HttpExchange exchange, DispatchException why) throws IOException {
        byte[] failure = DoorEvent.MAPPER.writeValueAsBytes(DoorEvent.failed(why));
        exchange.getResponseHeaders().set("Content-Type", "application/cbor");
        exchange.sendResponseHeaders(status(why.kind()), failure.length);
        exchange.getResponseBody().write(failure);
    }

    private void cancel(HttpExchange exchange, String author, String id) throws IOException {
        Taken job = jobs.get(id);
        if (job == null || !job.author().equals(author)) {
            text(exchange, 404, "you have no job \"%s\"".formatted(id));
        } else {
            job.carried().cancel();
            // Nothing more is heard of it, so that this is how its answer ends.
            job.told()
                    .failed(
                            new DispatchException(
                                    DispatchException.Kind.CLOSED, "the job was cancelled"));
            exchange.sendResponseHeaders(204, -1);
        }
    }

    static int status(DispatchException.Kind kind) {
        return switch (kind) {
            case FULL -> 429;
            case NO_SUCH_MODEL -> 404;
            case TOO_LARGE -> 413;
            case REFUSED -> 400;
            case LOST, OUTCOME_UNKNOWN, CLOSED -> 503;
        };
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> asked = new LinkedHashMap<>();
        String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
        for (String part : Splitter.on('&').split(query)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                asked.put(
                        part.substring(0, equals),
                        URLDecoder.decode(part.substring(equals + 1), UTF_8));
            }
        }
        return asked;
    }

    private static void text(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** TLS 1.3, and a certificate of the author's if he is known by it. */
    private static final class Certificates extends HttpsConfigurator {
        private final boolean ofAuthors;

        Certificates(SSLContext context, boolean ofAuthors) {
            super(context);
            this.ofAuthors = ofAuthors;
        }

        @Override
        public void configure(HttpsParameters parameters) {
            SSLParameters settings = getSSLContext().getDefaultSSLParameters();
            settings.setProtocols(new String[] {"TLSv1.3"});
            settings.setNeedClientAuth(ofAuthors);
            parameters.setSSLParameters(settings);
            SHAKING.set(parameters.getClientAddress());
        }
    }

    /**
     * How a door is to be.
     *
     * @since 0.1
     */
    public static final class Builder {
        private final Gateway gateway;
        private final Map<String, String> tokens = new LinkedHashMap<>();
        private String host = "127.0.0.1";
        private int port;
        private @Nullable Tls tls;
        private boolean certificates;

        private Builder(Gateway gateway) {
            this.gateway = requireNonNull(gateway, "gateway");
        }

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

        /** Has all connections encrypted, with the certificate of its key store. */
        public Builder tls(Tls own) {
            this.tls = requireNonNull(own, "own");
            return this;
        }

        /**
         * Lets in only those whose certificate the trust store of the door's {@link Tls} knows; its
         * subject is the author. It is not the trust store of the gateway: whoever that one knows
         * may join as a worker.
         */
        public Builder certificates() {
            this.certificates = true;
            return this;
        }

        /**
         * Lets in who has a token.
         *
         * @param token a secret
         * @param author who that is
         */
        public Builder token(String token, String author) {
            tokens.put(requireNonNull(token, "token"), requireNonNull(author, "author"));
            return this;
        }

        /**
         * Opens it.
         *
         * @throws IllegalArgumentException if the address is not loopback and there is no TLS, or
         *     nothing by which authors are known, or authors could be nodes by their certificates
         * @throws IOException if it cannot listen there, or the key store cannot be read
         */
        public Door open() throws IOException {
            boolean loopback = NodeSettings.isLoopback(host);
            checkArgument(
                    loopback || tls != null,
                    "the address %s can be reached from other machines; give the door a Tls with its certificate, or let it listen on 127.0.0.1",
                    host);
            checkArgument(
                    loopback || certificates || !tokens.isEmpty(),
                    "the address %s can be reached from other machines; say by which tokens or certificates authors are known",
                    host);
            checkArgument(
                    !certificates || tls != null, "certificates of authors need a Tls of the door");
            if (certificates) {
                requireNoNodesAmong(requireNonNull(tls));
            }
            return new Door(this);
        }

        private void requireNoNodesAmong(Tls authors) throws IOException {
            Tls nodes = gateway.tls();
            checkArgument(
                    nodes == null || !authors.believesAs(nodes),
                    "authors whose certificates are in %s could join the gateway as workers; give the door a trust store of its own, by Tls.trusting",
                    authors.trustStore());
        }
    }
}
