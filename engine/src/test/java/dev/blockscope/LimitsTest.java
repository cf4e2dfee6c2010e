package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run may take, and what becomes of one that takes more. */
@Timeout(60)
class LimitsTest {
    private static final Duration SOON = Duration.ofMillis(300);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static Limits statements(long most) {
        return Limits.builder().statements(most).build();
    }

    private static Limits time(Duration most) {
        return Limits.builder().time(most).build();
    }

    private static BlockException failure(Block block) {
        BlockException e = catchThrowableOfType(BlockException.class, block::run);
        assertThat(e).as("the failure of %s", block).isNotNull();
        return e;
    }

    private static BlockException failure(String text, Frame frame, Limits limits) {
        return failure(engine.capture(text, frame).within(limits));
    }

    private static void assertReached(BlockException e, Limit limit, long value) {
        assertThat(e.limit()).contains(new ReachedLimit(limit, value));
        assertThat(e.kind())
                .isEqualTo(
                        limit == Limit.TIME
                                ? BlockException.Kind.TIMEOUT
                                : BlockException.Kind.LIMIT);
        assertThat(e).hasMessageStartingWith(limit.excess(value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "for (;;);",
                "let i = 0; try { for (;;) i++ } catch (e) { 'caught' }",
                "let i = 0; for (;;) { try { for (;;) i++ } catch { continue } finally { continue } }",
                "while (true) [3, 1, 2].map(x => x)",
                "[...(function* () { for (;;) yield 1 })()]",
                "(async () => { for (;;) await null })()",
                "eval('for (;;);')",
                "new Function('for (;;);')()",
                "new (class { constructor() { for (;;); } })",
                "const f = n => n ? f(n - 1) + f(n - 1) : 0; f(60)",
                "({ valueOf() { for (;;); } }) + 1",
                "({ get x() { for (;;); } })",
                "new Proxy({}, { ownKeys() { for (;;); } })",
            })
    void endsARunThatExecutesMoreStatements(String text) {
        BlockException e = failure(text, Frame.empty(), statements(1_000));

        assertReached(e, Limit.STATEMENTS, 1_000);
    }

    @Test
    void tellTheLineAtWhichTheRunWasEnded() {
        BlockException e =
                failure("let n = 0;\n\nfor (;;) {\n  n++\n}", Frame.empty(), statements(100));

        assertThat(e.traceback().innermost().line()).isIn(3, 4);
        assertThat(e.traceback().innermost().file()).isEqualTo("block.js");
    }

    @Test
    void tellWhatTheRunHadBoundAndPushNothing() {
        Map<String, Object> locals = map("x", 0);

        BlockException e =
                failure("x = 1; let y = 2; for (;;);", Frame.of(locals), statements(100));

        assertThat(e.bindings()).extracting(BoundName::name).containsExactlyInAnyOrder("x", "y");
        assertThat(locals).isEqualTo(map("x", 0));
    }

    @Test
    void areCountedAnewForEachRun() {
        Block block =
                engine.capture("let n = 0; for (let i = 0; i < 50; i++) n++; n", Frame.empty())
                        .within(statements(200));

        for (int i = 0; i < 10; i++) {
            assertThat(block.run().value()).isEqualTo(50);
        }
    }

    @Test
    void ofOneBlockAreNotThoseOfItsSibling() {
        Frame frame = Frame.empty();
        String text = "let n = 0; for (let i = 0; i < 200; i++) n++; n";

        assertThat(engine.capture(text, frame).within(statements(10_000)).run().value())
                .isEqualTo(200);
        assertReached(failure(text, frame, statements(100)), Limit.STATEMENTS, 100);
        assertThat(engine.capture(text, frame).run().value()).isEqualTo(200);
    }

    @Test
    void leaveWhatSiblingsHaveBoundAsItWas() {
        Frame frame = Frame.empty();
        engine.capture("let n = 0; o = { n: 7 }; next = () => ++n; next()", frame).evaluate();

        failure("o.seen = true; for (;;);", frame, statements(100));
        failure("for (;;);", frame, time(SOON));

        assertThat(engine.capture("[o.n, o.seen, next()].join()", frame).run().value())
                .isEqualTo("7,true,2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "function r() { return r() + 1 } r()",
                "const r = () => r(); r()",
                "function r(a = r()) {} r()",
                "class A { get x() { return this.x } } new A().x",
                "const o = { toString() { return `${o}` } }; `${o}`",
                "function r() { try { return r() } catch { return r() } } r()",
                "const p = new Proxy({}, { get: (t, k) => p[k] }); p.x",
                "call(function r() { return call(r) })",
            })
    void endARecursionThatIsDeeper(String text) {
        Function<GuestFunction, Object> call = GuestFunction::call;
        BlockException e =
                failure(text, frame("call", call), Limits.builder().recursion(50).build());

        assertReached(e, Limit.RECURSION, 50);
        assertThat(e.traceback().entries()).hasSizeLessThanOrEqualTo(60);
    }

    @Test
    void letARecursionBeThatIsNotDeeper() {
        String text =
                """
                function* g(n) { if (n > 0) yield* g(n - 1); yield n }
                function f(n) { return n ? f(n - 1) + 1 : 0 }
                let s = 0; for (let i = 0; i < 100; i++) { s += f(20) + [...g(20)].length } s
                """;

        assertThat(
                        engine.capture(text, Frame.empty())
                                .within(Limits.builder().recursion(30).build())
                                .run()
                                .value())
                .isEqualTo(4_100);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "function r(){ return r() + 1 } r()",
                "function r(){ return svc.call(r) } r()",
                "call(function r() { return call(r) })",
            })
    void orTheStackEndARecursion(String text) {
        Function<GuestFunction, Object> call = GuestFunction::call;
        BlockException e =
                failure(engine.capture(text, frame("svc", Map.of("call", call), "call", call)));

        assertThat(e.kind()).isEqualTo(BlockException.Kind.LIMIT);
        assertThat(e.limit()).map(ReachedLimit::limit).contains(Limit.STACK);
        assertThat(e.limit().orElseThrow().value()).isGreaterThan(100 << 10);
        assertThat(e.traceback().innermost().line()).isEqualTo(1);
        assertThat(e.traceback().entries()).hasSizeBetween(1, 100);
        assertThat(engine.capture("1 + 1", Frame.empty()).run().value()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "for (;;);",
                "for (;;) { try { for (;;); } catch (e) {} }",
                "try { for (;;); } finally { for (;;); }",
                "/^(a+)+\\1$/.test('a'.repeat(40) + '!')",
                "(3n ** 3000000n).toString().length",
                "const big = 3n ** 2000000n; for (;;) big * big",
                "({ get x() { for (;;); } })",
                "Object.defineProperty(globalThis, 'k', { get() { for (;;); } }); throw 1",
                "hidden = { get x() { for (;;); } }; throw 1",
            })
    void freeTheCallerInTime(String text) {
        long began = System.nanoTime();

        BlockException e = failure(text, Frame.empty(), time(SOON));

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON.plusMillis(1_000));
        if (!text.contains("throw")) {
            assertReached(e, Limit.TIME, 300);
        }
    }

    /** Case G2. */
    @Test
    void interruptAHostFunctionThatWaits() {
        Map<String, Object> locals = map();
        AtomicBoolean woke = new AtomicBoolean();
        locals.put(
                "sleep",
                (Function<Integer, Object>)
                        millis -> {
                            try {
                                Thread.sleep(millis);
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            woke.set(true);
                            return null;
                        });
        Block block =
                engine.capture("1;\nsleep(10000); 'woke'", Frame.of(locals)).within(time(SECOND));

        for (int i = 0; i < 3; i++) {
            BlockException e = failure(block);
            assertReached(e, Limit.TIME, 1_000);
            assertThat(e.traceback().innermost().line()).isEqualTo(2);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
        assertThat(woke).isFalse();
    }

    @Test
    void endARunWhoseHostFunctionSwallowsTheInterrupt() {
        Callable<Object> sleep =
                () -> {
                    try {
                        Thread.sleep(10_000);
                    } catch (InterruptedException e) {
                        return "swallowed";
                    }
                    return "woke";
                };

        BlockException e = failure("sleep()", frame("sleep", sleep), time(SOON));

        assertReached(e, Limit.TIME, 300);
    }

    @ParameterizedTest
    @CsvSource({"time, 500", "statements, 10", "recursion, 10"})
    void areRefusedIfTheyAllowNothing(String which, long some) {
        Limits.Builder builder = Limits.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> {
                    switch (which) {
                        case "time" -> builder.time(Duration.ofMillis(-some));
                        case "statements" -> builder.statements(0);
                        default -> builder.recursion(-some);
                    }
                })
                .withMessageContaining("positive");
    }

    @Test
    void areEqualIfTheyAllowTheSame() {
        assertThat(Limits.builder().build()).isEqualTo(Limits.NONE).hasSameHashCodeAs(Limits.NONE);
        assertThat(Limits.UNTRUSTED.toBuilder().build())
                .isEqualTo(Limits.UNTRUSTED)
                .isNotEqualTo(Limits.NONE);
        assertThat(time(SOON)).hasToString("Limits[time=PT0.3S]");
    }

    /**
     * An endless loop over memory, and values that no memory could hold. Of an integer the language
     * does not say where it was refused, and the block as a whole is named.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    'x'.repeat(2**30)                          | 1073741799 | 2
                    (() => { let q = 'x'; for (;;) q += q })() | 1073741799 | 2
                    new Array(2**32)                           | 4294967295 | 2
                    new ArrayBuffer(2**40)                     | 2147483639 | 2
                    new Uint8Array(2**40)                      | 2147483639 | 2
                    2n ** (2n ** 40n)                          | 2147483647 | 1
                    """,
            quoteCharacter = '`')
    void ofTheLanguageAreLimitsToo(String text, long most, int line) {
        BlockException e = failure(engine.capture("1;\n" + text, Frame.empty()));

        assertThat(e.kind()).isEqualTo(BlockException.Kind.LIMIT);
        assertThat(e.limit()).contains(new ReachedLimit(Limit.SIZE, most));
        assertThat(e.traceback().innermost().line()).isEqualTo(line);
    }

    @Test
    void endARunThatTakesTooMuchMemory() {
        BlockException e =
                failure(
                        "var a = []; for (;;) a.push('x'.repeat(1e5) + a.length)",
                        Frame.empty(),
                        Limits.builder().allocatedBytes(64 << 20).build());

        assertReached(e, Limit.ALLOCATION, 64 << 20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'x'.repeat(2000)",
                "Array(2000).fill(0)",
                "const a = []; a.length = 4294967295; a",
                "({ a: Array(500).fill(1), b: 'y'.repeat(600) })",
                "x = 'a'.repeat(600); y = 'b'.repeat(600); 0",
                "new Uint8Array(5000)",
                "new ArrayBuffer(5000)",
                "new Map([...Array(600).keys()].map(k => [k, k]))",
                "new Set(Array(2000).keys())",
                "let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; a",
                "let a = {}; for (let i = 0; i < 60; i++) a = { a, b: a }; o = a; 1",
                "f('x'.repeat(2000))",
                "f(Array(2000).fill(0))",
                "try { f('x'.repeat(2000)) } catch { 1 }",
            })
    void endARunWhoseResultIsTooLarge(String text) {
        Function<Object, Object> f = it -> 1;
        BlockException e = failure(text, frame("f", f), Limits.builder().resultSize(1_000).build());

        assertReached(e, Limit.RESULT_SIZE, 1_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " :: ",
            quoteCharacter = '`',
            textBlock =
                    """
                    let a = 1¶'x'.repeat(2000)                       :: 2:1 :: its value is
                    let a = 1¶let b = 'x'¶  a + b.repeat(2000)       :: 3:3 :: its value is
                    let a = 1¶text = 'x'.repeat(2000)¶a              :: 2:1 :: "text" is
                    let a = 1¶let text = ''¶  text = 'x'.repeat(2000)¶a :: 3:3 :: "text" is
                    let a = 'x'.repeat(2000)¶if (a) {¶  0¶}          :: 1:1 :: "a" is
                    let a = () => 'x'.repeat(2000)¶if (a) {¶  a()¶}  :: 2:1 :: its value is
                    """)
    void ofResultsTellWhatIsTooLargeAndWhereItStands(String text, String place, String what) {
        Limits limits = Limits.builder().resultSize(1_000).build();

        BlockException e = failure(text.replace('¶', '\n'), frame(), limits);

        assertReached(e, Limit.RESULT_SIZE, 1_000);
        assertThat(placeOf(e)).isEqualTo(place);
        assertThat(e).hasMessageEndingWith("; " + what + " what went beyond it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1\ntake('x'.repeat(2000))", "1\nlist.push('x'.repeat(2000))"})
    void ofResultsTellTheCallThatWasGivenTooMuch(String text) {
        Consumer<Object> take = value -> {};
        Frame frame = frame("take", take, "list", new ArrayList<>());

        BlockException e = failure(text, frame, Limits.builder().resultSize(1_000).build());

        assertReached(e, Limit.RESULT_SIZE, 1_000);
        assertThat(placeOf(e)).isEqualTo("2:1");
    }

    private static String placeOf(BlockException e) {
        Traceback.Entry pinned = e.traceback().pinned();
        return pinned.line() + ":" + pinned.column();
    }

    @Test
    void endARunWhoseResultIsTooDeep() {
        Limits limits = Limits.builder().resultDepth(3).build();

        assertThat(engine.capture("[[[1]]]", Frame.empty()).within(limits).run().value())
                .isEqualTo(List.of(List.of(List.of(1))));
        assertReached(failure("[[[[1]]]]", Frame.empty(), limits), Limit.RESULT_DEPTH, 3);
        assertReached(
                failure("x = { a: { b: { c: {} } } }; 1", Frame.empty(), limits),
                Limit.RESULT_DEPTH,
                3);
        assertReached(
                failure("let a = 1; [a = [a], a = [a], a = [a]]", Frame.empty(), limits),
                Limit.RESULT_DEPTH,
                3);
    }

    @Test
    void ofResultsLetSharedValuesAndCyclesBe() {
        Limits limits = Limits.builder().resultSize(100).resultDepth(3).build();
        String text = "const a = [1]; const o = { a, b: a }; o.o = o; o";

        Map<?, ?> o = (Map<?, ?>) engine.capture(text, Frame.empty()).within(limits).run().value();

        assertThat(o.get("a")).isSameAs(o.get("b"));
        assertThat(o.get("o")).isSameAs(o);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "const all = []; for (;;) all.push(new SharedArrayBuffer(1e6, { maxByteLength: 1e7 }))",
                "class A extends SharedArrayBuffer {} const all = []; for (;;) all.push(new A(1e7))",
                "const b = new SharedArrayBuffer(1e7); b.constructor = undefined; for (;;) b.slice(0)",
            })
    void countMemoryOutsideOfTheHeap(String text) {
        BlockException e =
                failure(
                        text,
                        Frame.empty(),
                        Limits.builder().allocatedBytes(64 << 20).statements(1_000).build());

        assertReached(e, Limit.ALLOCATION, 64 << 20);
    }

    @Test
    void leaveASharedBufferAsTheLanguageHasIt() {
        String text =
                "const b = new SharedArrayBuffer(8, { maxByteLength: 16 }); b.grow(12);"
                        + " [b.byteLength, b.maxByteLength, b.slice(4).byteLength, b instanceof SharedArrayBuffer,"
                        + " b.constructor === SharedArrayBuffer, SharedArrayBuffer.name, new SharedArrayBuffer().byteLength].join()";

        assertThat(engine.capture(text, Frame.empty()).within(Limits.UNTRUSTED).run().value())
                .isEqualTo("12,16,8,true,true,SharedArrayBuffer,0");
    }

    @Test
    void endARunThatSaysTooMuch() {
        java.util.List<String> said = new java.util.ArrayList<>();
        try (BlockEngine mine =
                BlockEngine.builder().output(line -> said.add(line.text())).build()) {
            Block block =
                    mine.capture("for (;;) console.log('0123456789')", Frame.empty())
                            .within(Limits.builder().outputBytes(100).build());

            assertReached(failure(block), Limit.OUTPUT, 100);
            assertThat(said).hasSize(10);
        }
    }

    @Test
    void ofContextsRefuseOneMore() {
        try (BlockEngine mine = BlockEngine.builder().contexts(2).build()) {
            Frame first = Frame.empty();
            Frame second = Frame.empty();
            mine.capture("o = {}", first).run();
            mine.capture("o = {}", second).run();

            BlockException e =
                    catchThrowableOfType(
                            BlockException.class, () -> mine.capture("1 + 1", Frame.empty()).run());
            assertReached(e, Limit.CONTEXTS, 2);
            assertThat(mine.capture("typeof o", first).run().value()).isEqualTo("object");
            assertThat(mine.openContexts()).isEqualTo(2);
        }
    }

    @Test
    void ofTheEngineHoldForEveryBlockItCaptures() {
        try (BlockEngine mine = BlockEngine.builder().limits(statements(100)).build()) {
            Block block = mine.capture("for (;;);", Frame.empty());

            assertReached(failure(block), Limit.STATEMENTS, 100);
            assertReached(failure(block.within(statements(50))), Limit.STATEMENTS, 50);
            assertThat(mine.capture("1 + 1", Frame.empty()).within(Limits.NONE).run().value())
                    .isEqualTo(2);
        }
    }

    @Test
    void holdForAFunctionThatTheHostCallsLater() {
        Frame frame = Frame.empty();
        Block block =
                engine.capture("loop = n => { for (;;) if (!n--) return 'done' }", frame)
                        .within(Limits.builder().statements(1_000).time(SOON).build());
        GuestFunction loop = (GuestFunction) block.run().value();

        assertThat(loop.call(10)).isEqualTo("done");
        assertThat(loop.call(10)).isEqualTo("done");
        BlockException e = catchThrowableOfType(BlockException.class, () -> loop.call(-1));
        assertReached(e, Limit.STATEMENTS, 1_000);
        assertThat(loop.call(10)).isEqualTo("done");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "f = () => { for (;;); }",
                "f = () => (3n ** 3000000n).toString().length",
                "f = () => ({ get x() { for (;;); } })",
            })
    void ofTimeHoldForAFunctionThatTheHostCallsLater(String text) {
        GuestFunction function =
                (GuestFunction)
                        engine.capture(text, Frame.empty()).within(time(SOON)).run().value();

        assertReached(
                catchThrowableOfType(BlockException.class, () -> function.call()), Limit.TIME, 300);
    }

    @Test
    void holdForWhatTheHostReadsOfSharedNames() {
        Frame frame = Frame.empty();
        engine.capture("evil = { n: 0, get x() { if (this.n++) for (;;); } }; 1", frame)
                .within(time(SECOND))
                .run();

        assertReached(
                catchThrowableOfType(
                        BlockException.class, () -> SharedLocals.of(frame).find("evil")),
                Limit.TIME,
                1_000);
    }

    /** Case G5. */
    @Test
    void freeTheCallerOfAHostFunctionThatIgnoresInterrupts() throws Exception {
        try (BlockEngine mine = BlockEngine.create()) {
            freeTheCallerOfADeafFunction(mine, new Deaf());
        }
    }

    private static void freeTheCallerOfADeafFunction(BlockEngine engine, Deaf deaf)
            throws Exception {
        Frame frame = frame("deaf", deaf);
        Frame other = Frame.empty();
        engine.capture("n = 1; o = { n: 2 }", frame).evaluate();
        Block a = engine.capture("1;\ndeaf(); n = 'woke'", frame).within(time(SECOND));
        Block b = engine.capture("for (;;);", other).within(time(SECOND));
        long began = System.nanoTime();
        var aFailed = OtherThread.supply(() -> failure(a));
        var bFailed = OtherThread.supply(() -> failure(b));

        assertReached(bFailed.get(20, TimeUnit.SECONDS), Limit.TIME, 1_000);
        BlockException e = aFailed.get(20, TimeUnit.SECONDS);
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isLessThan(SECOND.plusMillis(1_000));
        assertReached(e, Limit.TIME, 1_000);
        assertThat(e.traceback().innermost().line()).isEqualTo(2);
        // On a busy machine the loop takes a moment to hear of its end.
        while (engine.overdueRuns() > 1) {
            Thread.sleep(5);
        }
        assertThat(engine.overdueRuns()).isEqualTo(1);

        // The frame goes on in another guest context; plain values are kept, objects are not.
        assertThat(engine.capture("n + 1", frame).evaluate().value()).isEqualTo(2);
        assertThat(failure(engine.capture("1;\no.n", frame)))
                .hasMessageContaining("lost with its guest context")
                .matches(lost -> lost.traceback().innermost().line() == 2);
        assertThat(engine.capture("o = { n: 3 }; o.n", frame).evaluate().value()).isEqualTo(3);
        assertThat(engine.capture("o.n", frame).evaluate().value()).isEqualTo(3);

        deaf.returns.countDown();
        while (engine.overdueRuns() > 0) {
            Thread.sleep(5);
        }
        assertThat(engine.capture("[n, o.n].join()", frame).evaluate().value()).isEqualTo("1,3");
    }

    @Test
    void keepTheRealmOfAHostFunctionThatReturnsSoonAfter() throws Exception {
        Deaf deaf = new Deaf();
        Frame frame = frame("deaf", deaf);
        engine.capture("o = { n: 2 }; f = () => o.n", frame).evaluate();

        assertReached(failure("deaf()", frame, time(SOON)), Limit.TIME, 300);
        var next = OtherThread.supply(() -> engine.capture("f()", frame).run().value());
        Thread.sleep(100);
        deaf.returns.countDown();

        assertThat(next.get(5, TimeUnit.SECONDS)).isEqualTo(2);
    }

    @Test
    void countTheWaitForASibling() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        StopSignal signal = new StopSignal();
        Frame frame = frame("started", (Runnable) started::countDown);
        Block first = engine.capture("started(); for (;;);", frame);
        var failure =
                OtherThread.supply(() ->
                        catchThrowableOfType(BlockException.class, () -> first.evaluate(signal)));
        started.await();

        assertReached(failure("1 + 1", frame, time(SOON)), Limit.TIME, 300);
        assertReached(failure("[1].join()", frame, time(SOON)), Limit.TIME, 300);

        signal.stop();
        failure.get(5, TimeUnit.SECONDS);
    }

    @Test
    void letABlockRunItsSiblingInTheMiddle() {
        Frame frame = frame();
        Map<String, Object> locals = map();
        Frame both = Frame.of(locals);
        Block[] inner = new Block[1];
        locals.put("run", (Callable<Object>) () -> inner[0].run().value());
        inner[0] = engine.capture("o.n++; [o.n].join()", both).within(time(Duration.ofSeconds(10)));
        Block outer =
                engine.capture("o = { n: 1 }; [run(), o.n].join()", both)
                        .within(time(Duration.ofSeconds(10)));

        assertThat(outer.run().value()).isEqualTo("2,2");
        assertThat(frame).isNotNull();
    }

    @Test
    void passAnInterruptOfTheCallerToTheHostFunction() throws Exception {
        CountDownLatch sleeping = new CountDownLatch(1);
        Callable<Object> sleep =
                () -> {
                    sleeping.countDown();
                    try {
                        Thread.sleep(10_000);
                        return "woke";
                    } catch (InterruptedException e) {
                        return "interrupted";
                    }
                };
        Block block =
                engine.capture("sleep()", frame("sleep", sleep))
                        .within(time(Duration.ofSeconds(20)));
        Thread[] caller = new Thread[1];
        AtomicBoolean flag = new AtomicBoolean();
        var value =
                OtherThread.supply(() -> {
                    caller[0] = Thread.currentThread();
                    Object result = block.run().value();
                    flag.set(Thread.currentThread().isInterrupted());
                    return result;
                });
        sleeping.await();
        caller[0].interrupt();

        assertThat(value.get(5, TimeUnit.SECONDS)).isEqualTo("interrupted");
        assertThat(flag).isFalse();
    }

    @Test
    void holdForARunThatASignalMayStop() {
        Block loop = engine.capture("for (;;);", Frame.empty()).within(time(SOON));
        Callable<Object> sleep =
                () -> {
                    Thread.sleep(10_000);
                    return "woke";
                };
        Block sleeps = engine.capture("sleep()", frame("sleep", sleep)).within(time(SOON));

        for (Block block : List.of(loop, sleeps)) {
            assertReached(
                    catchThrowableOfType(
                            BlockException.class, () -> block.evaluate(new StopSignal())),
                    Limit.TIME,
                    300);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
        assertReached(
                catchThrowableOfType(
                        BlockException.class,
                        () ->
                                engine.capture("a = []; for (;;) a.push({})", Frame.empty())
                                        .within(Limits.builder().allocatedBytes(64 << 20).build())
                                        .evaluate(new StopSignal())),
                Limit.ALLOCATION,
                64 << 20);
    }

    @Test
    void thatAreNotReachedChangeNothing() {
        Map<String, Object> locals = map("price", 3, "quantity", 4);
        Block block =
                engine.capture("total = price * quantity; Math.max(total, 5)", Frame.of(locals))
                        .within(Limits.UNTRUSTED);

        assertThat(block.run().value()).isEqualTo(12);
        assertThat(locals).containsEntry("total", 12);
        assertThatExceptionOfType(BlockException.class)
                .isThrownBy(() ->
                        engine.capture("nope()", Frame.empty()).within(Limits.UNTRUSTED).run())
                .withMessage("ReferenceError: nope is not defined")
                .matches(e -> e.kind() == BlockException.Kind.RUNTIME);
    }
}
