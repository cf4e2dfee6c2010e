package dev.blockscope.jsr223;

import static javax.script.ScriptContext.ENGINE_SCOPE;
import static javax.script.ScriptContext.GLOBAL_SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.BlockException;
import dev.blockscope.PushException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.script.Bindings;
import javax.script.CompiledScript;
import javax.script.ScriptContext;
import javax.script.ScriptEngine;
import javax.script.ScriptException;
import javax.script.SimpleBindings;
import javax.script.SimpleScriptContext;
import org.junit.jupiter.api.Test;

/** What {@link ScriptEngine} and {@link javax.script.Compilable} specify. */
final class BlockScriptEngineTest extends Engines {
    @Test
    void aScriptSeesAndBindsTheEnginesVariables() throws Exception {
        engine.put("price", 3);
        assertThat(engine.eval("total = price * 4; total + 1")).isEqualTo(13);
        assertThat(engine.get("total")).isEqualTo(12);
    }

    @Test
    void whatOneScriptDeclaresTheNextOneSees() throws Exception {
        engine.eval("let a = 1; const b = 2; function c() { return a + b } class D { e = 3 }");
        assertThat(engine.eval("a = 5; c() + new D().e")).isEqualTo(10);
    }

    @Test
    void aReaderIsReadToItsEnd() throws Exception {
        assertThat(engine.eval(new StringReader("1 +\n 2"))).isEqualTo(3);
        assertThat(
                        engine.eval(
                                new StringReader("x"),
                                new SimpleBindings(new HashMap<>(Map.of("x", 1)))))
                .isEqualTo(1);
    }

    @Test
    void aReaderThatFailsIsAScriptException() {
        Reader broken =
                new Reader() {
                    @Override
                    public int read(char[] buffer, int from, int length) throws IOException {
                        throw new IOException("disk");
                    }

                    @Override
                    public void close() {}
                };
        assertThatThrownBy(() -> engine.eval(broken))
                .isInstanceOf(ScriptException.class)
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void bindingsOfTheHostAreAFrame() throws Exception {
        Bindings bindings = new SimpleBindings();
        bindings.put("x", 1);
        assertThat(engine.eval("let y = x + 1; const list = [y]; y", bindings)).isEqualTo(2);
        engine.eval("list.push(3)", bindings);
        assertThat(bindings).containsEntry("y", 2).containsEntry("list", List.of(2, 3));
        assertThat(engine.get("y")).isNull();
    }

    @Test
    void equalBindingsAreNotTheSame() throws Exception {
        Bindings one = new SimpleBindings();
        Bindings other = new SimpleBindings();
        engine.eval("function f() { return 1 }", one);
        assertThat(engine.eval("typeof f", other)).isEqualTo("undefined");
    }

    @Test
    void bindingsThatNobodyUsesAreNotHeld() throws Exception {
        Bindings bindings = new SimpleBindings();
        engine.eval("let o = {}; function f() { return o }", bindings);
        SimpleScriptContext context = new SimpleScriptContext();
        context.setBindings(new SimpleBindings(), ENGINE_SCOPE);
        engine.eval("function f() { print(1) }", context);
        List<WeakReference<?>> used =
                List.of(
                        new WeakReference<>(bindings),
                        new WeakReference<>(context),
                        new WeakReference<>(context.getBindings(ENGINE_SCOPE)));
        bindings = null;
        context = null;
        for (int i = 0; i < 50 && !used.stream().allMatch(held -> held.refersTo(null)); i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(used).allMatch(held -> held.refersTo(null));
    }

    @Test
    void bindingsThatRefuseANameAreAScriptException() {
        Bindings bindings = new SimpleBindings(new ConcurrentHashMap<>());
        ScriptException failure =
                catchThrowableOfType(
                        ScriptException.class, () -> engine.eval("x = null", bindings));
        assertThat(failure).hasCauseInstanceOf(PushException.class).hasMessageContaining("\"x\"");
    }

    @Test
    void theGlobalScopeIsReadAndNotWritten() throws Exception {
        Bindings globals = new SimpleBindings(new HashMap<>(Map.of("rate", 7)));
        engine.setBindings(globals, GLOBAL_SCOPE);
        assertThat(engine.eval("(() => rate)() + rate")).isEqualTo(14);
        assertThat(engine.eval("rate = 8; rate")).isEqualTo(8);
        assertThat(globals).containsEntry("rate", 7);
        assertThat(engine.get("rate")).isEqualTo(8);
        engine.setBindings(null, GLOBAL_SCOPE);
        assertThat(engine.getBindings(GLOBAL_SCOPE)).isNull();
    }

    @Test
    void theManagersBindingsAreTheGlobalScope() throws Exception {
        var manager = new javax.script.ScriptEngineManager();
        manager.put("shared", "all");
        try (var managed = (BlockScriptEngine) manager.getEngineByName("blockscope")) {
            assertThat(managed.eval("shared")).isEqualTo("all");
            assertThat(managed.eval("shared", managed.createBindings())).isEqualTo("all");
        }
    }

    @Test
    void aContextBringsItsOwnScopesAndWriters() throws Exception {
        StringWriter out = new StringWriter();
        ScriptContext context = new SimpleScriptContext();
        context.setBindings(new SimpleBindings(), ENGINE_SCOPE);
        context.setBindings(new SimpleBindings(), GLOBAL_SCOPE);
        context.setAttribute("x", 1, ENGINE_SCOPE);
        context.setAttribute("y", 2, GLOBAL_SCOPE);
        context.setWriter(out);
        assertThat(engine.eval("print(x, y); x + y", context)).isEqualTo(3);
        assertThat(out).hasToString("1 2\n");
        assertThat(engine.eval("typeof x")).isEqualTo("undefined");
    }

    @Test
    void whatIsPrintedGoesToTheWriters() throws Exception {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        engine.eval("function say() { console.log('late') }");
        engine.getContext().setWriter(out);
        engine.getContext().setErrorWriter(err);
        engine.eval("print('a', 1); console.warn('w'); console.error('e'); say()");
        assertThat(out).hasToString("a 1\nlate\n");
        assertThat(err).hasToString("w\ne\n");
    }

    @Test
    void anErrorHasTheScriptsOwnPlace() {
        engine.put(ScriptEngine.FILENAME, "rules.js");
        ScriptException failure =
                catchThrowableOfType(
                        ScriptException.class, () -> engine.eval("let a = 1;\n  nope()"));
        assertThat(failure.getFileName()).isEqualTo("rules.js");
        assertThat(failure.getLineNumber()).isEqualTo(2);
        assertThat(failure.getColumnNumber()).isEqualTo(3);
        assertThat(failure)
                .hasMessageStartingWith("ReferenceError: nope is not defined")
                .hasCauseInstanceOf(BlockException.class);
    }

    @Test
    void aSyntaxErrorHasAPlaceToo() {
        ScriptException failure =
                catchThrowableOfType(
                        ScriptException.class, () -> compilable.compile("let a = 1;\nvar = 2"));
        assertThat(failure.getFileName()).isEqualTo("<eval>");
        assertThat(failure.getLineNumber()).isEqualTo(2);
        assertThat(((BlockException) failure.getCause()).kind())
                .isEqualTo(BlockException.Kind.SYNTAX);
    }

    @Test
    void whatTheHostThrewIsBehindTheBlocksException() {
        IllegalStateException thrown = new IllegalStateException("host");
        engine.put(
                "fail",
                (Runnable)
                        () -> {
                            throw thrown;
                        });
        ScriptException failure =
                catchThrowableOfType(ScriptException.class, () -> engine.eval("\nfail()"));
        assertThat(failure.getLineNumber()).isEqualTo(2);
        assertThat(failure.getCause().getCause()).isSameAs(thrown);
    }

    @Test
    void aScriptThatFailsLeavesWhatItHadBound() {
        assertThatThrownBy(() -> engine.eval("x = 1; nope()")).isInstanceOf(ScriptException.class);
        assertThat(engine.get("x")).isEqualTo(1);
    }

    @Test
    void aCompiledScriptRunsWithAnyBindings() throws Exception {
        CompiledScript script = compilable.compile("y = x + 1; y");
        for (int i = 0; i < 3; i++) {
            Bindings bindings = engine.createBindings();
            bindings.put("x", i);
            assertThat(script.eval(bindings)).isEqualTo(i + 1);
            assertThat(bindings).containsEntry("y", i + 1);
        }
        engine.put("x", 10);
        assertThat(script.eval()).isEqualTo(11);
        assertThat(script.eval((Bindings) null)).isEqualTo(11);
        assertThat(compilable.compile(new StringReader("x")).eval(engine.getContext()))
                .isEqualTo(10);
        assertThat(script.getEngine()).isSameAs(engine);
        assertThatThrownBy(() -> script.eval((ScriptContext) null))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void keysAreChecked() {
        assertThatThrownBy(() -> engine.put(null, 1)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> engine.put("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> engine.get(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> engine.get("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nothingIsNotAScriptNorAContextNorBindings() {
        assertThatThrownBy(() -> engine.eval((String) null))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> engine.eval((Reader) null))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> engine.eval("1", (Bindings) null))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> engine.eval("1", (ScriptContext) null))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> compilable.compile((String) null))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> engine.setContext(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void onlyTwoScopesAreKnown() {
        assertThatThrownBy(() -> engine.getBindings(5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ENGINE_SCOPE (100)");
        assertThatThrownBy(() -> engine.setBindings(new SimpleBindings(), 5))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> engine.setBindings(null, ENGINE_SCOPE))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void anotherContextTakesThePlaceOfTheFirst() throws Exception {
        engine.put("x", 1);
        ScriptContext other = new SimpleScriptContext();
        other.setBindings(engine.createBindings(), ENGINE_SCOPE);
        engine.setContext(other);
        assertThat(engine.getContext()).isSameAs(other);
        assertThat(engine.eval("typeof x")).isEqualTo("undefined");
    }

    @Test
    void namesThatAreNoIdentifiersAreReachable() throws Exception {
        engine.put("my-name", 1);
        engine.put("arguments", new String[] {"first"});
        assertThat(engine.eval("globalThis['my-name']")).isEqualTo(1);
        assertThat(engine.eval("arguments[0]")).isEqualTo("first");
        assertThat(engine.eval("typeof globalThis['']")).isEqualTo("undefined");
    }

    @Test
    void scriptsOverDifferentBindingsRunAtOnceAndOverTheSameTakeTurns() throws Exception {
        CompiledScript script =
                compilable.compile("let s = 0; for (let i = 0; i < n; i++) s += i; s");
        engine.eval("let hits = 0; function hit() { hits++ }");
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> runs = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                int n = i;
                runs.add(
                        threads.submit(() -> {
                            Bindings bindings = engine.createBindings();
                            bindings.put("n", n);
                            assertThat(script.eval(bindings)).isEqualTo(n * (n - 1) / 2);
                            return invocable.invokeFunction("hit");
                        }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        }
        assertThat(engine.eval("hits")).isEqualTo(100);
        assertThat(engine.get("hits")).isEqualTo(100);
    }
}
