package dev.blockscope.jsr223;

import javax.script.Compilable;
import javax.script.Invocable;
import javax.script.ScriptEngine;
import javax.script.ScriptEngineManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A script engine for each test, found as users find it. */
abstract class Engines {
    protected ScriptEngine engine;
    protected Invocable invocable;
    protected Compilable compilable;

    @BeforeEach
    void open() {
        engine = new ScriptEngineManager().getEngineByName("blockscope");
        invocable = (Invocable) engine;
        compilable = (Compilable) engine;
    }

    @AfterEach
    void close() throws Exception {
        ((AutoCloseable) engine).close();
    }
}
