package dev.blockscope;

import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
import org.junit.jupiter.params.provider.ValueSource;

/** The live frame of the guest code that called the host. */
@Timeout(60)
class CallerFrameTest {
    private static BlockEngine engine;

    /** The frames that scripts gave away by calling {@code keep}. */
    private final List<Frame> kept = new ArrayList<>();

    private final List<Map<String, @Nullable Object>> snapshots = new ArrayList<>();
    private final Map<String, Object> locals = map();
    private final Map<String, Object> functions =
            map(
                    "keep",
                    (Runnable) () -> kept.add(Frame.caller()),
                    "see",
                    (Runnable) () -> snapshots.add(Frame.caller().snapshot()),
                    "run",
                    (Function<String, Object>) CallerFrameTest::runInCaller,
                    "push",
                    (Function<Map<String, Object>, Object>)
                            bindings -> {
                                Frame.caller().push(bindings);
                                return null;
                            });
    private final Frame frame = Frame.of(locals, Globals.of(functions));

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static @Nullable Object runInCaller(String text) {
        return engine.capture(text, Frame.caller()).run().value();
    }

    private @Nullable Object script(String text) {
        return engine.capture(BlockSource.javaScript(text, "script.js"), frame).run().value();
    }

    /** Runs a script and returns what the frame of its one call of {@code see} showed. */
    private Map<String, @Nullable Object> seenBy(String text) {
        snapshots.clear();
        script(text);
        assertThat(snapshots).hasSize(1);
        return snapshots.getFirst();
    }

    @Nested
    class Snapshot {
        @Test
        void showsTheVariablesOfTheTopLevelAsPlainJava() {
            assertThat(seenBy("let a = 1; var b = 'two'; const c = [3, null]; see()"))
                    .isEqualTo(map("a", 1, "b", "two", "c", Arrays.asList(3, null)));
        }

        @Test
        void showsWhatTheBlockWasCapturedWithWhetherTheTextUsesItOrNot() {
            locals.put("used", 1);
            locals.put("unused", 2);
            locals.put("nothing", null);

            assertThat(seenBy("used = used + 1; see()"))
                    .isEqualTo(map("used", 2, "unused", 2, "nothing", null));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                textBlock =
                        """
                        (function (p, q = 2, ...rest) { let l = 3; see() })(1, undefined, 4) | {l=3, p=1, q=2, rest=[4]}
                        (({ a, b: [c] }) => { see() })({ a: 1, b: [2] })                     | {a=1, c=2}
                        [7].forEach(each => { const twice = each * 2; see() })               | {each=7, twice=14}
                        ({ m(x) { see() } }).m(5)                                            | {x=5}
                        new (class { constructor(x) { see() } })(6)                          | {x=6}
                        new (class { #hidden = 1; m(x) { see() } })().m(6)                   | {x=6}
                        for (let i of [1]) { const d = i + 1; see() }                        | {d=2, i=1}
                        for (let i = 0; i < 1; i++) { let d = 3; (() => { d; i; see() })() } | {d=3, i=0}
                        for (const k in { z: 1 }) see()                                      | {k=z}
                        switch (1) { case 1: let s = 4; see() }                              | {s=4}
                        try { throw 5 } catch (e) { see() }                                  | {e=5}
                        try { throw { m: 5 } } catch ({ m }) { { let y = 1; see() } }        | {m=5, y=1}
                        eval('let inEval = 1; see()')                                        | {inEval=1}
                        new Function('a', 'let b = a; see()')(4)                             | {a=4, b=4}
                        """)
        void showsWhatIsVisibleOnTheLineOfTheCall(String text, String expected) {
            assertThat(new TreeMap<>(seenBy(text))).hasToString(expected);
        }

        @Test
        void showsTheVariablesOfEnclosingFunctionsThatAnyFunctionUses() {
            String text =
                    """
                    let top = 1;
                    (function outer(a, b) {
                      const mid = 2;
                      return function inner(c) { see(); return [top, a, mid] };
                    })(3, 4)(5)\
                    """;

            assertThat(seenBy(text)).isEqualTo(map("top", 1, "a", 3, "mid", 2, "c", 5));
        }

        @Test
        void showsTheNearestVariableOfAName() {
            String text = "let n = 1; (n => { { let n = 3; see() } see(); })(2); see()";

            script(text);

            assertThat(snapshots).extracting(it -> it.get("n")).containsExactly(3, 2, 1);
        }

        @Test
        void showsTheVariableOfACatchClauseBeforeTheOneAroundIt() {
            String text =
                    "let e = 1, cap = 9; try { throw 5 } catch (e) { let y = 2; see(); () => [cap, e, y] }";

            assertThat(seenBy(text)).isEqualTo(map("cap", 9, "e", 5, "y", 2));
        }

        @Test
        void leavesOutWhatHasNoValueYet() {
            locals.put("x", 1);

            assertThat(seenBy("(function () { let u; see(); let x = 2; const later = 3 })()"))
                    .isEmpty();
        }

        @Test
        void leavesOutWhatTheBlockOnlyFallsBackTo() {
            functions.put("global", 1);

            assertThat(seenBy("let a = [global, Math.max(1, 2)]; see()"))
                    .isEqualTo(map("a", List.of(1, 2)));
        }

        @Test
        void showsAGlobalNameThatTheBlockAssigned() {
            functions.put("global", 1);

            assertThat(seenBy("global = global + 1; see()")).isEqualTo(map("global", 2));
        }

        @Test
        void showsAGeneratorAndAnAsyncFunctionWhereTheyAre() {
            script("function* g(a) { let y = 1; see(); yield 0; y = 2; see() } [...g(5)]");
            script("async function f(a) { let y = 1; see(); await 0; y = 2; see() } f(6)");

            assertThat(snapshots).extracting(it -> it.get("y")).containsExactly(1, 2, 1, 2);
            assertThat(snapshots).extracting(it -> it.get("a")).containsExactly(5, 5, 6, 6);
        }

        @Test
        void isLive() {
            script("let n = 1; keep(); n = 2; step = () => ++n");
            assertThat(kept.getFirst().snapshot()).containsEntry("n", 2);

            script("step()");
            assertThat(kept.getFirst().snapshot()).containsEntry("n", 3);
        }
    }

    @Nested
    class Code {
        @Test
        void isTheLineOfTheCallAndTheFunction() {
            script("\n\nfunction visit() {\n  keep()\n}\nvisit(); keep(); (() => keep())()");

            assertThat(kept)
                    .extracting(Frame::code)
                    .containsExactly(
                            new FrameCode("script.js", 4, "visit"),
                            new FrameCode("script.js", 6, ""),
                            new FrameCode("script.js", 6, ""));
        }
    }

    @Nested
    class Push {
        @Test
        void writesLetVarAndParameter() {
            String text =
                    "(function (p) { let l = 1; var v = 2; push({ p: 10, l: 20, v: 30 }); return [p, l, v].join() })(0)";

            assertThat(script(text)).isEqualTo("10,20,30");
        }

        @Test
        void writesTheVariableThatTheLineSees() {
            String text = "let n = 1; { let n = 2; push({ n: 3 }); inner = n } [n, inner].join()";

            assertThat(script(text)).isEqualTo("1,3");
        }

        @Test
        void writesVariablesOfEnclosingFunctionsAndOfTheBlock() {
            String text =
                    """
                    let top = 1, unused = 1;
                    function outer() { let mid = 2; (() => { push({ top: 5, mid: 6, unused: 7 }); mid })(); return mid }
                    [outer(), top, unused].join()\
                    """;

            assertThat(script(text)).isEqualTo("6,5,7");
            assertThat(locals).containsEntry("top", 5).containsEntry("unused", 7);
        }

        @Test
        void writesWhatTheBlockWasCapturedWith() {
            locals.put("used", 1);
            locals.put("unused", 1);

            assertThat(script("push({ used: 2, unused: 3 }); used")).isEqualTo(2);
            assertThat(locals).isEqualTo(map("used", 2, "unused", 3));
        }

        @Test
        void bindsANewNameInTheBlockAsAnAssignmentOnThatLineWould() {
            assertThat(script("function f() { push({ fresh: 1 }) } f(); fresh + 1")).isEqualTo(2);
            assertThat(locals).containsEntry("fresh", 1);
            assertThat(SharedLocals.of(frame).find("fresh")).contains(new Binding(1));
        }

        @Test
        void writesHostValuesAsTheBlockWouldSeeThem() {
            script(
                    "let s = 0, l = 0, f = 0, c = 0, m = 0, g = 0; keep(); show = () => [s + 1, l + 1, f + 1, c + 1, m.id, g(2), typeof s, typeof l].join()");

            Function<Integer, Integer> twice = n -> n * 2;
            kept.getFirst()
                    .push(
                            map(
                                    "s",
                                    "t",
                                    "l",
                                    4L,
                                    "f",
                                    0.5f,
                                    "c",
                                    'c',
                                    "m",
                                    Map.of("id", 7),
                                    "g",
                                    twice));

            assertThat(script("show()")).isEqualTo("t1,5,1.5,c1,7,4,string,number");
        }

        @Test
        void writesTheVariableOfACatchClause() {
            assertThat(
                            script(
                                    "try { throw 5 } catch (e) { push({ e: 'six' }); r = e + 1 } try { throw 5 } catch (e) { (() => e); push({ e: 'six' }); r += e + 1 } r"))
                    .isEqualTo("six1six1");
        }

        @Test
        void takesNullForAValue() {
            assertThat(script("let n = 1; push({ n: null, m: null }); [n === null, m].join()"))
                    .isEqualTo("true,");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "const k = 1; keep()",
                    "(function () { const k = 1; keep() })()",
                    "for (const k of [1]) keep()",
                    "const k = 1; (function () { keep(); return k })()",
                    "const k = 1; (function () { keep() })()"
                })
        void refusesAConstantByNameAndChangesNothing(String text) {
            script("let a = 1, b = 2; get = () => [a, b].join(); " + text);

            PushException e =
                    catchThrowableOfType(
                            PushException.class,
                            () -> kept.getFirst().push(map("a", 5, "k", 6, "b", 7)));

            assertThat(e.name()).isEqualTo("k");
            assertThat(e).hasMessageContaining("\"k\"").hasMessageContaining("constant");
            assertThat(script("get()")).isEqualTo("1,2");
        }

        @Test
        void refusesAConstantWhileTheBlockRuns() {
            String text =
                    "const k = 1; let a = 1; function f() { try { push({ a: 2, k: 2 }) } catch (e) { return e.message } } f() + a";

            assertThat((String) script(text)).contains("it is a constant").endsWith("1");
        }

        @Test
        void refusesAVariableBeforeItsDeclaration() {
            String text =
                    "let a = 1; (function () { try { push({ a: 2, late: 2 }) } catch (e) { r = e.message } let late = 1 })(); r + a";

            assertThat((String) script(text))
                    .contains("\"late\"")
                    .contains("has not reached its declaration yet")
                    .endsWith("1");
        }

        @Test
        void takesBackWhatItWroteBeforeTheNameThatIsRefused() {
            locals.put("used", 1);
            locals.put("unused", 1);
            String text =
                    """
                    made = 1; let kept = 1;
                    (function (p) {
                      try {
                        push({ used: 5, unused: 5, made: 5, kept: 5, fresh: 5, p: 5, late: 5 });
                      } catch (e) { p = p + 1 }
                      let late = 1;
                      made = [used, made, kept, p, typeof fresh].join();
                    })(1);
                    made\
                    """;

            assertThat(script(text)).isEqualTo("1,1,1,2,undefined");
            assertThat(locals).containsEntry("unused", 1).doesNotContainKey("fresh");
            assertThat(SharedLocals.of(frame).find("fresh")).isEmpty();
        }
    }

    @Nested
    class AfterTheFunctionHasReturned {
        @Test
        void readsAndWritesWhatItsClosuresUse() {
            script("function counter(n) { keep(); return { up: () => ++n, get: () => n } }");
            script("c = counter(1); c.up()");

            assertThat(kept.getFirst().snapshot()).containsEntry("n", 2);
            kept.getFirst().push(map("n", 10));

            assertThat(script("c.up(); c.get()")).isEqualTo(11);
        }

        @Test
        void stillHasWhatNoClosureUses() {
            script("(function (p) { let l = 2; keep() })(1)");

            kept.getFirst().push(map("l", 3));

            assertThat(kept.getFirst().snapshot()).isEqualTo(map("p", 1, "l", 3));
        }

        @Test
        void keepsActivationsApart() {
            script("function f(n) { let own = n; if (n > 0) f(n - 1); keep(); return () => own }");
            script("f(2)");

            kept.get(1).push(map("own", 10));

            assertThat(kept).extracting(it -> it.snapshot().get("own")).containsExactly(0, 10, 2);
        }

        @Test
        void writesVariablesOfABlockWithoutFunctionsForItsSiblings() {
            locals.put("given", 1);
            script("given = 1; let n = 1; keep()");

            kept.getFirst().push(map("n", 2, "given", 3));

            assertThat(SharedLocals.of(frame).find("n")).contains(new Binding(2));
            assertThat(SharedLocals.of(frame).find("given")).contains(new Binding(3));
        }

        @Test
        void bindsANewNameForTheSiblingsOfTheBlock() {
            script("(function () { keep() })()");

            kept.getFirst().push(map("fresh", 1));

            assertThat(script("fresh")).isEqualTo(1);
        }
    }

    @Nested
    class Blocks {
        @Test
        void shareObjectsWithTheCallerByIdentity() {
            String text =
                    "const o = {}; run('o.seen = true; same = o; made = []; take = m => m === made'); [o.seen, same === o, take(made)].join()";

            assertThat(script(text)).isEqualTo("true,true,true");
        }

        @Test
        void writeTheCallersVariablesByPushOnly() {
            functions.put(
                    "evaluate",
                    (Function<String, Object>)
                            text -> engine.capture(text, Frame.caller()).evaluate().value());

            assertThat(script("let n = 1; [evaluate('n = 2; n'), n, run('n = 3; n'), n].join()"))
                    .isEqualTo("2,1,3,3");
        }

        @Test
        void keepTheSnapshotOfTheirCapture() {
            List<Block> blocks = new ArrayList<>();
            functions.put(
                    "later",
                    (Function<String, Object>)
                            text -> blocks.add(engine.capture(text, Frame.caller())));

            script(
                    "let sum = 0; for (let i = 1; i <= 3; i++) later('sum = sum + i'); get = () => sum");
            blocks.forEach(Block::run);

            assertThat(blocks).extracting(it -> it.snapshot().get("i")).containsExactly(1, 2, 3);
            assertThat(script("get()")).isEqualTo(3);
        }

        @Test
        void seeADeclaredVariableWithoutAValueAsUndefined() {
            locals.put("u", 1);

            assertThat(
                            script(
                                    "(function () { let u; return run('typeof u') + run('u = 5; u') + u })()"))
                    .isEqualTo("undefined55");
        }

        @Test
        void fallBackToWhatTheBlockOfTheCallerSees() {
            functions.put("global", 1);
            SharedLocals.of(frame).put("sibling", 2);

            assertThat(
                            script(
                                    "(function () { return run('[global, sibling, Math.min(3, 4)].join()') })()"))
                    .isEqualTo("1,2,3");
        }

        @Test
        void canBeNested() {
            assertThat(
                            script(
                                    "let a = 1; run('let b = a + 1; run(\"a = a + b; c = b\"); b = b + c'); [a, b, c].join()"))
                    .isEqualTo("3,4,2");
        }

        @Test
        void callFunctionsOfTheCallerThatMoveItsVariables() {
            assertThat(script("let n = 1; const up = () => ++n; run('up(); up(); 0'); n"))
                    .isEqualTo(3);
        }

        @Test
        void runElsewhereWithPlainValues() {
            try (BlockEngine other = BlockEngine.create()) {
                functions.put(
                        "elsewhere",
                        (Function<String, Object>)
                                text -> other.capture(text, Frame.caller()).run().value());

                assertThat(
                                script(
                                        "let o = { n: 1 }; elsewhere('p = { m: o.n + 1 }; o.n'); [o.n, p.m].join()"))
                        .isEqualTo("1,2");
            }
        }
    }

    @Nested
    class Sharing {
        @Test
        void isAmongTheFramesOfOneActivation() {
            String text = "function f() { for (const i of [1, 2]) keep(); } f(); f()";
            script(text);

            assertThat(SharedLocals.of(kept.get(0)))
                    .isSameAs(SharedLocals.of(kept.get(1)))
                    .isNotSameAs(SharedLocals.of(kept.get(2)));
        }

        @Test
        void holdsForAGeneratorAcrossItsYields() {
            script("function* g() { keep(); yield; keep() } [...g()]");

            assertThat(SharedLocals.of(kept.get(0))).isSameAs(SharedLocals.of(kept.get(1)));
        }

        @Test
        void isNotWithTheFrameOfTheBlock() {
            script("keep()");

            engine.capture("fresh = 1", kept.getFirst()).evaluate();

            assertThat(script("typeof fresh")).isEqualTo("undefined");
            assertThat(engine.capture("fresh", kept.getFirst()).evaluate().value()).isEqualTo(1);
        }
    }

    @Nested
    class WhereNoGuestCodeCalls {
        @Test
        void itSaysWhatToDo() {
            assertThatIllegalStateException()
                    .isThrownBy(Frame::caller)
                    .withMessageContaining("inside a host function that a block calls");
        }

        @Test
        void itIsAnErrorOnAnotherThreadToo() {
            functions.put(
                    "elsewhere",
                    (Supplier<Object>)
                            () -> {
                                CompletableFuture<Frame> other = OtherThread.supply(Frame::caller);
                                return other.handle((found, e) -> String.valueOf(e)).join();
                            });

            assertThat((String) script("elsewhere()")).contains("on the thread that calls it");
        }

        @Test
        void itIsAnErrorWhileTheTurnIsGivenAway() {
            functions.put(
                    "wait",
                    (Supplier<Object>)
                            () ->
                                    Turn.release(() ->
                                            catchThrowableOfType(
                                                            IllegalStateException.class,
                                                            Frame::caller)
                                                    .getMessage()));

            assertThat((String) script("wait()")).contains("not inside Turn.release");
        }
    }

    @Nested
    class Threads {
        @Test
        void anotherThreadWaitsForTheTurn() throws Exception {
            List<CompletableFuture<Map<String, @Nullable Object>>> reading = new ArrayList<>();
            functions.put(
                    "readElsewhere",
                    (Runnable)
                            () -> {
                                Frame caller = Frame.caller();
                                Thread[] reader = new Thread[1];
                                reading.add(
                                        OtherThread.supply(() -> {
                                            reader[0] = Thread.currentThread();
                                            return caller.snapshot();
                                        }));
                                while (reader[0] == null
                                        || reader[0].getState() != Thread.State.TIMED_WAITING) {
                                    Thread.onSpinWait();
                                }
                            });

            script("let n = 1; readElsewhere(); n = 2");

            assertThat(reading.getFirst().get(20, TimeUnit.SECONDS)).isEqualTo(map("n", 2));
        }

        @Test
        void anotherThreadReadsAndWritesWhileTheTurnIsGivenAway() {
            functions.put(
                    "wait",
                    (Supplier<Object>)
                            () -> {
                                Frame caller = Frame.caller();
                                return Turn.release(() ->
                                        OtherThread.supply(
                                                        () -> {
                                                            Object before =
                                                                    caller.snapshot().get("n");
                                                            caller.push(map("n", 5, "fresh", 6));
                                                            return before;
                                                        })
                                                .join());
                            });

            assertThat(script("let n = 1; (function () { return [wait(), n, fresh].join() })()"))
                    .isEqualTo("1,5,6");
        }
    }

    @Nested
    class Lifetime {
        @Test
        void endsWithTheEngine() {
            BlockEngine shortLived = BlockEngine.create();
            shortLived.capture("let n = 1; keep()", frame).run();
            Frame caller = kept.getFirst();
            Block block = shortLived.capture("n", caller);
            shortLived.close();

            assertThatIllegalStateException()
                    .isThrownBy(caller::snapshot)
                    .withMessageContaining("closed");
            assertThatIllegalStateException()
                    .isThrownBy(() -> caller.push(map("n", 2)))
                    .withMessageContaining("closed");
            assertThatIllegalStateException()
                    .isThrownBy(block::run)
                    .withMessageContaining("closed");
        }

        @Test
        void ofABlocksFrameIsNotExtendedByOneThatWasDropped() throws Exception {
            List<WeakReference<?>> gone = new ArrayList<>();
            runAndDrop(gone);

            for (int i = 0; i < 100 && gone.stream().anyMatch(it -> it.get() != null); i++) {
                System.gc();
                Thread.sleep(10);
            }
            assertThat(gone).hasSize(40).extracting(WeakReference::get).containsOnlyNulls();
        }

        private static void runAndDrop(List<WeakReference<?>> gone) {
            for (int i = 0; i < 10; i++) {
                Function<String, Object> run =
                        text -> {
                            Frame caller = Frame.caller();
                            gone.add(new WeakReference<>(caller));
                            gone.add(new WeakReference<>(SharedLocals.of(caller)));
                            engine.capture(text, caller).run();
                            return null;
                        };
                Frame frame = Frame.of(map(), Globals.of(map("run", run)));
                gone.add(new WeakReference<>(frame));
                gone.add(new WeakReference<>(SharedLocals.of(frame)));
                engine.capture(
                                "let o = {}; function f(n) { run('o.n = n; back = () => o; n = 2') } f(1)",
                                frame)
                        .run();
            }
        }
    }
}
