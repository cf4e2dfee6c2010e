package dev.blockscope.samples;

import static com.google.common.base.Preconditions.checkArgument;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.jr.ob.JSON;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.blockscope.BlockException;
import dev.blockscope.BlockResult;
import dev.blockscope.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A service over HTTP that keeps rules and runs them against JSON.
 *
 * <ul>
 *   <li>{@code PUT /rules/NAME}, a text: stores a rule, if it parses
 *   <li>{@code GET /rules}, {@code GET /rules/NAME}, {@code DELETE /rules/NAME}
 *   <li>{@code POST /rules/NAME}, an object: runs a rule whose names are the object's fields
 * </ul>
 *
 * <p>A rule that fails is status 422 with the place in the rule; a run for which there is no room
 * is status 429.
 */
final class RuleServer implements AutoCloseable {

    private static final String ROOT = "/rules";

    /** A request's body that is larger is refused, in bytes. */
    private static final int LARGEST_BODY = 1 << 20;

    /** No answer is deeper than what a rule may return; what is in itself would be. */
    private static final int DEEPEST = 2 + (int) Limits.UNTRUSTED.resultDepth();

    private final RuleStore store;
    private final RuleRunner runner;
    private final Semaphore room;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private boolean closed;

    private RuleServer(Builder builder) throws IOException {
        this.store = requireNonNull(builder.store, "a store is missing; Builder.store sets it");
        this.runner = new RuleRunner(builder.most);
        this.room = new Semaphore(builder.runs);
        this.server =
                HttpServer.create(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), builder.port), 0);
        server.createContext(ROOT, this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** Returns a builder of a server on a free port. */
    static Builder builder() {
        return new Builder();
    }

    /** Returns where the rules are. */
    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + ROOT);
    }

    /** Returns the guest contexts that are open. */
    int openContexts() {
        return runner.openContexts();
    }

    /** Ends the service: what runs is stopped, and the store is closed. Closing twice is once. */
    @Override
    public void close() throws SQLException {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        server.stop(0);
        runner.close();
        threads.shutdownNow();
        try {
            threads.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        store.close();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answer(exchange);
            byte[] body = JSON.std.asBytes(answer.body());
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        String name =
                exchange.getRequestURI().getPath().substring(ROOT.length()).replaceFirst("^/", "");
        byte[] bytes = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
        if (bytes.length > LARGEST_BODY) {
            return Answer.error(413, "the body is larger than %d bytes".formatted(LARGEST_BODY));
        }
        String body = new String(bytes, UTF_8);
        try {
            return switch (exchange.getRequestMethod()) {
                case "GET" -> name.isEmpty() ? new Answer(200, store.names()) : show(name);
                case "PUT" -> keep(name, body);
                case "POST" -> runIfThereIsRoom(name, body);
                case "DELETE" -> store.remove(name) ? new Answer(200, name) : missing(name);
                default -> Answer.error(405, "expected GET, PUT, POST or DELETE");
            };
        } catch (BlockException e) {
            return new Answer(422, RuleRunner.described(name, e));
        } catch (SQLException | IllegalStateException e) {
            return Answer.error(500, String.valueOf(e.getMessage()));
        }
    }

    private Answer show(String name) throws SQLException {
        String text = store.find(name).orElse(null);
        return text == null ? missing(name) : new Answer(200, text);
    }

    private Answer keep(String name, String text) throws SQLException {
        if (!name.matches("[\\w-]{1,100}")) {
            return Answer.error(400, "a rule's name is of letters, digits, _ and -");
        }
        runner.check(name, text);
        store.put(name, text);
        return new Answer(200, name);
    }

    private Answer runIfThereIsRoom(String name, String body) throws SQLException {
        if (!room.tryAcquire()) {
            return Answer.error(429, "too many rules run at once; try again");
        }
        try {
            return run(name, body);
        } finally {
            room.release();
        }
    }

    private Answer run(String name, String body) throws SQLException {
        String text = store.find(name).orElse(null);
        if (text == null) {
            return missing(name);
        }
        Map<String, @Nullable Object> input = new LinkedHashMap<>();
        try {
            input.putAll(JSON.std.mapFrom(body));
        } catch (IOException e) {
            return Answer.error(400, "the body is no JSON object: " + e.getMessage());
        }
        BlockResult result = runner.run(name, text, input);
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("value", result.value());
        answer.put("assigned", result.bindings());
        try {
            return new Answer(200, plain(answer, DEEPEST));
        } catch (IllegalArgumentException e) {
            return Answer.error(422, String.valueOf(e.getMessage()));
        }
    }

    private static Answer missing(String name) {
        return Answer.error(404, "there is no rule \"%s\"".formatted(name));
    }

    /**
     * Returns a value with what JSON has no form for as text.
     *
     * @param levels how many levels deep it may be
     * @throws IllegalArgumentException if it is deeper
     */
    private static @Nullable Object plain(@Nullable Object value, int levels) {
        checkArgument(
                levels > 0,
                "the rule comes to a value that is in itself, and JSON has no form for that");
        return switch (value) {
            case null -> null;
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> plain = new LinkedHashMap<>();
                map.forEach((key, part) -> plain.put(String.valueOf(key), plain(part, levels - 1)));
                yield plain;
            }
            case Collection<?> parts -> {
                List<@Nullable Object> plain = new ArrayList<>();
                parts.forEach(part -> plain.add(plain(part, levels - 1)));
                yield plain;
            }
            case Number number -> number;
            case Boolean truth -> truth;
            default -> value.toString();
        };
    }

    /**
     * What a request comes to.
     *
     * @param body what goes out as JSON
     */
    private record Answer(int status, @Nullable Object body) {
        static Answer error(int status, String message) {
            return new Answer(status, Map.of("message", message));
        }
    }

    /** The settings of a server. */
    static final class Builder {
        private @Nullable RuleStore store;
        private int port;
        private int runs = 2 * Runtime.getRuntime().availableProcessors();
        private Duration most = Duration.ofMillis(250);

        private Builder() {}

        /** Sets where rules are kept; the server closes it. */
        Builder store(RuleStore kept) {
            this.store = kept;
            return this;
        }

        /** Sets the port; 0, which is the default, is a free one. */
        Builder port(int number) {
            this.port = number;
            return this;
        }

        /** Sets how many rules may run at once; by default two for each processor. */
        Builder runs(int atOnce) {
            this.runs = atOnce;
            return this;
        }

        /** Sets how long a rule may run; by default a quarter of a second. */
        Builder time(Duration longest) {
            this.most = longest;
            return this;
        }

        /**
         * Starts the server.
         *
         * @throws IOException if the port is taken
         */
        RuleServer start() throws IOException {
            return new RuleServer(this);
        }
    }
}
