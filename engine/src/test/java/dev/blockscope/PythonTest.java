package dev.blockscope;

import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.math.BigInteger;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A block of another language: nothing of the scope's rules is tied to JavaScript. */
class PythonTest {
    private static final Map<String, @Nullable Object> LOCALS = new LinkedHashMap<>();
    private static final Map<String, @Nullable Object> GLOBALS = new LinkedHashMap<>();
    private static final Frame FRAME =
            Frame.of(LOCALS, Globals.of(GLOBALS), new FrameCode("rules.py", 1, ""));

    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.of(new Python());
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    /** Empties the one frame of all tests: a context for each would take its time. */
    @BeforeEach
    void emptyTheFrame() {
        LOCALS.clear();
        GLOBALS.clear();
        SharedLocals.of(FRAME).clear();
    }

    private static @Nullable Object value(String text) {
        return engine.capture(text, FRAME).evaluate().value();
    }

    private static BlockException failure(String text) {
        Block block = engine.capture(text, FRAME);
        return catchThrowableOfType(BlockException.class, block::run);
    }

    @Test
    void aBlockReadsItsSnapshotAndPushesWhatItAssigned() {
        LOCALS.putAll(map("price", 3, "quantity", 4));
        engine.capture("total = price * quantity", FRAME).run();
        assertThat(LOCALS).isEqualTo(map("price", 3, "quantity", 4, "total", 12));
    }

    @Test
    void theSnapshotIsFromTheTimeOfCapture() {
        LOCALS.put("price", 3);
        Block block = engine.capture("price", FRAME);
        LOCALS.put("price", 4);
        assertThat(block.evaluate().value()).isEqualTo(3);
    }

    @Test
    void theValueIsThatOfALastExpression() {
        assertThat(value("x = 1\nx + 1")).isEqualTo(2);
        assertThat(value("x = 1")).isNull();
        assertThat(value("")).isNull();
    }

    @Test
    void aNameOfASiblingIsSeenAndOwnShadowsIt() {
        Block early = engine.capture("rate = 1\nrate", FRAME);
        engine.capture("rate = 7", FRAME).evaluate();
        assertThat(value("rate")).isEqualTo(7);
        assertThat(early.evaluate().value()).isEqualTo(1);
    }

    @Test
    void theFramesGlobalsStandBeforeTheLanguagesBuiltins() {
        GLOBALS.putAll(map("rate", 7, "max", 5));
        assertThat(value("[rate, max, min(2, 3)]")).isEqualTo(List.of(7, 5, 2));
        assertThat(GLOBALS).isEqualTo(map("rate", 7, "max", 5));
    }

    static Stream<Arguments> forms() {
        return Stream.of(
                arguments("x = y = 1", map("x", 1, "y", 1)),
                arguments("(a, *b) = 1, 2, 3", map("a", 1, "b", List.of(2, 3))),
                arguments("n += 1", map("n", 6)),
                arguments("n = n", map("n", 5)),
                arguments("x: int = 5", map("x", 5)),
                arguments("(w := 5) + w", map("w", 5)),
                arguments("for i in range(3): pass", map("i", 2)),
                arguments("from math import pi", map("pi", Math.PI)),
                arguments(
                        "from contextlib import nullcontext as _c\nwith _c(3) as w: del _c",
                        map("w", 3)),
                arguments("try: 1 / 0\nexcept ZeroDivisionError as e: x = 1", map("x", 1)),
                arguments("match n:\n  case int(m): pass", map("m", 5)),
                arguments("globals()['g'] = 1", map("g", 1)),
                arguments("exec('e = 1')", map("e", 1)),
                arguments("(lambda: exec('global g; g = 1'))()", map("g", 1)),
                arguments("[i for i in range(3)]", map()),
                arguments("x = 1\ndel x", map()),
                arguments("n", map()),
                arguments("import math", map()));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void everyTopLevelFormBinds(String text, Map<String, Object> bindings) {
        LOCALS.put("n", 5);
        assertThat(engine.capture(text, FRAME).evaluate().bindings()).isEqualTo(bindings);
    }

    @Test
    void functionsAndClassesAreNamesLikeOthers() {
        engine.capture(
                        """
                        def twice(x):
                          global calls
                          calls = 1
                          y = 2
                          return x * y

                        class Pair:
                          def __init__(self, a): self.a = a
                        """,
                        FRAME)
                .run();
        assertThat(LOCALS).containsOnlyKeys("twice", "Pair");
        assertThat(((GuestFunction) LOCALS.get("twice")).call(4)).isEqualTo(8);
        assertThat(value("twice(3) + Pair(1).a")).isEqualTo(7);
    }

    @Test
    void modulesAreSharedAndNotPushed() {
        engine.capture("import math as m", FRAME).run();
        assertThat(LOCALS).isEmpty();
        assertThat(value("m.floor(2.5)")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[own + far + sibling for _ in range(1)][0]",
                "(lambda: own + far + sibling)()",
                "def f():\n  def g(): return own + far + sibling\n  return g()\nf()",
                "class K:\n  x = own + far + sibling\nK.x",
                "def g():\n  yield own + far + sibling\nnext(g())",
                "eval('own + far + sibling')",
                "locals()['own'] + far + sibling"
            })
    void nestedCodeReachesAllTiers(String text) {
        LOCALS.put("own", 1);
        GLOBALS.put("far", 10);
        engine.capture("sibling = 100", FRAME).evaluate();
        assertThat(value(text)).isEqualTo(111);
    }

    @Test
    void aFunctionKeepsTheSnapshotOfItsBlock() {
        LOCALS.put("n", 1);
        engine.capture("def f(): return n", FRAME).evaluate();
        LOCALS.put("n", 2);
        assertThat(value("f() * 10 + n")).isEqualTo(12);
    }

    @Test
    void aSiblingMovesACounter() {
        Block counter =
                engine.capture(
                        """
                        counter = 0
                        def inc():
                          global counter
                          counter += 1
                        """,
                        FRAME);
        Block user = engine.capture("inc(); inc(); counter", FRAME);
        counter.evaluate();
        assertThat(user.evaluate().value()).isEqualTo(2);
    }

    @Test
    void aBlockRunsAnyNumberOfTimesFromItsSnapshot() {
        LOCALS.put("n", 1);
        Block block = engine.capture("n += 1\nn", FRAME);
        assertThat(List.of(block.run().value(), block.run().value())).isEqualTo(List.of(2, 2));
    }

    @Test
    void aDeletedNameDoesNotComeBackFromShared() {
        engine.capture("x = 1", FRAME).evaluate();
        LOCALS.put("x", 2);
        assertThat(failure("del x\nx")).hasMessage("NameError: name 'x' is not defined");
    }

    @Test
    void twoFramesShareNeitherNamesNorPatchedModules() {
        engine.capture("import math\nmath.pi = 3\nx = 1", FRAME).evaluate();
        Frame other = Frame.of(new LinkedHashMap<>());
        Block block = engine.capture("import math\n(math.pi > 3, 'x' in globals())", other);
        assertThat(block.evaluate().value()).isEqualTo(List.of(true, false));
        assertThat(value("import math\nmath.pi")).isEqualTo(3);
    }

    @Test
    void anErrorPointsAtTheUsersLines() {
        LOCALS.put("n", 1);
        Block block =
                engine.capture(
                        new BlockSource(
                                "python",
                                """
                                def f(x):
                                  y = x
                                  return y.nope

                                f(n)
                                """,
                                "rules.py",
                                40,
                                1),
                        FRAME);
        BlockException failure = catchThrowableOfType(BlockException.class, block::run);
        assertThat(failure).hasMessage("AttributeError: 'int' object has no attribute 'nope'");
        assertThat(failure.traceback().entries())
                .containsExactly(
                        new Traceback.Entry("rules.py", 42, 0, "f", "  return y.nope", true),
                        new Traceback.Entry("rules.py", 44, 0, "", "f(n)", true));
        assertThat(failure.getStackTrace()[0]).hasToString("<python>.f(rules.py:42)");
    }

    @Test
    void aBlockThatFailsPushesNothingAndTellsWhatItHadBound() {
        BlockException failure = failure("a = 1\nb = 'two'\nraise ValueError('bad')");
        assertThat(failure).hasMessage("ValueError: bad");
        assertThat(failure.bindings())
                .containsExactly(
                        new BoundName("a", "Integer", "1"), new BoundName("b", "String", "two"));
        assertThat(LOCALS).isEmpty();
    }

    @Test
    void aCauseOfThePythonKindIsACause() {
        BlockException failure =
                failure("try: 1 / 0\nexcept Exception as e: raise ValueError('bad') from e");
        assertThat(failure.getCause()).hasMessage("ZeroDivisionError: division by zero");
    }

    @Test
    void anExceptionOfTheHostComesOutAsItself() {
        IllegalStateException mine = new IllegalStateException("mine");
        Supplier<Object> fails =
                () -> {
                    throw mine;
                };
        LOCALS.put("fails", fails);
        assertThat(failure("\nfails()")).hasMessage("mine").hasCause(mine);
    }

    @Test
    void anEndlessRecursionIsALimit() {
        assertThat(failure("def f(): return f()\nf()").kind()).isEqualTo(BlockException.Kind.LIMIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x = 1\ny = = 2", "x = 1\nif x:", "x = 1\nreturn x"})
    void textThatDoesNotParseFailsAtCaptureWithItsLine(String text) {
        BlockException failure =
                catchThrowableOfType(BlockException.class, () -> engine.capture(text, FRAME));
        assertThat(failure.kind()).isEqualTo(BlockException.Kind.SYNTAX);
        assertThat(failure.getMessage()).doesNotContain("rules.py");
        assertThat(failure.traceback().entries())
                .singleElement()
                .returns("rules.py", Traceback.Entry::file)
                .returns(2, Traceback.Entry::line);
    }

    @Test
    void aLoopWithoutEndCanBeStopped() throws Exception {
        StopSignal signal = new StopSignal();
        LOCALS.put("stop", (Runnable) signal::stop);
        Block block = engine.capture("stop()\nwhile True:\n  try: pass\n  finally: pass", FRAME);
        BlockException failure =
                catchThrowableOfType(BlockException.class, () -> block.evaluate(signal));
        assertThat(failure.kind()).isEqualTo(BlockException.Kind.CANCELLED);
        assertThat(value("1 + 1")).isEqualTo(2);
    }

    static Stream<Arguments> results() {
        return Stream.of(
                arguments("None", null),
                arguments("True", true),
                arguments("2 ** 31", 1L << 31),
                arguments("2 ** 100", BigInteger.TWO.pow(100)),
                arguments("1.5", 1.5),
                arguments("1.0", 1),
                arguments("-0.0", -0.0),
                arguments("float('nan')", Double.NaN),
                arguments("'grün \\U0001d4b3'", "grün 𝒳"),
                arguments("[1, [None]]", List.of(1, Arrays.asList((Object) null))),
                arguments("(1, 2)", List.of(1, 2)),
                arguments("{'a': 1, 2: [3]}", Map.of("a", 1, 2, List.of(3))),
                arguments("{1, 'a'}", Set.of(1, "a")),
                arguments("b'abc'", new byte[] {97, 98, 99}),
                arguments("1 + 2j", "(1+2j)"),
                arguments("ValueError('x')", "ValueError('x')"),
                arguments("import datetime\ndatetime.date(2020, 1, 2)", LocalDate.of(2020, 1, 2)));
    }

    @ParameterizedTest
    @MethodSource("results")
    void resultsArePlainJavaByTheSameTable(String text, @Nullable Object expected) {
        assertThat(value(text)).isEqualTo(expected);
    }

    static Stream<Arguments> reads() {
        record Point(int x, int y) {}
        IntUnaryOperator twice = n -> 2 * n;
        return Stream.of(
                arguments(null, "v is None", true),
                arguments(5L << 40, "v + 1", (5L << 40) + 1),
                arguments("text", "v.upper() + v[0]", "TEXTt"),
                arguments(
                        List.of(1, 2, 3),
                        "(sum(v), len(v), v[-1], 2 in v)",
                        List.of(6, 3, 3, true)),
                arguments(new int[] {3, 1}, "sorted(v)", List.of(1, 3)),
                arguments(Map.of("id", 7), "v.id", 7),
                arguments(new Point(1, 2), "v.x + v.y", 3),
                arguments(twice, "v(4)", 8));
    }

    @ParameterizedTest
    @MethodSource("reads")
    void hostValuesAreSeenAsData(@Nullable Object given, String text, Object expected) {
        LOCALS.put("v", given);
        assertThat(value(text)).isEqualTo(expected);
    }

    /** A map of the host has members in every language, and Python asks for items. */
    @Test
    void aMapOfTheHostHasAttributesAndNoItems() {
        LOCALS.put("row", Map.of("id", 7));
        assertThat(failure("row['id']").getMessage()).startsWith("TypeError: ");
    }

    @Test
    void anEngineRefusesATextOfAnotherLanguage() {
        BlockSource script = BlockSource.javaScript("1", "a.js");
        assertThat(
                        catchThrowableOfType(
                                IllegalArgumentException.class,
                                () -> engine.capture(script, FRAME)))
                .hasMessage("the language of a.js:1:1 is \"js\"; this engine runs \"python\"");
    }
}
