package dev.blockscope.jsr223;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Limit;
import dev.blockscope.Limits;
import dev.blockscope.ReachedLimit;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import javax.script.Bindings;
import javax.script.ScriptException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scripts over an engine that sets limits: however one begins, it is stopped and says why. */
@Timeout(60)
final class LimitedScriptsTest {
    private static BlockEngine blocks;

    private final BlockScriptEngine engine = BlockScriptEngineFactory.of(blocks).getScriptEngine();

    @BeforeAll
    static void open() {
        Limits limits = Limits.builder().statements(10_000).outputBytes(1_000).build();
        blocks = BlockEngine.builder().limits(limits).build();
    }

    @AfterAll
    static void close() {
        blocks.close();
    }

    private static void assertReached(Limit limit, long value, int line, ThrowingCallable script) {
        ScriptException e = catchThrowableOfType(ScriptException.class, script);

        assertThat(e).isNotNull();
        assertThat(e.getLineNumber()).isEqualTo(line);
        assertThat(((BlockException) e.getCause()).limit())
                .contains(new ReachedLimit(limit, value));
    }

    @Test
    void aScriptEndsAtItsLine() {
        assertReached(Limit.STATEMENTS, 10_000, 2, () -> engine.eval("var n = 1;\nfor (;;) n++"));
    }

    @Test
    void soDoesACompiledScriptOverWhateverBindings() throws ScriptException {
        var endless = engine.compile("\nfor (;;);");
        Bindings bindings = engine.createBindings();

        assertReached(Limit.STATEMENTS, 10_000, 2, () -> endless.eval(bindings));
        assertThat(engine.eval("1 + 1", bindings)).isEqualTo(2);
    }

    @Test
    void soDoFunctionsAndMethodsThatTheHostCalls() throws ScriptException {
        engine.eval("function spin() {\n  for (;;); }\nvar o = { spin() {\n  for (;;); } }");

        assertReached(Limit.STATEMENTS, 10_000, 2, () -> engine.invokeFunction("spin"));
        assertReached(
                Limit.STATEMENTS, 10_000, 4, () -> engine.invokeMethod(engine.get("o"), "spin"));
    }

    @Test
    void soDoMethodsOfAnInterface() throws ScriptException {
        engine.eval("function run() { for (;;); }");
        Runnable runnable = engine.getInterface(Runnable.class);

        BlockException e = catchThrowableOfType(BlockException.class, runnable::run);

        assertThat(e.limit()).map(ReachedLimit::limit).contains(Limit.STATEMENTS);
    }

    @Test
    void whatItPrintsIsLimitedToo() {
        engine.getContext().setWriter(new StringWriter());

        assertReached(Limit.OUTPUT, 1_000, 2, () -> engine.eval("for (;;)\n  print('a line')"));
    }

    /** The bindings go on without it and what it had not shared. */
    @Test
    void whoeverEvaluatesIsFreeInTimeAlthoughAHostFunctionIgnoresInterrupts() throws Exception {
        Limits second = Limits.builder().time(Duration.ofSeconds(1)).build();
        CountDownLatch returns = new CountDownLatch(1);
        try (BlockEngine timed = BlockEngine.builder().limits(second).build()) {
            BlockScriptEngine script = BlockScriptEngineFactory.of(timed).getScriptEngine();
            script.put("deaf", (Callable<Object>) () -> deafUntil(returns));
            long began = System.nanoTime();

            assertReached(Limit.TIME, 1_000, 1, () -> script.eval("var n = 1; deaf(); n = 2"));

            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isLessThan(Duration.ofSeconds(2));
            assertThat(script.eval("typeof n")).isEqualTo("undefined");
            assertThat(timed.overdueRuns()).isEqualTo(1);
            returns.countDown();
            while (timed.overdueRuns() > 0) {
                Thread.sleep(5);
            }
            assertThat(script.get("n")).isNull();
        }
    }

    private static Object deafUntil(CountDownLatch returns) {
        boolean interrupted = false;
        while (returns.getCount() > 0) {
            try {
                returns.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return "woke";
    }
}
