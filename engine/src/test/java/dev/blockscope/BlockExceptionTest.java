package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the user learns when a block fails: where, why, and from which exception of the host. */
class BlockExceptionTest {
    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static BlockException failure(String text, Frame frame) {
        Block block = engine.capture(text, frame);
        BlockException e = catchThrowableOfType(BlockException.class, block::run);
        assertThat(e).as("the block fails").isNotNull();
        return e;
    }

    record Order(int total) {}

    /** What exports nothing. */
    static final class Shelf {}

    private static BlockException refusal(String text) {
        Frame frame = frame();
        BlockException e =
                catchThrowableOfType(BlockException.class, () -> engine.capture(text, frame));
        assertThat(e).as("the text is refused").isNotNull();
        return e;
    }

    private static List<String> places(BlockException e) {
        return e.traceback().entries().stream()
                .filter(Traceback.Entry::guest)
                .map(entry -> entry.line() + ":" + entry.column())
                .toList();
    }

    private static BlockException roundTrip(BlockException e) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytesOf(e)))) {
            return (BlockException) in.readObject();
        }
    }

    private static byte[] bytesOf(BlockException e) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(e);
        }
        return bytes.toByteArray();
    }

    /** Host code that throws, as the service {@code svc} of a frame. */
    private static Frame serviceThatThrows(Exception thrown) {
        Callable<Object> boom =
                () -> {
                    throw thrown;
                };
        return frame("svc", Map.of("boom", boom));
    }

    @Nested
    class Places {
        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        unknown name               :: var a = 1;¶var b = 2;¶  ①nope()
                        on the first line          :: ①nope()
                        in an expression           :: let a = 1 + ①nope
                        after text beyond the BMP  :: '\uD83D\uDE00\uD83D\uDE00'; ①nope
                        after a comment            :: // note¶¶/* } */ ①nope
                        after a template           :: `a¶b`; ①nope
                        behind tabs                :: →→①nope
                        thrown error               :: 1;¶  throw ①new Error('x')
                        thrown number              :: 1;¶  ①throw 42
                        member of null             :: const n = null;¶①n.x
                        call of no function        :: const n = 1;¶①n()
                        functions                  :: function f() {¶  ①nope()¶}¶function g() { ②f() }¶③g()
                        arrow                      :: const f = () => ①nope;¶②f()
                        callback of a builtin      :: ②[1].forEach(x => {¶  ①nope(x)¶})
                        comparator                 :: ②[2, 1].sort(() => ①nope)
                        replacer                   :: ②'a'.replace(/a/, () => ①nope)
                        getter                     :: const o = { get p() { return ①nope } };¶②o.p
                        setter                     :: const o = { set p(v) { ①nope } };¶②o.p = 1
                        toString                   :: const o = { toString() { return ①nope } };¶②'' + o
                        toJSON                     :: ②JSON.stringify({ toJSON() { return ①nope } })
                        proxy                      :: const p = new Proxy({}, { get() { return ①nope } });¶②p.x
                        generator                  :: function* g() { yield ①nope }¶②g().next()
                        constructor                :: class C { constructor() { ①nope } }¶②new C()
                        method                     :: class C { m() { return ①nope } }¶②new C().m()
                        default argument           :: const f = (a = ①nope) => a;¶②f()
                        rethrown                   :: try {¶  ①nope¶} catch (e) { throw e }
                        through finally            :: try {¶  ①nope¶} finally { 1 }
                        call                       :: function f() { ①nope }¶②f.call(null)
                        text that is no JSON       :: var x = 1;¶①JSON.parse('{bad')
                        strict this                :: (function f() { 'use strict';¶ return ①this.x }).call(undefined)
                        """)
        void areThoseOfTheUsersText(String form, String marked) {
            MarkedText text = MarkedText.of(marked.replace('¶', '\n').replace('→', '\t'));

            BlockException e = failure(text.text(), frame());

            if (form.equals("strict this")) {
                assertThat(places(e).getFirst()).isEqualTo(text.places().getFirst());
            } else {
                assertThat(places(e)).isEqualTo(text.places());
            }
        }

        @Test
        void startWhereTheBlockStands() {
            BlockSource source =
                    BlockSource.javaScript("nope();\n  nope()", "rules.js").startingAt(41, 9);
            Block block = engine.capture(source, frame());

            BlockException e = catchThrowableOfType(BlockException.class, block::run);

            Traceback.Entry entry = e.traceback().innermost();
            assertThat(entry.file()).isEqualTo("rules.js");
            assertThat(entry.line()).isEqualTo(41);
            assertThat(entry.column()).isEqualTo(9);
        }

        @Test
        void areThoseOfTheJavaFileThatTheTextIsWrittenIn() {
            BlockSource block =
                    BlockSource.here(
                            """
                            1
                            nope()
                            """);
            BlockSource literal = BlockSource.here("nope()");
            BlockSource below = BlockSource.here("nope()", 3);
            int line = lineOfThisCall() - 2;

            assertThat(literal.line()).isEqualTo(line);
            assertThat(below.line()).isEqualTo(line + 4);
            assertThat(block.line()).isEqualTo(line - 4);
            assertThat(literal.file()).isEqualTo("BlockExceptionTest.java");

            Block captured = engine.capture(block, frame());
            BlockException e = catchThrowableOfType(BlockException.class, captured::run);
            assertThat(e.traceback().render())
                    .startsWith("BlockExceptionTest.java:" + (block.line() + 1) + ":1: ");
        }

        private static int lineOfThisCall() {
            return StackWalker.getInstance()
                    .walk(frames -> frames.skip(1).findFirst().orElseThrow().getLineNumber());
        }

        @Test
        void ofANameThatCannotBeHandedOverIsItsLastAssignment() {
            String text =
                    """
                    let deep = [];
                    let a = 1; for (let i = 0; i < 600; i++) deep = [deep];
                    a
                    """;

            BlockException e = failure(text, frame());

            assertThat(e).hasMessageContaining("cannot hand \"deep").hasMessageContaining("500");
            assertThat(places(e)).containsExactly("2:42");
        }

        @Test
        void ofANameThatTheFrameRefusesIsItsLastAssignment() {
            Block block = engine.capture("let a = 1;\n  total = 2; a = 3", Frame.of(Map.of()));

            PushException e = catchThrowableOfType(PushException.class, block::run);

            assertThat(e.name()).isEqualTo("a");
            assertThat(e.traceback().innermost().line()).isEqualTo(2);
            assertThat(e.traceback().innermost().column()).isEqualTo(14);
            assertThat(e.traceback().innermost().sourceLine()).isEqualTo("  total = 2; a = 3");
        }

        @Test
        void includeTheOutermostOfADeepRecursion() throws Exception {
            String text =
                    "function down(n) {\n  if (n === 0) throw new Error('deep')\n  down(n - 1)\n}\ndown(1000)";
            BlockException[] failed = new BlockException[1];
            Thread roomy =
                    new Thread(null, () -> failed[0] = failure(text, frame()), "roomy", 512L << 20);

            roomy.start();
            roomy.join();

            List<String> places = places(failed[0]);
            assertThat(places.getFirst()).isEqualTo("2:22");
            assertThat(places.getLast()).isEqualTo("5:1");
            assertThat(failed[0].traceback().gap().entries()).isEqualTo(902);
        }

        /** A thousand functions on a thousand lines, of which each calls the next. */
        @Test
        void ofAThousandCallsAreShownFromTheFirstTwentyToTheLastTwenty() throws Exception {
            StringBuilder text = new StringBuilder("const f1000 = () => nope\n");
            for (int i = 999; i > 0; i--) {
                text.append("const f%d = () => f%d()\n".formatted(i, i + 1));
            }
            text.append("f1()");
            BlockException[] failed = new BlockException[1];
            Thread roomy =
                    new Thread(
                            null,
                            () -> failed[0] = failure(text.toString(), frame()),
                            "roomy",
                            512L << 20);

            roomy.start();
            roomy.join();

            List<String> lines = failed[0].traceback().render().lines().skip(3).toList();
            assertThat(lines).hasSize(41);
            for (int i = 0; i < 20; i++) {
                assertThat(lines.get(i))
                        .startsWith("    at f%d (block.js:%d:".formatted(1000 - i, i + 1));
            }
            assertThat(lines.get(20)).isEqualTo("    ... 961 more ...");
            for (int i = 0; i < 19; i++) {
                assertThat(lines.get(21 + i))
                        .startsWith("    at f%d (block.js:%d:".formatted(19 - i, 982 + i));
            }
            assertThat(lines.getLast()).isEqualTo("    at block.js:1001:1");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "class NoStock extends Error {}\nthrow new NoStock('of apples')",
                    "class NoStock extends Error { name = 'NoStock' }\nthrow new NoStock('of apples')",
                    "const NoStock = class extends Error {}\nthrow new NoStock('of apples')",
                    "class A extends Error {} class B extends A {}\nthrow new B('of apples')"
                })
        void ofAClassThatHasNoConstructorAreWhereItIsMade(String text) {
            assertThat(places(failure(text, frame()))).containsExactly("2:7");
        }

        @Test
        void startInTheFirstColumnFromTheSecondLineOn() {
            BlockSource source =
                    BlockSource.javaScript("var a = 1;\nvar b = 2;\n  nope()", "rules.js")
                            .startingAt(41, 9);
            Block block = engine.capture(source, frame());

            BlockException e = catchThrowableOfType(BlockException.class, block::run);

            assertThat(places(e)).containsExactly("43:3");
        }

        @Test
        void startAtTheFirstLineOfTheFrame() {
            Frame frame = Frame.of(map(), Globals.none(), new FrameCode("steer.js", 40, "steer"));

            BlockException e = failure("1;\nnope()", frame);

            assertThat(e.traceback().innermost().file()).isEqualTo("steer.js");
            assertThat(places(e)).containsExactly("41:1");
        }

        @Test
        void ofASiblingsFunctionAreInTheSiblingsFile() {
            Frame frame = frame();
            BlockSource one =
                    BlockSource.javaScript("function f() {\n  nope() }", "one.js")
                            .startingAt(10, 1);
            BlockSource other = BlockSource.javaScript("1;\n f()", "other.js").startingAt(20, 1);
            engine.capture(one, frame).run();
            Block block = engine.capture(other, frame);

            BlockException e = catchThrowableOfType(BlockException.class, block::run);

            assertThat(e.traceback().entries())
                    .extracting(entry -> entry.file() + ":" + entry.line() + ":" + entry.column())
                    .containsExactly("one.js:11:3", "other.js:21:2");
        }

        @Test
        void ofAFunctionCalledLaterAreThoseOfItsText() {
            GuestFunction f =
                    (GuestFunction) engine.capture("() => {\n  nope() }", frame()).run().value();

            BlockException e = catchThrowableOfType(BlockException.class, f::call);

            assertThat(e).hasMessage("ReferenceError: nope is not defined");
            assertThat(places(e)).containsExactly("2:3");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "1;\neval('nope')",
                    "1;\neval('\\n\\n\\nnope')",
                    "1;\n(0, eval)('nope')",
                    "1;\nnew Function('nope')()",
                    "1;\neval('(')"
                })
        void ofCodeMadeOfStringsIncludeTheLineOfTheBlock(String text) {
            BlockException e = failure(text, frame());

            assertThat(e.traceback().entries())
                    .extracting(entry -> entry.file() + ":" + entry.line())
                    .contains("block.js:2");
        }

        @Test
        void carryTheNameOfTheFunctionAndTheSourceLine() {
            BlockException e = failure("function inner() {\n  return nope\n}\ninner()", frame());

            assertThat(e.traceback().entries())
                    .extracting(Traceback.Entry::function, Traceback.Entry::sourceLine)
                    .containsExactly(tuple("inner", "  return nope"), tuple("", "inner()"));
        }

        @Test
        void areRenderedWithTheLineAndACaret() {
            BlockSource source = BlockSource.javaScript("let a = nope + 1", "steer.js");
            Block block = engine.capture(source.startingAt(40, 3), frame());

            BlockException e = catchThrowableOfType(BlockException.class, block::run);

            assertThat(e.traceback().render())
                    .startsWith("steer.js:40:11: ReferenceError: nope is not defined\n")
                    .contains(" | ")
                    .contains("let a = nope + 1\n")
                    .contains("^");
            List<String> lines = e.traceback().render().lines().toList();
            assertThat(lines.get(2).indexOf('^')).isEqualTo(lines.get(1).indexOf("nope"));
        }

        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        async function :: (async () => {¶  throw new Error('lost') })()
                        after await    :: (async () => {¶  await null; nope })()
                        then           :: Promise.resolve(1).then(v => {¶  nope(v) })
                        rejection      :: 1;¶Promise.reject(new Error('lost'))
                        """)
        void ofAnUnhandledRejectionAreThoseOfTheUsersText(String form, String text) {
            BlockException e = failure(text.replace('¶', '\n'), frame());

            assertThat(e.traceback().innermost().line()).isEqualTo(2);
        }
    }

    @Nested
    class StackTraces {
        @Test
        void holdTheUsersLinesAndNothingElse() {
            BlockException e = failure("function f() {\n  nope()\n}\nf()", frame());

            assertThat(e.getStackTrace())
                    .extracting(StackTraceElement::getFileName, StackTraceElement::getLineNumber)
                    .containsExactly(tuple("block.js", 2), tuple("block.js", 4));
        }

        @Test
        void printWithoutThePlumbing() {
            BlockException e = failure("[1].map(() => nope)", frame());
            StringWriter printed = new StringWriter();

            e.printStackTrace(new PrintWriter(printed));

            assertThat(printed.toString())
                    .contains("ReferenceError: nope is not defined")
                    .contains("block.js:1")
                    .doesNotContain("org.graalvm")
                    .doesNotContain("com.oracle")
                    .doesNotContain("dev.blockscope.Run");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "new Error('here').stack",
                    "(function f() { return new Error('here').stack })()",
                    "[0].map(() => new Error('here').stack)[0]",
                    "let s; try { nope } catch (e) { s = e.stack } s",
                    "let s; try { host() } catch (e) { s = new Error('here', { cause: e }).stack } s",
                    "(async () => new Error('here').stack)()"
                })
        void ofTheGuestsOwnShowItNoPlumbingEither(String text) {
            Frame frame =
                    frame(
                            "host",
                            (Runnable)
                                    () -> {
                                        throw new IllegalStateException("halt");
                                    });

            assertThat(engine.capture(text, frame).evaluate().value())
                    .asString()
                    .contains("block.js:1:")
                    .doesNotContain("Value<")
                    .doesNotContain("execute")
                    .doesNotContain("blockscope")
                    .doesNotContain("graalvm");
        }

        @Test
        void ofEndlessRecursionAreShort() {
            BlockException e = failure("function r() { return r() + 1 } r()", frame());

            assertThat(e.kind()).isEqualTo(BlockException.Kind.LIMIT);
            assertThat(e.getStackTrace()).hasSizeBetween(1, 100);
            assertThat(engine.capture("1 + 1", frame()).run().value()).isEqualTo(2);
        }

        @Test
        void ofRecursionThatTheBlockCatchesAreNone() {
            String text = "function r() { return r() + 1 } try { r() } catch (e) { e.name }";

            assertThat(engine.capture(text, frame()).run().value()).isEqualTo("RangeError");
        }

        /** The stack may come to its end anywhere, also while a value is handed over. */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "svc.take({ get p() { return this.p } })",
                    "({ get p() { return this.p } })",
                    "let x = { get p() { return this.p } }"
                })
        void ofEndlessRecursionWhileAValueIsReadAreOfALimit(String text) {
            Consumer<Object> take = value -> {};

            BlockException e = failure(text, frame("svc", Map.of("take", take)));

            assertThat(e.kind()).isEqualTo(BlockException.Kind.LIMIT);
            assertThat(e.getStackTrace()).hasSizeBetween(1, 100);
            assertThat(e).hasNoCause();
        }

        @Test
        void ofEndlessRecursionThroughTheHostAreShort() {
            Consumer<GuestFunction> call = f -> f.call(f);
            Frame frame = frame("svc", Map.of("call", call));

            BlockException e = failure("function r() { return svc.call(r) } r()", frame);

            assertThat(e.kind()).isEqualTo(BlockException.Kind.LIMIT);
            assertThat(e.getStackTrace()).hasSizeBetween(1, 100);
            assertThat(engine.capture("1 + 1", frame()).run().value()).isEqualTo(2);
        }

        @Test
        void ofEndlessRecursionThroughTheHostAreThoseOfTheUsersText() {
            Consumer<GuestFunction> call = f -> f.call(f);
            Frame frame = frame("call", call);

            BlockException e = failure("1\nfunction r() {\n  return call(r)\n}\nr()", frame);

            assertThat(e.traceback().pinned().line()).isIn(2, 3);
            assertThat(places(e)).endsWith("3:10", "3:10", "5:1");
        }

        /** Thousands of calls pass it on; the exception must not be as deep as they are. */
        @Test
        void ofEndlessRecursionThroughTheHostHaveNoCauseForEachCall() {
            Consumer<GuestFunction> call = f -> f.call(f);

            BlockException e = failure("function r() { return call(r) } r()", frame("call", call));

            assertThat(
                            Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                                    .limit(10))
                    .hasSizeLessThan(4);
        }

        @Test
        void ofEndlessRecursionAreThereIfItIsTheFirstErrorOfAJvm() throws Exception {
            assertThat(OwnJvm.run(OverflowsFirst.class))
                    .last()
                    .asString()
                    .isEqualTo("LIMIT block.js:4 then RUNTIME ReferenceError: nope is not defined");
        }
    }

    /** A program whose first error of all is the end of the stack. */
    static final class OverflowsFirst {
        public static void main(String[] arguments) {
            try (BlockEngine engine = BlockEngine.create()) {
                Consumer<GuestFunction> call = f -> f.call(f);
                String text = "function r() {\n  return call(r)\n}\nr()";
                BlockException first = failureOf(engine.capture(text, frame("call", call)));
                StackTraceElement top = first.getStackTrace()[first.getStackTrace().length - 1];
                BlockException second = failureOf(engine.capture("nope", frame()));
                System.out.printf(
                        "%s %s:%d then %s %s%n",
                        first.kind(),
                        top.getFileName(),
                        top.getLineNumber(),
                        second.kind(),
                        second.getMessage());
            }
        }

        private static BlockException failureOf(Block block) {
            try {
                block.run();
                throw new AssertionError("the block did not fail");
            } catch (BlockException e) {
                return e;
            }
        }
    }

    @Nested
    class Messages {
        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        throw new Error('boom')                           :: Error: boom
                        throw new TypeError('boom')                       :: TypeError: boom
                        throw new (class Mine extends Error { name = 'Mine' })('boom') :: Mine: boom
                        throw 42                                          :: 42
                        throw 'text'                                      :: text
                        throw null                                        :: null
                        throw undefined                                   :: undefined
                        throw true                                        :: true
                        throw 5n                                          :: 5n
                        nope                                              :: ReferenceError: nope is not defined
                        const c = 1; c = 2                                :: TypeError: Assignment to constant "c"
                        """)
        void areTheErrorsOwn(String text, String message) {
            BlockException e = failure(text, frame());

            assertThat(e).hasMessage(message);
            assertThat(e.kind()).isEqualTo(BlockException.Kind.RUNTIME);
            assertThat(e.traceback().message()).isEqualTo(message);
            assertThat(e.traceback().innermost().line()).isEqualTo(1);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "throw { a: 1 }",
                    "throw [1]",
                    "throw () => 1",
                    "throw Symbol('s')",
                    "throw Object.create(null)",
                    "throw { toString() { throw new Error('worse') } }",
                    "throw { get message() { throw new Error('worse') } }",
                    "throw new Proxy({}, { get() { throw new Error('worse') } })",
                    "const e = new Error('x'); e.message = null; throw e",
                    "const e = new Error('x'); Object.defineProperty(e, 'stack', { get() { throw 1 } }); throw e",
                    "throw Object.create(Error.prototype)",
                    "throw new Error()"
                })
        void ofWhateverIsThrownAreThere(String text) {
            BlockException e = failure("1;\n" + text, frame());

            assertThat(e.getMessage()).isNotBlank();
            assertThat(e.kind()).isEqualTo(BlockException.Kind.RUNTIME);
            assertThat(e.traceback().innermost().line()).isEqualTo(2);
        }

        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        { a: 1, b: 'two', c: { d: 3 }, e: [4] } :: {a: 1, b: "two", c: {…}, e: […]}
                        Object.freeze({ a: 1 })                 :: {a: 1}
                        {}                                      :: {}
                        { get a() { for (;;); } }               :: {a: …}
                        { toString() { for (;;); } }            :: {toString: Function}
                        Object.create(null)                     :: {}
                        [1, 'two', [3]]                         :: [1, "two", […]]
                        new Array(1000).fill(7)                 :: [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, …]
                        () => 1                                 :: Function
                        Symbol('s')                             :: Symbol(s)
                        new (class Odd { code = 3 })            :: Odd {code: 3}
                        { message: 'm', name: 'N' }             :: N: m
                        { code: 4, message: 'told' }            :: Error: told
                        new Proxy({}, { get() { for (;;); } })  :: Proxy
                        Object.create(Error.prototype)          :: Error {}
                        """)
        void ofWhatIsNoErrorShowTheValue(String thrown, String message) {
            BlockException e = failure("throw " + thrown, frame());

            assertThat(e).hasMessage(message);
            assertThat(e.traceback().innermost().column()).isEqualTo(1);
        }

        @Test
        void ofATextWithNothingToReadAreInQuotes() {
            assertThat(failure("throw ''", frame())).hasMessage("\"\"");
            assertThat(failure("throw '  '", frame())).hasMessage("\"  \"");
        }

        @Test
        void ofAnErrorOfAnotherEngineAreItsOwn() {
            try (BlockEngine other = BlockEngine.create()) {
                Block inner = other.capture("throw new RangeError('elsewhere')", frame());
                Runnable runInner = inner::run;

                BlockException e = failure("1;\nrunInner()", frame("runInner", runInner));

                assertThat(e).hasMessage("RangeError: elsewhere");
                assertThat(places(e)).containsExactly("1:7", "2:1");
            }
        }

        @Test
        void ofAPolyglotExceptionOfTheHostsOwnAreItsOwn() {
            try (Context other = Context.create("js")) {
                Callable<Object> evaluate = () -> other.eval("js", "throw new Error('theirs')");

                BlockException e = failure("1;\nevaluate()", frame("evaluate", evaluate));

                assertThat(e).hasMessage("Error: theirs");
                assertThat(e.getCause()).isInstanceOf(PolyglotException.class);
                assertThat(places(e)).containsExactly("2:1");
            }
        }

        @Test
        void ofAHostExceptionThatCannotTellItAreThere() {
            RuntimeException broken =
                    new RuntimeException() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public String getMessage() {
                            throw new IllegalStateException("broken");
                        }
                    };

            Block block = engine.capture("svc.boom()", serviceThatThrows(broken));
            String message = "";
            Throwable cause = null;
            // AssertJ would ask for the message that cannot be told.
            try {
                block.run();
            } catch (BlockException e) {
                message = e.getMessage();
                cause = e.getCause();
            }

            assertThat(message).contains("whose message cannot be read");
            @SuppressWarnings("ReferenceEquality") // it cannot even be asked whether it is equal
            boolean same = cause == broken;
            assertThat(same).as("the cause is what was thrown").isTrue();
        }

        @Test
        void thatAreHugeAreShortened() {
            BlockException e = failure("throw new Error('x'.repeat(1e6))", frame());

            assertThat(e.getMessage()).hasSize(10_001).startsWith("Error: xxx").endsWith("x…");
        }

        @Test
        void ofAHostExceptionAreItsOwn() {
            BlockException e =
                    failure("svc.boom()", serviceThatThrows(new IllegalStateException("boom")));

            assertThat(e.getMessage()).contains("boom");
            assertThat(e.getCause()).hasMessage("boom");
        }

        @Test
        void ofAHostExceptionWithoutOneAreThere() {
            BlockException e = failure("svc.boom()", serviceThatThrows(new IOException()));

            assertThat(e.getMessage()).contains("IOException");
        }
    }

    @Nested
    class Causes {
        private final IOException disk = new IOException("disk", new RuntimeException("root"));

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "svc.boom()",
                    "try { svc.boom() } catch (e) { throw e }",
                    "try { svc.boom() } finally { 1 }",
                    "(() => [1].map(() => svc.boom()))()",
                    "try { svc.boom() } catch (e) { throw new Error('wrapped', { cause: e }) }",
                    "try { svc.boom() } catch (e) { const w = new Error('w'); w.cause = e; throw w }",
                    "new (class { constructor() { svc.boom() } })",
                    "[...(function* () { yield svc.boom() })()]"
                })
        void areTheVeryExceptionTheHostThrew(String text) {
            BlockException e = failure(text, serviceThatThrows(disk));

            assertThat(e.getCause()).isSameAs(disk);
            assertThat(e).hasRootCauseMessage("root");
        }

        @Test
        void ofAnErrorThatWrapsAnotherKeepBothMessages() {
            String text =
                    "try { svc.boom() } catch (e) { throw new Error('wrapped', { cause: e }) }";

            BlockException e = failure(text, serviceThatThrows(disk));

            assertThat(e).hasMessage("Error: wrapped");
            assertThat(e.getCause()).isSameAs(disk).hasMessage("disk");
            assertThat(e.getCause().getCause()).hasMessage("root");
        }

        @Test
        void areFollowedThroughSeveralErrors() {
            String text =
                    """
                    try { svc.boom() } catch (e) {
                      const inner = new Error('inner', { cause: e });
                      throw new Error('outer', { cause: inner })
                    }
                    """;

            BlockException e = failure(text, serviceThatThrows(disk));

            assertThat(e).hasMessage("Error: outer");
            assertThat(e.getCause()).isInstanceOf(BlockException.class).hasMessage("Error: inner");
            assertThat(e.getCause().getCause()).isSameAs(disk);
        }

        @Test
        void ofTheGuestAloneAreBlockExceptionsWithTheirOwnPlace() {
            BlockException e =
                    failure(
                            "const root = new Error('root');\nthrow new Error('top', { cause: root })",
                            frame());

            assertThat(e.getCause()).isInstanceOf(BlockException.class).hasMessage("Error: root");
            assertThat(((BlockException) e.getCause()).traceback().innermost().line()).isEqualTo(1);
            assertThat(e.traceback().innermost().line()).isEqualTo(2);
        }

        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        42               :: 42
                        'text'           :: text
                        { code: 7 }      :: {code: 7}
                        [1, 'two']       :: [1, "two"]
                        """)
        void thatAreNoErrorsAreToldAsTheirText(String cause, String text) {
            BlockException e = failure("throw new Error('top', { cause: " + cause + " })", frame());

            assertThat(e.getCause()).isInstanceOf(BlockException.class).hasMessage(text);
            assertThat(e.traceback().cause()).isEqualTo(Traceback.empty(text));
        }

        @ParameterizedTest
        @ValueSource(strings = {"null", "undefined"})
        void thatAreNothingAreNone(String cause) {
            assertThat(failure("throw new Error('top', { cause: " + cause + " })", frame()))
                    .hasNoCause();
        }

        @Test
        void thatGuestCodeWouldTellAreLeftOut() {
            String text =
                    """
                    class Odd extends Error { get cause() { for (;;); } }
                    throw new Odd('real')
                    """;

            assertThat(failure(text, frame())).hasMessage("Odd: real").hasNoCause();
        }

        @Test
        void ofAnErrorOfErrorsAreTheErrorsBesides() {
            String text =
                    """
                    const errors = [new Error('one'), new TypeError('two'), 3];
                    try { svc.boom() } catch (e) { errors.push(e) }
                    throw new AggregateError(errors, 'many', { cause: new Error('root') })
                    """;

            BlockException e = failure(text, serviceThatThrows(disk));

            assertThat(e).hasMessage("AggregateError: many").hasRootCauseMessage("Error: root");
            assertThat(e.getSuppressed())
                    .extracting(Throwable::getMessage)
                    .containsExactly("Error: one", "TypeError: two", "3", "disk");
            assertThat(e.getSuppressed()[3]).isSameAs(disk);
        }

        @Test
        void ofAnErrorOfErrorsThatHasItselfEnd() {
            BlockException e =
                    failure(
                            "const e = new AggregateError([], 'm'); e.errors.push(e); e.cause = e; throw e",
                            frame());

            assertThat(e).hasNoCause().hasNoSuppressedExceptions();
        }

        @Test
        void areFollowedThroughTheHostAndBack() {
            Block inner =
                    engine.capture(
                            "throw new Error('inner', { cause: new RangeError('root') })", frame());
            Callable<Object> wrap =
                    () -> {
                        try {
                            return inner.run().value();
                        } catch (BlockException e) {
                            throw new IOException("wrapped by the host", e);
                        }
                    };
            String text = "try { wrap() } catch (e) { throw new Error('outer', { cause: e }) }";

            BlockException e = failure(text, frame("wrap", wrap));

            assertThat(e).hasMessage("Error: outer");
            assertThat(e.getCause()).isInstanceOf(IOException.class);
            assertThat(e.getCause().getCause()).hasMessage("Error: inner");
            assertThat(e).hasRootCauseMessage("RangeError: root");
            assertThat(e.traceback().render())
                    .containsSubsequence(
                            "Error: outer",
                            "caused by: java.io.IOException: wrapped by the host",
                            "Error: inner",
                            "RangeError: root");
        }

        @Test
        void ofTheHostThatRunInACircleEnd() throws Exception {
            IOException one = new IOException("one");
            IOException other = new IOException("other", one);
            one.initCause(other);
            one.addSuppressed(other);

            BlockException e = failure("svc.boom()", serviceThatThrows(one));

            assertThat(e.getCause()).isSameAs(one);
            assertThat(e.traceback().cause().cause().message()).isEqualTo("other");
            assertThat(e.traceback().cause().cause().cause()).isNull();
            assertThat(roundTrip(e).getCause()).hasMessage("one");
        }

        @Test
        void thatRunInACircleEnd() {
            BlockException self =
                    failure("const e = new Error('e'); e.cause = e; throw e", frame());
            BlockException pair =
                    failure(
                            "const a = new Error('a'), b = new Error('b'); a.cause = b; b.cause = a; throw a",
                            frame());

            assertThat(self).hasMessage("Error: e");
            assertThat(pair.getCause()).hasMessage("Error: b");
        }

        @Test
        void thatThrowWhenReadAreLeftOut() {
            String text =
                    """
                    const e = new Error('real');
                    Object.defineProperty(e, 'cause', { get() { throw new Error('worse') } });
                    throw e
                    """;

            assertThat(failure(text, frame())).hasMessage("Error: real").hasNoCause();
        }

        @Test
        void keepWhatTheHostSuppressed() {
            IOException thrown = new IOException("first");
            thrown.addSuppressed(new IOException("second"));

            BlockException e = failure("svc.boom()", serviceThatThrows(thrown));

            assertThat(e.getCause().getSuppressed()).contains(thrown.getSuppressed()[0]);
        }

        @Test
        void mayBeErrorsOfTheHost() {
            AssertionError thrown = new AssertionError("no");
            Runnable boom =
                    () -> {
                        throw thrown;
                    };

            assertThat(failure("boom()", frame("boom", boom)).getCause()).isSameAs(thrown);
        }

        @Test
        void ofABlockWithinABlockAreTheInnerFailure() {
            Block inner = engine.capture("1;\nnope()", frame());
            Runnable runInner = inner::run;

            BlockException e = failure("1;\n2;\nrunInner()", frame("runInner", runInner));

            assertThat(e.getCause()).isInstanceOf(BlockException.class);
            assertThat(((BlockException) e.getCause()).traceback().innermost().line()).isEqualTo(2);
            assertThat(places(e)).contains("3:1");
        }
    }

    @Nested
    class HostCode {
        @Test
        void thatThrowsHasTheLineThatCalledIt() {
            Frame frame = serviceThatThrows(new IllegalStateException("boom"));

            BlockException e = failure("function f() {\n  svc.boom();\n}\nf();", frame);

            assertThat(places(e)).containsExactly("2:3", "4:1");
        }

        @Test
        void thatSwallowsWhatItsCallbackThrewLetsTheRunSucceed() {
            Function<GuestFunction, String> attempt =
                    f -> {
                        try {
                            f.call();
                            return "passed";
                        } catch (BlockException e) {
                            return e.getMessage();
                        }
                    };

            Object value =
                    engine.capture("attempt(() => nope)", frame("attempt", attempt)).run().value();

            assertThat(value).isEqualTo("ReferenceError: nope is not defined");
        }

        @Test
        void thatThrowsCanBeCaughtByTheBlock() {
            Frame frame = serviceThatThrows(new IllegalStateException("boom"));

            Object value =
                    engine.capture("try { svc.boom() } catch (e) { e.message }", frame)
                            .run()
                            .value();

            assertThat(value).isEqualTo("boom");
        }

        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        e.name                        :: java.io.IOException
                        String(e)                     :: java.io.IOException: disk
                        `${e}`                        :: java.io.IOException: disk
                        e.message                     :: disk
                        e instanceof Error            :: true
                        e.stack.includes('blockscope') :: false
                        """)
        void thatThrowsIsCalledByItsOwnClassInTheBlock(String asked, String answer) {
            String text = "try { svc.boom() } catch (e) { %s }".formatted(asked);
            Object value =
                    engine.capture(text, serviceThatThrows(new IOException("disk"))).run().value();

            assertThat(value).hasToString(answer);
        }

        @Test
        void thatThrowsIsTheVeryExceptionWhereverTheBlockHandsIt() {
            IOException disk = new IOException("disk");
            List<Object> taken = new ArrayList<>();
            Consumer<Object> take = taken::add;
            Callable<Object> boom =
                    () -> {
                        throw disk;
                    };
            Frame frame = frame("boom", boom, "take", take);

            BlockResult result =
                    engine.capture("try { boom() } catch (e) { take(e); kept = e; e }", frame)
                            .run();

            assertThat(result.value()).isSameAs(disk);
            assertThat(result.bindings()).containsEntry("kept", disk);
            assertThat(taken).containsExactly(disk);
        }

        @Test
        void thatThrowsHasNoNameOfOursIfTheBlockCallsWhatItCaught() {
            BlockException e =
                    failure(
                            "try { svc.boom() } catch (e) { e.retry() }",
                            serviceThatThrows(new IOException("disk")));

            assertThat(e).hasMessage("TypeError: retry is not a function of a caught exception");
        }

        static Stream<Arguments> valuesAndTheirClasses() {
            return Stream.of(
                    arguments(new Order(1), Order.class.getName()),
                    arguments(new Shelf(), Shelf.class.getName()),
                    arguments(new HashMap<>(), "java.util.HashMap"),
                    arguments(new ArrayList<>(), "java.util.ArrayList"),
                    arguments(new TreeSet<>(), "java.util.TreeSet"),
                    arguments(new int[1], "int[]"),
                    arguments(Instant.EPOCH, "java.time.Instant"),
                    arguments(LocalDate.EPOCH, "java.time.LocalDate"),
                    arguments(LocalTime.NOON, "java.time.LocalTime"),
                    arguments(LocalDate.EPOCH.atStartOfDay(), "java.time.LocalDateTime"),
                    arguments(new BigDecimal("1e-400"), "java.math.BigDecimal"),
                    arguments(new CompletableFuture<>(), "java.util.concurrent.CompletableFuture"),
                    arguments((Runnable) () -> {}, "a host function"));
        }

        @ParameterizedTest
        @MethodSource("valuesAndTheirClasses")
        void isNamedByItsOwnClassIfItCannotDoWhatIsAsked(Object value, String type) {
            BlockException e = failure("1\n  order.total()", frame("order", value));

            assertThat(e).hasMessage("TypeError: total is not a function of " + type);
            assertThat(places(e)).containsExactly("2:3");
        }

        @ParameterizedTest
        @CsvSource({"order(), a function", "new order(), a constructor"})
        void isNamedByItsOwnClassIfItCannotBeCalled(String text, String what) {
            BlockException e = failure(text, frame("order", new Order(1)));

            assertThat(e).hasMessage("TypeError: %s is not %s", Order.class.getName(), what);
        }

        @Test
        void thatThrowsShowsNoLineOfThePlumbing() {
            BlockException e = failure("svc.boom()", serviceThatThrows(new IOException("disk")));

            assertThat(Arrays.stream(e.getStackTrace()).map(StackTraceElement::getClassName))
                    .noneMatch(name -> name.startsWith("org.graalvm"))
                    .noneMatch(name -> name.startsWith("com.oracle"))
                    .noneMatch(name -> name.startsWith("java.lang.invoke"));
        }

        @Test
        void thatLetsAnErrorOfItsCallbackPassGivesTheBlockItsOwnErrorBack() {
            Consumer<GuestFunction> each = f -> f.call(1);
            String text =
                    """
                    class NoStock extends Error { item = 7 }
                    try {
                      each(() => { throw new NoStock('of apples') })
                    } catch (e) {
                      [e instanceof NoStock, e.message, e.item].join()
                    }
                    """;

            assertThat(engine.capture(text, frame("each", each)).run().value())
                    .isEqualTo("true,of apples,7");
        }

        @Test
        void thatThrowsAnotherExceptionForAnErrorOfItsCallbackIsToldApart() {
            Consumer<GuestFunction> each =
                    f -> {
                        try {
                            f.call(1);
                        } catch (BlockException e) {
                            throw new IllegalStateException("each failed", e);
                        }
                    };

            BlockException e = failure("each(() => nope)", frame("each", each));

            assertThat(e).hasMessage("each failed");
            assertThat(e.getCause()).isInstanceOf(IllegalStateException.class);
            assertThat(e.getCause().getCause()).hasMessage("ReferenceError: nope is not defined");
        }

        @Test
        void thatCallsBackDoesNotHideTheUsersLine() {
            Consumer<GuestFunction> each = f -> f.call(1);
            Frame frame = frame("svc", Map.of("each", each));

            BlockException e = failure("svc.each(x => {\n  nope(x)\n})", frame);

            assertThat(e).hasMessage("ReferenceError: nope is not defined");
            assertThat(places(e)).containsExactly("2:3", "1:1");
        }
    }

    @Nested
    class SyntaxErrors {
        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        missing name          :: var ok = 1;¶var ①= 5
                        stray bracket         :: 1;¶  ①) + 1
                        stray brace           :: ①}; globalThis.out = 1; {
                        unknown character     :: let a = ①@
                        return                :: 1;¶①return 1
                        declared twice        :: let x;¶let ①x
                        """)
        void areReportedAtTheCaptureWithTheirPlace(String form, String marked) {
            MarkedText text = MarkedText.of(marked.replace('¶', '\n'));

            BlockException e = refusal(text.text());

            assertThat(e.kind()).isEqualTo(BlockException.Kind.SYNTAX);
            assertThat(places(e)).isEqualTo(text.places());
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "if (a > b) { return a;",
                    "'unterminated",
                    "`unterminated",
                    "/* unterminated",
                    "(",
                    "[",
                    "/unterminated",
                    "1 +",
                    "let 5",
                    "function",
                    "/(/",
                    "'\\u{110000}'",
                    "function g() { await 1 }",
                    "for (",
                    "a => {",
                    "import x from 'y'",
                    "export default 1",
                    "?.",
                    "(() => { 'use strict'; with (a) {} })",
                    "({ a: 1, a })(",
                    "class { }",
                    "yield 1"
                })
        void areNeverFoundOnlyWhenTheBlockRuns(String text) {
            BlockException e = refusal("1;\n" + text);

            assertThat(e.kind()).isEqualTo(BlockException.Kind.SYNTAX);
            assertThat(e.traceback().innermost()).isNotNull();
            assertThat(e.traceback().innermost().file()).isEqualTo("block.js");
            assertThat(e.traceback().innermost().line()).isGreaterThanOrEqualTo(1);
        }

        @Test
        void standWhereTheBlockStands() {
            BlockSource source =
                    BlockSource.javaScript("var ok = 1;\nvar = 5", "rules.js").startingAt(41, 9);
            Frame frame = frame();

            BlockException e =
                    catchThrowableOfType(BlockException.class, () -> engine.capture(source, frame));

            assertThat(places(e)).containsExactly("42:5");
            assertThat(e.traceback().innermost().file()).isEqualTo("rules.js");
            assertThat(e.traceback().innermost().sourceLine()).isEqualTo("var = 5");
        }

        @Test
        void haveAMessageWithoutAnythingTheUserDidNotWrite() {
            BlockException e = refusal("var ok = 1;\nvar = 5");

            assertThat(e.getMessage()).startsWith("SyntaxError: ").doesNotContain("\n");
            assertThat(e.getMessage()).doesNotContain("block.js");
        }

        @Test
        void areNoneOfTheNamesAFrameHappensToHave() {
            Frame frame = frame("my-name", 1, "class", 2, "x", 3);

            assertThat(engine.capture("let x = 1; x", frame).run().value()).isEqualTo(1);
        }

        @Test
        void inTextThatTheBlockParsesAreErrorsOfItsRun() {
            BlockException e = failure("var x = 1;\nJSON.parse('{bad')", frame());

            assertThat(e.kind()).isEqualTo(BlockException.Kind.RUNTIME);
            assertThat(e.traceback().innermost().line()).isEqualTo(2);
            assertThat(e).hasMessageStartingWith("SyntaxError");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"eval('(')", "new Function('(')", "new RegExp('(')", "(0, eval)('(')"})
        void inCodeMadeOfStringsAreErrorsOfTheRun(String text) {
            BlockException e = failure("1;\n" + text, frame());

            assertThat(e.kind()).isEqualTo(BlockException.Kind.RUNTIME);
            assertThat(e).hasMessageContaining("SyntaxError");
        }
    }

    @Nested
    class AfterTheEngineIsClosed {
        private static BlockException failureOfAClosedEngine() {
            try (BlockEngine shortLived = BlockEngine.create()) {
                Frame frame =
                        serviceThatThrows(new IOException("disk", new RuntimeException("root")));
                String text =
                        "let a = { b: 1 };\ntry { svc.boom() } catch (e) { throw new Error('top', { cause: e }) }";
                Block block = shortLived.capture(text, frame);
                return catchThrowableOfType(BlockException.class, block::run);
            }
        }

        @Test
        void everythingCanStillBeRead() {
            BlockException e = failureOfAClosedEngine();

            assertThat(e).hasMessage("Error: top").hasRootCauseMessage("root");
            assertThat(e.traceback().render()).contains("block.js:2:");
            assertThat(e.bindings()).containsExactly(new BoundName("a", "LinkedHashMap", "{b=1}"));
            assertThat(e.toString()).contains("Error: top");
        }

        @Test
        void everyGetterAnswers() throws Exception {
            BlockException e = failureOfAClosedEngine();
            List<String> failed = new ArrayList<>();

            for (var method : BlockException.class.getMethods()) {
                boolean getter =
                        method.getParameterCount() == 0
                                && method.getDeclaringClass() != Object.class
                                && method.getReturnType() != void.class;
                if (getter && method.invoke(e) == null) {
                    failed.add(method.getName());
                }
            }

            assertThat(failed).isEmpty();
        }

        @Test
        void aRoundTripOfJavaSerializationKeepsEverything() throws Exception {
            BlockException e = failureOfAClosedEngine();

            BlockException read = roundTrip(e);

            assertThat(read).hasMessage(e.getMessage()).hasRootCauseMessage("root");
            assertThat(read.kind()).isEqualTo(e.kind());
            assertThat(read.traceback()).isEqualTo(e.traceback());
            assertThat(read.bindings()).isEqualTo(e.bindings());
            assertThat(read.getStackTrace()).isEqualTo(e.getStackTrace());
            assertThat(read.getCause()).isInstanceOf(IOException.class).hasMessage("disk");
        }
    }

    @Nested
    class Debugging {
        @Test
        void keepsTheEntriesOfTheHostAndOfTheLibraries() {
            try (BlockEngine debugging = BlockEngine.builder().debug(true).build()) {
                Block block =
                        debugging.capture(
                                "1;\nsvc.boom()", serviceThatThrows(new IOException("x")));

                BlockException e = catchThrowableOfType(BlockException.class, block::run);

                assertThat(places(e)).contains("2:1");
                assertThat(e.traceback().entries())
                        .anyMatch(entry -> entry.function().startsWith("dev.blockscope.Run."))
                        .anyMatch(entry -> entry.function().startsWith("org.graalvm.polyglot."));
                assertThat(e.traceback().render()).startsWith("block.js:2:1: x\n");
                assertThat(e.traceback().clean().entries())
                        .noneMatch(entry -> entry.function().startsWith("org.graalvm"));
            }
        }

        @Test
        void isDoneIfThePropertySaysSoWhenTheErrorIsRaised() {
            Block block = engine.capture("nope()", frame());
            System.setProperty("blockscope.debug", "true");
            BlockException e;
            try {
                e = catchThrowableOfType(BlockException.class, block::run);
            } finally {
                System.clearProperty("blockscope.debug");
            }

            assertThat(e.traceback().entries()).anyMatch(entry -> !entry.guest());
            assertThat(catchThrowableOfType(BlockException.class, block::run).traceback().entries())
                    .allMatch(Traceback.Entry::guest);
        }
    }

    @Nested
    class OddSources {
        @Test
        void ofAMillionLinesAreTold() {
            String text = "\n".repeat(999_999) + "nope()";

            BlockException e = failure(text, frame());

            assertThat(places(e)).containsExactly("1000000:1");
            assertThat(e.traceback().render()).contains("  1000000 | nope()");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "my rules.js",
                    "it's \"quoted\".js",
                    "new\nline.js",
                    "\u001b[31mred.js",
                    "",
                    "../up/${x}%s.js",
                    "<eval>",
                    "\u202efdp.js"
                })
        void ofAnyNameAreTold(String file) {
            Block block = engine.capture(BlockSource.javaScript("1\n  nope()", file), frame());

            BlockException e = catchThrowableOfType(BlockException.class, block::run);

            assertThat(e.traceback().innermost().file()).isEqualTo(file);
            assertThat(places(e)).containsExactly("2:3");
            assertThat(e.traceback().render().lines().toList())
                    .hasSize(4)
                    .noneMatch(line -> line.chars().anyMatch(Character::isISOControl));
            assertThat(e.getStackTrace()[0].toString())
                    .doesNotContain("\n")
                    .doesNotContain("\u001b");
        }

        @Test
        void ofBinaryTextAreTold() {
            byte[] bytes = new byte[4096];
            new Random(7).nextBytes(bytes);

            BlockException e = refusal(new String(bytes, StandardCharsets.ISO_8859_1));

            assertThat(e.kind()).isEqualTo(BlockException.Kind.SYNTAX);
            assertThat(e.traceback().render().lines().toList())
                    .hasSizeLessThan(6)
                    .noneMatch(line ->
                            line.chars().anyMatch(c -> Character.isISOControl(c) && c != '\t'));
        }

        @Test
        void ofOneHugeLineAreToldWithThePartAroundTheColumn() {
            BlockException e =
                    failure(
                            "'"
                                    + "1;".repeat(1_000_000)
                                    + "';nope();'"
                                    + "2;".repeat(1_000_000)
                                    + "'",
                            frame());

            assertThat(places(e)).containsExactly("1:2000004");
            assertThat(e.traceback().innermost().sourceLine()).hasSize(500).contains("nope()");
            assertThat(e.traceback().render()).contains("1;';nope();'2;");
        }
    }

    @Nested
    class Plainness {
        /** A serializer may walk any field: it must find plain data, and little of it. */
        @Test
        void isThatOfEverythingThatCanBeReached() throws Exception {
            String text =
                    """
                    let big = new Array(100000).fill('some text'), f = () => big, o = { get p() { return 1 } };
                    throw new AggregateError([new Error('x'.repeat(1e6)), { big, f }], 'm', { cause: { big, f } })
                    """;

            BlockException e = failure(text, frame());

            assertThat(bytesOf(e).length).isLessThan(100_000);
            assertThat(new String(bytesOf(e), StandardCharsets.ISO_8859_1))
                    .doesNotContain("graalvm")
                    .doesNotContain("truffle");
        }

        @Test
        void holdsForManyNames() {
            BlockException e =
                    failure(
                            "for (let i = 0; i < 5000; i++) globalThis['n' + i] = i; nope",
                            frame());

            assertThat(e.bindings()).hasSizeLessThanOrEqualTo(1000).isNotEmpty();
        }
    }

    @Test
    void aBlockThatFailedCanRunAgain() {
        Frame frame = frame("fail", true);
        Block block = engine.capture("if (fail) throw new Error('x')", frame);

        for (int run = 0; run < 3; run++) {
            assertThatExceptionOfType(BlockException.class)
                    .isThrownBy(block::run)
                    .withMessage("Error: x");
        }
    }
}
