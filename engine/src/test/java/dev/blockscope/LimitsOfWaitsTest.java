package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits hold while a block waits, in what it waits for, and in the modules it imports. */
@Timeout(60)
class LimitsOfWaitsTest {
    private static final Map<String, Limits> LIMITS =
            Map.of(
                    "TIME", Limits.builder().time(Duration.ofMillis(500)).build(),
                    "STATEMENTS", Limits.builder().statements(5_000).build(),
                    "RECURSION", Limits.builder().recursion(50).build(),
                    "OUTPUT", Limits.builder().outputBytes(500).build());

    private static final Map<String, String> MODULES =
            Map.of(
                    "loop.js", "export const n = 1;\nfor (;;);",
                    "loops.js", "import './loop.js';\nexport const m = 2;",
                    "functions.js",
                            "export function spin() {\n  for (;;);\n}\nexport const deep = n => n ? deep(n - 1) + 1 : 0;",
                    "says.js", "for (;;)\n  console.log('a line')",
                    "waits.js", "await new Promise(done => setTimeout(done, 1e9));");

    private static BlockEngine engine;

    private final Frame frame = frame("never", new CompletableFuture<Object>());

    @BeforeAll
    static void open() {
        ModuleResolver resolver = ModuleResolver.of(MODULES);
        engine =
                BlockEngine.builder()
                        .output(line -> {})
                        .modules(path -> path.equals("slow.js") ? slowly() : resolver.resolve(path))
                        .build();
        engine.capture("await 0; await import('./functions.js'); [() => 1].join()", frame()).run();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static Optional<String> slowly() {
        try {
            Thread.sleep(30_000);
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    1;\\nawait new Promise(r => setTimeout(r, 1e9))                  | TIME       | block.js:2
                    1;\\nawait never                                                 | TIME       | block.js:2
                    1;\\nnever.then(x => x)                                          | TIME       | block.js:2
                    1;\\n(async () => { await never })()                             | TIME       | block.js:2
                    for (;;) await null                                              | TIME       | block.js:1
                    for (;;) await null                                              | STATEMENTS | block.js:1
                    await null;\\nfor (;;);                                          | STATEMENTS | block.js:2
                    await null;\\nfor (;;);                                          | TIME       | block.js:2
                    let f = () => {\\n  for (;;); }; await null; f()                 | STATEMENTS | block.js:2
                    await never.constructor;\\nfor (;;);                             | STATEMENTS | block.js:2
                    const f = n => n ? f(n - 1) + 1 : 0; await 0;\\nf(100)           | RECURSION  | block.js:1
                    await new Promise(r => setTimeout(() => {\\n  for (;;); }, 0))   | STATEMENTS | block.js:2
                    await new Promise(r => setInterval(() => {\\n  for (;;); }, 0))  | TIME       | block.js:2
                    await new Promise(r => setInterval(() => {\\n  console.log('a line') }, 0)) | OUTPUT | block.js:2
                    Promise.resolve().then(() => {\\n  for (;;); })                  | STATEMENTS | block.js:2
                    """)
    void holdWhileABlockWaits(String text, Limit limit, String place) {
        assertEnded(text, limit, place);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    1;\\nawait import('./loop.js')                                   | TIME       | loop.js:2
                    1;\\nawait import('./loop.js')                                   | STATEMENTS | loop.js:2
                    1;\\nawait import('./loops.js')                                  | STATEMENTS | loop.js:2
                    const m = await import('./functions.js');\\nm.spin()             | STATEMENTS | functions.js:2
                    const m = await import('./functions.js');\\nm.deep(100)          | RECURSION  | functions.js:4
                    1;\\nawait import('./says.js')                                   | OUTPUT     | says.js:2
                    1;\\nawait import('./slow.js')                                   | TIME       | block.js:2
                    1;\\nawait import('./waits.js')                                  | TIME       | waits.js:1
                    """)
    void holdInModules(String text, Limit limit, String place) {
        assertEnded(text, limit, place);
    }

    private void assertEnded(String text, Limit limit, String place) {
        Block block = engine.capture(text.replace("\\n", "\n"), frame);

        BlockException e =
                catchThrowableOfType(
                        BlockException.class, () -> block.within(LIMITS.get(limit.name())).run());

        assertThat(e.limit()).as("%s", e).map(ReachedLimit::limit).contains(limit);
        Traceback.Entry innermost = e.traceback().innermost();
        assertThat(innermost.file() + ":" + innermost.line()).isEqualTo(place);
    }

    @Test
    void leaveAModuleThatWasEndedInTheMiddleToBeImportedAgain() {
        for (int i = 0; i < 20; i++) {
            assertEnded("1;\nawait import('./loop.js')", Limit.STATEMENTS, "loop.js:2");
        }
        Block other = engine.capture("(await import('./functions.js')).deep(3)", frame);

        assertThat(other.run().value()).isEqualTo(3);
        assertThat(engine.openContexts())
                .as("none is kept for a module that was ended")
                .isLessThan(10);
    }

    /** Both are in one guest context, so the block around goes on when the sibling is out of it. */
    @Test
    void doNotFreeABlockWithoutLimitsThatRunsASiblingInItsMiddle() throws Exception {
        Deaf deaf = new Deaf();
        Map<String, Object> locals = new HashMap<>(Map.of("deaf", deaf));
        Frame both = Frame.of(locals);
        Block inner = engine.capture("1;\ndeaf()", both).within(LIMITS.get("TIME"));
        locals.put(
                "inner",
                (Callable<Object>)
                        () -> catchThrowableOfType(BlockException.class, inner::run).kind().name());
        Block outer = engine.capture("inner()", both);
        var value = OtherThread.supply(() -> outer.run().value());
        while (engine.overdueRuns() == 0) {
            Thread.sleep(5);
        }

        assertThat(value).isNotDone();
        deaf.returns.countDown();
        assertThat(value.get(10, TimeUnit.SECONDS)).isEqualTo("TIMEOUT");
    }
}
