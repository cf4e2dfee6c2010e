package dev.blockscope.jsr223;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.BlockException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import javax.script.Invocable;
import javax.script.ScriptException;
import org.junit.jupiter.api.Test;

/** What {@link Invocable} specifies. */
final class InvocableTest extends Engines {
    /** An interface that a script implements. */
    public interface Greeter {
        String greet(String name);

        int count();

        default String twice(String name) {
            return greet(name) + greet(name);
        }
    }

    @Test
    void aFunctionIsCalledByItsName() throws Exception {
        engine.eval("function add(a, b) { return a + b }");
        assertThat(invocable.invokeFunction("add", 1, 2)).isEqualTo(3);
        assertThat(invocable.invokeFunction("add", "a", List.of(1))).isEqualTo("a1");
        assertThat(invocable.invokeFunction("add", (Object[]) null)).isEqualTo(Double.NaN);
    }

    @Test
    void aFunctionSeesTheVariablesAsTheyAreNow() throws Exception {
        engine.put("width", 1);
        engine.eval("let calls = 0; function area() { calls++; return width * height }");
        engine.put("width", 3);
        engine.put("height", 4);
        assertThat(invocable.invokeFunction("area")).isEqualTo(12);
        assertThat(engine.get("calls")).isEqualTo(1);
    }

    @Test
    void whatIsNoFunctionIsNoMethod() throws Exception {
        engine.eval("let x = 1");
        for (String name : List.of("x", "unknown", "")) {
            assertThatThrownBy(() -> invocable.invokeFunction(name))
                    .isInstanceOf(NoSuchMethodException.class)
                    .hasMessageContaining('"' + name + '"');
        }
        assertThatThrownBy(() -> invocable.invokeFunction(null))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void aFunctionThatThrowsIsAScriptExceptionWithItsLine() throws Exception {
        engine.eval("function fail() {\n  throw new TypeError('bad')\n}");
        ScriptException failure =
                catchThrowableOfType(ScriptException.class, () -> invocable.invokeFunction("fail"));
        assertThat(failure.getLineNumber()).isEqualTo(2);
        assertThat(failure).hasMessageStartingWith("TypeError: bad");
    }

    @Test
    void aMethodSeesItsObjectAsThis() throws Exception {
        engine.eval(
                "let o = { n: 1, next() { return ++this.n } }; class A { hi() { return 'hi' } }");
        assertThat(invocable.invokeMethod(engine.get("o"), "next")).isEqualTo(2);
        assertThat(engine.eval("o.n")).isEqualTo(2);
        assertThat(engine.get("o")).isInstanceOf(Map.class).extracting("n").isEqualTo(2);
        assertThat(invocable.invokeMethod(engine.eval("new A()"), "hi")).isEqualTo("hi");
        assertThat(invocable.invokeMethod(engine.eval("JSON"), "parse", "[1]"))
                .isEqualTo(List.of(1));
    }

    @Test
    void methodsOfWhatIsNoObjectOfAScriptCannotBeCalled() throws Exception {
        engine.eval("let o = { f() {} }");
        assertThatThrownBy(() -> invocable.invokeMethod(null, "f"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> invocable.invokeMethod(new Object(), "f"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> invocable.invokeMethod(engine.get("o"), "g"))
                .isInstanceOf(NoSuchMethodException.class);
        assertThatThrownBy(() -> invocable.invokeMethod(engine.get("o"), null))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void functionsImplementAnInterface() throws Exception {
        engine.eval(
                "let n = 0; function greet(name) { n++; return 'hi ' + name } function count() { return n }");
        Greeter greeter = invocable.getInterface(Greeter.class);
        assertThat(greeter.twice("you ")).isEqualTo("hi you hi you ");
        assertThat(greeter.count()).isEqualTo(2);
        assertThat(Set.of(greeter, invocable.getInterface(Greeter.class)))
                .hasSize(2)
                .contains(greeter);
        assertThat(greeter).asString().contains("Greeter implemented by");
    }

    @Test
    void anInterfaceCallsTheFunctionThatIsThereNow() throws Exception {
        engine.eval("function call() { return 1 }");
        Callable<?> callable = invocable.getInterface(Callable.class);
        engine.eval("function call() { return 2 }");
        assertThat(callable.call()).isEqualTo(2);
        engine.put("call", null);
        assertThatThrownBy(callable::call)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("\"call\"");
    }

    @Test
    void aDefaultMethodCanBeReplaced() throws Exception {
        engine.eval(
                "function greet() {} function count() {} function twice(n) { return 'own ' + n }");
        assertThat(invocable.getInterface(Greeter.class).twice("x")).isEqualTo("own x");
    }

    @Test
    void anInterfaceIsNotThereIfAFunctionIsMissing() throws Exception {
        engine.eval("function greet() {}; let o = { greet() {} }");
        assertThat(invocable.getInterface(Greeter.class)).isNull();
        assertThat(invocable.getInterface(engine.get("o"), Greeter.class)).isNull();
    }

    @Test
    void anObjectImplementsAnInterface() throws Exception {
        engine.eval("let o = { p: 'hi ', greet(name) { return this.p + name }, count: () => 1 }");
        Greeter greeter = invocable.getInterface(engine.get("o"), Greeter.class);
        engine.eval("o.p = 'bye '");
        assertThat(greeter.twice("x")).isEqualTo("bye xbye x");
    }

    @Test
    void interfacesOfTheJdkWork() throws Exception {
        engine.eval(
                "function compare(a, b) { return b - a } function apply(x) { return x + 1 } function applyAsInt(a, b) { return a * b }");
        @SuppressWarnings("unchecked")
        Comparator<Integer> order = invocable.getInterface(Comparator.class);
        assertThat(List.of(1, 3, 2).stream().sorted(order.reversed())).containsExactly(1, 2, 3);
        @SuppressWarnings("unchecked")
        Function<Integer, Integer> next = invocable.getInterface(Function.class);
        assertThat(next.apply(1)).isEqualTo(2);
        assertThat(invocable.getInterface(IntBinaryOperator.class).applyAsInt(3, 4)).isEqualTo(12);
    }

    @Test
    void aResultThatTheMethodCannotReturnSaysSo() throws Exception {
        engine.eval("function greet() { return 1 } function count() { return 0.5 }");
        Greeter greeter = invocable.getInterface(Greeter.class);
        assertThatThrownBy(greeter::count)
                .isInstanceOf(ClassCastException.class)
                .hasMessageContaining("\"count\"")
                .hasMessageContaining("0.5");
    }

    @Test
    void whatAFunctionThrowsComesOutOfTheInterface() throws Exception {
        engine.eval("function run() { nope() }");
        assertThatThrownBy(() -> invocable.getInterface(Runnable.class).run())
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("nope");
    }

    @Test
    void whatIsNoInterfaceIsRefused() throws Exception {
        Object object = engine.eval("({ f() {} })");
        assertThatThrownBy(() -> invocable.getInterface(null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> invocable.getInterface(String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.String");
        assertThatThrownBy(() -> invocable.getInterface(object, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> invocable.getInterface(null, Runnable.class))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> invocable.getInterface("text", Runnable.class))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
