package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A function means the names of the block it was written in, whoever calls it: also those that it
 * does not find as variables.
 */
@Tag("compiled")
class SiblingFunctionsTest {
    private final BlockEngine engine = BlockEngine.create();
    private final Frame frame = frame();

    @AfterEach
    void close() {
        engine.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " :: ",
            quoteCharacter = '"',
            textBlock =
                    """
                    property of the global     :: f = () => globalThis.n
                    element of the global      :: f = () => globalThis['n']
                    function                   :: function f() { return globalThis.n }
                    expression                 :: f = function () { return this.n }
                    strict function            :: f = function () { 'use strict'; return globalThis.n }
                    arrow in an arrow          :: f = () => (() => globalThis.n)()
                    returned function          :: make = () => () => globalThis.n; f = make()
                    method                     :: f = () => ({ m() { return globalThis.n } }).m()
                    method of a kept object    :: o = { m() { return globalThis.n } }; f = () => o.m()
                    getter                     :: o = { get g() { return globalThis.n } }; f = () => o.g
                    class method               :: class C { m() { return globalThis.n } } f = () => new C().m()
                    static method              :: class C { static m() { return globalThis.n } } f = () => C.m()
                    private method             :: class C { #m() { return globalThis.n } m() { return this.#m() } } c = new C(); f = () => c.m()
                    class field                :: class C { v = globalThis.n } f = () => new C().v
                    constructor                :: class C { constructor() { this.v = globalThis.n } } f = () => new C().v
                    derived class              :: class P { constructor() { this.v = globalThis.n } } class C extends P {} f = () => new C().v
                    default argument           :: f = (a = globalThis.n) => a
                    generator                  :: f = () => [...(function* () { yield globalThis.n })()][0]
                    generator that went on     :: g = function* () { for (;;) yield globalThis.n }; it = g(); it.next(); f = () => it.next().value
                    callback of a builtin      :: f = () => [0].map(() => globalThis.n)[0]
                    bound                      :: f = (function () { return globalThis.n }).bind(null)
                    proxy                      :: f = new Proxy(() => 0, { apply: () => globalThis.n })
                    direct eval                :: f = () => eval('n')
                    direct eval, own function  :: f = eval('() => globalThis.n')
                    indirect eval              :: f = () => (0, eval)('n')
                    indirect eval, own function :: f = (0, eval)('() => n')
                    new Function               :: f = new Function('return n')
                    new Function, when called  :: f = () => new Function('return n')()
                    typeof                     :: f = () => typeof n === 'number' ? globalThis.n : 0
                    in                         :: f = () => 'n' in globalThis && globalThis.n
                    Reflect                    :: f = () => Reflect.get(globalThis, 'n')
                    tagged template            :: t = () => globalThis.n; f = () => t`x`
                    """)
    void readsNamesOfItsOwnBlock(String form, String text) {
        run("globalThis.n = 1; " + text);

        assertThat(run("n = 2; v = f(); [v, n].join()")).isEqualTo("1,2");
        assertThat(run("var n = 3; [f(), globalThis.n].join()")).isEqualTo("1,3");
        assertThat(run("globalThis.n = 4; [f(), n].join()")).isEqualTo("1,4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "set = v => { globalThis.n = v }",
                "function set(v) { globalThis['n'] = v }",
                "set = function (v) { this.n = v }",
                "set = v => { eval('n = v') }",
                "set = v => { (0, eval)('n = ' + v) }",
                "set = v => { (0, eval)('var n = ' + v) }",
                "set = new Function('v', 'n = v')",
                "set = v => { Object.assign(globalThis, { n: v }) }",
                "set = v => Reflect.set(globalThis, 'n', v)",
                "set = v => { Object.defineProperty(globalThis, 'n', { value: v }) }",
                "set = v => { for (globalThis.n of [v]); }",
                "set = v => { [globalThis.n] = [v] }",
                "class C { set n(v) { globalThis.n = v } } set = v => { new C().n = v }",
                "set = v => { [...(function* () { globalThis.n = v })()] }"
            })
    void writesNamesOfItsOwnBlock(String text) {
        for (String declaration : new String[] {"globalThis.n = 1", "var n = 1", "let n = 1"}) {
            Frame fresh = frame();
            value(declaration + "; " + text + "; get = () => globalThis.n", fresh);

            BlockResult caller =
                    engine.capture("let n = 5; set(7); [n, get()].join()", fresh).run();

            assertThat(caller.value()).as(declaration).isEqualTo("5,7");
            assertThat(caller.bindings()).as(declaration).isEqualTo(map("n", 5));
        }
    }

    @Test
    void aCallerWithoutTheNameSeesItMoved() {
        run("globalThis.n = 1; inc = () => { globalThis.n++ }");

        assertThat(
                        run(
                                "const seen = [n]; inc(); seen.push(n); inc(); seen.push(globalThis.n); seen + ''"))
                .isEqualTo("1,2,3");
        assertThat(engine.capture("inc()", frame).evaluate().bindings()).isEmpty();
        assertThat(run("n")).isEqualTo(4);
    }

    @Test
    void eachRunHasItsOwn() {
        Block block =
                engine.capture(
                        "globalThis.n = (typeof n === 'number' ? n : 0) + start; () => ++globalThis.n",
                        frame("start", 10));
        GuestFunction one = (GuestFunction) block.evaluate().value();
        GuestFunction other = (GuestFunction) block.evaluate().value();

        assertThat(one.call()).isEqualTo(11);
        assertThat(other.call()).isEqualTo(21);
        assertThat(one.call()).isEqualTo(12);
    }

    @Test
    void aListOfFunctionsOfManyRunsKeepsThemApart() {
        run("list = []");
        for (int i = 0; i < 3; i++) {
            SharedLocals.of(frame).put("i", i * 10);
            run("globalThis.n = i; list.push(() => ++globalThis.n); 0");
        }
        System.gc();

        assertThat(run("list.map(f => f()) + ''")).isEqualTo("1,11,21");
        assertThat(run("list.map(f => f()) + ''")).isEqualTo("2,12,22");
    }

    @Test
    void aCallbackThatTheFunctionCallsIsTheCallersAgain() {
        run("globalThis.n = 1; twice = f => [globalThis.n, f(), globalThis.n].join()");

        assertThat(run("globalThis.n = 2; twice(() => globalThis.n)")).isEqualTo("1,2,1");
    }

    @Test
    void aFunctionThatOverflowsTheStackLeavesNothingBehind() {
        run("globalThis.n = 1; deep = () => globalThis.n + deep()");

        assertThat(run("globalThis.n = 2; try { deep() } catch {} globalThis.n")).isEqualTo(2);
    }

    @Test
    void anAsyncFunctionGoesOnInItsOwnBlock() {
        run(
                "globalThis.n = 1; later = async () => { await null; globalThis.n = 7; got = globalThis.n }");

        assertThat(run("globalThis.n = 2; later(); 0")).isEqualTo(0);
        assertThat(run("[n, got].join()")).isEqualTo("7,7");
    }

    @Test
    void aPromiseThatASiblingResolvesGoesOnInTheBlockThatWaits() {
        run(
                "globalThis.n = 1; waiting = new Promise(r => { release = r }); (async () => { await waiting; globalThis.n = 7 })(); 0");

        assertThat(engine.capture("globalThis.n = 2; release(); 0", frame).evaluate().bindings())
                .isEqualTo(map("n", 2));
        assertThat(run("globalThis.n")).isEqualTo(7);
    }

    @Test
    void aGeneratorGoesOnInItsOwnBlock() {
        run("globalThis.n = 1; it = (function* () { for (;;) yield globalThis.n++ })(); it.next()");

        assertThat(run("globalThis.n = 50; [it.next().value, it.next().value, n].join()"))
                .isEqualTo("2,3,50");
    }

    @Test
    void deletingANameDeletesThatOfItsOwnBlock() {
        run("globalThis.n = 1; drop = () => delete globalThis.n; has = () => 'n' in globalThis");

        assertThat(run("var n = 2; [drop(), n, has()].join()")).isEqualTo("true,2,false");
    }

    @Test
    void aVariableOfItsBlockIsNotDeletedFromOutside() {
        run("var n = 1; drop = () => delete globalThis.n; get = () => n");

        assertThat(run("[drop(), get()].join()")).isEqualTo("false,1");
        assertThat(((GuestFunction) run("drop")).call()).isEqualTo(false);
    }

    @Test
    void anUnknownNameIsLookedUpInItsOwnBlock() {
        Map<String, Object> locals = map();
        Frame shared = Frame.of(locals);
        value("probe = () => typeof later", shared);
        locals.put("later", 5);

        assertThat(value("[probe(), later].join()", shared)).isEqualTo("undefined,5");
        value("later = 'shared'", shared);
        assertThat(value("[probe(), later].join()", shared)).isEqualTo("string,5");
    }

    @Test
    void theHostCallsItInItsOwnBlockWhicheverBlockHandedItOver() {
        run("globalThis.n = 1; f = () => globalThis.n");
        GuestFunction handed = (GuestFunction) run("globalThis.n = 2; f");

        assertThat(handed.call()).isEqualTo(1);
        assertThat(handed).hasToString(handed.toString());
    }

    @Test
    void aHostFunctionInBetweenDoesNotMatter() {
        Supplier<@Nullable Object> sibling =
                () -> value("globalThis.n = 3; f() + globalThis.n * 10", frame);
        SharedLocals.of(frame).put("sibling", sibling);
        SharedLocals.of(frame).put("call", (Consumer<GuestFunction>) GuestFunction::call);

        assertThat(
                        run(
                                "globalThis.n = 1; f = () => globalThis.n; const seen = []; call(() => { seen.push(globalThis.n, sibling(), globalThis.n) }); seen + ''"))
                .isEqualTo("1,31,1");
    }

    @Test
    void theFrameOfTheLineInAFunctionIsThatOfItsOwnBlock() {
        SharedLocals.of(frame)
                .put(
                        "look",
                        (Supplier<Object>)
                                () ->
                                        Frame.caller().globals().find("n").isPresent()
                                                + ","
                                                + Frame.caller().snapshot().get("n"));
        run("globalThis.n = 1; f = () => look()");

        assertThat(run("globalThis.n = 2; f()")).asString().endsWith(",1");
    }

    @Test
    void afterABuiltinWasChangedTheCallersNamesAreSeen() {
        run("globalThis.n = 1; f = () => globalThis.n; Array.prototype.mine = f; 0");

        assertThat(run("globalThis.n = 2; f()")).isEqualTo(2);
    }

    @Test
    void framesWithSuchFunctionsGoWhenNobodyHoldsThem() throws InterruptedException {
        int most = 4 * Runtime.getRuntime().availableProcessors() + 1;
        for (String text :
                new String[] {
                    "globalThis.n = 1; f = () => globalThis.n; f()",
                    "globalThis.n = 1; f = () => globalThis.n; Array.prototype.mine = f; f()"
                }) {
            for (int i = 0; i < most + 10; i++) {
                value(text, frame());
            }
            for (int i = 0; engine.openContexts() > most; i++) {
                assertThat(i).as("collections").isLessThan(100);
                System.gc();
                Thread.sleep(10);
                value("y = 1", frame());
            }
        }
    }

    private @Nullable Object run(String text) {
        return value(text, frame);
    }

    private @Nullable Object value(String text, Frame in) {
        return engine.capture(text, in).evaluate().value();
    }
}
