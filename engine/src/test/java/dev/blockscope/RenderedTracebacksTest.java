package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.blockscope.interleave.Envoy;
import dev.blockscope.interleave.HookPoints;
import dev.blockscope.interleave.Interleaver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of failure as its reader sees it: one file each in {@code
 * src/test/resources/tracebacks}.
 *
 * <p>{@code ./mvnw -pl engine test -Dtest=RenderedTracebacksTest -Dblockscope.golden=write} writes
 * the files anew. Read what changed before you commit it.
 */
class RenderedTracebacksTest {
    private static final Path FILES = Path.of("src", "test", "resources", "tracebacks");
    private static final Duration SOON = Duration.ofMillis(300);
    private static final boolean WRITES = "write".equals(System.getProperty("blockscope.golden"));
    private static final Map<String, ThrowingCallable> FAILURES = new LinkedHashMap<>();

    private static final ModuleResolver MODULES =
            ModuleResolver.of(
                    Map.of(
                            "lib.js",
                            "export const rate = 0.1\nexport const tax = net => net * rates.tax",
                            "imports.js",
                            "import './broken.js'",
                            "misses.js",
                            "import { nope } from './lib.js'",
                            "broken.js",
                            "export const rate =\nexport const tax = 1"));

    private static BlockEngine engine;

    record Order(int total) {}

    @BeforeAll
    static void open() {
        engine = BlockEngine.builder().output(line -> {}).modules(MODULES).build();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    static Stream<String> failures() {
        return FAILURES.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void readsAsInItsFile(String name) throws IOException {
        Path file = FILES.resolve(name + ".txt");
        String shown = steady(shown(catchThrowable(FAILURES.get(name)))) + "\n";
        if (WRITES) {
            Files.writeString(file, shown);
        }

        assertThat(shown).isEqualTo(Files.readString(file));
    }

    @Test
    void everyFileHasItsFailure() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            FAILURES.keySet().stream().map(name -> name + ".txt").toList());
        }
    }

    private static String shown(@Nullable Throwable failure) {
        return switch (failure) {
            case BlockException block ->
                    block.kind() + "\n" + block.traceback().render(renderingOf(block));
            case PushException push -> push.traceback().render();
            case null -> "nothing was thrown";
            default -> failure.toString();
        };
    }

    /** How deep a stack is, and how far a block came that is ended from outside, differs. */
    private static String steady(String shown) {
        return shown.contains("memory")
                ? shown.replaceAll("rules.js:42:\\d+", "rules.js:42:10")
                        .replaceAll("(?m)^( +\\| ) *\\^", "$1         ^")
                        .replaceAll("(\n    at .*)\\1", "$1")
                : shown.contains("call stack")
                        ? shown.replaceAll("\\.\\.\\. \\d+ more", "... many more")
                        : shown;
    }

    /** One of the files shows what a terminal is sent. */
    private static Rendering renderingOf(BlockException e) {
        return e.getMessage().contains("in colour") ? new Rendering(true, 60) : Rendering.PLAIN;
    }

    private static void fails(String name, String text, @Nullable Object... names) {
        FAILURES.put(name, () -> run("rules.js", 41, text, frame(names)));
    }

    private static void run(String file, int line, String text, Frame frame) {
        BlockSource source = BlockSource.javaScript(text, file).startingAt(line, 1);
        engine.capture(source, frame).run();
    }

    static {
        ofTheLanguage();
        ofFunctions();
        ofLaterCode();
        ofMadeCode();
        ofOddValues();
        ofCauses();
        ofTheHost();
        ofValuesThatDoNotCross();
        ofStops();
        ofLimits();
        ofWaits();
        ofModules();
        ofSyntax();
        ofOddTexts();
        ofBlocksInStep();
    }

    private static void ofTheLanguage() {
        fails("unknown-name", "let a = 1\n  nope()");
        fails("first-line", "nope()");
        fails("member-of-nothing", "const order = { item: null }\norder.item.price");
        fails("no-function", "const order = {}\n  order.total()");
        fails("constant", "const rate = 0.1\nrate = 0.2");
        fails("before-its-declaration", "let net = gross - 1\nlet gross = 2");
        fails("strict", "'use strict'\nsum = 1");
        fails("json", "const text = '{bad'\nJSON.parse(text)");
        fails("private-member", "class A { #p; static of(o) { return o.#p } }\nA.of({})");
    }

    private static void ofFunctions() {
        fails(
                "nested-functions",
                """
                function check(order) {
                  return order.lines.map(line => price(line))
                }
                const price = line => line.item.price * line.count
                check({ lines: [{ count: 2 }] })
                """);
        fails("getter", "const o = { get total() { return nope } }\no.total");
        fails(
                "iterator",
                """
                const endless = { [Symbol.iterator]: () => ({ next() { throw new Error('no more') } }) }
                for (const x of endless) {}
                """);
        fails(
                "generator",
                "function* numbers() { yield 1; throw new Error('out') }\n[...numbers()]");
        fails("constructor", "class Order { constructor() { this.lines.push(1) } }\nnew Order()");
        fails("no-end", "function down(n) {\n  return down(n + 1) + 1\n}\ndown(0)");
        fails("callback-of-a-builtin", "[3, 1].sort((a, b) => nope)");
        fails(
                "many-calls",
                """
                function down(n) {
                  if (n === 0) throw new Error('deep')
                  down(n - 1)
                }
                down(150)
                """);
    }

    private static void ofLaterCode() {
        fails("promise-job", "Promise.resolve(1).then(v => {\n  nope(v)\n})");
        fails(
                "async-function",
                "const load = async () => {\n  await 1\n  throw new Error('lost')\n}\nload()");
        fails("rejection", "1\nPromise.reject(new Error('lost'))");
        FAILURES.put(
                "function-called-later",
                () -> {
                    Frame frame = frame();
                    BlockSource source =
                            BlockSource.javaScript("later = () => {\n  nope()\n}", "later.js");
                    GuestFunction later =
                            (GuestFunction)
                                    engine.capture(source, frame).run().bindings().get("later");
                    later.call();
                });
        FAILURES.put(
                "function-of-a-sibling",
                () -> {
                    Frame frame = frame();
                    run("one.js", 10, "function f() {\n  nope()\n}", frame);
                    run("other.js", 20, "1\n f()", frame);
                });
    }

    private static void ofMadeCode() {
        fails("eval", "let a = 1\neval('a = nope')");
        fails("new-function", "const f = new Function('a', 'return a + nope')\n  f(1)");
        fails("new-function-that-does-not-parse", "1\nnew Function('a', 'return (a')");
        fails("eval-that-does-not-parse", "1\neval('let = (')");
    }

    private static void ofOddValues() {
        fails("thrown-text", "throw 'no stock'");
        fails("thrown-number", "1\n  throw 42");
        fails("thrown-null", "throw null");
        fails("thrown-object", "throw { code: 7, why: 'no stock', of: { item: 1 } }");
        fails(
                "thrown-object-that-cannot-be-read",
                "throw { toString() { throw 1 }, get code() { throw 2 } }");
        fails("thrown-proxy", "throw new Proxy({}, { get() { throw new Error('worse') } })");
        fails("thrown-error-without-message", "throw new Error()");
        fails(
                "error-class",
                "class NoStock extends Error { name = 'NoStock' }\nthrow new NoStock('of apples')");
    }

    private static void ofCauses() {
        fails(
                "cause",
                """
                try {
                  nope()
                } catch (e) {
                  throw new Error('the order failed', { cause: e })
                }
                """);
        fails("cause-that-is-no-error", "throw new Error('top', { cause: { code: 7 } })");
        fails("cause-in-a-circle", "const e = new Error('round')\ne.cause = e\nthrow e");
        fails(
                "aggregate",
                """
                const one = new Error('one')
                const two = new TypeError('two')
                throw new AggregateError([one, two], 'nothing worked')
                """);
        fails(
                "host-error-wrapped",
                """
                try {
                  disk()
                } catch (e) {
                  throw new Error('the order was not kept', { cause: e })
                }
                """,
                "disk",
                disk());
    }

    private static Callable<Object> disk() {
        return () -> {
            IOException thrown = new IOException("disk full", new RuntimeException("quota"));
            thrown.addSuppressed(new IOException("not closed"));
            throw thrown;
        };
    }

    private static void ofTheHost() {
        fails("host-error", "function keep() {\n  disk()\n}\nkeep()", "disk", disk());
        Consumer<GuestFunction> each = f -> f.call(1);
        fails("callback-of-the-host", "each(x => {\n  nope(x)\n})", "each", each);
        fails("there-and-back", "each(() => {\n  disk()\n})", "each", each, "disk", disk());
        Runnable inner = () -> run("inner.js", 7, "let a = 1\n  nope()", frame());
        fails("block-in-a-block", "1\n  inner()", "inner", inner);
        Runnable heap =
                () -> {
                    throw new OutOfMemoryError("Java heap space");
                };
        fails("heap", "1\n  heap()", "heap", heap);
        Runnable stack =
                () -> {
                    throw new StackOverflowError();
                };
        fails("no-end-in-the-host", "function keep() {\n  stack()\n}\nkeep()", "stack", stack);
        fails("method-of-a-record", "1\n  order.total()", "order", new Order(3));
        fails(
                "method-of-a-caught-exception",
                "try { disk() } catch (e) { e.retry() }",
                "disk",
                disk());
        fails("write-to-a-record", "1\n  order.total = 4", "order", new Order(3));
        FAILURES.put(
                "globals-that-fail",
                () -> {
                    Globals broken =
                            name -> {
                                throw new IllegalStateException("no connection");
                            };
                    run("rules.js", 41, "1\n  rate * 2", Frame.of(map(), broken));
                });
    }

    private static void ofValuesThatDoNotCross() {
        fails("result-that-cannot-be-read", "1;\n({ get total() { throw new Error('not yet') } })");
        fails(
                "name-that-cannot-be-read",
                "let a = 1\nlet o = { get total() { throw new Error('not yet') } }");
        fails(
                "name-that-has-no-plain-form",
                "let a = 1\nlet deep = []\nfor (let i = 0; i < 600; i++) deep = [deep]\n0");
        Consumer<Object> take = value -> {};
        fails(
                "argument-that-cannot-be-read",
                "1\ntake({ get p() { throw new Error('no') } })",
                "take",
                take);
        FAILURES.put(
                "name-that-the-frame-refuses",
                () ->
                        run(
                                "rules.js",
                                41,
                                "let a = 1\n  total = 2\na = 3",
                                Frame.of(Map.of("total", 1))));
    }

    private static void ofStops() {
        FAILURES.put(
                "stopped",
                () -> {
                    StopSignal signal = new StopSignal();
                    Runnable stop = () -> signal.stop("the user has left");
                    BlockSource source = BlockSource.javaScript("stop()\nfor (;;) ;", "rules.js");
                    engine.capture(source, frame("stop", stop)).evaluate(signal);
                });
        FAILURES.put(
                "stopped-before-it-began",
                () -> {
                    StopSignal signal = new StopSignal();
                    signal.stop();
                    BlockSource source = BlockSource.javaScript("1 + 1", "rules.js");
                    engine.capture(source, frame()).evaluate(signal);
                });
        FAILURES.put(
                "function-of-a-closed-engine",
                () -> {
                    GuestFunction f;
                    try (BlockEngine closed = BlockEngine.create()) {
                        f = (GuestFunction) closed.capture("() => 1", frame()).run().value();
                    }
                    f.call();
                });
    }

    private static void ofLimits() {
        limited("limit-of-statements", "let n = 0\nfor (;;) n++", l -> l.statements(1_000));
        limited("limit-of-recursion", "const f = n => f(n + 1)\nf(0)", l -> l.recursion(5));
        limited("limit-of-output", "for (;;)\n  console.log('again')", l -> l.outputBytes(100));
        limited("limit-of-results", "let a = 1\ntext = 'x'.repeat(2000)", l -> l.resultSize(1_000));
        limited("limit-of-depth", "let a = 1\ndeep = [[[[[a]]]]]", l -> l.resultDepth(3));
        limited("limit-of-the-value", "let a = 1\n'x'.repeat(2000)", l -> l.resultSize(1_000));
        limited(
                "limit-of-memory",
                "const all = []\nfor (;;) all.push('x'.repeat(100_000) + all.length)",
                l -> l.allocatedBytes(20 << 20));
        limited("limit-of-time", "let n = 0\nfor (;;);", l -> l.time(SOON));
        fails("limit-of-the-language", "const text = 'x'\ntext.repeat(2 ** 30)");
    }

    private static void ofWaits() {
        limited(
                "limit-of-time-in-a-wait",
                "let a = 1\nawait new Promise(() => setTimeout(() => {}, 1e9))",
                l -> l.time(SOON));
        fails("never-settled", "let a = 1\nawait new Promise(() => {})");
        fails("awaited-rejection", "let a = 1\nawait Promise.reject(new Error('no stock'))");
        fails("timer-that-throws", "await new Promise(() => setTimeout(() => {\n  nope()\n}, 1))");
        FAILURES.put(
                "interrupted-in-a-wait",
                () -> {
                    Thread.currentThread().interrupt();
                    try {
                        run(
                                "rules.js",
                                41,
                                "let a = 1\nawait new Promise(() => setTimeout(() => {}, 1e9))",
                                frame());
                    } finally {
                        Thread.interrupted();
                    }
                });
    }

    private static void ofModules() {
        fails("module-function", "const { tax } = await import('./lib.js')\ntax(100)");
        fails("module-that-does-not-parse", "let a = 1\nawait import('./broken.js')");
        fails("module-of-a-module-that-does-not-parse", "let a = 1\nawait import('./imports.js')");
        fails("module-without-the-name", "let a = 1\nawait import('./misses.js')");
        fails("module-that-is-not-there", "let a = 1\nawait import('./none.js')");
        fails("import-declaration", "import { tax } from './lib.js'\ntax(100)");
    }

    private static void limited(String name, String text, UnaryOperator<Limits.Builder> limits) {
        FAILURES.put(
                name,
                () -> {
                    BlockSource source = BlockSource.javaScript(text, "rules.js").startingAt(41, 1);
                    engine.capture(source, frame())
                            .within(limits.apply(Limits.builder()).build())
                            .run();
                });
    }

    private static void ofSyntax() {
        fails("syntax", "let ok = 1\nvar = 5");
        fails("syntax-at-the-end", "if (a > b) {\n  total(a");
        fails("syntax-of-a-string", "let a = 'open\nlet b = 1");
        fails("return", "1\n  return 2");
    }

    private static void ofOddTexts() {
        fails("tabs", "\tif (true) {\n\t\tlet a =\tnope\n\t}");
        fails("wide-characters", "let 合計 = '値段'; let e = '👨‍👩‍👧é'; nope(合計)");
        fails(
                "long-line",
                "const data = ["
                        + "1234567890, ".repeat(40)
                        + "]; nope(data); "
                        + "1; ".repeat(60));
        fails("controls", "const a = '\u001b[2J\u202e\u0000'; nope()");
        fails("message-of-several-lines", "throw new Error('first\\nsecond\\u001b[31m')");
        fails(
                "in-colour",
                "const a = 1\nthrow new Error('in colour', { cause: new Error('too') })");
        FAILURES.put(
                "odd-file-name",
                () -> run("my \"rules\"\n\u001b[31m.js", 1, "1\n  nope()", frame()));
        FAILURES.put(
                "java-text-block",
                () ->
                        engine.capture(
                                        new BlockSource(
                                                "js", "let a = 1\nnope()", "Orders.java", 42, 1),
                                        frame())
                                .run());
    }

    private static void ofBlocksInStep() {
        FAILURES.put("point-unknown", () -> inStep("order.price = 1\n  order.tax.rat"));
        FAILURES.put("point-passed", () -> inStep("a = order.total\nb = order.net"));
        FAILURES.put("point-never-reached", () -> inStep("1\n  a = order.never"));
    }

    private static void inStep(String text) {
        HookPoints points = HookPoints.of(List.of("net", "tax.rate", "total", "never"));
        Frame frame = frame("order", Envoy.of(points));
        Block block = engine.capture(BlockSource.javaScript(text, "hooks.js"), frame);
        Interleaver.of(points)
                .run(
                        List.of(block),
                        visits -> {
                            visits.visit("net", 100);
                            visits.visit("tax.rate", 0.2);
                            return visits.visit("total", 120);
                        });
    }
}
