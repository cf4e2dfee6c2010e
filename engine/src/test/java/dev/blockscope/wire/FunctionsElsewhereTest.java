package dev.blockscope.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.FrameCode;
import dev.blockscope.FunctionSource;
import dev.blockscope.Globals;
import dev.blockscope.GuestFunction;
import dev.blockscope.Limits;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions that travel do there what they do here. Case H1. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FunctionsElsewhereTest {
    private BlockEngine engine;
    private BlockEngine elsewhere;

    @BeforeAll
    void open() {
        engine = BlockEngine.create();
        elsewhere = BlockEngine.create();
    }

    @AfterAll
    void close() {
        engine.close();
        elsewhere.close();
    }

    private Block there(Block block) {
        return Envelope.read(Envelope.of(block).toBytes()).capture(elsewhere);
    }

    private Frame frameOf(String sibling) {
        Map<String, Object> locals = new HashMap<>(Map.of("off", 1, "row", Map.of("id", 7)));
        Frame frame = Frame.of(locals, Globals.of(Map.of("rate", 3)));
        engine.capture(sibling, frame).evaluate();
        return frame;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '~',
            textBlock =
                    """
                    function sq(x) { return x * x }                           ¦ [1, 2, 3].map(v => sq(v) + off).join()
                    const sq = x => x * x                                     ¦ [sq(3), typeof sq, sq.name, sq.length]
                    function a(x) { return b(x) + 1 } function b(x) { return x * off } ¦ a(4)
                    function even(n) { return n == 0 || odd(n - 1) } function odd(n) { return n != 0 && even(n - 1) } ¦ [even(10), odd(7), even(3)]
                    const fact = function f(n) { return n < 2 ? 1 : n * f(n - 1) } ¦ fact(10)
                    const mk = () => { let n = 10; return () => ++n }; const next = mk(), other = mk() ¦ [next(), next(), other(), next()]
                    function later() { return (() => (() => off + rate)())() } ¦ later()
                    const o = { n: 5, twice(x) { return 2 * x } }             ¦ [o.twice(4), o.n]
                    function* g(n) { for (let i = 0; i < n; i++) yield i * off } ¦ [...g(4)].join()
                    async function slow(x) { await null; return x + off }     ¦ slow(4)
                    const wait = async x => (await x) + off                   ¦ wait(4)
                    const table = [x => x + 1, x => x * 2]                    ¦ table.map(f => f(7))
                    let unset; function f() { return typeof unset }           ¦ f()
                    const nothing = null; function f() { return nothing === null } ¦ f()
                    const log = []; function add(x) { log.push(x) }           ¦ add(1); add(2); log.length
                    const log = []; function add(x) { log.push(x) } function all() { return log.join() } ¦ add(1); add(2); all()
                    const self = { go() { return self.n }, n: 4 }; const f = () => self.go() ¦ f()
                    'use strict'; function f() { return this === undefined }  ¦ f()
                    function f() { return typeof this }                       ¦ f()
                    function f(a, b = off + 1, ...more) { return [a, b, more.length, arguments.length] } ¦ f(1, undefined, 3, 4)
                    var f = new Function('a', 'return a + 1')                 ¦ f(2)
                    const { pick } = { pick: ({ id }) => id }                 ¦ pick(row)
                    let f; try { throw 4 } catch (e) { let z = 3; f = () => e + z } ¦ f()
                    let fs = []; for (let i = 0; i < 3; i++) fs.push(() => i) ¦ fs.map(f => f()).join()
                    function P(x) { this.x = x }                              ¦ new P(3).x
                    const compose = (f, g) => x => f(g(x)); const h = compose(x => x + 1, x => x * 2) ¦ h(5)
                    const f = a /* => */ => a                                ¦ f(1)
                    function f() { return Math.max(1, off) + [3].map(x => x)[0] } ¦ f()
                    function Map() { return 'mine' } function f() { return Map() } ¦ f()
                    """)
    void aFunctionOfASiblingDoesThereWhatItDoesHere(String sibling, String text) {
        Frame frame = frameOf(sibling);
        Block block = engine.capture(text, frame);
        byte[] bytes = Envelope.of(block).toBytes();
        Object here = block.evaluate().value();
        Object there = Envelope.read(bytes).capture(elsewhere).evaluate().value();
        assertThat(there).isEqualTo(here);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '~',
            textBlock =
                    """
                    const f = Math.max                            ¦ f(1)       ¦ f                ¦ it is not written in a text
                    const f = [].map.bind([1])                    ¦ f(x => x)  ¦ f                ¦ it is not written in a text
                    const f = (function (a) { return a }).bind(1) ¦ f(1)       ¦ f                ¦ it was bound
                    class A {}                                    ¦ new A()    ¦ A                ¦ it is a class
                    class A { #x = 1; m() { return this.#x } } const f = new A().m ¦ f ¦ f       ¦ private members
                    const o = { __proto__: { m() {} }, m() { return super.m() } }; const f = o.m ¦ f() ¦ f ¦ super
                    function mk() { return () => this } const f = mk() ¦ f()   ¦ f                ¦ this or arguments
                    const o = { n: 5, inc() { return ++this.n } } ¦ o.inc()    ¦ o.inc            ¦ objects travel as data
                    function f() {} f.count = 1                   ¦ f()        ¦ f                ¦ properties of its own
                    function P() {} P.prototype.m = () => 1       ¦ new P()    ¦ P                ¦ properties of its own
                    function f(s) { return eval(s) }              ¦ f('1')     ¦ f                ¦ calls eval
                    const h = Math.min; const f = () => h(1)      ¦ f()        ¦ f closing over h ¦ it is not written in a text
                    const t = { a: [Math.min] }; const f = () => t ¦ f()       ¦ f closing over t.a[0] ¦ it is not written in a text
                    let n = 0; function inc() { n++ } function get() { return n } ¦ inc(); get() ¦ get ¦ it assigns n, a variable that other functions see too
                    let n = 0; function inc() { n++ }             ¦ inc(); n   ¦ inc              ¦ it assigns n, a variable that the block sees too
                    let n = 0; function inc() { return ++n }      ¦ inc(); n   ¦ inc              ¦ it assigns n, a variable that the block sees too
                    function f() { return f } const g = f; f = 1 ¦ g  ¦ g                ¦ is the name of something else
                    """)
    void whatIsMoreThanItsTextIsRefusedByVariableAndPath(
            String sibling, String text, String path, String why) {
        Block block = engine.capture(text, frameOf(sibling));
        UnsendableException e =
                catchThrowableOfType(UnsendableException.class, () -> Envelope.of(block));
        assertThat(e).as("refusal").isNotNull();
        assertThat(e.getMessage()).contains("cannot be sent").contains(why);
        assertThat(e.path()).isEqualTo(path);
        assertThat(e.variable()).isEqualTo(path.replaceFirst("[ .\\[].*", ""));
    }

    @Test
    void lookingAtAFunctionDoesNotRunIt() {
        Frame frame =
                frameOf("let runs = { n: 0 }; function f(a = runs.n++) { runs.n++; for (;;); }");
        Envelope.of(engine.capture("typeof f", frame)).toBytes();
        assertThat(engine.capture("runs.n", frame).evaluate().value()).isEqualTo(0);
    }

    @Test
    void aHostObjectThatAFunctionClosesOverIsNamedWithTheWayToIt() {
        Map<String, Object> locals = new HashMap<>(Map.of("conn", new Socket()));
        Frame frame = Frame.of(locals);
        engine.capture("const open = () => conn.port", frame).evaluate();
        Envelope envelope = Envelope.of(engine.capture("open()", frame));
        assertThatThrownBy(envelope::toBytes)
                .isInstanceOf(UnsendableException.class)
                .hasMessageStartingWith(
                        "variable 'open' cannot be sent: open closing over conn is a java.net.Socket");
    }

    @Test
    void anErrorInAFunctionPointsAtItsOwnLineAndColumn() {
        FrameCode code = new FrameCode("rules.js", 40, "rules");
        Frame frame = Frame.of(new HashMap<>(), Globals.none(), code);
        engine.capture(
                        """
                        function sq(x) { return x.y.z }
                        const o = {
                          m(x) { return sq(x) } };
                        const f = x =>
                            o.m(x);
                        """,
                        frame)
                .evaluate();
        Block block = engine.capture("f(1)", frame);
        BlockException here = catchThrowableOfType(BlockException.class, block::evaluate);
        BlockException there = catchThrowableOfType(BlockException.class, there(block)::evaluate);
        assertThat(there.getMessage()).isEqualTo(here.getMessage());
        assertThat(there.traceback().entries())
                .extracting(e -> e.file() + ":" + e.line() + ":" + e.column() + " " + e.function())
                .isEqualTo(
                        here.traceback().entries().stream()
                                .map(e ->
                                        e.file()
                                                + ":"
                                                + e.line()
                                                + ":"
                                                + e.column()
                                                + " "
                                                + e.function())
                                .toList());
    }

    @Test
    void aFunctionIsOneObjectWhereverItIs() {
        Frame frame = frameOf("const f = () => 1; const list = [f, f]; const g = () => f");
        Block block = there(engine.capture("[list[0] === f, list[1] === f, g() === f]", frame));
        assertThat(block.evaluate().value()).isEqualTo(List.of(true, true, true));
    }

    @Test
    void aFunctionInTheHostsHandsTravelsToo() {
        Map<String, Object> locals = new HashMap<>();
        Frame frame = Frame.of(locals);
        engine.capture("const k = 2; var f = x => x * k; var list = [f]", frame).run();
        assertThat(locals.get("f")).isInstanceOf(GuestFunction.class);
        Block block = there(engine.capture("[f(4), list[0](5), list[0] === f]", frame));
        assertThat(block.evaluate().value()).isEqualTo(List.of(8, 10, false));
    }

    @Test
    void whatItsCallsDoToItsVariablesIsSeenByTheNextRun() {
        Frame frame =
                frameOf("const mk = () => { let n = 0; return () => ++n }; const next = mk()");
        Block block = there(engine.capture("next()", frame));
        assertThat(List.of(block.run().value(), block.run().value())).isEqualTo(List.of(1, 2));
        assertThat(engine.capture("next()", frame).run().value()).isEqualTo(1);
    }

    @Test
    void aFunctionThatCameBackGoesOnTravelling() {
        Map<String, Object> locals = new HashMap<>();
        Frame frame = Frame.of(locals);
        Envelope envelope =
                Envelope.read(Envelope.of(engine.capture("f(3)", frameWith(frame))).toBytes());
        assertThat(envelope.values().get("f")).isInstanceOf(FunctionSource.class);
        Envelope again = Envelope.read(Envelope.of(envelope.capture(elsewhere)).toBytes());
        assertThat(again.capture(engine).run().value()).isEqualTo(9);
    }

    private Frame frameWith(Frame frame) {
        engine.capture("const f = x => x * x", frame).evaluate();
        return frame;
    }

    @Test
    void aProgramThatDoesNotEndIsHeldToTheBlocksLimits() {
        FunctionSource endless =
                new FunctionSource(BlockSource.javaScript("for (;;);", "evil.js"), Map.of());
        Supplier<Object> run =
                () ->
                        elsewhere
                                .capture("f()", Frame.of(new HashMap<>(Map.of("f", endless))))
                                .within(Limits.builder().statements(10_000).build())
                                .evaluate();
        assertThat(catchThrowableOfType(BlockException.class, run::get).kind())
                .isEqualTo(BlockException.Kind.LIMIT);
    }

    @Test
    void aProgramThatIsNoFunctionSaysSo() {
        FunctionSource none = new FunctionSource(BlockSource.javaScript("1", "n.js"), Map.of());
        Block block = elsewhere.capture("f()", Frame.of(new HashMap<>(Map.of("f", none))));
        assertThatThrownBy(block::evaluate)
                .hasMessage("the value of source of a function at n.js:1:1 is no function");
    }
}
