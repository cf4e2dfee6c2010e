package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.frameOverGlobals;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of the namespace a block runs in, one section each. */
@Tag("compiled")
class ScopeRulesTest {
    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static @Nullable Object value(String text, Frame frame) {
        return engine.capture(text, frame).evaluate().value();
    }

    private static Map<String, @Nullable Object> bindings(String text, Frame frame) {
        return engine.capture(text, frame).evaluate().bindings();
    }

    private static BlockException failure(String text, Frame frame) {
        try {
            Object value = engine.capture(text, frame).run().value();
            throw new AssertionError("the block did not fail, its value is " + value);
        } catch (BlockException e) {
            return e;
        }
    }

    @Nested
    class OwnStartsAsTheSnapshot {
        @Test
        void aBlockSeesTheValuesOfItsCapture() {
            Map<String, Object> locals = map("x", 1);
            Block block = engine.capture("x", Frame.of(locals));

            locals.put("x", 2);

            assertThat(block.run().value()).isEqualTo(1);
        }

        @Test
        void aNameTheHostAddsAfterTheCaptureIsNotSeen() {
            Map<String, Object> locals = map();
            Block block = engine.capture("typeof late", Frame.of(locals));

            locals.put("late", 2);

            assertThat(block.run().value()).isEqualTo("undefined");
        }

        @Test
        void aNameTheHostRemovesAfterTheCaptureIsStillSeen() {
            Map<String, Object> locals = map("x", 1);
            Block block = engine.capture("x", Frame.of(locals));

            locals.clear();

            assertThat(block.run().value()).isEqualTo(1);
        }

        @Test
        void theSnapshotCannotBeChangedFromOutside() {
            Block block = engine.capture("x", frame("x", 1));

            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> block.snapshot().put("x", 2));
        }

        @Test
        void aMutableHostObjectIsTheSameObject() {
            List<Object> list = new ArrayList<>(List.of(1));
            Block block = engine.capture("list.push(3); list", frame("list", list));

            list.add(2);

            assertThat(block.run().value()).isSameAs(list);
            assertThat(list).isEqualTo(List.of(1, 2, 3));
        }

        @Test
        void anObjectThatIsNoDataIsTheSameObject() {
            Object handle = new Object();

            assertThat(value("handle", frame("handle", handle))).isSameAs(handle);
        }

        @Test
        void blocksCapturedInALoopKeepTheLoopVariableOfTheirTurn() {
            List<Object> seen = new ArrayList<>();
            Map<String, Object> locals = map("seen", seen);
            Frame frame = Frame.of(locals);
            List<Block> blocks = new ArrayList<>();
            for (String turn : List.of("A", "B")) {
                locals.put("turn", turn);
                blocks.add(engine.capture("seen.push(turn)", frame));
            }

            blocks.forEach(Block::run);

            assertThat(seen).isEqualTo(List.of("A", "B"));
        }

        @Test
        void aClosureOfTheBlockKeepsTheSnapshotToo() {
            Map<String, Object> locals = map("x", 1);
            GuestFunction read =
                    (GuestFunction) engine.capture("() => x", Frame.of(locals)).run().value();

            locals.put("x", 2);

            assertThat(read.call()).isEqualTo(1);
        }
    }

    @Nested
    class NullIsBoundAndUndefinedIsNot {
        @Test
        void nullInTheSnapshotHidesAGlobal() {
            Frame frame = Frame.of(map("coupon", null), Globals.of(Map.of("coupon", "GLOBAL")));

            assertThat(value("[coupon === null, typeof coupon].join()", frame))
                    .isEqualTo("true,object");
        }

        @Test
        void nullInTheSnapshotHidesASharedName() {
            Frame frame = frame("x", null);
            SharedLocals.of(frame).put("x", 1);

            assertThat(value("x", frame)).isNull();
        }

        @Test
        void nullInTheSharedStoreHidesAGlobal() {
            Frame frame = frameOverGlobals("x", 1);
            SharedLocals.of(frame).put("x", (Object) null);

            assertThat(value("x === null", frame)).isEqualTo(true);
        }

        @Test
        void aGlobalBoundToNullIsBound() {
            assertThat(value("[x === null, 'x' in globalThis].join()", frameOverGlobals("x", null)))
                    .isEqualTo("true,true");
        }

        @Test
        void aSiblingsValueIsSeenWhereANameWasOnlyDeclared() {
            Frame frame = frame();
            value("late = 1", frame);
            value("let late", frame);

            assertThat(value("late", frame)).isEqualTo(1);
        }

        @ParameterizedTest
        @CsvSource(
                delimiterString = "::",
                textBlock =
                        """
                        var x; x                                     :: 5
                        var x = x || 7; x                            :: 5
                        if (false) { var x = 1 } x                   :: 5
                        var was = typeof x; { function x() {} } was  :: number
                        var was = (() => x)(); var x = 1; was        :: 5
                        var x = 1; x                                 :: 1
                        for (var x = 0; x < 3; x++) {} x             :: 3
                        let x; typeof x                              :: undefined
                        function x() {} typeof x                     :: function
                        """)
        void aVarBeginsAsWhatTheNameIsOutside(String text, String expected) {
            Frame siblings = frame();
            value("x = 5", siblings);

            assertThat(value(text, siblings)).hasToString(expected);
            assertThat(value(text, frameOverGlobals("x", 5))).hasToString(expected);
            assertThat(value(text, frame("x", 5))).hasToString(expected);
        }

        @Test
        void aVarThatIsOnlyReadIsNotPushed() {
            Frame frame = frame();
            value("x = 5", frame);

            assertThat(engine.capture("var x; x", frame).evaluate().bindings()).isEmpty();
        }

        @Test
        void aVarDoesNotBeginAsWhatAnEarlierRunOfItsTextLeft() {
            Block block = engine.capture("var was = typeof x; var x = 1; was", frame());

            assertThat(block.run().value()).isEqualTo("undefined");
            assertThat(block.run().value()).isEqualTo("undefined");
        }

        @ParameterizedTest
        @ValueSource(strings = {"var late", "let late", "var late; late"})
        void aNameThatWasOnlyDeclaredIsNotPushed(String text) {
            Map<String, Object> locals = map();

            engine.capture(text, Frame.of(locals)).run();

            assertThat(locals).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "x = undefined",
                    "globalThis.x = undefined",
                    "x = void 0",
                    "let x = undefined",
                    "let x; x = undefined",
                    "var x; x = undefined",
                    "const x = undefined",
                    "let { x } = {}",
                    "if (true) x = undefined",
                    "(() => { x = undefined })()"
                })
        void undefinedThatWasAssignedIsPushedAsNull(String text) {
            Map<String, Object> locals = map("x", 1);

            engine.capture(text, Frame.of(locals)).run();

            assertThat(locals).isEqualTo(map("x", null));
        }
    }

    @Nested
    class EveryTopLevelBindingIsOwnAndShared {
        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        assignment                   :: x = 1
                        var                          :: var x = 1
                        let                          :: let x = 1
                        const                        :: const x = 1
                        one of several               :: let w = 0, x = 1, y = 2
                        var in braces                :: { var x = 1 }
                        var in a loop                :: for (var x = 0; x < 1; x++);
                        var in try                   :: try { var x = 1 } finally {}
                        assignment in braces         :: if (true) { x = 1 }
                        assignment in catch          :: try { throw 1 } catch (e) { x = e }
                        assignment in switch         :: switch (1) { case 1: x = 1 }
                        assignment in an expression  :: [1].concat(x = 1)
                        chained assignment           :: w = x = 1
                        addition                     :: x = 0; x += 1
                        increment                    :: x = 0; x++
                        increment in brackets        :: x = 0; (x)++
                        prefix increment             :: var x = 0; ++x
                        decrement                    :: let x = 2; x--
                        exponent                     :: x = 1; x **= 3
                        or                           :: var x; x ||= 1
                        and                          :: var x = 2; x &&= 1
                        nullish                      :: var x; x ??= 1
                        object pattern               :: ({ x } = { x: 1 })
                        object pattern, renamed      :: ({ a: x } = { a: 1 })
                        object pattern, default      :: ({ x = 1 } = {})
                        object pattern, rest         :: ({ a, ...rest } = { a: 0, x: 1 }); x = rest.x
                        array pattern                :: [x] = [1]
                        array pattern, nested        :: [[, x]] = [[0, 1]]
                        const object pattern         :: const { a: { b: x } } = { a: { b: 1 } }
                        let object pattern           :: let { x } = { x: 1 }
                        let array pattern            :: let [w, x = 1] = [0]
                        var array pattern            :: var [x] = [1]
                        swap                         :: x = 2; y = 1; [x, y] = [y, x]
                        for of                       :: for (x of [0, 1]);
                        for var of                   :: for (var x of [0, 1]);
                        for of a pattern             :: for ({ x } of [{ x: 1 }]);
                        property of the global       :: globalThis.x = 1
                        element of the global        :: globalThis['x'] = 1
                        this                         :: this.x = 1
                        this in a sloppy function    :: (function () { this.x = 1 })()
                        this in an arrow             :: (() => { this.x = 1 })()
                        direct eval                  :: eval('x = 1')
                        direct eval, var             :: eval('var x = 1')
                        indirect eval                :: (0, eval)('x = 1')
                        indirect eval, var           :: (0, eval)('var x = 1')
                        new Function                 :: new Function('x = 1')()
                        Object.assign                :: Object.assign(globalThis, { x: 1 })
                        Reflect.set                  :: Reflect.set(globalThis, 'x', 1)
                        Object.defineProperty        :: Object.defineProperty(globalThis, 'x', { value: 1, writable: true, configurable: true, enumerable: true })
                        in a function                :: (function () { x = 1 })()
                        in an arrow                  :: (() => x = 1)()
                        in a callback                :: [1].forEach(v => { x = v })
                        in a generator               :: [...(function* () { x = 1; yield 0 })()]
                        in an async function         :: (async () => { x = 1 })(); 0
                        after await                  :: (async () => { await null; x = 1 })(); 0
                        in then                      :: Promise.resolve(1).then(v => { x = v }); 0
                        in a getter                  :: ({ get a() { return x = 1 } }).a
                        in a setter                  :: ({ set a(v) { x = v } }).a = 1
                        in a constructor             :: let x; new (class { constructor() { x = 1 } })
                        in a static block            :: let x; (class { static { x = 1 } })
                        in a default argument        :: ((a = x = 1) => a)()
                        in a template                :: `${x = 1}`
                        in with                      :: with ({ y: 1 }) { x = y }
                        with a unicode escape        :: \\u0078 = 1
                        after a function moved it    :: let x = 0; (() => { x = 1 })()
                        """)
        void inEveryFormOfAssignment(String form, String text) {
            Map<String, Object> locals = map();
            Frame frame = Frame.of(locals);
            Block sibling = engine.capture("x", frame);

            BlockResult result = engine.capture(text, frame).run();

            assertThat(result.bindings()).as("bindings").containsEntry("x", 1);
            assertThat(locals).as("frame").containsEntry("x", 1);
            assertThat(sibling.evaluate().value()).as("sibling").isEqualTo(1);
        }

        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        function                  :: function x() { return 1 }            :: x()
                        async function            :: async function x() {}                :: typeof x === 'function' && 1
                        generator                 :: function* x() { yield 1 }            :: x().next().value
                        class                     :: class x { static v = 1 }             :: x.v
                        class with a parent       :: class P { v = 1 } class x extends P {} :: new x().v
                        let with an arrow         :: let x = () => 1                      :: x()
                        const with a class        :: const x = class { v = 1 }            :: new x().v
                        object                    :: var x = { v: 1 }                     :: x.v
                        symbol                    :: x = Symbol.for('one')                :: x === Symbol.for('one') && 1
                        for in                    :: for (x in { '1': 0 });               :: +x
                        """)
        void inEveryFormOfDeclaration(String form, String text, String reading) {
            Frame frame = frame();
            Block sibling = engine.capture(reading, frame);

            BlockResult result = engine.capture(text, frame).evaluate();

            assertThat(result.bindings()).containsKey("x");
            assertThat(sibling.evaluate().value()).isEqualTo(1);
        }

        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        let in braces                 :: { let p = 1 }
                        const in braces               :: { const p = 1 }
                        class in braces               :: { class p {} }
                        let of a loop                 :: for (let p = 0; p < 1; p++);
                        let of an iteration           :: for (let p of [1]);
                        const of an iteration         :: for (const p in { a: 1 });
                        let in switch                 :: switch (1) { case 1: let p = 1 }
                        caught error                  :: try { throw 1 } catch (p) {}
                        assigned caught error         :: try { throw 1 } catch (p) { p = 2 }
                        var in a function             :: (function () { var p = 1 })()
                        const in an arrow             :: (() => { const p = 1 })()
                        parameter                     :: (p => p)(1)
                        assigned parameter            :: (p => { p = 2 })(1)
                        name of an expression         :: (function p() {})()
                        name of a class expression    :: (class p {})
                        function in a function        :: (function () { function p() {} })()
                        label                         :: p: for (;;) break p
                        property                      :: ({ p: 1 }).p
                        strict direct eval            :: 'use strict'; eval('var p = 1')
                        let in direct eval            :: eval('let p = 1')
                        let in indirect eval          :: (0, eval)('{ let p = 1 }')
                        variable of new Function      :: new Function('var p = 1')()
                        strict function in braces     :: 'use strict'; { function p() {} }
                        """)
        void exceptThoseInNestedFunctionsAndBraces(String form, String text) {
            Frame frame = frame();
            Block sibling = engine.capture("typeof p", frame);

            BlockResult result = engine.capture(text, frame).evaluate();

            assertThat(result.bindings()).isEmpty();
            assertThat(sibling.evaluate().value()).isEqualTo("undefined");
        }

        @Test
        void declarationsMeantForSiblingsAreThereForSiblings() {
            Frame frame = frame();
            value("var units = { l: 'litre' }; function label(u) { return units[u] + 's' }", frame);

            assertThat(value("label('l')", frame)).isEqualTo("litres");
        }

        @Test
        void aSiblingGetsTheVerySameObject() {
            Frame frame = frame();
            value("first = { n: 1 }", frame);
            value("second = first; second.n = 2", frame);

            assertThat(value("[first === second, first.n].join()", frame)).isEqualTo("true,2");
        }

        @Test
        void aNameOfTheMachineryNeverShows() {
            assertThat(bindings("this; 1 + 1", frame())).isEmpty();
        }

        @Test
        void bindingsComeInTheOrderInWhichTheyWereAssigned() {
            assertThat(bindings("c = 1; b = 2; a = 3", frame()).keySet())
                    .containsExactly("c", "b", "a");
        }

        @Test
        void declaredNamesComeInTheOrderOfTheText() {
            assertThat(bindings("let c = 1; const b = 2; var a = 3", frame()).keySet())
                    .containsExactly("c", "b", "a");
        }

        @Test
        void aBlockCanBindAThousandNames() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 1_000; i++) {
                text.append("n%d = %d; let l%d = %d;\n".formatted(i, i, i, i));
            }

            Map<String, Object> bindings = bindings(text.toString(), frame());

            assertThat(bindings).hasSize(2_000).containsEntry("n999", 999).containsEntry("l0", 0);
        }

        @Test
        void assignedAndDeclaredNamesComeInTheOrderOfTheText() {
            assertThat(bindings("c = 1; let b = 2; a = 3; var d = 4", frame()).keySet())
                    .containsExactly("c", "b", "a", "d");
        }
    }

    @Nested
    class OnlyAPushWritesToTheFrame {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "x = 2",
                    "var x = 2",
                    "let x = 2",
                    "globalThis.x = 2",
                    "this.x = 2",
                    "x++",
                    "eval('x = 2')",
                    "(0, eval)('x = 2')",
                    "new Function('x = 2')()"
                })
        void aWriteDoesNotReachTheFrame(String text) {
            Map<String, Object> locals = map("x", 1);
            BlockResult result = engine.capture(text, Frame.of(locals)).evaluate();

            assertThat(locals).isEqualTo(map("x", 1));

            result.push();
            assertThat(locals).isEqualTo(map("x", 2));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "g = 2",
                    "var g = 2",
                    "let g = 2",
                    "globalThis.g = 2",
                    "this.g = 2",
                    "g++",
                    "g += 1",
                    "[g] = [2]",
                    "(() => { g = 2 })()",
                    "'use strict'; g = 2",
                    "(0, eval)('g = 2')",
                    "new Function('g = 2')()",
                    "g ||= 2; g = 2"
                })
        void aWriteDoesNotReachTheGlobals(String text) {
            Map<String, Object> globals = map("g", 1);
            Map<String, Object> locals = map();

            engine.capture(text, Frame.of(locals, Globals.of(globals))).run();

            assertThat(globals).isEqualTo(map("g", 1));
            assertThat(locals).isEqualTo(map("g", 2));
        }

        @Test
        void whileTheBlockRunsTheFrameIsAsItWas() {
            Map<String, Object> locals = map("x", 1);
            List<Object> seen = new ArrayList<>();
            locals.put("look", (Runnable) () -> seen.add(locals.get("x")));

            engine.capture("x = 2; look()", Frame.of(locals)).run();

            assertThat(seen).containsExactly(1);
        }

        @Test
        void aNameThatWasOnlyReadIsNotPushedBackStale() {
            Map<String, Object> locals = map("a", 1, "b", 1);
            locals.put("meanwhile", (Runnable) () -> locals.put("b", 5));

            engine.capture("meanwhile(); a = b + 1", Frame.of(locals)).run();

            assertThat(locals).containsEntry("a", 2).containsEntry("b", 5);
        }

        @Test
        void aNameTheBlockReadsAndAssignsLaterIsPushed() {
            Map<String, Object> locals = map("base", 10);

            engine.capture("total = base + 5; base = 99", Frame.of(locals)).run();

            assertThat(locals).isEqualTo(map("base", 99, "total", 15));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{ let x = 5 }",
                    "for (let x = 0; x < 3; x++);",
                    "for (const x of [1, 2]);",
                    "(function (x) { x = 9 })(3)",
                    "try { throw 1 } catch (x) { x = 2 }",
                    "(() => { let x = 2; x = 3 })()",
                    "typeof x; x; x + 1; x === 1",
                    "let o = { x: 3 }; o.x = 4; o = undefined",
                    "eval('let x = 5')",
                    "if (false) x = 1",
                    "for (; false;) x = 1",
                    "let set = () => { x = 1 }",
                    "function set() { x = 1 }",
                    "false && (x = 1)",
                    "x ||= 1; x ??= 1",
                    "let f = x => { x = 1 }; f(1)",
                    "((x = 2) => () => { x = 1 })()()",
                    "if (true) { let x; x = 1 }",
                    "class C { m(x) { x = 1 } } new C().m(1)"
                })
        void aNameThatOnlyLooksAssignedIsNotPushed(String text) {
            Map<String, Object> locals = map("x", 1);
            BlockResult result = engine.capture(text, Frame.of(locals)).evaluate();
            locals.put("x", 7);

            result.push();

            assertThat(locals).containsEntry("x", 7);
        }

        @ParameterizedTest
        @ValueSource(strings = {"list.push(2)", "list[0] = 2", "row.a = 2", "delete row.a"})
        void changingAnObjectAssignsNoName(String text) {
            Frame frame = frame("list", new ArrayList<>(List.of(1)), "row", map("a", 1));

            assertThat(bindings(text, frame)).isEmpty();
        }

        @Test
        void theBindingOfAThrownAwayRunIsNotPushedByTheNext() {
            Map<String, Object> locals = map("first", true);
            Frame frame = Frame.of(locals);
            Block block = engine.capture("if (typeof done === 'undefined') mark = done = 1", frame);
            block.evaluate();

            block.run();

            assertThat(locals).isEqualTo(map("first", true));
        }

        @Test
        void anAssignmentOfTheSameValueIsToldOfEachRunAlone() {
            Block block =
                    engine.capture(
                            "if (on.value) (() => { x = 1 })()",
                            frame("x", 1, "on", map("value", true)));
            @SuppressWarnings("unchecked")
            Map<String, Object> on = (Map<String, Object>) block.snapshot().get("on");

            assertThat(block.evaluate().bindings()).containsKey("x");
            on.put("value", false);
            assertThat(block.evaluate().bindings()).isEmpty();
            on.put("value", true);
            assertThat(block.evaluate().bindings()).containsKey("x");
        }

        @Test
        void anAssignmentIsToldOfHoweverLateItIsReachedFirst() {
            Map<String, Object> on = map("value", false);
            Block block =
                    engine.capture("if (on.value) (() => { x = 1 })()", frame("x", 1, "on", on));
            block.evaluate();
            System.gc();
            on.put("value", true);

            assertThat(block.evaluate().bindings()).isEqualTo(map("x", 1));
        }

        @Test
        void aSiblingsFunctionAssignsItsOwnBlocksName() {
            Frame frame = frame("x", 1);
            value("set = () => { x = 1 }", frame);

            assertThat(bindings("set(); if (false) x = 2", frame)).isEmpty();
        }

        @Test
        void whatTheBlockAssignsIsWhatTheHostSees() {
            Map<String, Object> locals = map("token", "old");

            engine.capture("token = null; n = 0; ok = false; text = ''", Frame.of(locals)).run();

            assertThat(locals).isEqualTo(map("token", null, "n", 0, "ok", false, "text", ""));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "x = 1",
                    "x = x",
                    "var x = 1",
                    "let x = 1",
                    "x += 0",
                    "globalThis.x = 1",
                    "x ||= 1; x = 1",
                    "if (x) x = 1",
                    "if (x) { x = x }",
                    "for (let i = 0; i < 3; i++) { x = 1 }",
                    "for (x of [1]);",
                    "for (x in { 1: 0 }) x = 1",
                    "[x] = [1]",
                    "[, [x = 1]] = [0, []]",
                    "({ y: x } = { y: 1 })",
                    "true && (x = 1)",
                    "x ? x = 1 : 0",
                    "switch (x) { case 1: x = 1 }",
                    "try { x = 1 } catch {}",
                    "try { throw 0 } catch { x = 1 }",
                    "(() => { x = 1 })()",
                    "[0].forEach(() => { x = x })",
                    "function set() { x = 1 } set()",
                    "(function () { x++; x-- })()",
                    "(() => () => { x = 1 })()()",
                    "new (class { constructor() { x = 1 } })",
                    "(class { static { x = 1 } })",
                    "[...(function* () { x = 1 })()]",
                    "(async () => { await 0; x = 1 })()",
                    "var x; if (x) x = x",
                    "{ let y; { x = 1 } }"
                })
        void aNameThatGetsTheValueItHadIsAssignedAllTheSame(String text) {
            Map<String, Object> locals = map("x", 1);
            BlockResult result = engine.capture(text, Frame.of(locals)).evaluate();
            locals.put("x", 7);
            result.push();
            assertThat(locals).containsEntry("x", 1);
        }
    }

    @Nested
    class OwnShadowsShared {
        @Test
        void aSiblingSeesANameItHasNotItself() {
            Frame frame = frame();
            Block reader = engine.capture("x", frame);
            value("x = 2", frame);

            assertThat(reader.evaluate().value()).isEqualTo(2);
        }

        @Test
        void aSnapshotsNameHidesASiblingsNewerOne() {
            Frame frame = frame("x", 1);
            Block reader = engine.capture("x", frame);
            value("x = 2", frame);

            assertThat(reader.evaluate().value()).isEqualTo(1);
        }

        @Test
        void aSharedNameHidesAGlobal() {
            Frame frame = frameOverGlobals("x", 1);
            value("x = 2", frame);

            assertThat(value("x", frame)).isEqualTo(2);
        }

        @ParameterizedTest
        @ValueSource(strings = {"x = 2", "var x = 2", "let x = 2", "globalThis.x = 2"})
        void aBlocksOwnBindingHidesASiblings(String text) {
            Frame frame = frame();
            value("x = 1", frame);

            assertThat(value(text + "; x", frame)).isEqualTo(2);
        }

        @ParameterizedTest
        @ValueSource(strings = {"u = 1", "var u = 1", "let u = 1"})
        void aClosureKeepsItsOwnBlocksBindingWhileASiblingWithAnotherRuns(String binding) {
            Frame frame = frame();
            value(binding + "; readU = () => u", frame);

            assertThat(value("u = 2; [u, readU()].join()", frame)).isEqualTo("2,1");
        }

        @ParameterizedTest
        @ValueSource(strings = {"u = 1", "var u = 1", "let u = 1"})
        void aClosureWritesItsOwnBlocksBindingWhileASiblingWithAnotherRuns(String binding) {
            Frame frame = frame();
            value(binding + "; writeU = v => { u = v }; readU = () => u", frame);

            assertThat(value("let u = 5; writeU(7); [u, readU()].join()", frame)).isEqualTo("5,7");
        }

        @Test
        void aHostValueThatIsSharedIsSeen() {
            Frame frame = frame();
            SharedLocals.of(frame).put("x", List.of(1, 2));

            assertThat(value("x[1]", frame)).isEqualTo(2);
        }
    }

    @Nested
    class FramesNeverShare {
        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        secret = 1                                     :: typeof secret
                        globalThis.secret = 1                          :: typeof secret
                        var secret = 1                                 :: typeof globalThis.secret
                        (0, eval)('var secret = 1')                    :: typeof secret
                        (0, eval)('function secret() {}')              :: typeof secret
                        (0, eval)('let secret = 1')                    :: typeof secret
                        Object.defineProperty(globalThis, 'secret', { value: 1 }) :: typeof secret
                        globalThis[Symbol.for('secret')] = 1           :: typeof globalThis[Symbol.for('secret')]
                        Array.prototype.evil = 1                       :: typeof [].evil
                        Object.prototype.evil = 1                      :: typeof ({}).evil
                        Function.prototype.evil = 1                    :: typeof (() => 0).evil
                        String.prototype.evil = 1                      :: typeof ''.evil
                        Map = undefined                                :: typeof Map === 'function' ? 'undefined' : 'changed'
                        globalThis.Array = undefined                   :: typeof Array === 'function' ? 'undefined' : 'changed'
                        Math.PI2 = 1                                   :: typeof Math.PI2
                        JSON.parse = undefined                         :: typeof JSON.parse === 'function' ? 'undefined' : 'changed'
                        Object.setPrototypeOf(globalThis, null)        :: typeof globalThis.toString === 'function' ? 'undefined' : 'changed'
                        Object.freeze(globalThis)                      :: typeof (fresh = 1) === 'number' && fresh === 1 ? 'undefined' : 'changed'
                        """)
        void alsoNotThroughTheGlobalObjectOrItsBuiltins(String text, String reading) {
            Frame stranger = frame();
            Block reader = engine.capture(reading, stranger);

            try {
                value(text, frame());
            } catch (BlockException refused) {
                // What the language refuses leaks nothing either.
            }

            assertThat(reader.evaluate().value()).as("captured before").isEqualTo("undefined");
            assertThat(value(reading, frame())).as("captured after").isEqualTo("undefined");
        }

        @Test
        void evenIfBothStandOverOneMap() {
            Map<String, Object> locals = map();
            Frame one = Frame.of(locals);
            Frame other = Frame.of(locals);
            engine.capture("secret = 1", one).evaluate();

            assertThat(value("typeof secret", other)).isEqualTo("undefined");
            assertThat(value("secret", one)).isEqualTo(1);
        }

        @Test
        void evenIfTheyAreEqual() {
            FrameCode code = new FrameCode("rules.js", 1, "rules");
            Frame one = SerializedFrame.of(code);
            Frame other = SerializedFrame.of(code);
            engine.capture("secret = 1", one).evaluate();

            assertThat(value("typeof secret", other)).isEqualTo("undefined");
        }

        @Test
        void evenIfManyCameBefore() {
            for (int i = 0; i < 20; i++) {
                value("Array.prototype.evil = leaked = globalThis.g" + i + " = " + i, frame());
            }

            assertThat(value("[typeof [].evil, typeof leaked, typeof g3].join()", frame()))
                    .isEqualTo("undefined,undefined,undefined");
        }

        @Test
        void aBlocksResultIsTheSameWhateverRanBefore() {
            String text =
                    "let total = 0; for (const n of list) total += n; list.push(total); total";
            Supplier<Block> fresh =
                    () -> engine.capture(text, frame("list", new ArrayList<>(List.of(1, 2))));
            Object alone = fresh.get().run().value();
            Block other = fresh.get();
            other.run();
            other.run();

            assertThat(fresh.get().run().value()).isEqualTo(alone).isEqualTo(3);
        }
    }

    @Nested
    class FunctionsReachAllTiers {
        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        function         :: function f() { return own + shared + global }
                        expression       :: f = function () { return own + shared + global }
                        arrow            :: f = () => own + shared + global
                        nested           :: f = () => (() => (function () { return own + shared + global })())()
                        generator        :: f = () => [...(function* () { yield own; yield shared; yield global })()].reduce((a, b) => a + b)
                        method           :: f = () => ({ m() { return own + shared + global } }).m()
                        getter           :: f = () => ({ get g() { return own + shared + global } }).g
                        class method     :: class C { m() { return own + shared + global } } f = () => new C().m()
                        class field      :: class C { v = own + shared + global } f = () => new C().v
                        static field     :: f = () => (class { static v = own + shared + global }).v
                        private method   :: class C { #m() { return own + shared + global } m() { return this.#m() } } f = () => new C().m()
                        static block     :: f = () => { let v; class C { static { v = own + shared + global } } return v }
                        constructor      :: class C { constructor() { this.v = own + shared + global } } f = () => new C().v
                        default argument :: f = (a = own + shared + global) => a
                        template         :: f = () => +`${own + shared + global}`
                        callback         :: f = () => [0].map(() => own + shared + global)[0]
                        computed key     :: f = () => +Object.keys({ [own + shared + global]: 0 })[0]
                        direct eval      :: f = () => eval('own + shared + global')
                        indirect eval    :: f = () => (0, eval)('own + shared + global')
                        new Function     :: f = new Function('return own + shared + global')
                        bound            :: f = (function () { return own + shared + global }).bind(null)
                        proxy            :: f = new Proxy(() => 0, { apply: () => own + shared + global })
                        strict           :: f = function () { 'use strict'; return own + shared + global }
                        """)
        void inTheBlockAndAfterItAndFromASibling(String form, String text) {
            Frame frame = Frame.of(map("own", 1), Globals.of(Map.of("global", 100)));
            SharedLocals.of(frame).put("shared", 10);
            Block sibling = engine.capture("f()", frame);

            BlockResult result = engine.capture(text + "\nv = f(); f", frame).evaluate();

            assertThat(result.bindings()).as("in the block").containsEntry("v", 111);
            assertThat(((GuestFunction) result.value()).call()).as("after it").isEqualTo(111);
            assertThat(sibling.evaluate().value()).as("from a sibling").isEqualTo(111);
        }

        @ParameterizedTest
        @ValueSource(strings = {"let n = 0", "var n = 0", "n = 0", "globalThis.n = 0"})
        void aSiblingThatCallsAFunctionSeesItsCounterMoved(String declaration) {
            Frame frame = frame();
            value(declaration + "; inc = () => ++n", frame);

            assertThat(value("inc(); inc(); n", frame)).isEqualTo(2);
            assertThat(value("n", frame)).isEqualTo(2);
        }

        @Test
        void aCounterThatWasPushedIsOwnToTheBlocksCapturedAfterwards() {
            Map<String, Object> locals = map();
            Frame frame = Frame.of(locals);
            Block before = engine.capture("inc(); n", frame);
            engine.capture("let n = 1; inc = () => ++n; 0", frame).run();
            Block after = engine.capture("[inc(), n].join()", frame);

            assertThat(before.run().value()).as("without an own n").isEqualTo(2);
            assertThat(after.run().value()).as("with the n of its snapshot").isEqualTo("3,1");
            assertThat(locals).containsEntry("n", 1);
        }

        @Test
        void aCapturedVariableThatGotItsValueInAClosureIsSeen() {
            Frame frame = frame();

            assertThat(bindings("let y; inc = () => y = (y || 0) + 1; inc()", frame))
                    .containsEntry("y", 1);
            assertThat(value("inc(); y", frame)).isEqualTo(2);
        }

        @Test
        void aCounterThatTheHostMovesIsSeenBySiblings() {
            Frame frame = frame();
            GuestFunction inc =
                    (GuestFunction) value("let n = 0; inc = () => { n++; return n }", frame);
            inc.call();
            inc.call();

            assertThat(value("n", frame)).isEqualTo(2);
        }

        @Test
        void aFunctionMovesTheSnapshotsCopyOfItsOwnRun() {
            Block block = engine.capture("() => ++n", frame("n", 10));
            GuestFunction one = (GuestFunction) block.evaluate().value();
            GuestFunction other = (GuestFunction) block.evaluate().value();

            assertThat(one.call()).isEqualTo(11);
            assertThat(one.call()).isEqualTo(12);
            assertThat(other.call()).isEqualTo(11);
        }

        @Test
        void aFunctionPassedOnTwiceStillKnowsItsVariables() {
            Frame frame = frame();
            value("let tax = 7; var rate = () => tax", frame);
            value("again = rate", frame);

            assertThat(value("again()", frame)).isEqualTo(7);
        }

        @Test
        void theDefinersSnapshotCountsAndNotTheCallers() {
            Map<String, Object> locals = map("k", 2);
            Frame frame = Frame.of(locals);
            value("function twice(x) { return x * k }", frame);
            locals.put("k", 100);

            assertThat(value("twice(21)", frame)).isEqualTo(42);
        }

        @Test
        void arrowsRecursionAndLoopsWorkAsInAScript() {
            String text =
                    """
                    const k = 3;
                    const times = v => v * k;
                    function both(v) { return times(v) + k }
                    function factorial(n) { return n < 2 ? 1 : n * factorial(n - 1) }
                    [both(2), [0, 1, 2].map(times).join('/'), factorial(5)].join()
                    """;

            assertThat(value(text, frame())).isEqualTo("9,0/3/6,120");
        }

        @Test
        void eachTurnOfALoopHasItsOwnVariable() {
            Map<String, Object> locals = map("i", 9);

            Object value =
                    engine.capture(
                                    "const f = []; for (let i = 0; i < 3; i++) f.push(() => i); f.map(g => g()).join()",
                                    Frame.of(locals))
                            .run()
                            .value();

            assertThat(value).isEqualTo("0,1,2");
            assertThat(locals).containsEntry("i", 9);
        }

        @Test
        void aGeneratorGoesOnAfterItsBlockEnded() {
            Frame frame = frame("step", 5);
            value(
                    "it = (function* () { for (let i = 0; ; i += step) yield i })(); it.next()",
                    frame);

            assertThat(value("it.next().value + it.next().value", frame)).isEqualTo(15);
        }
    }

    @Nested
    class UnknownNamesAndStrictMode {
        @Test
        void typeofAnUnknownNameIsUndefined() {
            assertThat(value("typeof nowhere", frame())).isEqualTo("undefined");
        }

        @Test
        void aLookupOfGlobalsNeverHasToThrow() {
            Globals rate =
                    name -> name.equals("rate") ? Optional.of(new Binding(7)) : Optional.empty();
            Frame frame = Frame.of(map(), rate);

            assertThat(value("[typeof nowhere, rate].join()", frame)).isEqualTo("undefined,7");
            assertThat(failure("rate;\nnowhere + 1", frame))
                    .hasMessage("ReferenceError: nowhere is not defined")
                    .extracting(e -> e.traceback().innermost().line())
                    .isEqualTo(2);
        }

        @Test
        void whatALookupOfGlobalsThrowsIsTheErrorOfTheBlock() {
            IllegalStateException down = new IllegalStateException("registry is down");
            Globals broken =
                    name -> {
                        if (name.equals("rate")) {
                            throw down;
                        }
                        return Optional.empty();
                    };

            BlockException e = failure("1;\n  rate", Frame.of(map(), broken));

            assertThat(e).hasMessageContaining("registry is down");
            assertThat(e.getCause()).isSameAs(down);
            assertThat(e.traceback().innermost().line()).isEqualTo(2);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "'use strict';\ntypo = price * 2",
                    "'use strict';\n(() => { typo = 1 })()",
                    "function f() { 'use strict';\n typo = 1 }; f()",
                    "class C { m() {\n typo = 1 } } new C().m()",
                    "'use strict';\ntypo++",
                    "'use strict';\n[typo] = [1]"
                })
        void aStrictWriteToAnUnknownNameIsAReferenceError(String text) {
            Map<String, Object> locals = map("price", 3);

            BlockException e = failure(text, Frame.of(locals));

            assertThat(e).hasMessage("ReferenceError: typo is not defined");
            assertThat(e.traceback().innermost().line()).isEqualTo(2);
            assertThat(locals).isEqualTo(map("price", 3));
        }

        @ParameterizedTest
        @ValueSource(strings = {"own", "shared", "global"})
        void aStrictWriteToAKnownNameWorks(String name) {
            Frame frame = Frame.of(map("own", 1), Globals.of(Map.of("global", 1)));
            SharedLocals.of(frame).put("shared", 1);

            assertThat(bindings("'use strict'; %s = 2".formatted(name), frame))
                    .isEqualTo(map(name, 2));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "'use strict'; with ({}) {}",
                    "'use strict'; 010",
                    "'use strict'; delete x",
                    "'use strict'; eval = 1",
                    "'use strict'; (a, a) => 0",
                    "'use strict'; let static = 1",
                    "return 1",
                    "new.target",
                    "super.x",
                    "break",
                    "let x; let x",
                    "let y; var y",
                    "const z"
                })
        void whatTheLanguageRefusesIsRefusedAtTheCapture(String text) {
            Frame frame = frame("x", 1);

            assertThatExceptionOfType(BlockException.class)
                    .isThrownBy(() -> engine.capture(text, frame))
                    .matches(e -> e.kind() == BlockException.Kind.SYNTAX);
        }

        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        this in a sloppy function   :: (function () { return this === globalThis })()                :: true
                        this in a strict function   :: (function () { 'use strict'; return this === undefined })()    :: true
                        this in a strict text       :: 'use strict'; (function () { return this === undefined })()   :: true
                        this at the top             :: this === globalThis                                            :: true
                        arguments in a function     :: (function () { return arguments.length })(1, 2)                :: 2
                        hoisting                    :: typeof h + typeof v; var v; function h() {}                    :: functionundefined
                        """)
        void theTopLevelReadsAsThatOfAScript(String what, String text, String expected) {
            assertThat(value(text, frame())).hasToString(expected);
        }

        @Test
        void aNameInItsDeadZoneIsAReferenceError() {
            assertThat(failure("x;\nlet x = 1", frame("x", 5)))
                    .hasMessageContaining("ReferenceError")
                    .hasMessageContaining("x");
        }

        @Test
        void aGlobalThatDisappearsMidwayIsNotReadAsNull() {
            List<String> asked = new ArrayList<>();
            Globals once =
                    name -> {
                        if (!name.equals("rate") || asked.contains(name)) {
                            return Optional.empty();
                        }
                        asked.add(name);
                        return Optional.of(new Binding(7));
                    };
            Frame frame = Frame.of(map(), once);

            try {
                assertThat(value("rate", frame)).isEqualTo(7);
            } catch (BlockException e) {
                assertThat(e).hasMessage("ReferenceError: rate is not defined");
            }
        }
    }

    @Nested
    class BoundNamesWinOverBuiltins {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Map",
                    "Set",
                    "Array",
                    "Object",
                    "String",
                    "Symbol",
                    "Math",
                    "JSON",
                    "Date",
                    "Error",
                    "Promise",
                    "Proxy",
                    "Reflect",
                    "name",
                    "print",
                    "load",
                    "console",
                    "isNaN",
                    "parseInt",
                    "escape",
                    "Function",
                    "Graal",
                    "toString",
                    "constructor",
                    "valueOf",
                    "hasOwnProperty"
                })
        void inEveryTier(String name) {
            Frame own = frame(name, 7);
            Frame shared = frame();
            SharedLocals.of(shared).put(name, 7);
            Frame global = frameOverGlobals(name, 7);

            assertThat(value(name, own)).as("own").isEqualTo(7);
            assertThat(value(name, shared)).as("shared").isEqualTo(7);
            assertThat(value(name, global)).as("global").isEqualTo(7);
            assertThat(value("(() => " + name + ")()", own)).as("in a function").isEqualTo(7);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Map = 3",
                    "var Map = 3",
                    "let Map = 3",
                    "function Map() {}",
                    "class Map {}"
                })
        void aBuiltinThatABlockReplacesIsItsOwnAffair(String text) {
            Frame frame = frame();
            Map<String, Object> bound = bindings(text, frame);

            assertThat(bound).containsKey("Map");
            assertThat(value("typeof new Map().set", frame())).isEqualTo("function");
        }

        @Test
        void aSiblingSeesTheReplacedBuiltinAsAnyOtherName() {
            Frame frame = frame();
            value("Map = 3", frame);

            assertThat(value("Map", frame)).isEqualTo(3);
            assertThat(value("(() => Map)()", frame)).isEqualTo(3);
        }

        @Test
        void aBuiltinCanBeReadBeforeItIsReplaced() {
            assertThat(value("const before = typeof Map; Map = 3; [before, Map].join()", frame()))
                    .isEqualTo("function,3");
        }

        @Test
        void aBuiltinThatIsOnlyReadIsNotPushed() {
            assertThat(bindings("new Map(); Math.max(1, 2); typeof isNaN", frame())).isEmpty();
        }

        @Test
        void aBuiltinAssignedInOneBranchOnlyIsNotPushedFromTheOther() {
            assertThat(bindings("if (false) Map = 3; new Map().size", frame())).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Map",
                    "Array",
                    "name",
                    "print",
                    "load",
                    "Math",
                    "JSON",
                    "isNaN",
                    "Object",
                    "toString"
                })
        void throughTheGlobalObjectToo(String name) {
            Frame own = frame(name, 7);
            Frame shared = frame();
            SharedLocals.of(shared).put(name, 7);
            Frame global = frameOverGlobals(name, 7);

            String text =
                    "[globalThis.N, globalThis['N'], this.N, (0, eval)('N'), eval('N'), new Function('return N')()].join()"
                            .replace("N", name);
            assertThat(value(text, own)).as("own").isEqualTo("7,7,7,7,7,7");
            assertThat(value(text, shared)).as("shared").isEqualTo("7,7,7,7,7,7");
            assertThat(value(text, global)).as("global").isEqualTo("7,7,7,7,7,7");
        }

        @Test
        void aBuiltinReplacedThroughTheGlobalObjectIsBoundToo() {
            Frame frame = frame();
            assertThat(value("globalThis.Map = 3; Map", frame)).isEqualTo(3);
            assertThat(bindings("globalThis.Set = 3", frame)).isEqualTo(map("Set", 3));
            assertThat(value("Set", frame)).isEqualTo(3);
        }
    }

    @Nested
    class ABlockRunsAnyNumberOfTimes {
        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        const k = 1; let n = x + k; n               :: 2
                        var v = x; v++; v                            :: 2
                        function f() { return x + 1 } f()            :: 2
                        class C { v = x + 1 } new C().v              :: 2
                        x++; x                                       :: 2
                        y = (typeof z === 'undefined' ? x : 9) + 1   :: 2
                        let { a = x } = {}; a += 1; a                :: 2
                        eval('var e = x + 1'); e                     :: 2
                        """)
        void eachTimeFromItsSnapshot(String text, int expected) {
            Block block = engine.capture(text, frame("x", 1));

            for (int run = 0; run < 3; run++) {
                assertThat(block.run().value()).as("run %d", run).isEqualTo(expected);
            }
        }

        @Test
        void aHundredTimes() {
            String text = "let n = x; for (let i = 0; i < 10; i++) n++; n";
            Block block = engine.capture(text, frame("x", 1));

            for (int run = 0; run < 100; run++) {
                assertThat(block.evaluate().value()).isEqualTo(11);
            }
        }

        @Test
        void namesItPushedMayBeDeclaredByTheNextCapture() {
            Map<String, Object> locals = map();
            Frame frame = Frame.of(locals);
            String text = "const k = 1; let n = k + 1; class C {}; function f() {} ; var v = n; v";

            assertThat(engine.capture(text, frame).run().value()).isEqualTo(2);
            assertThat(engine.capture(text, frame).run().value()).isEqualTo(2);
            assertThat(locals).containsKeys("k", "n", "C", "f", "v");
        }

        /** The snapshot's x is 1. */
        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        let x = 2; x                                            :: 2
                        const x = 2; x                                          :: 2
                        class x {} typeof x                                     :: function
                        function x() {} typeof x                                :: function
                        var x = 2; x                                            :: 2
                        let { x } = { x: 2 }; x                                 :: 2
                        let { y: x } = { y: 2 }; x                              :: 2
                        let { x = 2 } = {}; x                                   :: 2
                        const [x] = [2]; x                                      :: 2
                        const [, ...x] = [1, 2]; x[0]                           :: 2
                        var { x } = { x: 2 }; x                                 :: 2
                        let x; typeof x                                         :: undefined
                        { let x = 2 } x                                         :: 1
                        { class x {} } x                                        :: 1
                        { let { x } = { x: 2 } } x                              :: 1
                        for (let x of [2]); x                                   :: 1
                        for (const { x } of [{ x: 2 }]); x                      :: 1
                        try { throw 2 } catch (x) {} x                          :: 1
                        try { throw { x: 2 } } catch ({ x }) {} x               :: 1
                        switch (1) { case 1: let x = 2 } x                      :: 1
                        ((x) => x)(2) + x                                       :: 3
                        ((x = 2) => x)() + x                                    :: 3
                        (({ x }) => x)({ x: 2 }) + x                            :: 3
                        (function x() { return typeof x })() + x                :: function1
                        (() => { let x = 2; return x })() + x                   :: 3
                        ({ x: 2 }).x + x                                        :: 3
                        x: for (;;) break x; x                                  :: 1
                        eval('let x = 2'); x                                    :: 1
                        'use strict'; eval('var x = 2'); x                      :: 1
                        """)
        void aTextMayDeclareANameOfItsSnapshot(String text, String expected) {
            Block block = engine.capture(text, frame("x", 1));

            assertThat(block.evaluate().value()).hasToString(expected);
            assertThat(block.evaluate().value()).hasToString(expected);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "(x)",
                    "((x))",
                    "\\u0078",
                    "\\u{78}",
                    "`${x}` - 0",
                    "({ x }).x",
                    "[...[x]][0]",
                    "x /* x */",
                    "eval('x')",
                    "eval('ev' + 'al(\\'x\\')')",
                    "y = 0; eval('x + y')",
                    "(x)++; x - 1",
                    "x++",
                    "(x) += 1; x - 1",
                    "[x, y] = [x, 2]; x",
                    "({ y: x = 5 } = { y: x }); x",
                    "((a = x) => a)()",
                    "new (class { v = x })().v",
                    "(function () { return x }).call()",
                    "function never() { x = 5 } x"
                })
        void aSnapshotsNameIsFoundHoweverItIsWritten(String text) {
            assertThat(value(text, frame("x", 1))).isEqualTo(1);
        }

        @Test
        void tenNamesMayBeRedeclaredAtOnce() {
            List<String> forms = List.of("let n%d = 1", "const n%d = 1", "class n%d {}");
            Map<String, Object> locals = map();
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 10; i++) {
                locals.put("n" + i, 100 + i);
                text.append(forms.get(i % 3).formatted(i)).append(";\n");
            }

            engine.capture(text.toString(), Frame.of(locals)).run();

            for (int i = 0; i < 10; i++) {
                Object now = locals.get("n" + i);
                assertThat(i % 3 == 2 ? now instanceof GuestFunction : now.equals(1))
                        .as("n%d is %s", i, now)
                        .isTrue();
            }
        }
    }

    @Nested
    class DeletedNames {
        @Test
        void deletingSaysTrue() {
            assertThat(value("u = 5; delete u", frame())).isEqualTo(true);
            assertThat(value("delete neverThere", frame())).isEqualTo(true);
        }

        @Test
        void aDeletedNameCanBeBoundAgain() {
            Frame frame = frame();

            assertThat(bindings("u = 5; delete u; u = 7", frame)).isEqualTo(map("u", 7));
            assertThat(value("u", frame)).isEqualTo(7);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "var u = 5",
                    "let u = 5",
                    "const u = 5",
                    "function u() {}",
                    "class u {}"
                })
        void aDeclaredNameStays(String declaration) {
            Frame frame = frame();

            BlockResult result =
                    engine.capture(declaration + "; [delete u, typeof u].join()", frame).evaluate();

            assertThat((String) result.value()).startsWith("false,").doesNotContain("undefined");
            assertThat(result.bindings()).containsKey("u");
        }

        @Test
        void theGlobalsOfTheHostAreNotTouched() {
            Map<String, Object> globals = map("g", 1);
            Frame frame = Frame.of(map(), Globals.of(globals));

            value("delete g; g = 2; delete g", frame);

            assertThat(globals).isEqualTo(map("g", 1));
        }

        @Test
        void deletingAPropertyDeletesNoName() {
            assertThat(value("u = 5; const o = { u: 1 }; delete o.u; u", frame())).isEqualTo(5);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "u = 5; delete u",
                    "u = 5; delete globalThis.u",
                    "u = 5; delete globalThis['u']",
                    "u = 5; delete this.u",
                    "u = 5; Reflect.deleteProperty(globalThis, 'u')",
                    "u = 5; eval('delete u')",
                    "eval('u = 5; delete u')",
                    "u = 5; eval('0'); delete u",
                    "u = 5; new Function('delete u')()",
                    "globalThis.u = 5; delete u",
                    "u = 5; (() => delete u)()",
                    "u = 5; (0, eval)('delete u')",
                    "u = 5; u = 6; delete u",
                    "'use strict'; globalThis.u = 5; delete globalThis.u"
                })
        void aNameMadeByAssignmentIsGone(String text) {
            Frame frame = frame();
            Block sibling = engine.capture("typeof u", frame);

            BlockResult result =
                    engine.capture(text + "; [typeof u, 'u' in globalThis].join()", frame)
                            .evaluate();

            assertThat(result.value()).isEqualTo("undefined,false");
            assertThat(result.bindings()).isEmpty();
            assertThat(sibling.evaluate().value()).isEqualTo("undefined");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "delete u",
                    "delete globalThis.u",
                    "delete this['u']",
                    "Reflect.deleteProperty(globalThis, 'u')",
                    "eval('delete u')"
                })
        void whatWasNotMadeByAssignmentStays(String deletion) {
            String text = "[" + deletion + ", typeof u].join()";

            assertThat(value(text, frame("u", 1))).isEqualTo("false,number");
            assertThat(value(text, frameOverGlobals("u", 1))).isEqualTo("false,number");
            assertThat(value("var u = 1; " + text, frame())).isEqualTo("false,number");
            assertThat(value(text.replaceAll("\\bu\\b", "Map"), frame()))
                    .isEqualTo("false,function");
        }

        @Test
        void aDeletedNameDoesNotComeBackFromShared() {
            Frame frame = frame();
            value("u = 5", frame);

            assertThat(value("u = 6; delete u; typeof u", frame)).isEqualTo("undefined");
        }

        @Test
        void aSiblingsNameCanBeDeleted() {
            Frame frame = frame();
            value("u = 5", frame);

            assertThat(value("delete u; typeof u", frame)).isEqualTo("undefined");
            assertThat(value("typeof u", frame)).isEqualTo("undefined");
        }

        @Test
        void aDeletedNameIsAReferenceError() {
            assertThat(failure("u = 5;\ndelete u;\nu", frame()))
                    .hasMessage("ReferenceError: u is not defined")
                    .extracting(e -> e.traceback().innermost().line())
                    .isEqualTo(3);
        }
    }

    @Nested
    class NamesThatAreNoVariables {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "my-name",
                    "2x",
                    "",
                    " ",
                    "a.b",
                    "a b",
                    "class",
                    "enum",
                    "await",
                    "yield",
                    "let",
                    "static",
                    "this",
                    "new",
                    "null",
                    "true",
                    "typeof",
                    "package",
                    "async",
                    "of",
                    "get",
                    "\"quoted\"",
                    "a\nb",
                    "{",
                    "x=1",
                    "\u2028",
                    "\uD83D\uDE00",
                    "__proto__",
                    "constructor",
                    "toString",
                    "0",
                    "-1"
                })
        void doNotBreakTheBlockAndAreReachable(String name) {
            Frame frame = frame(name, 7, "key", name);

            assertThat(value("1 + 1", frame)).isEqualTo(2);
            assertThat(value("'use strict'; let a = 1; a + 1", frame)).isEqualTo(2);
            assertThat(value("globalThis[key]", frame)).as("read").isEqualTo(7);
            assertThat(value("key in globalThis", frame)).as("in").isEqualTo(true);
        }

        @ParameterizedTest
        @ValueSource(strings = {"my-name", "2x", "class", "a b", "let", "0"})
        void canBeWritten(String name) {
            Map<String, Object> locals = map(name, 7, "key", name);

            engine.capture("globalThis[key] += 1", Frame.of(locals)).run();

            assertThat(locals).containsEntry(name, 8);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "ключ", "名前", "übung", "$", "_", "$1", "a\u0301", "x\u200d", "𝒳", "ℵ", "ªb"
                })
        void doNotIncludeThoseOfOtherScripts(String name) {
            assertThat(value(name + " + 1", frame(name, 6))).isEqualTo(7);
        }

        /** The word {@code await} does: at the top level of a block it waits. */
        @ParameterizedTest
        @ValueSource(
                strings = {"async", "of", "get", "set", "from", "as", "let", "static", "yield"})
        void doNotIncludeContextualWords(String name) {
            assertThat(value(name + " + 1", frame(name, 6))).isEqualTo(7);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"})
        void doNotIncludeNamesOfTheObjectPrototype(String name) {
            Map<String, Object> locals = map(name, 6);

            Object value =
                    engine.capture(name + " = " + name + " + 1", Frame.of(locals)).run().value();

            assertThat(value).isEqualTo(7);
            assertThat(locals).isEqualTo(map(name, 7));
        }

        @Test
        void tenThousandNamesInAFrameAreFine() {
            Map<String, Object> locals = new LinkedHashMap<>();
            for (int i = 0; i < 10_000; i++) {
                locals.put("n" + i, i);
            }

            assertThat(value("n0 + n9999", Frame.of(locals))).isEqualTo(9_999);
            assertThat(value("eval('n1 + n2')", Frame.of(map("n1", 1, "n2", 2)))).isEqualTo(3);
        }
    }

    @Nested
    class AFailedBlockPushesNothing {
        @Test
        void ofWhatItHadBound() {
            Map<String, Object> locals = map("out", 1);
            locals.put(
                    "stop",
                    (Runnable)
                            () -> {
                                throw new IllegalStateException("halt");
                            });

            BlockException e = failure("out = 2;\nstop();\nout = 3", Frame.of(locals));

            assertThat(locals).containsEntry("out", 1);
            assertThat(e.traceback().innermost().line()).isEqualTo(2);
            assertThat(e).hasCauseInstanceOf(IllegalStateException.class);
        }

        @Test
        void andSaysWhatItHadBound() {
            BlockException e =
                    failure(
                            "a = 1; let b = 'text'; var c = null; d = [1]; throw 0; e = 5",
                            frame());

            assertThat(e.bindings())
                    .extracting(BoundName::name, BoundName::type, BoundName::rendering)
                    .containsExactlyInAnyOrder(
                            tuple("a", "Integer", "1"),
                            tuple("b", "String", "text"),
                            tuple("c", "null", "null"),
                            tuple("d", "ArrayList", "[1]"));
        }

        @Test
        void alsoIfItHasNoStackLeft() {
            Map<String, Object> locals = map();

            BlockException e =
                    failure(
                            "a = 1; let b = 2; function deep() { return deep() + 1 } deep()",
                            Frame.of(locals));

            assertThat(e.kind()).isEqualTo(BlockException.Kind.LIMIT);
            assertThat(e.bindings()).extracting(BoundName::name).contains("a", "b", "deep");
            assertThat(locals).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "bad = { get deep() { throw new Error('getter') } }",
                    "bad = new Proxy({}, { ownKeys() { throw new Error('keys') } })",
                    "bad = [Proxy.revocable({}, {})]; bad[0].revoke()"
                })
        void andOneBadValueLosesNoOther(String text) {
            Map<String, Object> locals = map();

            BlockException e =
                    failure("first = 1; " + text + "; let last = 2; 0", Frame.of(locals));

            assertThat(e).hasMessageContaining("\"bad");
            assertThat(e.bindings())
                    .extracting(BoundName::name, BoundName::rendering)
                    .contains(tuple("first", "1"), tuple("last", "2"));
            assertThat(locals).isEmpty();
        }

        @Test
        void andNamesInTheirDeadZoneAreNotAmongThem() {
            BlockException e = failure("let a = 1; nope(); let b = 2", frame());

            assertThat(e.bindings()).extracting(BoundName::name).containsExactly("a");
        }

        @Test
        void andALongValueIsShortened() {
            BlockException e = failure("a = 'x'.repeat(10000); throw 0", frame());

            assertThat(e.bindings().getFirst().rendering()).hasSizeLessThan(100);
        }

        @Test
        void andAnUnchangedSnapshotIsNotAmongThem() {
            BlockException e = failure("x; y = x + 1; throw 0", frame("x", 1));

            assertThat(e.bindings()).extracting(BoundName::name).containsExactly("y");
        }

        @Test
        void andABindingThatIsTooLargeToBeShownDoesNotHideTheError() {
            Object huge =
                    new Object() {
                        @Override
                        public String toString() {
                            throw new OutOfMemoryError("Java heap space");
                        }
                    };

            BlockException e = failure("let big = huge; nope()", frame("huge", huge));

            assertThat(e).hasMessage("ReferenceError: nope is not defined");
            assertThat(e.bindings()).extracting(BoundName::name).containsExactly("big");
        }

        @Test
        void andABindingThatCannotBeShownDoesNotHideTheError() {
            BlockException e =
                    failure(
                            "a = { get b() { throw new Error('getter') } };\nthrow new Error('real')",
                            frame());

            assertThat(e).hasMessage("Error: real");
            assertThat(e.bindings()).extracting(BoundName::name).containsExactly("a");
        }
    }

    @Nested
    class TheScopeIsTheGlobalObject {
        private static final String READINGS =
                """
                (() => {
                  const all = [];
                  all.push(NAME);
                  all.push(globalThis.NAME);
                  all.push(globalThis['NAME']);
                  all.push(top.NAME);
                  all.push((0, eval)('NAME'));
                  all.push(eval('NAME'));
                  all.push(new Function('return NAME')());
                  all.push((function () { return this.NAME }).call(undefined));
                  all.push(Reflect.get(globalThis, 'NAME'));
                  all.push('NAME' in globalThis ? NAME : 'not in');
                  all.push(Reflect.has(globalThis, 'NAME') ? NAME : 'not has');
                  return all.join();
                })()
                """;

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "snapshot",
                    "shared",
                    "global",
                    "assigned",
                    "viaThis",
                    "variable",
                    "lexical",
                    "constant",
                    "changed"
                })
        void allWaysToReadANameAgree(String name) {
            Frame frame =
                    Frame.of(map("snapshot", 5, "changed", 1), Globals.of(Map.of("global", 5)));
            SharedLocals.of(frame).put("shared", 5);
            String setting =
                    """
                    const top = this;
                    assigned = 5; this.viaThis = 5; var variable = 5; let lexical = 5; const constant = 5;
                    changed = 5;
                    """;

            assertThat(value(setting + READINGS.replace("NAME", name), frame))
                    .isEqualTo("5,5,5,5,5,5,5,5,5,5,5");
        }

        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        x = 2                                :: var x = 1
                        globalThis.x = 2                     :: var x = 1
                        this.x = 2                           :: var x = 1
                        (0, eval)('x = 2')                   :: var x = 1
                        eval('x = 2')                        :: var x = 1
                        new Function('x = 2')()              :: var x = 1
                        Reflect.set(globalThis, 'x', 2)      :: var x = 1
                        globalThis.x = 2                     :: let x = 1
                        (0, eval)('x = 2')                   :: let x = 1
                        new Function('x = 2')()              :: let x = 1
                        globalThis.x = 2                     :: x = 1
                        (0, eval)('x = 2')                   :: x = 1
                        globalThis.x = 2                     :: 0
                        this.x = 2                           :: 0
                        (0, eval)('x = 2')                   :: 0
                        eval('x = 2')                        :: 0
                        new Function('x = 2')()              :: 0
                        Object.assign(globalThis, { x: 2 })  :: 0
                        globalThis.x = 2                     :: function x() {}
                        (0, eval)('var x = 2')               :: var x = 1
                        (0, eval)('var x = 2')               :: let x = 1
                        (0, eval)('var x = 2')               :: x = 1
                        (0, eval)('var x = 2')               :: 0
                        (0, eval)('var x; x = 2')            :: 0
                        Object.defineProperty(globalThis, 'x', { value: 2 })     :: var x = 1
                        Object.defineProperty(globalThis, 'x', { value: 2 })     :: let x = 1
                        Object.defineProperty(globalThis, 'x', { value: 2 })     :: 0
                        Object.defineProperties(globalThis, { x: { value: 2 } }) :: 0
                        Reflect.defineProperty(globalThis, 'x', { value: 2 })    :: x = 1
                        """)
        void allWaysToWriteANameAgree(String writing, String declaration) {
            String text = declaration + "; " + writing + "; [x, globalThis.x, this.x].join()";
            Frame shared = frame();
            SharedLocals.of(shared).put("x", 1);

            for (Frame frame : List.of(frame("x", 1), shared, frameOverGlobals("x", 1))) {
                BlockResult result = engine.capture(text, frame).evaluate();
                assertThat(result.value()).isEqualTo("2,2,2");
                assertThat(result.bindings()).isEqualTo(map("x", 2));
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "x = 2",
                    "globalThis.x = 2",
                    "this.x = 2",
                    "(0, eval)('x = 2')",
                    "Object.defineProperty(globalThis, 'x', { value: 2 })"
                })
        void aConstantIsOneInAllOfThem(String writing) {
            BlockException failure = failure("const x = 1;\n" + writing, frame());

            assertThat(failure).hasMessage("TypeError: Assignment to constant \"x\"");
            assertThat(failure.traceback().entries()).extracting(Traceback.Entry::line).endsWith(2);
            assertThat(value("const x = 1; try { " + writing + " } catch (e) { e.name }", frame()))
                    .isEqualTo("TypeError");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Object.defineProperty(globalThis, 'x', { get: () => 2 })",
                    "Object.defineProperty(globalThis, 'x', { set(v) {} , configurable: true })",
                    "Object.defineProperties(globalThis, { x: { get: () => 2 } })",
                    "if (!Reflect.defineProperty(globalThis, 'x', { get: () => 2 })) throw new TypeError('Cannot redefine property: x')",
                    "globalThis.__defineGetter__('x', () => 2)",
                    "globalThis.__defineSetter__('x', v => {})"
                })
        void aVariableCanBecomeNoAccessor(String definition) {
            for (String declaration : List.of("var x = 1", "let x = 1", "const x = 1", "0")) {
                Frame frame = declaration.equals("0") ? frame("x", 1) : frame();
                String text =
                        declaration
                                + "; try { DO } catch (e) { e.message + x }"
                                        .replace("DO", definition);

                assertThat(value(text, frame)).isEqualTo("Cannot redefine property: x1");
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Object.defineProperty(globalThis, 'x', { get: () => n, set: v => { n = v * 2 }, configurable: true })",
                    "globalThis.__defineGetter__('x', () => n); globalThis.__defineSetter__('x', v => { n = v * 2 })"
                })
        void aNewNameCanBeAnAccessorUntilTheRunIsOver(String definition) {
            Frame frame = frame();
            BlockResult result =
                    engine.capture(
                                    "let n = 1; "
                                            + definition
                                            + "; const before = x; x = 4; [before, x, globalThis.x].join()",
                                    frame)
                            .evaluate();

            assertThat(result.value()).isEqualTo("1,8,8");
            assertThat(result.bindings()).containsEntry("x", 8);
            assertThat(value("x", frame)).isEqualTo(8);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "(0, eval)('var nv')",
                    "(0, eval)('var nv'); (0, eval)('0')",
                    "(0, eval)('if (false) { var nv = 1 }')",
                    "eval('var nv')"
                })
        void aNameThatEvalDeclaresWithoutAValueIsNotBound(String text) {
            Map<String, Object> locals = map();
            Frame frame = Frame.of(locals);

            assertThat(
                            engine.capture(
                                            text + "; 'nv' in globalThis || eval('typeof nv')",
                                            frame)
                                    .run()
                                    .value())
                    .isIn(true, "undefined");
            assertThat(locals).isEmpty();
            assertThat(value("typeof nv", frame)).isEqualTo("undefined");
            assertThat(bindings(text + "; nv = 5", frame())).isEqualTo(map("nv", 5));
        }

        @Test
        void aNameThatIsNoVariableIsFollowedToo() {
            Map<String, Object> globals = map();
            Frame frame = Frame.of(map(), Globals.of(globals));
            SharedLocals shared = SharedLocals.of(frame);
            shared.put("share", (Runnable) () -> shared.put("ofSibling", 2));
            shared.put("publish", (Runnable) () -> globals.put("ofHost", 3));
            String text =
                    """
                    const look = () => [globalThis['of' + 'Sibling'], globalThis['of' + 'Host']].join();
                    const before = look(); share(); publish(); [before, look()].join(' then ')
                    """;

            assertThat(value(text, frame)).isEqualTo(", then 2,3");
        }

        @Test
        void codeMadeOfStringsSeesTheFrame() {
            assertThat(value("new Function('return typeof base')()", frame("base", 10)))
                    .isEqualTo("number");
        }

        @Test
        void theGlobalObjectItselfHasOnlyWhatCannotStandElsewhere() {
            Frame frame = Frame.of(map("own", 1), Globals.of(Map.of("global", 1)));
            SharedLocals.of(frame).put("shared", 1);
            String text =
                    """
                    assigned = own + shared + global; globalThis.other = 1; var declared = typeof absent;
                    const listed = Object.keys(globalThis);
                    for (const key in globalThis) listed.push(key);
                    [listed.join(), Reflect.ownKeys(globalThis).join()].join('/')
                    """;

            assertThat(value(text, frame)).isEqualTo("/NaN,Infinity,undefined,eval,globalThis");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "const o = Object.create(globalThis); o.x = 2",
                    "const o = Object.create(globalThis); o['x'] = 2",
                    "const o = { __proto__: globalThis }; o.x = 1; o.x++",
                    "const o = Object.create(globalThis); Object.assign(o, { x: 2 })",
                    "const o = Object.create(globalThis); with (o) { x = 2 }",
                    "const o = {}; Reflect.set(globalThis, 'x', 2, o)",
                    "const o = Object.create(new Proxy(globalThis, {})); o.x = 2",
                    "function F() {} F.prototype = globalThis; const o = new F(); o.x = 2",
                    "class C { x = 2 } Object.setPrototypeOf(C.prototype, globalThis); const o = new C()"
                })
        void anObjectThatInheritsFromItHasPropertiesOfItsOwn(String text) {
            String reading = "; [Object.keys(o), o.x, x].join()";
            Frame shared = frame();
            SharedLocals.of(shared).put("x", 1);

            for (Frame frame : List.of(frame("x", 1), shared, frameOverGlobals("x", 1))) {
                BlockResult result = engine.capture(text + reading, frame).evaluate();
                assertThat(result.value()).isEqualTo("x,2,1");
                assertThat(result.bindings()).doesNotContainKey("x");
            }
        }

        @Test
        void aProxyOfItIsTheScopeToo() {
            Frame frame = frame("x", 1);
            String text =
                    "const p = new Proxy(globalThis, {}); p.x = 2; p.fresh = 3; [x, p.x, fresh].join()";

            assertThat(value(text, frame)).isEqualTo("2,2,3");
            assertThat(value("fresh", frame)).isEqualTo(3);
            assertThat(failure("const k = 1;\nnew Proxy(globalThis, {}).k = 2", frame()))
                    .hasMessage("TypeError: Assignment to constant \"k\"");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "NAME = 5",
                    "globalThis.NAME = 5",
                    "'use strict'; globalThis['NAME'] = 5",
                    "(() => { globalThis.NAME = 5 })()",
                    "Object.defineProperty(globalThis, 'NAME', { value: 5 })",
                    "Object.defineProperty(globalThis, 'NAME', { get: () => 5 })"
                })
        void theNamesThatStandOnItselfAreAssignedLikeAnyOther(String text) {
            for (String name : List.of("eval", "globalThis")) {
                Frame frame = frame();
                String before = "typeof eval + typeof globalThis";

                assertThat(bindings(text.replace("NAME", name), frame)).isEqualTo(map(name, 5));
                assertThat(value(before, frame)).isEqualTo("functionobject");
                assertThat(value(before, frame())).isEqualTo("functionobject");
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"eval", "globalThis"})
        void andComeBackForTheNextRunIfTheyAreDeleted(String name) {
            Frame frame = frame();
            Block block =
                    engine.capture(
                            "const was = typeof NAME; delete globalThis.NAME; was"
                                    .replace("NAME", name),
                            frame);

            assertThat(block.evaluate().value()).isEqualTo(block.evaluate().value());
            assertThat(value("[eval('1 + 1'), globalThis === this].join()", frame))
                    .isEqualTo("2,true");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Object.setPrototypeOf(globalThis, null)",
                    "Object.setPrototypeOf(globalThis, {})",
                    "Object.preventExtensions(globalThis)",
                    "Object.seal(globalThis)",
                    "Object.freeze(globalThis)",
                    "Object.freeze(Object.getPrototypeOf(globalThis))",
                    "Object.setPrototypeOf(globalThis, null); Object.freeze(globalThis)",
                    "Object.defineProperty(globalThis, 'globalThis', { value: 5, configurable: false })",
                    "Object.defineProperty(globalThis, 'stuck', { value: 5, configurable: false })"
                })
        void siblingsFindTheirScopeWhateverABlockHasDoneToIt(String text) {
            Frame frame = Frame.of(map("own", 1), Globals.of(Map.of("global", 100)));
            SharedLocals.of(frame).put("shared", 10);

            try {
                value(text, frame);
            } catch (BlockException refused) {
                // What the language refuses does nothing either.
            }

            String reading = "[own + shared + global, typeof absent, typeof toString].join()";
            assertThat(value(reading, frame)).isEqualTo("111,undefined,function");
            assertThat(value("made = 1; globalThis.also = 2; made + also", frame)).isEqualTo(3);
            assertThat(value("made + also", frame)).isEqualTo(3);
        }

        @Test
        void aSymbolIsNoNameAndGoesWithTheRun() {
            Frame frame = frame();
            String key = "globalThis[Symbol.for('key')]";

            BlockResult result = engine.capture(key + " = 1; " + key, frame).evaluate();

            assertThat(result.value()).isEqualTo(1);
            assertThat(result.bindings()).isEmpty();
            assertThat(value("typeof " + key, frame)).isEqualTo("undefined");
        }

        @Test
        void aNameIsAskedOfTheGlobalsOnceForEachLookup() {
            List<String> asked = new ArrayList<>();
            Globals counting =
                    name -> {
                        asked.add(name);
                        return name.equals("here") ? Optional.of(new Binding(7)) : Optional.empty();
                    };
            Frame frame = Frame.of(map("n", "here", "a", "absent"), counting);

            for (String reading :
                    List.of(
                            "globalThis[n]",
                            "n in globalThis",
                            "globalThis[a]",
                            "a in globalThis",
                            "Reflect.get(globalThis, n)")) {
                asked.clear();
                value("for (let i = 0; i < 10; i++) " + reading, frame);
                assertThat(asked)
                        .as(reading)
                        .filteredOn(name -> name.equals("here") || name.equals("absent"))
                        .hasSize(10);
            }
        }

        @Test
        void aCallbackOfTheHostSeesTheScopeOfItsBlock() {
            List<Object> seen = new ArrayList<>();
            Frame frame = frame("x", 1, "call", (Consumer<GuestFunction>) f -> seen.add(f.call()));

            value("x = 2; call(() => globalThis.x + x)", frame);

            assertThat(seen).containsExactly(4);
        }
    }
}
