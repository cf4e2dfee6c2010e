package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A function that a block made, in the host's hands. */
class GuestFunctionTest {
    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static GuestFunction function(String text, Frame frame) {
        return (GuestFunction) engine.capture(text, frame).run().value();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a, b) => a + b",
                "(function (a, b) { return a + b })",
                "function f(a, b) { return a + b } f",
                "({ m(a, b) { return a + b } }).m",
                "((a, b) => a + b).bind(null)",
                "new Function('a', 'b', 'return a + b')",
                "(...all) => all[0] + all[1]",
                "new Proxy((a, b) => a + b, {})"
            })
    void isCalledWithArgumentsAndReturnsPlainJava(String text) {
        assertThat(function(text, frame()).call(1, 2)).isEqualTo(3);
    }

    @Test
    void missingArgumentsAreUndefinedAndExtraOnesAreIgnored() {
        GuestFunction f = function("(a, b) => typeof a + typeof b", frame());

        assertThat(f.call()).isEqualTo("undefinedundefined");
        assertThat(f.call(1)).isEqualTo("numberundefined");
        assertThat(f.call(1, 2, 3)).isEqualTo("numbernumber");
    }

    @Test
    void nullIsAnArgument() {
        assertThat(function("a => a === null", frame()).call((Object) null)).isEqualTo(true);
    }

    @Test
    void argumentsAreConvertedAsNamesAre() {
        GuestFunction f = function("row => row.id + ':' + Object.keys(row).join('/')", frame());

        assertThat(f.call(map("id", 7, "size", 9))).isEqualTo("7:id/size");
    }

    @Test
    void aHostValueComesBackAsItself() {
        Object handle = new Object();
        List<Object> list = List.of(1);
        GuestFunction same = function("x => x", frame());

        assertThat(same.call(handle)).isSameAs(handle);
        assertThat(same.call(list)).isSameAs(list);
    }

    @Test
    void aFunctionComesBackFromTheHostAsItself() {
        Frame frame = frame("same", (Function<Object, Object>) x -> x);

        assertThat(engine.capture("const f = () => 1; same(f) === f", frame).run().value())
                .isEqualTo(true);
    }

    @Test
    void aResultIsPlainJava() {
        assertThat(function("() => ({ a: [1, { b: null }] })", frame()).call())
                .isEqualTo(Map.of("a", List.of(1, map("b", null))));
    }

    @Test
    void aFunctionMayReturnAFunction() {
        GuestFunction add = function("a => b => a + b", frame());

        assertThat(((GuestFunction) add.call(1)).call(2)).isEqualTo(3);
    }

    @Test
    void aFunctionInsideAResultCanBeCalled() {
        Map<?, ?> result =
                (Map<?, ?>) engine.capture("({ f: () => 1, g: [() => 2] })", frame()).run().value();

        assertThat(((GuestFunction) result.get("f")).call()).isEqualTo(1);
        assertThat(((GuestFunction) ((List<?>) result.get("g")).getFirst()).call()).isEqualTo(2);
    }

    @Test
    void whatItThrowsIsABlockExceptionWithItsPlace() {
        GuestFunction f = function("x => {\n  throw new Error('no ' + x) }", frame());

        assertThatExceptionOfType(BlockException.class)
                .isThrownBy(() -> f.call(1))
                .withMessage("Error: no 1")
                .matches(e -> e.traceback().innermost().line() == 2);
        assertThatExceptionOfType(BlockException.class).isThrownBy(() -> f.call(2));
    }

    @Test
    void whatTheHostThrowsInItIsTheCause() {
        IllegalStateException thrown = new IllegalStateException("boom");
        Runnable boom =
                () -> {
                    throw thrown;
                };
        GuestFunction f = function("() => boom()", frame("boom", boom));

        BlockException e = catchThrowableOfType(BlockException.class, f::call);

        assertThat(e.getCause()).isSameAs(thrown);
    }

    @Test
    void aPushedFunctionCanBeUsedByTheNextBlock() {
        Map<String, Object> locals = map("k", 2);
        Frame frame = Frame.of(locals);
        engine.capture("twice = x => x * k", frame).run();

        assertThat(locals.get("twice")).isInstanceOf(GuestFunction.class);
        assertThat(engine.capture("twice(21)", frame).run().value()).isEqualTo(42);
    }

    @Test
    void aFunctionCanBeUsedByABlockOfAnotherFrame() {
        GuestFunction twice = function("x => x * k", frame("k", 2));
        Frame other = frame("twice", twice, "k", 100);

        assertThat(engine.capture("[1, 2].map(v => twice(v)).join()", other).run().value())
                .isEqualTo("2,4");
    }

    @Test
    void aFunctionOfAnotherFrameFailsWithBothPlaces() {
        GuestFunction f = function("x => {\n  nope(x) }", frame());

        BlockException e =
                catchThrowableOfType(
                        BlockException.class, engine.capture("1;\n2;\nf(1)", frame("f", f))::run);

        assertThat(e).hasMessageContaining("ReferenceError: nope is not defined");
        assertThat(e.traceback().entries()).extracting(Traceback.Entry::line).contains(3);
    }

    @Test
    void aFunctionOfAnotherEngineCanBeUsedToo() {
        try (BlockEngine other = BlockEngine.create()) {
            GuestFunction f =
                    (GuestFunction)
                            other.capture("xs => xs.map(x => x + 1)", frame()).run().value();

            assertThat(engine.capture("f([1, 2])[1]", frame("f", f)).run().value()).isEqualTo(3);
        }
    }

    @Test
    void itCanBeCalledFromAnyThread() throws Exception {
        GuestFunction f = function("let n = 0; () => ++n", frame());

        OtherThread.supply(f::call).get(10, TimeUnit.SECONDS);

        assertThat(f.call()).isEqualTo(2);
    }

    @Test
    void itCanCallTheHostThatCallsIt() {
        Frame frame = frame("apply", (Function<GuestFunction, Object>) f -> f.call(1));

        assertThat(
                        engine.capture("apply(a => apply(b => apply(c => a + b + c + 10)))", frame)
                                .run()
                                .value())
                .isEqualTo(13);
    }

    @Test
    void itNamesItsBlock() {
        BlockSource source = BlockSource.javaScript("() => 1", "rules.js").startingAt(40, 3);
        Object f = engine.capture(source, frame()).run().value();

        assertThat(f).hasToString("function of block rules.js:40:3");
    }

    @Test
    void afterTheEngineIsClosedItSaysWhichBlockItBelongsTo() {
        BlockEngine shortLived = BlockEngine.create();
        BlockSource source = BlockSource.javaScript("() => 1", "rules.js").startingAt(40, 3);
        GuestFunction f = (GuestFunction) shortLived.capture(source, frame()).run().value();

        shortLived.close();

        assertThatIllegalStateException()
                .isThrownBy(f::call)
                .withMessageContaining("rules.js:40:3")
                .withMessageContaining("closed");
    }

    @Test
    void itIsInertInCollectionsWhileABlockRunsAndAfterTheEngineIsClosed() throws Exception {
        BlockEngine shortLived = BlockEngine.create();
        Frame frame = frame();
        Object f = shortLived.capture("() => 1", frame).run().value();
        StopSignal signal = new StopSignal();
        Block endless = shortLived.capture("for (;;);", frame);
        Thread running = Thread.ofPlatform().start(() -> run(endless, signal));

        Supplier<Object> touch = () -> Set.of(f).contains(f) && f.toString().length() > 0;
        assertThat(OtherThread.supply(touch).get(5, TimeUnit.SECONDS)).isEqualTo(true);

        signal.stop();
        running.join(5_000);
        shortLived.close();
        assertThat(touch.get()).isEqualTo(true);
    }

    private static void run(Block block, StopSignal signal) {
        try {
            block.evaluate(signal);
        } catch (BlockException stopped) {
            assertThat(stopped.kind()).isEqualTo(BlockException.Kind.CANCELLED);
        }
    }

    @Test
    void aSiblingDefinedFunctionIsRunByTheHostWhileAnotherBlockCallsIt() {
        Frame frame = frame();
        GuestFunction inc = function("let n = 0; inc = () => ++n; inc", frame);
        Map<String, Object> locals = map("host", (Callable<Object>) inc::call);

        assertThat(engine.capture("host() + host()", Frame.of(locals)).run().value()).isEqualTo(3);
        assertThat(engine.capture("inc()", frame).run().value()).isEqualTo(3);
    }

    @Test
    void aCallFromInsideItsBlockLeavesTheBlocksVariablesInPlace() {
        Map<String, Object> locals = map("call", (Function<GuestFunction, Object>) f -> f.call());

        String text = "let x = 1; call(() => x); globalThis.x = 5; x";
        assertThat(engine.capture(text, Frame.of(locals)).run().value()).isEqualTo(5);
    }

    @Test
    void aResultThatCannotBeHandedOverIsABlockException() {
        GuestFunction f = function("() => ({ get a() { throw new Error('getter') } })", frame());

        assertThatExceptionOfType(BlockException.class)
                .isThrownBy(f::call)
                .withMessageContaining("a");
    }
}
