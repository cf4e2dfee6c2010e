package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A program that runs a block under the inspector, is the browser itself, and says what it saw. */
final class InspectedBlock {
    /** What a tool is to show: a text that begins further down in its file. */
    static final BlockSource SOURCE =
            BlockSource.javaScript(
                            """
                            let total = price * count
                            if (total > 100) {
                              discount = 0.1
                            } else {
                              discount = 0
                            }
                            total * (1 - discount)
                            """,
                            "rules.js")
                    .startingAt(41, 1);

    private InspectedBlock() {}

    public static void main(String[] arguments) throws Exception {
        // Without a host it listens on the loopback address.
        String port = Integer.toString(freePort());
        System.setProperty("polyglot.inspect", port);
        System.setProperty("polyglot.inspect.Path", "blocks");
        System.setProperty("polyglot.inspect.Suspend", "false");
        try (BlockEngine engine = BlockEngine.create();
                Browser browser = Browser.at(URI.create("ws://127.0.0.1:" + port + "/blocks"))) {
            inspect(engine, browser);
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return any.getLocalPort();
        }
    }

    /** The protocol counts lines and columns from 0. */
    private static void inspect(BlockEngine engine, Browser browser) throws Exception {
        browser.ask("Runtime.enable", "");
        browser.ask("Debugger.enable", "");
        browser.ask("Runtime.runIfWaitingForDebugger", "");
        browser.ask("Profiler.enable", "");
        browser.ask("Profiler.startPreciseCoverage", "'callCount':true,'detailed':true");
        browser.ask("Debugger.setBreakpointByUrl", "'lineNumber':44,'url':'rules.js'");
        Block block = engine.capture(SOURCE, frame("price", 3, "count", 4));
        CompletableFuture<Object> value = CompletableFuture.supplyAsync(() -> block.run().value());

        String paused = browser.await("'Debugger.paused'");
        int line = Integer.parseInt(first("'location':\\{.*?'lineNumber':(\\d+)", paused)) + 1;
        say("paused", first("'url':'(.*?)'", paused) + ":" + line);
        String total =
                browser.ask(
                        "Debugger.evaluateOnCallFrame",
                        "'callFrameId':'%s','expression':'total'"
                                .formatted(first("'callFrameId':'(.*?)'", paused)));
        say("total", first("'value':(\\d+)", total));
        browser.ask("Debugger.resume", "");
        say("value", value.get(30, SECONDS));
        String text = "\n".repeat(SOURCE.line() - 1) + SOURCE.text();
        all("'startOffset':(\\d+)", browser.ask("Profiler.takePreciseCoverage", "")).stream()
                .map(start -> text.substring(0, Integer.parseInt(start)))
                .forEach(before ->
                        say("covered", 1 + before.chars().filter(c -> c == '\n').count()));
        browser.scripts().forEach(script -> say("shown", script));
    }

    private static void say(String what, Object seen) {
        System.out.println(what + ": " + seen);
    }

    private static String first(String pattern, String message) {
        List<String> found = all(pattern, message);
        assertThat(found).as("%s in %s", pattern, message).isNotEmpty();
        return found.getFirst();
    }

    private static List<String> all(String pattern, String message) {
        return Pattern.compile(pattern.replace('\'', '"'))
                .matcher(message)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    /** The other end of the inspector's protocol: numbered questions, answers, and events. */
    private static final class Browser implements AutoCloseable, WebSocket.Listener {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final List<String> scripts = new CopyOnWriteArrayList<>();
        private final StringBuilder part = new StringBuilder();
        private WebSocket socket;
        private int asked;

        static Browser at(URI address) throws Exception {
            Browser browser = new Browser();
            browser.socket =
                    HttpClient.newHttpClient()
                            .newWebSocketBuilder()
                            .buildAsync(address, browser)
                            .get(30, SECONDS);
            return browser;
        }

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket from, CharSequence text, boolean last) {
            part.append(text);
            if (last) {
                String message = part.toString();
                part.setLength(0);
                if (message.contains("\"Debugger.scriptParsed\"")) {
                    scripts.add(first("'url':'(.*?)'", message));
                }
                heard.add(message);
            }
            from.request(1);
            return null;
        }

        /** Asks something and returns the answer; parameters are written with single quotes. */
        String ask(String method, String parameters) throws Exception {
            int id = ++asked;
            String question =
                    "{'id':%d,'method':'%s','params':{%s}}".formatted(id, method, parameters);
            socket.sendText(question.replace('\'', '"'), true).get(30, SECONDS);
            return await("'id':" + id + "\\}");
        }

        /** Waits for a message that has a pattern, and drops those before it. */
        String await(String pattern) throws Exception {
            Pattern wanted = Pattern.compile(pattern.replace('\'', '"'));
            while (true) {
                String message = heard.poll(30, SECONDS);
                assertThat(message).as("a message with %s", pattern).isNotNull();
                if (wanted.matcher(message).find()) {
                    return message;
                }
            }
        }

        List<String> scripts() {
            return scripts;
        }

        @Override
        public void close() {
            socket.abort();
        }
    }
}
