package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

        @Test
        void ofEndlessRecursionThroughTheHostAreShort() {
            Consumer<GuestFunction> call = f -> f.call(f);
            Frame frame = frame("svc", Map.of("call", call));

            BlockException e = failure("function r() { return svc.call(r) } r()", frame);

            assertThat(e.kind()).isEqualTo(BlockException.Kind.LIMIT);
            assertThat(e.getStackTrace()).hasSizeBetween(1, 100);
            assertThat(engine.capture("1 + 1", frame()).run().value()).isEqualTo(2);
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

        @Test
        void thatAreNoErrorsAreLeftOut() {
            assertThat(failure("throw new Error('top', { cause: 42 })", frame())).hasNoCause();
            assertThat(failure("throw new Error('top', { cause: null })", frame())).hasNoCause();
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

        @Test
        void thatThrowsShowsNoLineOfThePlumbing() {
            BlockException e = failure("svc.boom()", serviceThatThrows(new IOException("disk")));

            assertThat(Arrays.stream(e.getStackTrace()).map(StackTraceElement::getClassName))
                    .noneMatch(name -> name.startsWith("org.graalvm"))
                    .noneMatch(name -> name.startsWith("com.oracle"))
                    .noneMatch(name -> name.startsWith("java.lang.invoke"));
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
                    "await 1",
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
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(e);
            }

            BlockException read;
            try (ObjectInputStream in =
                    new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                read = (BlockException) in.readObject();
            }

            assertThat(read).hasMessage(e.getMessage()).hasRootCauseMessage("root");
            assertThat(read.kind()).isEqualTo(e.kind());
            assertThat(read.traceback()).isEqualTo(e.traceback());
            assertThat(read.bindings()).isEqualTo(e.bindings());
            assertThat(read.getStackTrace()).isEqualTo(e.getStackTrace());
            assertThat(read.getCause()).isInstanceOf(IOException.class).hasMessage("disk");
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
