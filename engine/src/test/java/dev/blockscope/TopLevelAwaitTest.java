package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.BlockException.Kind;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks that wait on their own top level. They are like any other but for that. */
@Timeout(30)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TopLevelAwaitTest {
    private final BlockEngine engine = BlockEngine.create();

    @AfterAll
    void close() {
        engine.close();
    }

    private @Nullable Object value(String text, @Nullable Object... namesAndValues) {
        return engine.capture(text, frame(namesAndValues)).run().value();
    }

    private BlockException failure(String text, @Nullable Object... namesAndValues) {
        Frame frame = frame(namesAndValues);
        return catchThrowableOfType(BlockException.class, () -> engine.capture(text, frame).run());
    }

    private static String placeOf(BlockException e) {
        Traceback.Entry first = e.traceback().entries().getFirst();
        return first.file() + ":" + first.line() + ":" + first.column();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "await Promise.resolve(5)                                  | 5",
                "1 + await 2 * await 3                                     | 7",
                "const x = await p; x * 2                                  | 42",
                "await null; 'text'                                        | text",
                "await null; 7; var k = 1; let j = 2; function f() {}      | 7",
                "if (await p) { p.k + 'yes' } else { 'no' }                | undefinedyes",
                "await null; ({ a: 1 }).a                                  | 1",
                "await null; [1, 2][1]                                     | 2",
                "await null; const f = () => 3; f()                        | 3",
                "await null; p ? new Date(0) : 0                           | 1970-01-01T00:00:00Z",
                "await null; let i = 1; i++; i                             | 2",
                "try { await Promise.reject(new Error('e')) } catch (e) { e.message } | e",
                "let n = 0; for await (const x of [1, p]) { n += x } n     | 22",
                "let n = 0; for (const x of [1, 2]) { n += await x; n } n  | 3",
                "await null; (async () => 8)()                             | 8",
                "await null; 2 ** 40                                       | 1099511627776",
                "await null; 3000000000 + 1                                | 3000000001",
                "await (await Promise.resolve(p)) + 1                      | 22",
                "`${await p}`                                              | 21",
                "await null // the end                                     | null",
                "await null; var s = '}'; s /* } */                        | }",
                "'use strict'; await null; (function () { return typeof this })() | undefined",
                "await null; typeof arguments + typeof this                | undefinedobject",
                "await null; void 0                                        | null",
            })
    void hasTheValueOfItsLastStatement(String text, String value) {
        assertThat(String.valueOf(value(text.strip(), "p", CompletableFuture.completedFuture(21))))
                .isEqualTo(value.strip());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "await null; x = 1            | x",
                "await null; var x = 1        | x",
                "let x = await 1              | x",
                "const x = await 1            | x",
                "await null; class x {}; 1    | x",
                "await null; function x() {}  | x",
                "const { x } = await { x: 1 } | x",
                "await null; globalThis.x = 1 | x",
                "await null; eval('var x = 1')| x",
                "(async () => { x = await 1 })(); await null; await null | x",
            })
    void bindsWhatItsTopLevelBinds(String text, String name) {
        assertThat(engine.capture(text.strip(), frame()).evaluate().bindings())
                .containsOnlyKeys(name.strip());
    }

    @Test
    @Tag("path-shapes")
    void seesItsSnapshotAndPushesWhatItAssigned() {
        Map<String, @Nullable Object> locals = map("price", 3, "same", 1, "read", 5);
        Block block =
                engine.capture(
                        "price = await price * 2; same = await same; let total = price + read",
                        Frame.of(locals));

        block.run();
        block.run();

        assertThat(locals).isEqualTo(map("price", 6, "same", 1, "read", 5, "total", 11));
    }

    @Test
    void sharesWithItsSiblings() {
        Frame frame = Frame.of(map());
        engine.capture("let n = await 1; inc = () => ++n; obj = { k: n }", frame).run();

        assertThat(
                        engine.capture("const r = inc(); await null; `${r},${obj.k}`", frame)
                                .run()
                                .value())
                .isEqualTo("2,1");
    }

    @Test
    void letsSiblingsSeeWhatIsBoundWhileItWaits() throws Exception {
        CompletableFuture<Integer> gate = new CompletableFuture<>();
        Frame frame = Frame.of(map("gate", gate));
        Block waits = engine.capture("let early = 1; await gate; early + late", frame);
        CompletableFuture<BlockResult> running = waits.runAsync();
        while (SharedLocals.of(frame).find("early").isEmpty()) {
            Thread.sleep(1);
        }

        engine.capture("late = early + 40", frame).run();
        gate.complete(null);

        assertThat(running.get(10, TimeUnit.SECONDS).value()).isEqualTo(42);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "await null; nope()                  | block.js:1:13 | ReferenceError: nope is not defined",
                "1;¶  nope(await 1)                  | block.js:2:3  | ReferenceError: nope is not defined",
                "await null;¶throw new Error('e')    | block.js:2:7  | Error: e",
                "await¶ Promise.reject(new Error('e')) | block.js:2:17 | Error: e",
                "await null;¶¶const k = 1; k = 2     | block.js:3:14 | TypeError: Assignment to constant \"k\"",
            })
    void failsAtItsPlace(String text, String place, String message) {
        BlockException e = failure(text.strip().replace('¶', '\n'));

        assertThat(placeOf(e)).isEqualTo(place.strip());
        assertThat(e).hasMessage(message.strip());
        assertThat(e.kind()).isEqualTo(Kind.RUNTIME);
    }

    @Test
    void failsAtItsPlaceInItsFile() {
        BlockSource source = new BlockSource("js", "await null; f()", "steer.js", 40, 9);

        BlockException e =
                catchThrowableOfType(
                        BlockException.class, () -> engine.capture(source, frame()).run());

        assertThat(placeOf(e)).isEqualTo("steer.js:40:21");
        assertThat(e.traceback().render()).contains("await null; f()");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "await null; }; x = 1; {      | 1:13",
                "await null; return 1         | 1:13",
                "await null;¶var = 5          | 2:5",
                "await null; function f() { await 1 } | 1:1",
                "await null;¶const a = 1; let a = 2   | 2:18",
            })
    void withASyntaxErrorFailsAtCapture(String text, String place) {
        String written = text.strip().replace('¶', '\n');

        BlockException e =
                catchThrowableOfType(BlockException.class, () -> engine.capture(written, frame()));

        assertThat(e.kind()).isEqualTo(Kind.SYNTAX);
        assertThat(placeOf(e)).isEqualTo("block.js:" + place.strip());
        assertThat(e.traceback().render())
                .contains(written.lines().skip(placeLine(e) - 1).findFirst().get());
    }

    private static int placeLine(BlockException e) {
        return e.traceback().entries().getFirst().line();
    }

    @Test
    void thatCanNeverGoOnSaysWhere() {
        BlockException e = failure("1;\n  await new Promise(() => {})");

        assertThat(e).hasMessageStartingWith("the block's promise never settled");
        assertThat(placeOf(e)).isEqualTo("block.js:2:3");
    }

    @Test
    void maySetVariablesOverSnapshotNamesAsAnyBlock() {
        Map<String, @Nullable Object> locals = map("x", 1, "Map", 7);

        assertThat(engine.capture("let x = await 5; x + Map", Frame.of(locals)).run().value())
                .isEqualTo(12);
        assertThat(locals).containsEntry("x", 5);
    }

    @Test
    void saysSoIfItsValueIsAnArrayLiteral() {
        assertThat(failure("await null; [1]")).hasMessageContaining("const list = [ ... ]; list");
        assertThat(value("await null; const list = [1]; list")).asString().isEqualTo("[1]");
    }

    @Test
    void isNoWaitWhereTheWordIsAName() {
        assertThat(value("var await = 3; await + 1")).isEqualTo(4);
        assertThat(value("({ await: 2 }).await")).isEqualTo(2);
        assertThat(value("'await ' + /await/.source")).isEqualTo("await await");
    }
}
