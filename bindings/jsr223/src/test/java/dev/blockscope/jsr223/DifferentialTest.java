package dev.blockscope.jsr223;

import static javax.script.ScriptContext.ENGINE_SCOPE;
import static javax.script.ScriptContext.GLOBAL_SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.script.Bindings;
import javax.script.Compilable;
import javax.script.Invocable;
import javax.script.ScriptContext;
import javax.script.ScriptEngine;
import javax.script.ScriptEngineManager;
import javax.script.ScriptException;
import javax.script.SimpleBindings;
import javax.script.SimpleScriptContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a program that uses {@code javax.script} sees when it changes the name of the engine from
 * {@code graal.js}: the same, but for the differences listed here.
 */
final class DifferentialTest {
    static Stream<Case> cases() {
        return Stream.of(
                same(
                        "a variable of the host",
                        it -> {
                            it.put("x", 3);
                            return it.eval("x * 2");
                        }),
                same(
                        "a variable of a script",
                        it -> {
                            it.eval("var x = 3");
                            return it.get("x") + " " + it.eval("x");
                        }),
                same(
                        "a name assigned",
                        it -> {
                            it.eval("x = 3; this.y = 4");
                            return it.get("x") + " " + it.get("y") + " " + it.eval("globalThis.y");
                        }),
                same(
                        "let is seen by the next script",
                        it -> {
                            it.eval("let x = 3");
                            return it.eval("x");
                        }),
                same(
                        "a function",
                        it -> {
                            it.eval("function add(a, b) { return a + b }");
                            return ((Invocable) it).invokeFunction("add", 1, 2);
                        }),
                same("a function that is missing", it -> ((Invocable) it).invokeFunction("nope")),
                same(
                        "a function sees what the host puts later",
                        it -> {
                            it.put("w", 1);
                            it.eval("function f() { return w }");
                            it.put("w", 5);
                            return ((Invocable) it).invokeFunction("f");
                        }),
                same(
                        "a function sees what a script assigns later",
                        it -> {
                            it.eval("var w = 1; function f() { return w }");
                            return it.eval("w = 2; f()");
                        }),
                same(
                        "a function moves a variable",
                        it -> {
                            it.eval("var n = 0; function f() { return ++n }");
                            ((Invocable) it).invokeFunction("f");
                            return it.get("n") + " " + it.eval("n");
                        }),
                same(
                        "a function is declared anew",
                        it -> {
                            it.eval("function f() { return 1 } function g() { return f() }");
                            it.eval("function f() { return 2 }");
                            return ((Invocable) it).invokeFunction("g");
                        }),
                same(
                        "a script is evaluated again",
                        it -> {
                            String script = "var n = 0; function next() { return ++n }";
                            it.eval(script);
                            it.eval("next()");
                            it.eval(script);
                            return it.eval("next()");
                        }),
                same(
                        "an object is changed by the next script",
                        it -> {
                            it.eval("var list = []");
                            it.eval("list.push(1)");
                            return ((List<?>) it.get("list")).get(0);
                        }),
                same(
                        "a method",
                        it -> {
                            it.eval("var o = { n: 1, inc() { return ++this.n } }");
                            return ((Invocable) it).invokeMethod(it.get("o"), "inc")
                                    + " "
                                    + it.eval("o.n");
                        }),
                same(
                        "a method of a class",
                        it -> {
                            it.eval("class A { m(x) { return 'm' + x } }; var a = new A()");
                            return ((Invocable) it).invokeMethod(it.get("a"), "m", 1);
                        }),
                same(
                        "a method of the language's own",
                        it ->
                                ((Invocable) it)
                                        .invokeMethod(
                                                it.eval("JSON"), "stringify", it.eval("[1]"))),
                same(
                        "functions as an interface",
                        it -> {
                            it.eval("var n = 0; function run() { n++ }");
                            ((Invocable) it).getInterface(Runnable.class).run();
                            return it.get("n");
                        }),
                same(
                        "an interface with a function missing",
                        it -> ((Invocable) it).getInterface(Runnable.class)),
                same("a class as an interface", it -> ((Invocable) it).getInterface(String.class)),
                same("a null object's method", it -> ((Invocable) it).invokeMethod(null, "x")),
                same("an error", it -> it.eval("var a = 1;\n  nope()")),
                same(
                        "the file of an error",
                        it -> {
                            it.put(ScriptEngine.FILENAME, "r.js");
                            return placeOf(it, "nope()");
                        }),
                same("the place of a syntax error", it -> placeOf(it, "var a = 1;\n  var = 2")),
                same(
                        "what failed had been assigned",
                        it -> {
                            try {
                                it.eval("x = 1; nope()");
                            } catch (ScriptException e) {
                                return it.get("x");
                            }
                            return "no error";
                        }),
                same(
                        "a compiled script",
                        it -> {
                            Bindings bindings = it.createBindings();
                            bindings.put("x", 1);
                            Object value = ((Compilable) it).compile("y = x + 1; y").eval(bindings);
                            return value + " " + bindings.get("y") + " " + it.get("y");
                        }),
                same(
                        "the global scope",
                        it -> {
                            Bindings globals = new SimpleBindings();
                            globals.put("g", 7);
                            it.setBindings(globals, GLOBAL_SCOPE);
                            return it.eval("g + 1")
                                    + " "
                                    + it.eval("g = 2; g")
                                    + " "
                                    + globals.get("g")
                                    + " "
                                    + it.get("g");
                        }),
                same(
                        "another context",
                        it -> {
                            ScriptContext context = new SimpleScriptContext();
                            context.setBindings(it.createBindings(), ENGINE_SCOPE);
                            context.setAttribute("x", 5, ENGINE_SCOPE);
                            return it.eval("x", context) + " " + it.eval("typeof x");
                        }),
                same("a reader", it -> it.eval(new StringReader("1 + 2"))),
                same(
                        "print",
                        it -> {
                            StringWriter out = new StringWriter();
                            it.getContext().setWriter(out);
                            it.eval("print('a', 1)");
                            return out;
                        }),
                same(
                        "console",
                        it -> {
                            StringWriter out = new StringWriter();
                            StringWriter err = new StringWriter();
                            it.getContext().setWriter(out);
                            it.getContext().setErrorWriter(err);
                            it.eval("console.log('a'); console.error('b')");
                            return out + "|" + err;
                        }),
                same(
                        "null",
                        it -> {
                            it.put("x", null);
                            return it.eval("y = null; x === null") + " " + it.get("y");
                        }),
                same(
                        "a name that is no identifier",
                        it -> {
                            it.put("a-b", 1);
                            return it.eval("globalThis['a-b']");
                        }),
                same(
                        "delete",
                        it -> {
                            it.eval("x = 1");
                            it.eval("delete globalThis.x");
                            return it.getBindings(ENGINE_SCOPE).containsKey("x");
                        }),
                same("a null key", it -> it.get(null)),
                same("an empty key", it -> it.get("")),
                same("a null script", it -> it.eval((String) null)),
                same("null bindings", it -> it.eval("1", (Bindings) null)),
                same("an unknown scope", it -> it.getBindings(5)),
                same(
                        "null as the engine's scope",
                        it -> {
                            it.setBindings(null, ENGINE_SCOPE);
                            return null;
                        }),

                // What is different by design; the page "JSR-223" lists it.
                differs(
                        "let and const are in the bindings",
                        "null",
                        "3",
                        it -> {
                            it.eval("let x = 3");
                            return it.get("x");
                        }),
                differs(
                        "let can be declared again",
                        "ScriptException",
                        "4",
                        it -> {
                            it.eval("let x = 3");
                            return it.eval("let x = 4; x");
                        }),
                differs(
                        "a constant that no function holds ends with its script",
                        "ScriptException",
                        "4",
                        it -> {
                            it.eval("const x = 3");
                            return it.eval("x = 4; x");
                        }),
                differs(
                        "bindings of the host's own class are written",
                        "null",
                        "2",
                        it -> {
                            Bindings bindings = new SimpleBindings(new HashMap<>(Map.of("x", 1)));
                            it.eval("y = x + 1", bindings);
                            return bindings.get("y");
                        }),
                differs(
                        "what the host removes is gone",
                        "number",
                        "undefined",
                        it -> {
                            it.eval("var x = 1");
                            it.getBindings(ENGINE_SCOPE).remove("x");
                            return it.eval("typeof x");
                        }),
                differs("whole numbers are whole", "Double", "Long", it -> typeOf(it, "2 ** 40")),
                differs(
                        "they are however they were computed",
                        "Double",
                        "Integer",
                        it -> typeOf(it, "100 * 1.2")),
                differs(
                        "a BigInt is a BigInteger",
                        "Float",
                        "BigInteger",
                        it -> typeOf(it, "2n ** 70n")),
                differs(
                        "an object is a copy",
                        "false",
                        "true",
                        it -> {
                            Object list = it.eval("[1]");
                            return list.equals(List.of(1));
                        }),
                differs(
                        "a host list is data",
                        "null",
                        "2",
                        it -> {
                            it.put("list", new ArrayList<>(List.of(1, 2)));
                            return it.eval("list.length");
                        }),
                differs(
                        "a host map is data",
                        "null",
                        "1",
                        it -> {
                            it.put("map", new HashMap<>(Map.of("k", 1)));
                            return it.eval("map.k");
                        }),
                differs(
                        "a lambda is a function",
                        "ScriptException",
                        "2",
                        it -> {
                            it.put("f", (Function<Integer, Integer>) x -> x + 1);
                            return it.eval("f(1)");
                        }),
                differs(
                        "an error that is thrown has its place",
                        "null:-1:-1",
                        "<eval>:2:7",
                        it -> placeOf(it, "\nthrow new TypeError('bad')")),
                differs(
                        "context, engine and load are not there",
                        "objectobjectfunction",
                        "undefinedundefinedundefined",
                        it -> it.eval("typeof context + typeof engine + typeof load")),
                differs(
                        "a text has no methods",
                        "NoSuchMethodException",
                        "IllegalArgumentException",
                        it -> ((Invocable) it).invokeMethod("text", "x")));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isAsItWasOrListed(Case it) throws Exception {
        String theirs = outcome("graal.js", it.step());
        String ours = outcome("blockscope", it.step());
        if (it.theirs() == null) {
            assertThat(ours).isEqualTo(theirs);
        } else {
            assertThat(List.of(theirs, ours)).containsExactly(it.theirs(), it.ours());
        }
    }

    private static String outcome(String name, Step step) throws Exception {
        ScriptEngine engine = new ScriptEngineManager().getEngineByName(name);
        try (AutoCloseable _ = (AutoCloseable) engine) {
            return Objects.toString(step.on(engine));
        } catch (ScriptException
                | NoSuchMethodException
                | IllegalArgumentException
                | NullPointerException e) {
            return e.getClass().getSimpleName();
        }
    }

    private static String placeOf(ScriptEngine engine, String script) {
        try {
            engine.eval(script);
            return "no error";
        } catch (ScriptException e) {
            return e.getFileName() + ":" + e.getLineNumber() + ":" + e.getColumnNumber();
        }
    }

    private static String typeOf(ScriptEngine engine, String script) throws ScriptException {
        return engine.eval(script).getClass().getSimpleName();
    }

    private static Case same(String name, Step step) {
        return new Case(name, null, null, step);
    }

    private static Case differs(String name, String theirs, String ours, Step step) {
        return new Case(name, theirs, ours, step);
    }

    /**
     * What a program does with an engine.
     *
     * @param theirs what GraalJS's engine makes of it; null if it is to be the same
     */
    record Case(String name, String theirs, String ours, Step step) {
        @Override
        public String toString() {
            return name;
        }
    }

    @FunctionalInterface
    interface Step {
        Object on(ScriptEngine engine) throws Exception;
    }
}
