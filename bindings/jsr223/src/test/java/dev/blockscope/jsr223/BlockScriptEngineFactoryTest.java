package dev.blockscope.jsr223;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.BlockEngine;
import java.io.StringWriter;
import javax.script.ScriptEngine;
import javax.script.ScriptEngineFactory;
import javax.script.ScriptEngineManager;
import javax.script.ScriptException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link ScriptEngineFactory} specifies, from the module path and the class path. */
@Tag("path-shapes")
final class BlockScriptEngineFactoryTest {
    private final ScriptEngineFactory factory = new BlockScriptEngineFactory();

    @ParameterizedTest
    @ValueSource(strings = {"blockscope", "blockscope-js"})
    void aManagerFindsItByItsNames(String name) throws Exception {
        try (var engine = (BlockScriptEngine) new ScriptEngineManager().getEngineByName(name)) {
            assertThat(engine.getFactory().getEngineName()).isEqualTo("Blockscope");
        }
    }

    @Test
    void namesOfOtherEnginesAreLeftToThem() {
        assertThat(factory.getNames()).noneMatch(name -> name.matches("(?i)js|(java|ecma)script"));
        assertThat(factory.getExtensions()).doesNotContain("js", "mjs");
        assertThat(factory.getMimeTypes())
                .isNotEmpty()
                .noneMatch(type -> type.endsWith("/javascript") || type.endsWith("/ecmascript"));
    }

    @ParameterizedTest
    @CsvSource({
        "javax.script.engine, Blockscope",
        "javax.script.language, ECMAScript",
        "javax.script.language_version, 2025",
        "javax.script.name, blockscope",
        "THREADING, MULTITHREADED"
    })
    void tellsItsParameters(String key, String value) {
        assertThat(factory.getParameter(key)).isEqualTo(value);
    }

    @Test
    void theVersionIsThatOfTheBuild() {
        assertThat(factory.getEngineVersion()).matches("\\d+\\.\\d+.*");
        assertThat(factory.getParameter(ScriptEngine.ENGINE_VERSION))
                .isEqualTo(factory.getEngineVersion());
    }

    @Test
    void aParameterThatIsNotKnownIsNull() {
        assertThat(factory.getParameter("colour")).isNull();
        assertThatThrownBy(() -> factory.getParameter(null))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void whatItSaysOfTheLanguageCanBeEvaluated() throws Exception {
        StringWriter out = new StringWriter();
        try (var engine = new BlockScriptEngineFactory().getScriptEngine()) {
            engine.getContext().setWriter(out);
            String text = "quoted \"text\" \\ of\nlines";
            String call = factory.getMethodCallSyntax("Math", "max", "1", "2");
            engine.eval(
                    factory.getProgram(
                            "let n = " + call + " // a comment",
                            factory.getOutputStatement(text),
                            "print(n)"));
            assertThat(out).hasToString(text + "\n2\n");
        }
    }

    @Test
    void anEngineOfTheHostIsSharedAndStaysOpen() throws Exception {
        try (BlockEngine shared = BlockEngine.create()) {
            BlockScriptEngineFactory over = BlockScriptEngineFactory.of(shared);
            ScriptEngineManager manager = new ScriptEngineManager();
            manager.registerEngineName("rules", over);
            try (var first = (BlockScriptEngine) manager.getEngineByName("rules")) {
                first.eval("x = 1");
            }
            try (var second = (BlockScriptEngine) manager.getEngineByName("rules")) {
                assertThat(second.eval("typeof x")).isEqualTo("undefined");
            }
        }
    }

    @Test
    void aClosedEngineSaysSo() throws ScriptException {
        BlockScriptEngine engine = new BlockScriptEngineFactory().getScriptEngine();
        engine.close();
        engine.close();
        assertThatThrownBy(() -> engine.eval("1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }
}
