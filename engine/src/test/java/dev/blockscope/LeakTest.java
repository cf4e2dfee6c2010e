package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However often blocks run, and however their runs end, the heap holds no more afterwards. */
@Timeout(300)
class LeakTest {
    private static final int WARM_UP = 5_000;
    private static final int RUNS = 100_000;

    private static final Pattern OURS =
            Pattern.compile("\\[*L?(dev\\.blockscope|com\\.oracle|org\\.graalvm)\\..*");

    /** Objects of one class that come and go with caches and threads. */
    private static final int SLACK = 200;

    private static final Limits FEW_STATEMENTS = Limits.builder().statements(20).build();
    private static final Limits LITTLE_TIME = Limits.builder().time(Duration.ofSeconds(30)).build();

    private static final Limits HARDLY_ANY_TIME =
            Limits.builder().time(Duration.ofMillis(1)).build();

    private final Frame kept = frame("n", 1);

    /** What callers keep for a while, as an audit would. */
    private final Deque<Object> latest = new ArrayDeque<>();

    @Test
    void aHundredThousandRunsLeaveNoObjectsBehind() throws Exception {
        ModuleResolver modules = ModuleResolver.of(Map.of("lib.js", "export const k = 1"));
        try (BlockEngine engine =
                BlockEngine.builder().modules(modules).output(line -> {}).build()) {
            run(engine, WARM_UP);
            Map<String, Long> before = histogram();
            int contexts = engine.openContexts();

            run(engine, RUNS);

            assertThat(more(before, histogram())).isEmpty();
            assertThat(engine.openContexts()).isLessThanOrEqualTo(contexts);
        }
    }

    @Test
    void everNewTextsAreForgotten() throws Exception {
        try (BlockEngine engine = BlockEngine.create()) {
            Map<String, Long> before = histogramAfterTexts(engine, 0, 150);

            Map<String, Long> after = histogramAfterTexts(engine, 150, 450);

            assertThat(more(before, after)).isEmpty();
        }
    }

    /** What a text leaves keeps what its code can name, and not what stood there before. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "function f() { return %d }",
                "f = () => %d",
                "var f = () => %d",
                "let f = () => %d",
                "f = (f, () => %d)",
                "f = function* () { yield %d }",
                "f = async () => %d",
                "f = { n: %d }",
                "f = (x = %d) => f",
                "eval('f = () => %d')",
                "globalThis.f = () => %d",
                "g = () => %d; f = [g]",
                "let n = %d; { f = () => n++ }"
            })
    void whatIsBoundAnewGoes(String text) throws Exception {
        try (BlockEngine engine = BlockEngine.create()) {
            Map<String, @Nullable Object> locals = Frames.map("f", null, "g", null);
            Frame one = Frame.of(locals);

            assertThat(gone(engine, locals, text, () -> one)).containsOnlyNulls();
            assertThat(gone(engine, locals, text, () -> Frame.of(locals))).containsOnlyNulls();
        }
    }

    /** Binds a name again and again, and returns what is left of all but the last values. */
    private static List<@Nullable Object> gone(
            BlockEngine engine,
            Map<String, @Nullable Object> locals,
            String text,
            Supplier<Frame> frames)
            throws Exception {
        List<WeakReference<Object>> before = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            engine.capture(text.formatted(i), frames.get()).run();
            before.add(new WeakReference<>(requireNonNull(locals.get("f"))));
        }
        before.removeLast();
        for (int i = 0; i < 50 && before.stream().anyMatch(value -> !value.refersTo(null)); i++) {
            System.gc();
            Thread.sleep(10);
        }
        return before.stream().<@Nullable Object>map(WeakReference::get).toList();
    }

    /** The language would keep them for all contexts of the engine. */
    @Test
    void registeredSymbolsGoWithTheirContext() throws Exception {
        try (BlockEngine engine = BlockEngine.create()) {
            Block block =
                    engine.capture(
                            "for (let i = 0; i < 12_000; i++) Symbol.for(`s${Math.random()}`); 0",
                            frame());
            for (int i = 0; i < 8; i++) {
                block.run();
                engine.capture("n", frame("n", 1)).run();
            }

            assertThat(histogram().get("com.oracle.truffle.js.runtime.Symbol")).isLessThan(40_000L);
        }
    }

    private static Map<String, Long> histogramAfterTexts(BlockEngine engine, int first, int end)
            throws JMException {
        runTexts(engine, first, end - 1);
        // GraalVM's cache lets go of what was collected when the next text comes.
        histogram();
        runTexts(engine, end - 1, end);
        return histogram();
    }

    /** Runs texts that differ in one number, so long that there is no room for many of them. */
    private static void runTexts(BlockEngine engine, int first, int end) {
        String comment = "/*" + " ".repeat(50_000) + "*/";
        for (int i = first; i < end; i++) {
            Block block = engine.capture("[n].map(v => v + " + i + ")[0]" + comment, frame("n", 1));

            assertThat(block.run().value()).isEqualTo(i + 1);
        }
    }

    private void run(BlockEngine engine, int runs) {
        Block map = engine.capture("({ n, list: [n] })", frame("n", 1));
        Block pushes = engine.capture("n = n % 1000 + 1; o = { n }", kept);
        Block fails = engine.capture("let o = { n };\no.p.q", kept);
        Block endless = engine.capture("for (;;) n++", kept).within(FEW_STATEMENTS);
        Block timed = engine.capture("[1, 2].map(v => v * n)", kept).within(LITTLE_TIME);
        Block escapes = engine.capture("() => n", kept);
        Block waits = engine.capture("await new Promise(r => setTimeout(r, 0)); n", kept);
        Block imports = engine.capture("(await import('./lib.js')).k + n", kept);
        Block leaves = engine.capture("setTimeout(() => n, 1e6); console.log({ n })", kept);
        Block late = engine.capture("for (;;);", kept).within(HARDLY_ANY_TIME);
        for (int i = 0; i < runs; i += 10) {
            for (int k = 0; k < 3; k++) {
                keep(map.run());
            }
            keep(engine.capture("n + 1", frame("n", i)).run());
            keep(pushes.run());
            keep(pushes.run());
            keep(catchThrowableOfType(BlockException.class, fails::run));
            keep(catchThrowableOfType(BlockException.class, endless::run));
            keep(timed.run());
            keep(escapes.run());
            if (i % 100 == 0) {
                keep(waits.run());
                keep(imports.run());
                keep(leaves.run());
                keep(timed.runAsync().join());
                keep(catchThrowableOfType(BlockException.class, late::run));
            }
        }
    }

    private void keep(Object outcome) {
        latest.add(outcome);
        if (latest.size() > 1_000) {
            latest.remove();
        }
    }

    /** Returns the classes of ours, of GraalVM's and of its languages that have more objects. */
    private static Map<String, String> more(Map<String, Long> before, Map<String, Long> after) {
        return after.entrySet().stream()
                .filter(entry -> OURS.matcher(entry.getKey()).matches())
                .filter(entry -> entry.getValue() > before.getOrDefault(entry.getKey(), 0L) + SLACK)
                .collect(
                        Collectors.toMap(
                                Map.Entry::getKey,
                                entry -> before.get(entry.getKey()) + " -> " + entry.getValue()));
    }

    /** Returns the objects that are reachable, by class. */
    private static Map<String, Long> histogram() throws JMException {
        String text =
                (String)
                        ManagementFactory.getPlatformMBeanServer()
                                .invoke(
                                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                        "gcClassHistogram",
                                        new Object[] {new String[0]},
                                        new String[] {String[].class.getName()});
        return text.lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(words -> words.length >= 4 && words[0].endsWith(":"))
                .collect(
                        Collectors.toMap(
                                words -> words[3],
                                words -> Long.parseLong(words[1]),
                                Long::sum,
                                TreeMap::new));
    }
}
