package dev.blockscope.samples;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many clients that post to a rule server without a pause. */
final class RuleLoad {

    /** Rules that are right, that fail, and that would never end. */
    private static final Map<String, String> RULES =
            Map.of(
                    "discount",
                    """
                    let net = price * quantity
                    discount = net > 100 ? 0.1 : 0
                    net * (1 - discount)
                    """,
                    "faulty",
                    """
                    const limit = 10
                    customer.address.city.length > limit
                    """,
                    "endless",
                    "for (;;) price++");

    /** One of so many requests is for the faulty rule. */
    private static final int FAULTY = 20;

    /** One of so many requests is for the endless rule. */
    private static final int ENDLESS = 500;

    private final URI rules;
    private final HttpClient client = HttpClient.newHttpClient();

    /** Creates clients of a server. */
    RuleLoad(URI rules) {
        this.rules = rules;
    }

    /** Stores the rules. */
    void prepare() throws IOException, InterruptedException {
        for (Map.Entry<String, String> rule : RULES.entrySet()) {
            HttpResponse<String> answer =
                    client.send(
                            to(rule.getKey()).PUT(BodyPublishers.ofString(rule.getValue())).build(),
                            BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException("the rule was not stored: " + answer.body());
            }
        }
    }

    /** Returns what the author of the faulty rule reads. */
    List<String> failure() throws IOException, InterruptedException {
        HttpResponse<String> answer =
                client.send(
                        to("faulty").POST(BodyPublishers.ofString("{\"price\": 3}")).build(),
                        BodyHandlers.ofString());
        Object lines = JSON.std.mapFrom(answer.body()).get("traceback");
        if (!(lines instanceof List<?> traceback)) {
            throw new IOException("the faulty rule has no traceback: " + answer.body());
        }
        return traceback.stream().map(String::valueOf).toList();
    }

    /** Posts for a while, and returns what came of it. */
    Report run(int clients, Duration time) throws InterruptedException, ExecutionException {
        long began = System.nanoTime();
        long end = began + time.toNanos();
        List<Report> reports = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            List<Future<Report>> posting = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                int first = i * ENDLESS / clients;
                posting.add(threads.submit(() -> post(first, end)));
            }
            for (Future<Report> one : posting) {
                reports.add(one.get());
            }
        }
        return Report.of(reports, Duration.ofNanos(System.nanoTime() - began));
    }

    private Report post(int first, long end) throws IOException, InterruptedException {
        long[] nanos = new long[1024];
        int requests = 0;
        long right = 0;
        long failed = 0;
        long stopped = 0;
        long rejected = 0;
        for (int i = first; System.nanoTime() < end; i++) {
            long began = System.nanoTime();
            HttpResponse<String> answer =
                    client.send(
                            to(ruleFor(i))
                                    .POST(
                                            BodyPublishers.ofString(
                                                    "{\"price\": %d, \"quantity\": 4}"
                                                            .formatted(i % 50)))
                                    .build(),
                            BodyHandlers.ofString());
            if (requests == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * requests);
            }
            nanos[requests++] = System.nanoTime() - began;
            switch (answer.statusCode()) {
                case 200 -> right++;
                case 429 -> rejected++;
                case 422 -> {
                    if (answer.body().contains("\"kind\":\"RUNTIME\"")) {
                        failed++;
                    } else {
                        stopped++;
                    }
                }
                default -> throw new IOException("unexpected answer: " + answer.body());
            }
        }
        return new Report(
                Duration.ZERO, right, failed, stopped, rejected, Arrays.copyOf(nanos, requests));
    }

    private static String ruleFor(int request) {
        if (request % ENDLESS == ENDLESS - 1) {
            return "endless";
        }
        return request % FAULTY == FAULTY - 1 ? "faulty" : "discount";
    }

    private HttpRequest.Builder to(String rule) {
        return HttpRequest.newBuilder(URI.create(rules + "/" + rule));
    }

    /**
     * What came of a load.
     *
     * @param right runs that ended well
     * @param failed runs of rules with a fault
     * @param stopped runs that reached a limit
     * @param rejected requests for which there was no room
     * @param nanos how long each request took, in nanoseconds
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Report(
            Duration time, long right, long failed, long stopped, long rejected, long[] nanos) {

        private static Report of(List<Report> reports, Duration time) {
            long[] all =
                    reports.stream()
                            .flatMapToLong(it -> Arrays.stream(it.nanos))
                            .sorted()
                            .toArray();
            return new Report(
                    time,
                    reports.stream().mapToLong(Report::right).sum(),
                    reports.stream().mapToLong(Report::failed).sum(),
                    reports.stream().mapToLong(Report::stopped).sum(),
                    reports.stream().mapToLong(Report::rejected).sum(),
                    all);
        }

        /** Returns the requests in a second. */
        double rate() {
            return nanos.length / (time.toNanos() / 1e9);
        }

        /** Returns how long, in milliseconds, a share of the requests took at most. */
        double percentile(double share) {
            return nanos.length == 0 ? 0 : nanos[(int) (share * (nanos.length - 1))] / 1e6;
        }
    }
}
