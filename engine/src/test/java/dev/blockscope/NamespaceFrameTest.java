package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that go on with one set of variables, as the lines at a prompt do. */
final class NamespaceFrameTest {
    private static BlockEngine engine;

    private final Map<String, Object> variables = new TreeMap<>();
    private final Frame frame = Frame.ofNamespace(variables, Globals.of(Map.of("fallback", 9)));

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    @Test
    void everyFormOfNameGoesOnInTheNextBlock() {
        run("a = 1; var b = 2; let c = 3; const d = 4; function e() { return 5 } class F {}");
        assertThat(run("[a, b, c, d, e(), new F() instanceof F].join()"))
                .isEqualTo("1,2,3,4,5,true");
        assertThat(variables).containsOnlyKeys("F", "a", "b", "c", "d", "e");
    }

    /** It costs the block that binds it its time, and none after it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "var endless = new Proxy({}, { ownKeys() { for (;;); } })",
                "endless = { get a() { for (;;); } }"
            })
    void aValueThatCannotBeCopiedInTimeHoldsUpNoOtherBlock(String hostile) {
        Limits limits = Limits.builder().time(Duration.ofMillis(300)).build();
        assertThatThrownBy(() -> engine.capture(hostile, frame).within(limits).run())
                .isInstanceOfSatisfying(
                        BlockException.class,
                        e -> assertThat(e.kind()).isEqualTo(BlockException.Kind.TIMEOUT));

        assertThat(engine.capture("n = 1 + 1", frame).within(limits).run().value()).isEqualTo(2);
        assertThat(variables).containsOnlyKeys("n");
        assertThat(engine.capture("endless = 3", frame).within(limits).run().value()).isEqualTo(3);
        assertThat(engine.capture("n + endless", frame).within(limits).run().value()).isEqualTo(5);
        assertThat(variables).containsEntry("endless", 3);
    }

    @Test
    void aFunctionSeesWhatALaterBlockAssigns() {
        run("var n = 1; function f() { return n }");
        run("n = 2");
        assertThat(run("f()")).isEqualTo(2);
        assertThat(run("n = 3; f()")).isEqualTo(3);
        assertThat(variables).containsEntry("n", 3);
    }

    @Test
    void aFunctionSeesWhatTheBlockThatCallsItHasDeclared() {
        run("function f() { return x + y + z }");
        assertThat(run("var x = 1; let y = 2; z = 3; f()")).isEqualTo(6);
    }

    @Test
    void aFunctionSeesWhatTheHostPutsLater() {
        variables.put("width", 1);
        run("let height = 1; function area() { return width * height }");
        variables.putAll(Map.of("width", 3, "height", 4));
        assertThat(call("area")).isEqualTo(12);
        assertThat(run("width = 7; area()")).isEqualTo(28);
    }

    @Test
    void theMapShowsWhatACallHasMoved() {
        run("let n = 0; function next() { return ++n }");
        call("next");
        assertThat(variables).containsEntry("n", 1);
        assertThat(run("next(); n")).isEqualTo(2);
        assertThat(variables).containsEntry("n", 2);
    }

    @Test
    void theMapShowsAnObjectThatWasChangedAndNotAssigned() {
        run("let list = []");
        run("list.push(1)");
        assertThat(variables).containsEntry("list", List.of(1));
        run("function add(x) { list.push(x) }");
        run("add(2)");
        call("add", 3);
        assertThat(variables).containsEntry("list", List.of(1, 2, 3));
    }

    @Test
    void anObjectStaysTheVeryObject() {
        run("class A { hi() { return 'hi' } } let a = new A(); let m = new Map([[1, 2]])");
        assertThat(run("a.hi() + m.get(1) + (a instanceof A)")).isEqualTo("hi2true");
    }

    @Test
    void aFunctionDeclaredAnewIsCalledByThoseFromBefore() {
        run("function f() { return 1 } function g() { return f() }");
        run("function f() { return 2 }");
        assertThat(run("g()")).isEqualTo(2);
        assertThat(call("g")).isEqualTo(2);
    }

    @Test
    void aVariableDeclaredAnewIsTheOneThatFunctionsMove() {
        run("var n = 0; function next() { return ++n }");
        run("var n = 10");
        assertThat(call("next")).isEqualTo(11);
        assertThat(variables).containsEntry("n", 11);
    }

    @Test
    void aTextThatRunsAgainBeginsAnew() {
        String text = "const start = 0; let n = start; function next() { return ++n }";
        run(text);
        call("next");
        run(text);
        assertThat(call("next")).isEqualTo(1);
        assertThat(variables).containsEntry("n", 1);
    }

    @Test
    void aConstantThatAFunctionHoldsCannotBeAssigned() {
        run("const k = 1; function f() { return k }");
        assertThatThrownBy(() -> run("k = 2"))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("constant");
        assertThat(call("f")).isEqualTo(1);
    }

    @Test
    void aBlockThatFailsLeavesWhatItHadDone() {
        assertThatThrownBy(() -> run("x = 1; nope()")).isInstanceOf(BlockException.class);
        assertThat(variables).containsEntry("x", 1);
        assertThat(run("x")).isEqualTo(1);
    }

    @Test
    void aFunctionThatFailsLeavesWhatItHadDone() {
        run("let n = 0; function f() { n = 1; throw new Error('late') }");
        assertThatThrownBy(() -> call("f")).isInstanceOf(BlockException.class);
        assertThat(variables).containsEntry("n", 1);
    }

    @Test
    void whatTheHostRemovesIsGone() {
        run("x = 1; var y = 1; function types() { return typeof x }");
        variables.keySet().removeAll(List.of("x", "y"));
        assertThat(call("types")).isEqualTo("undefined");
        assertThat(run("typeof y")).isEqualTo("undefined");
    }

    @Test
    void whatABlockDeletesIsGone() {
        run("x = 1");
        run("delete globalThis.x");
        assertThat(variables).isEmpty();
        assertThat(run("typeof x")).isEqualTo("undefined");
    }

    @Test
    void whatTheHostPutsOverABlocksValueWins() {
        run("let a = 1; b = {}");
        variables.putAll(Map.of("a", "host", "b", "host"));
        assertThat(run("a + b")).isEqualTo("hosthost");
    }

    @Test
    void globalsAreTheFallback() {
        assertThat(run("fallback")).isEqualTo(9);
        assertThat(run("(() => fallback)()")).isEqualTo(9);
        variables.put("fallback", 1);
        assertThat(run("(() => fallback)()")).isEqualTo(1);
        assertThat(frame.globals().names()).containsExactlyInAnyOrder("fallback");
    }

    @Test
    void theLanguagesOwnNamesAreThereInFunctions() {
        assertThat(run("function f() { return Math.max(1, 2) } f()")).isEqualTo(2);
        variables.put("Math", Map.of("max", 7));
        assertThat(run("(() => Math.max)()")).isEqualTo(7);
    }

    @Test
    void nullIsAValue() {
        variables.put("x", null);
        assertThat(run("y = null; x === null")).isEqualTo(true);
        assertThat(variables).containsEntry("y", null);
    }

    @Test
    void strictTextsAndEvalGoOnToo() {
        run("'use strict'; var s = 1");
        assertThat(run("'use strict'; s = 2; s")).isEqualTo(2);
        assertThatThrownBy(() -> run("'use strict'; unknown = 2")).hasMessageContaining("unknown");
        run("eval('var q = 3')");
        assertThat(run("eval('q + s')")).isEqualTo(5);
        assertThat(variables).containsEntry("q", 3).containsEntry("s", 2);
    }

    @Test
    void namesThatAFunctionAssignsWithoutDeclaringThemAreVariables() {
        run("count = 0");
        run("function inc() { count++; fresh = count }");
        assertThat(run("count = 5; inc(); count")).isEqualTo(6);
        call("inc");
        assertThat(variables).containsEntry("count", 7).containsEntry("fresh", 7);
    }

    @Test
    void aMapThatRefusesANameSaysSo() {
        Frame refusing = Frame.ofNamespace(Collections.emptyMap(), Globals.none());
        assertThatThrownBy(() -> engine.capture("x = 1", refusing).run())
                .isInstanceOf(PushException.class)
                .hasMessageContaining("\"x\"");
    }

    @Test
    void frequentNamespacesShareAContext() {
        try (BlockEngine fresh = BlockEngine.create()) {
            for (int i = 0; i < 100; i++) {
                Map<String, Object> one = new HashMap<>(Map.of("x", i));
                Frame each = Frame.ofNamespace(one, Globals.none());
                assertThat(fresh.capture("y = x * 2", each).run().value()).isEqualTo(2 * i);
            }
            assertThat(fresh.openContexts()).isEqualTo(1);
        }
    }

    @Test
    void aMethodSeesTheVeryObjectAsThis() throws Exception {
        run("class A { n = 0; next() { return ++this.n } static make() { return new A() } }");
        run("let a = new A(); let o = { n: 5, next() { return ++this.n } }");
        assertThat(engine.invoke(variables.get("a"), "next")).isEqualTo(1);
        assertThat(engine.invoke(variables.get("o"), "next")).isEqualTo(6);
        assertThat(run("a.n + o.n")).isEqualTo(7);
        assertThat(variables).containsEntry("a", Map.of("n", 1));
        Object made = engine.invoke(variables.get("A"), "make");
        assertThat(engine.invoke(made, "next")).isEqualTo(1);
    }

    @Test
    void theLanguagesOwnObjectsHaveMethods() throws Exception {
        assertThat(engine.invoke(run("JSON"), "parse", "[1]")).isEqualTo(List.of(1));
    }

    @Test
    void aMethodThatIsNotThereIsNamed() {
        Object object = run("({ f() {} })");
        assertThatThrownBy(() -> engine.invoke(object, "g"))
                .isInstanceOf(NoSuchMethodException.class)
                .hasMessageContaining("\"g\"");
    }

    @Test
    void whatIsNoObjectOfABlockHasNoMethods() {
        Object data = run("({ a: 1 })");
        assertThatThrownBy(() -> engine.invoke(data, "a"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> engine.invoke("text", "length"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.String");
    }

    private Object run(String text) {
        return engine.capture(text, frame).run().value();
    }

    private Object call(String function, Object... arguments) {
        return ((GuestFunction) variables.get(function)).call(arguments);
    }

    @Test
    void aRunThatDoesNotComeBackLeavesTheOthersWhatTheMapHas() throws Exception {
        Deaf deaf = new Deaf();
        variables.put("deaf", deaf);
        run("var n = 1, o = { a: 2 }; function f() { return n }");
        Limits limits = Limits.builder().time(Duration.ofSeconds(1)).build();
        Block stuck = engine.capture("n = 5; deaf()", frame).within(limits);

        BlockException e = catchThrowableOfType(BlockException.class, stuck::run);
        try {
            assertThat(e.kind()).isEqualTo(BlockException.Kind.TIMEOUT);
            assertThat(e.getSuppressed()).isEmpty();
            assertThat(run("n + o.a++")).isEqualTo(3);
            assertThat(variables.get("o")).isEqualTo(Map.of("a", 3));
            assertThat(catchThrowableOfType(BlockException.class, () -> run("1;\nf()")))
                    .hasMessageContaining("lost with its guest context")
                    .matches(lost -> lost.traceback().innermost().line() == 2);
            assertThat(run("function f() { return n + 1 } f()")).isEqualTo(2);
        } finally {
            deaf.returns.countDown();
        }
    }

    @Test
    void anotherEngineGoesOnWithWhatTheMapHas() {
        try (BlockEngine first = BlockEngine.create()) {
            first.capture("var n = 1, list = [2]; function f() { return n }", frame).run();
        }

        assertThat(run("n + list[0]")).isEqualTo(3);
        assertThat(catchThrowableOfType(BlockException.class, () -> run("1;\nf()")))
                .hasMessageContaining(
                        "function of block block.js:1:1 cannot be used any more, its engine is closed")
                .matches(lost -> lost.traceback().innermost().line() == 2);
        assertThat(run("var f = () => n; f()")).isEqualTo(1);
    }
}
