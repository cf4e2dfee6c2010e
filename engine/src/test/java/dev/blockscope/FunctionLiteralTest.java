package dev.blockscope;

import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.blockscope.interleave.Envoy;
import dev.blockscope.interleave.HookPoints;
import dev.blockscope.interleave.Interleaver;
import dev.blockscope.interleave.Trace;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A block that is written as a function literal in a script. */
@Timeout(60)
class FunctionLiteralTest {
    private static BlockEngine engine;

    private final List<Block> blocks = new ArrayList<>();
    private final Map<String, Object> locals = map();
    private final Map<String, Object> functions =
            map(
                    "run",
                    (Function<GuestFunction, Object>)
                            literal -> engine.capture(literal).run().value(),
                    "given",
                    (Function<GuestFunction, Object>)
                            literal -> engine.capture(literal, 4, List.of(5, 6)).run().value(),
                    "later",
                    (Consumer<GuestFunction>) literal -> blocks.add(engine.capture(literal)),
                    "runAll",
                    (Runnable) () -> blocks.forEach(Block::run));
    private final Frame frame = Frame.of(locals, Globals.of(functions));

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private @Nullable Object script(String text) {
        return engine.capture(BlockSource.javaScript(text, "script.js"), frame).run().value();
    }

    @Nested
    class Assignments {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                textBlock =
                        """
                        let v = 1; run(() => { v = v + 1 }); v                                                    | 2
                        let v = 1; run(() => v = 5); v                                                            | 5
                        let v = 1; run(function () { v = 6 }); v                                                  | 6
                        var v = 1; (function (v) { run(() => { v = 7 }); r = v })(0); [r, v].join()               | 7,1
                        let v = 1; (() => { let w = 2; (() => { run(() => { v = w; w = 9 }); r = w })() })(); [v, r].join() | 2,9
                        try { throw 5 } catch (e) { run(() => { e = e + 1 }); r = e } r                           | 6
                        let u; run(() => { if (u === undefined) u = 3 }); u                                       | 3
                        function f() { run(() => { fresh = 1 }); return fresh } f() + fresh                       | 2
                        let o = {}; run(() => { o.n = 1; o = [o] }); o[0].n                                       | 1
                        """)
        void arriveInTheVariablesOfTheLine(String text, String expected) {
            assertThat(script(text)).hasToString(expected);
        }

        @Test
        void arriveByPushOnly() {
            functions.put(
                    "evaluate",
                    (Function<GuestFunction, Object>)
                            literal -> engine.capture(literal).evaluate().value());

            assertThat(script("let v = 1; [evaluate(() => v = 2), v].join()")).isEqualTo("2,1");
        }

        @Test
        void arriveEvenIfTheyChangedNothingSinceTheCapture() {
            assertThat(
                            script(
                                    "let a = 0, b = 0, c = 0; later(() => { a = 0; b = 0 }); later(() => c = 0); a = b = c = 5; runAll(); [a, b, c].join()"))
                    .isEqualTo("0,0,0");
        }

        @Test
        void thatWereNotReachedLeaveTheVariableAlone() {
            assertThat(
                            script(
                                    "let stop = true, v = 0; later(() => { if (stop) return; v = 0 }); v = 5; runAll(); v"))
                    .isEqualTo(5);
        }

        @Test
        void toItsOwnVariablesStayInTheLiteral() {
            assertThat(
                            script(
                                    "let v = 1; later(() => { let v = 2; const own = 3; var w = 4 }); v = 5; runAll(); [v, typeof own, typeof w].join()"))
                    .isEqualTo("5,undefined,undefined");
        }

        @Test
        void toAConstantAreRefused() {
            BlockException e =
                    catchThrowableOfType(
                            BlockException.class,
                            () -> script("const k = 1; run(() => { k = 2 })"));

            assertThat(e).hasCauseInstanceOf(PushException.class).hasMessageContaining("\"k\"");
        }
    }

    @Nested
    class Value {
        @Test
        void isWhatTheLiteralReturns() {
            assertThat(
                            script(
                                    "[run(() => 1 + 1), run(() => { return 3 }), run(() => { 4 }), run(() => ({ n: 5 })).n, run(function () { for (;;) return 6 })].join()"))
                    .isEqualTo("2,3,,5,6");
        }

        @Test
        void ofAnObjectIsTheObject() {
            assertThat(script("let o = {}, same; run(() => { same = o }); same === o"))
                    .isEqualTo(true);
        }
    }

    @Nested
    class Names {
        @Test
        void areThoseOfTheLineWhenItWasCaptured() {
            script(
                    "out = ''; let log = s => { out = out + s }; for (let i = 0; i < 3; i++) { const d = i * 10; later(() => log(i + ':' + d + ' ')) } runAll(); runAll()");

            assertThat(locals).containsEntry("out", "0:0 1:10 2:20 0:0 1:10 2:20 ");
        }

        @Test
        void fallBackToGlobalsAndBuiltins() {
            functions.put("global", 40);

            assertThat(script("(function () { return run(() => global + Math.max(1, 2)) })()"))
                    .isEqualTo(42);
        }

        @Test
        void areThoseWhereTheLiteralStandsAndNotWhereItIsPassedOn() {
            String text =
                    "function helper(body) { let v = 'helper'; return run(body) } let v = 'script'; helper(() => v)";

            assertThat(script(text)).isEqualTo("script");
        }

        @Test
        void ofParametersAreGivenAtTheCapture() {
            assertThat(script("given((n, list, none) => [n, list[1], none].join())"))
                    .isEqualTo("4,6,");
            assertThat(script("given(({ length }, ...rest) => [length, rest.length].join())"))
                    .isEqualTo(",1");
        }

        @Test
        void areSharedByTheLiteralsOfOneActivation() {
            functions.put(
                    "evaluate",
                    (Function<GuestFunction, Object>)
                            literal -> {
                                blocks.add(engine.capture(literal));
                                return blocks.getLast().evaluate().value();
                            });
            String text =
                    "function f(n) { if (n) evaluate(() => { shared = n }); return evaluate(() => typeof shared) } [f(1), f(0)].join()";

            assertThat(script(text)).isEqualTo("number,undefined");
        }

        @Test
        void keepWorkingWhenTheScriptIsOver() {
            script("let n = 1; later(() => { n = n + 1 }); get = () => n");

            blocks.getFirst().run();

            assertThat(script("get()")).isEqualTo(2);
        }
    }

    @Nested
    class Errors {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                textBlock =
                        """
                        run(() => { null.x })                      | 1 | 13
                        run(() => null.x)                          | 1 | 11
                        run(function () { null.x })                | 1 | 19
                        let a;\\n\\nrun(() => {\\n  null.x;\\n})   | 4 | 3
                        run(\\nfunction () {\\n  null.x;\\n})       | 3 | 3
                        """)
        void pointAtTheLineAndColumnInTheScript(String text, int line, int column) {
            BlockException e =
                    catchThrowableOfType(
                            BlockException.class, () -> script(text.replace("\\n", "\n")));

            assertThat(e.traceback().entries().getFirst())
                    .extracting(
                            Traceback.Entry::file, Traceback.Entry::line, Traceback.Entry::column)
                    .containsExactly("script.js", line, column);
        }

        @Test
        void pushNothing() {
            assertThat(
                            script(
                                    "let v = 1; try { run(() => { v = 2; null.x }) } catch (e) { r = e.message } [v, r].join()"))
                    .isEqualTo("1,TypeError: Cannot read property 'x' of null");
        }

        @Test
        void showWhatTheLiteralHadAssigned() {
            script("let v = 1; later(() => { v = 2; fresh = 3; null.x })");

            BlockException e =
                    catchThrowableOfType(BlockException.class, () -> blocks.getFirst().run());

            assertThat(e.bindings())
                    .extracting(BoundName::name, BoundName::rendering)
                    .containsExactlyInAnyOrder(tuple("v", "2"), tuple("fresh", "3"));
        }
    }

    @Nested
    class Refused {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                textBlock =
                        """
                        run(async () => 1)                                | script.js:1:5 is async or a generator
                        run(function* () {})                              | async or a generator
                        run({ m() { return 1 } }.m)                       | is a method
                        run(class {})                                     | is a method, a getter or a class
                        run(Math.max)                                     | not written in the script
                        run((() => 1).bind(null))                         | was bound
                        const f = () => 1; run(f)                         | script.js:1:11 is not written in a call
                        run((() => () => 1)())                            | not written in a call
                        ({ v: 1, m() { return run(() => this.v) } }).m()  | uses "this"
                        """)
        void isWhatCannotBeABlockOfItsLine(String text, String message) {
            BlockException e = catchThrowableOfType(BlockException.class, () -> script(text));

            assertThat(e).hasMessageContaining(message);
            assertThat(e.traceback().entries().getFirst().line()).isEqualTo(1);
        }

        @Test
        void isNotAThisThatIsTheGlobalObjectOrOnlyText() {
            assertThat(script("({ m() { return run(() => /* this */ 'this ' + 1) } }).m()"))
                    .isEqualTo("this 1");
            assertThat(script("run(() => this === globalThis)")).isEqualTo(true);
        }

        @Test
        void isALiteralOnceTheCallIsOver() {
            List<GuestFunction> kept = new ArrayList<>();
            functions.put("keep", (Consumer<GuestFunction>) kept::add);
            script("keep(() => 1)");

            assertThatIllegalStateException()
                    .isThrownBy(() -> engine.capture(kept.getFirst()))
                    .withMessageContaining("inside the host function");
        }

        @Test
        void isALiteralOfAnotherEngine() {
            try (BlockEngine other = BlockEngine.create()) {
                functions.put(
                        "elsewhere", (Consumer<GuestFunction>) literal -> other.capture(literal));

                assertThatExceptionOfType(BlockException.class)
                        .isThrownBy(() -> script("elsewhere(() => 1)"))
                        .withMessageContaining("another engine");
            }
        }
    }

    @Nested
    class InStepWithAComputation {
        private final HookPoints points = HookPoints.of(List.of("a", "b"));

        private Trace<Object> traced(List<Block> traced) {
            return Interleaver.of(points)
                    .run(
                            traced,
                            visits -> {
                                Object a = visits.visit("a", 1);
                                return visits.visit("b", (int) a + 1);
                            });
        }

        private void traceFrom(String name) {
            functions.put("model", Envoy.of(points));
            functions.put(
                    name,
                    (Function<GuestFunction, Object>)
                            literal -> traced(List.of(engine.capture(literal))).result());
        }

        @Test
        void itReadsAndReplacesAndPushesIntoTheScript() {
            traceFrom("trace");

            assertThat(
                            script(
                                    "let seen, o = {}; const r = trace(() => { seen = model.a; o.b = model.b; model.b = 10 }); [r, seen, o.b].join()"))
                    .isEqualTo("10,1,2");
        }

        @Test
        void itWorksInAFunctionOfTheScriptAndMoreThanOnce() {
            traceFrom("trace");

            assertThat(
                            script(
                                    "function f(n) { let got; trace(() => { got = model.a + n }); return got } [f(1), f(2)].join()"))
                    .isEqualTo("2,3");
        }

        @Test
        void anErrorInItComesOutInTheScriptAndPushesNothing() {
            traceFrom("trace");

            assertThat(
                            script(
                                    "let v = 0; try { trace(() => { v = model.a; null.x }) } catch (e) { r = e.message } [v, r].join()"))
                    .isEqualTo("0,TypeError: Cannot read property 'x' of null");
        }

        @Test
        void aWaitForAPointThatNeverComesEnds() {
            traceFrom("trace");

            BlockException e =
                    catchThrowableOfType(
                            BlockException.class,
                            () -> script("trace(() => { model.b; model.a })"));

            assertThat(e).hasMessageContaining("\"a\"");
        }

        @Test
        void itCanBeNestedInABlockThatIsTracedItself() {
            traceFrom("trace");
            String text =
                    "let inner; const outer = model.a; trace(() => { inner = model.a + outer }); const after = model.b; [inner, after].join()";

            Trace<Object> trace = traced(List.of(engine.capture(text, frame)));

            assertThat(trace.blocks().getFirst().value()).isEqualTo("2,2");
            assertThat(locals).containsEntry("inner", 2);
        }

        @Test
        void aComputationMayCallTheScript() {
            functions.put("model", Envoy.of(points));
            functions.put(
                    "trace",
                    (BiFunction<GuestFunction, GuestFunction, Object>)
                            (literal, step) ->
                                    Interleaver.of(points)
                                            .run(
                                                    List.of(engine.capture(literal)),
                                                    visits ->
                                                            visits.visit(
                                                                    "a",
                                                                    step.call(
                                                                            visits.visit("b", 1))))
                                            .result());

            assertThat(
                            script(
                                    "let calls = 0, seen; trace(() => { model.b = 5; seen = model.a }, n => { calls++; return n * 2 }); [calls, seen].join()"))
                    .isEqualTo("1,10");
        }
    }

    @Test
    void itRunsOnAnotherThreadWhileTheScriptGivesItsTurnAway() {
        functions.put(
                "elsewhere",
                (Function<GuestFunction, Object>)
                        literal -> {
                            Block block = engine.capture(literal);
                            Supplier<Object> run = () -> block.run().value();
                            return Turn.release(() -> await(OtherThread.supply(run)));
                        });

        assertThat(script("let v = 1; [elsewhere(() => { v = v + 1; return v }), v].join()"))
                .isEqualTo("2,2");
    }

    private static Object await(CompletableFuture<Object> future) {
        try {
            return future.get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void itIsStoppedLikeAnyBlock() throws Exception {
        script("let n = 0; later(() => { for (;;) n++ })");
        StopSignal signal = new StopSignal();
        CompletableFuture<Object> run =
                OtherThread.supply(() -> blocks.getFirst().evaluate(signal).value());

        signal.stop("enough");

        BlockException e =
                (BlockException)
                        run.handle((value, failure) -> failure.getCause())
                                .get(20, TimeUnit.SECONDS);
        assertThat(e.kind()).isEqualTo(BlockException.Kind.CANCELLED);
        assertThat(e).hasMessage("enough");
    }

    @Test
    void itLetsTheFrameOfItsScriptGo() throws Exception {
        List<WeakReference<?>> gone = new ArrayList<>();
        runAndDrop(gone);

        for (int i = 0; i < 100 && gone.stream().anyMatch(it -> it.get() != null); i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(gone).hasSize(20).extracting(WeakReference::get).containsOnlyNulls();
    }

    private static void runAndDrop(List<WeakReference<?>> gone) {
        for (int i = 0; i < 10; i++) {
            Consumer<GuestFunction> run =
                    literal -> {
                        Block block = engine.capture(literal);
                        gone.add(new WeakReference<>(block.frame()));
                        block.run();
                    };
            Frame dropped = Frame.of(map(), Globals.of(map("run", run)));
            gone.add(new WeakReference<>(dropped));
            engine.capture("let o = {}; run(() => { o.n = 1; back = () => o })", dropped).run();
        }
    }

    @Test
    void pushOnlyLimitsIt() {
        script("let a = 1, b = 1; later(() => { a = 2; b = 2 }); get = () => [a, b].join()");

        blocks.getFirst().pushOnly("b").run();

        assertThat(script("get()")).isEqualTo("1,2");
    }
}
