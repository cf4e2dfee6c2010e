package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.OutputLine.Level;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a block says with {@code console} and {@code print}, and who hears it. */
@Timeout(20)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutputTest {
    private final List<OutputLine> said = new ArrayList<>();
    private final BlockEngine engine = BlockEngine.builder().output(said::add).build();

    @BeforeAll
    void sayNothingYet() {
        said.clear();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    private List<String> textsOf(String text, Object... namesAndValues) {
        return linesOf(text, namesAndValues).stream().map(OutputLine::text).toList();
    }

    private List<OutputLine> linesOf(String text, Object... namesAndValues) {
        said.clear();
        engine.capture(text, frame(namesAndValues)).evaluate();
        return List.copyOf(said);
    }

    @Test
    @Tag("path-shapes")
    void goesToTheListenerWithLevelFileAndLine() {
        FrameCode code = new FrameCode("rules/discount.js", 40, "discount");
        Block block =
                engine.capture(
                        "const f = () => {\n  console.warn('low on', name);\n};\nf()",
                        Frame.of(map("name", "tea"), Globals.none(), code));
        said.clear();

        block.evaluate();

        assertThat(said)
                .containsExactly(new OutputLine(Level.WARN, "low on tea", "rules/discount.js", 41));
    }

    @ParameterizedTest
    @CsvSource({
        "console.log, INFO",
        "console.info, INFO",
        "print, INFO",
        "console.debug, DEBUG",
        "console.warn, WARN",
        "console.error, ERROR",
        "printErr, ERROR"
    })
    void hasTheLevelOfItsFunction(String function, Level level) {
        assertThat(linesOf(function + "('it')"))
                .containsExactly(new OutputLine(level, "it", "block.js", 1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "1, 'a', true, null, undefined         | 1 a true null undefined",
                "-0, 5n, Symbol('s')                   | -0 5n Symbol(s)",
                "[1, 'a', [2]]                         | [ 1, 'a', [ 2 ] ]",
                "[, 1, , ,]                            | [ <1 empty item>, 1, <2 empty items> ]",
                "{ a: 1, 'b-c': [1] }                  | { a: 1, 'b-c': [ 1 ] }",
                "{}, []                                | {} []",
                "'%s is %d', 'x', 4.5                  | x is 4.5",
                "'%i%% of %f', '42px', '1.5'           | 42% of 1.5",
                "'%o %O %j', { a: 1 }, [1], { b: 2 }   | { a: 1 } [ 1 ] {\"b\":2}",
                "'%c styled', 'color: red'             | styled",
                "'100%', 1                             | 100% 1",
                "'%s'                                  | %s",
                "new Map([[1, { a: 2 }]])              | Map(1) { 1 => { a: 2 } }",
                "new Set(['x'])                        | Set(1) { 'x' }",
                "new Date(0)                           | 1970-01-01T00:00:00.000Z",
                "new Date(NaN)                         | Invalid Date",
                "/a+/gi                                | /a+/gi",
                "function f() {}, () => 1              | [Function: f] [Function (anonymous)]",
                "class A {}, async () => 1             | [class A] [AsyncFunction (anonymous)]",
                "new (class Point { x = 1 })           | Point { x: 1 }",
                "Object.create(null)                   | [Object: null prototype] {}",
                "{ get a() { throw 1 }, set b(v) {} }  | { a: [Getter], b: [Setter] }",
                "{ [Symbol('k')]: 1 }                  | { [Symbol(k)]: 1 }",
                "new Uint8Array(2)                     | Uint8Array(2) [ 0, 0 ]",
                "new ArrayBuffer(3)                    | ArrayBuffer { byteLength: 3 }",
                "Object(1), Object('s')                | [Number: 1] [String: 's']",
                "[\"it's\"]                            | [ \"it's\" ]",
                "[[[[[[[1]]]]]]]                       | [ [ [ [ [ [ [Array] ] ] ] ] ] ]"
            })
    void showsValuesAsBrowsersAndNodeDo(String arguments, String shown) {
        assertThat(textsOf("console.log(" + arguments.strip() + ")").getFirst().strip())
                .isEqualTo(shown.strip());
    }

    @Test
    void showsARingWithoutEnd() {
        assertThat(textsOf("const o = { n: 1 }; o.me = o; console.log(o)"))
                .containsExactly("<ref *1> { n: 1, me: [Circular *1] }");
    }

    @Test
    void showsAnErrorWithItsPlaceAndCause() {
        assertThat(textsOf("\nconsole.log(new TypeError('no', { cause: 'why' }))"))
                .containsExactly("TypeError: no\n    at block.js:2:13\n  [cause]: 'why'");
    }

    @Test
    void showsWhatTheHostGave() {
        Map<String, Object> row = map("id", 7, "tags", List.of("a"));
        Object opaque = new Object() {};

        assertThat(
                        textsOf(
                                "console.log(row, list, when, f, opaque)",
                                "row",
                                row,
                                "list",
                                new int[] {1, 2},
                                "when",
                                Instant.EPOCH,
                                "f",
                                (Runnable) () -> {},
                                "opaque",
                                opaque))
                .containsExactly(
                        "{ id: 7, tags: [ 'a' ] } [ 1, 2 ] 1970-01-01T00:00:00Z [Function (host)] [object]");
    }

    @Test
    void isCutWhereItIsTooLong() {
        String shown = textsOf("console.log(Array(1000).fill('x'.repeat(20000)))").getFirst();
        String line = textsOf("console.log('x'.repeat(3_000_000))").getFirst();

        assertThat(shown).contains("... 10000 more characters", "more items");
        assertThat(shown.length()).isLessThan(300_000);
        assertThat(line).hasSizeLessThan(1_100_000).endsWith("more characters");
    }

    @Test
    void breaksLinesThatAreTooWide() {
        assertThat(textsOf("console.log({ first: 'a'.repeat(40), second: 'b'.repeat(40) })"))
                .containsExactly(
                        "{\n  first: '%s',\n  second: '%s'\n}"
                                .formatted("a".repeat(40), "b".repeat(40)));
    }

    @Test
    void drawsATable() {
        assertThat(textsOf("console.table([{ a: 1, b: 'x' }, { a: 2 }, 5])"))
                .containsExactly(
                        """
                        ┌─────────┬───┬─────┬────────┐
                        │ (index) │ a │ b   │ Values │
                        ├─────────┼───┼─────┼────────┤
                        │ 0       │ 1 │ 'x' │        │
                        │ 1       │ 2 │     │        │
                        │ 2       │   │     │ 5      │
                        └─────────┴───┴─────┴────────┘\
                        """);
    }

    @Test
    void countsForEachRunAnew() {
        String text = "console.count(); console.count(); console.countReset(); console.count('x')";

        assertThat(textsOf(text)).containsExactly("default: 1", "default: 2", "x: 1");
        assertThat(textsOf(text)).containsExactly("default: 1", "default: 2", "x: 1");
    }

    @Test
    void measuresTime() {
        assertThat(textsOf("console.time('t'); console.timeLog('t', 1); console.timeEnd('t')"))
                .satisfiesExactly(
                        log -> assertThat(log).matches("t: \\d+\\.\\d{3}m?s 1"),
                        end -> assertThat(end).matches("t: \\d+\\.\\d{3}m?s"));
        assertThat(linesOf("console.timeEnd('none')"))
                .extracting(OutputLine::level)
                .containsExactly(Level.WARN);
    }

    /** A listener that keeps, beside lines, how far the block was. */
    private static final class Heard implements OutputListener {
        private final List<String> all = new ArrayList<>();

        @Override
        public void print(OutputLine line) {
            all.add(line.text());
        }

        @Override
        public void progress(double done, double total) {
            all.add(done + " of " + total);
        }
    }

    private List<String> heard(String text, Limits limits) {
        Heard heard = new Heard();
        engine.capture(text, frame()).within(limits).withOutput(heard).evaluate();
        return heard.all;
    }

    @Test
    void tellsHowFarItIsInTheOrderOfItsLines() {
        assertThat(
                        heard(
                                "console.log('a'); console.progress(1, 4); console.log('b'); console.progress(4, 4)",
                                Limits.NONE))
                .containsExactly("a", "1.0 of 4.0", "b", "4.0 of 4.0");
    }

    @Test
    void ofALoopIsToldHowFarItIsNowAndThenAndThatItIsThrough() {
        String loop = "for (let i = 1; i <= 100000; i++) console.progress(i, 100000);";
        long began = System.nanoTime();

        List<String> heard = heard(loop + loop, Limits.NONE);

        long tenths = (System.nanoTime() - began) / 100_000_000;
        assertThat(heard)
                .startsWith("1.0 of 100000.0")
                .contains("100000.0 of 100000.0")
                .hasSizeBetween(2, Math.toIntExact(2 * (2 + tenths)));
    }

    @Test
    void ofProgressCountsAsOutputAsFarAsItIsHandedOn() {
        Limits limits = Limits.builder().outputBytes(40).build();
        String thrice = "console.progress(1, 1);".repeat(3);
        assertThat(heard(thrice, limits)).hasSize(1);
        String later = "for (const end = Date.now() + 120; Date.now() < end;);";

        assertThatThrownBy(() -> heard(("console.progress(1, 1);" + later).repeat(3), limits))
                .isInstanceOfSatisfying(
                        BlockException.class,
                        e -> assertThat(e.limit().orElseThrow().limit()).isEqualTo(Limit.OUTPUT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "3",
                "'3', 4",
                "-1, 4",
                "5, 4",
                "0, 0",
                "NaN, 1",
                "1, Infinity",
                "1n, 2n"
            })
    void warnsOfProgressThatIsNone(String arguments) {
        assertThat(linesOf("console.progress(%s)".formatted(arguments)))
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.level()).isEqualTo(Level.WARN);
                    assertThat(line.text()).startsWith("console.progress takes how much is done");
                });
        assertThat(textsOf("console.progress(Symbol('s'), {})"))
                .containsExactly(
                        "console.progress takes how much is done and of how much, not Symbol(s) of {}");
    }

    @Test
    void indentsGroups() {
        assertThat(
                        textsOf(
                                "console.group('a'); console.log('b\\nc'); console.groupEnd(); console.groupEnd(); console.log('d')"))
                .containsExactly("a", "  b\n  c", "d");
    }

    @Test
    void saysWhatDoesNotHold() {
        assertThat(linesOf("console.assert(1); console.assert(0, 'sum is %d', 3)"))
                .containsExactly(
                        new OutputLine(Level.ERROR, "Assertion failed: sum is 3", "block.js", 1));
    }

    @Test
    void tracesTheCalls() {
        assertThat(textsOf("function f() {\n  console.trace('here')\n}\nf()"))
                .containsExactly("Trace: here\n    at f (block.js:2:3)\n    at block.js:4:1");
    }

    @Test
    void ofOneBlockGoesToItsOwnListener() {
        List<OutputLine> own = new ArrayList<>();
        Block block = engine.capture("console.log(1)", frame());
        said.clear();

        block.withOutput(own::add).evaluate();

        assertThat(own).extracting(OutputLine::text).containsExactly("1");
        assertThat(said).isEmpty();
    }

    @Test
    void ofAFunctionGoesToTheListenerOfTheBlockThatMadeIt() {
        List<OutputLine> own = new ArrayList<>();
        Block block = engine.capture("() => console.log('called')", frame());
        GuestFunction function = (GuestFunction) block.withOutput(own::add).evaluate().value();

        function.call();

        assertThat(own).extracting(OutputLine::text).containsExactly("called");
    }

    @Test
    void ofAListenerThatThrowsFailsTheBlockAtItsLine() {
        IllegalStateException full = new IllegalStateException("the disk is full");
        Block block =
                engine.capture("1;\nconsole.log(2)", frame())
                        .withOutput(line -> {
                            throw full;
                        });

        BlockException e = catchThrowableOfType(BlockException.class, block::run);

        assertThat(e).hasCause(full);
        assertThat(e.getCause()).isSameAs(full);
        assertThat(e.traceback().entries().getFirst().line()).isEqualTo(2);
    }

    @Test
    void isReachedUnderItsNameOnlyWhereTheBlockHasNoOwn() {
        assertThat(textsOf("[typeof console.log, print].join()", "print", 1, "console", map()))
                .isEmpty();
        assertThat(
                        engine.capture(
                                        "[typeof console.log, print].join()",
                                        frame("print", 1, "console", map()))
                                .run()
                                .value())
                .isEqualTo("undefined,1");
    }

    @Test
    void doesNotCrossFromOneFrameToAnother() {
        engine.capture("console.log = () => {}; console.mine = 1", frame()).run();

        assertThat(textsOf("console.log(typeof console.mine)")).containsExactly("undefined");
    }

    @Test
    void leavesTheContextAsNew() {
        try (BlockEngine fresh = BlockEngine.builder().output(line -> {}).build()) {
            for (int i = 0; i < 10; i++) {
                fresh.capture("console.log({ i }, [i]); console.table([i])", frame("i", i)).run();
            }

            assertThat(fresh.openContexts()).isOne();
        }
    }

    @Test
    void goesToTheLogUnlessSomebodyWantsIt() {
        PrintStream err = System.err;
        ByteArrayOutputStream logged = new ByteArrayOutputStream();
        System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
        try (BlockEngine silent = BlockEngine.create()) {
            silent.capture("console.log('unheard');\nconsole.error('heard')", frame()).run();
        } finally {
            System.setErr(err);
        }

        assertThat(logged.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("[main] ERROR dev.blockscope.output - block.js:2: heard");
    }

    @Test
    void readsAsALogLine() {
        assertThat(
                        Arrays.asList(
                                new OutputLine(Level.INFO, "a", "f.js", 3).toString(),
                                new OutputLine(Level.INFO, "a", "f.js", 0).toString()))
                .containsExactly("INFO f.js:3: a", "INFO f.js: a");
    }
}
