package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RulesServiceTest {

    private final HttpClient client = HttpClient.newHttpClient();
    @TempDir private Path folder;
    private RuleServer server;

    @BeforeEach
    void start() throws Exception {
        server =
                RuleServer.builder()
                        .store(RuleStore.inMemory())
                        .runs(1)
                        .time(Duration.ofSeconds(2))
                        .start();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
        server.close();
    }

    @Test
    void aRuleIsStoredShownRunAndRemoved() throws Exception {
        assertThat(send("PUT", "total", "sum = price * quantity; sum > 10 ? 'big' : 'small'"))
                .isEqualTo(200);
        assertThat(send("GET", "", "")).isEqualTo(200);
        assertThat(answer).isEqualTo(List.of("total"));
        assertThat(send("POST", "total", "{\"price\": 3, \"quantity\": 4}")).isEqualTo(200);
        assertThat(answer).isEqualTo(Map.of("value", "big", "assigned", Map.of("sum", 12)));
        assertThat(send("GET", "total", "")).isEqualTo(200);
        assertThat(send("DELETE", "total", "")).isEqualTo(200);
        assertThat(send("GET", "total", "")).isEqualTo(404);
        assertThat(send("POST", "total", "{}")).isEqualTo(404);
        assertThat(send("DELETE", "total", "")).isEqualTo(404);
    }

    @Test
    void anErrorPointsIntoTheRule() throws Exception {
        send("PUT", "faulty", "function city() {\n  return customer.address.city\n}\ncity()");
        assertThat(send("POST", "faulty", "{\"customer\": {}}")).isEqualTo(422);
        assertThat(answer)
                .isInstanceOf(Map.class)
                .extracting("rule", "kind", "line", "source")
                .containsExactly("faulty", "RUNTIME", 2, "  return customer.address.city");
        assertThat(answer.toString()).contains("faulty.js:4:1").doesNotContain("dev.blockscope");
    }

    @Test
    void aRuleThatDoesNotParseIsNotStored() throws Exception {
        assertThat(send("PUT", "broken", "let a = 1\nlet = = 2")).isEqualTo(422);
        assertThat(answer).extracting("kind", "line").containsExactly("SYNTAX", 2);
        assertThat(send("POST", "broken", "{}")).isEqualTo(404);
    }

    @Test
    void whatIsNoRuleOrNoInputIsRefused() throws Exception {
        assertThat(send("PUT", "a.b", "1")).isEqualTo(400);
        send("PUT", "one", "1");
        assertThat(send("POST", "one", "[1, 2")).isEqualTo(400);
        assertThat(send("PATCH", "one", "1")).isEqualTo(405);
        assertThat(send("PUT", "large", "/*" + "x".repeat(1 << 20) + "*/")).isEqualTo(413);
    }

    @Test
    void anEndlessRuleIsStoppedAndMeanwhileThereIsNoRoom() throws Exception {
        send("PUT", "endless", "for (;;);");
        send("PUT", "one", "1");
        CompletableFuture<HttpResponse<String>> endless = sendEndless();
        int status = send("POST", "one", "{}");
        for (int tries = 0; status == 200 && tries < 10_000; tries++) {
            if (endless.isDone()) {
                // It was the one that found no room.
                endless = sendEndless();
            }
            status = send("POST", "one", "{}");
        }
        assertThat(status).isEqualTo(429);
        assertThat(endless.get().statusCode()).isEqualTo(422);
        assertThat(endless.get().body()).contains("endless", "than its limit of ", "\"line\":1");
        assertThat(send("POST", "one", "{}")).isEqualTo(200);
    }

    private CompletableFuture<HttpResponse<String>> sendEndless() {
        return client.sendAsync(request("POST", "endless", "{}"), BodyHandlers.ofString());
    }

    @Test
    void aValueThatJsonCannotShowIsAnError() throws Exception {
        send("PUT", "ring", "const o = {}; o.o = o; o");
        send("PUT", "shared", "let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; a");
        send("PUT", "set", "new Set([1, 2])");

        assertThat(send("POST", "ring", "{}")).isEqualTo(422);
        assertThat(answer).extracting("message").asString().contains("a value that is in itself");
        assertThat(send("POST", "shared", "{}")).isEqualTo(422);
        assertThat(answer).extracting("kind").isEqualTo("LIMIT");
        assertThat(send("POST", "set", "{}")).isEqualTo(200);
        assertThat(answer).extracting("value").isEqualTo(List.of(1, 2));
    }

    @Test
    void runsDoNotSeeEachOther() throws Exception {
        send("PUT", "leaving", "Array.prototype.evil = 1; globalThis.left = 2; 0");
        send("PUT", "looking", "[typeof [].evil, typeof left].join()");
        send("POST", "leaving", "{}");
        send("POST", "looking", "{}");
        assertThat(answer).extracting("value").isEqualTo("undefined,undefined");
    }

    @Test
    void rulesInAFileAreThereAgain() throws Exception {
        Path file = folder.resolve("rules");
        try (RuleStore store = RuleStore.in(file)) {
            store.put("one", "1");
        }
        try (RuleStore store = RuleStore.in(file)) {
            assertThat(store.find("one")).contains("1");
        }
    }

    @Test
    void aShortLoadLeavesNothingBehind() {
        StringWriter out = new StringWriter();
        int status =
                RulesService.commandLine()
                        .setOut(new PrintWriter(out, true))
                        .execute("--seconds", "3", "--clients", "4");
        assertThat(out.toString())
                .containsPattern("rules at   http://127.0.0.1:\\d+/rules\n")
                .containsPattern("load       4 clients, 3.0 s, [1-9]\\d* requests")
                .containsPattern("latency    p50 [\\d.]+ ms, p99 [\\d.]+ ms")
                .containsPattern(
                        "runs       [1-9]\\d* right, \\d+ failed in the rule, \\d+ stopped")
                .contains("faulty     faulty.js:2:1: ReferenceError: customer is not defined")
                .contains("nothing leaks");
        assertThat(status).isZero();
    }

    private Object answer;

    private int send(String method, String rule, String body) throws Exception {
        HttpResponse<String> response =
                client.send(request(method, rule, body), BodyHandlers.ofString());
        answer = JSON.std.anyFrom(response.body());
        return response.statusCode();
    }

    private HttpRequest request(String method, String rule, String body) {
        URI address = rule.isEmpty() ? server.address() : URI.create(server.address() + "/" + rule);
        return HttpRequest.newBuilder(address)
                .method(method, BodyPublishers.ofString(body))
                .build();
    }
}
