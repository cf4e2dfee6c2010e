package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static org.assertj.core.api.Assertions.assertThat;

import com.oracle.truffle.api.instrumentation.LoadSourceSectionEvent;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.api.instrumentation.TruffleInstrument;
import com.oracle.truffle.api.source.SourceSection;
import dev.blockscope.script.ScriptReader;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However many guest contexts run a text, the engine parses it once. */
@Timeout(120)
class ParsedOnceTest {
    private static final int CONTEXTS = 200;

    private static final Map<String, String> MODULES =
            Map.of(
                    "lib.js",
                    "import { k } from './k.js'; export const f = x => k * x",
                    "k.js",
                    "export const k = 10");

    private final BlockEngine engine =
            BlockEngine.builder().modules(ModuleResolver.of(MODULES)).build();

    /** How often the whole of a text was made into something that can run, by the text's name. */
    private final Map<String, Integer> parses = new ConcurrentHashMap<>();

    @BeforeEach
    void count() throws ReflectiveOperationException {
        Field env = engine.guest().getClass().getDeclaredField("env");
        env.setAccessible(true);
        ((TruffleInstrument.Env) env.get(engine.guest()))
                .getInstrumenter()
                .attachLoadSourceSectionListener(
                        SourceSectionFilter.newBuilder().tagIs(StandardTags.RootTag.class).build(),
                        this::loaded,
                        false);
    }

    /** A text's own roots span the whole of it, and functions written in it do not. */
    private void loaded(LoadSourceSectionEvent event) {
        SourceSection section = event.getSourceSection();
        if (section.getCharLength() == section.getSource().getLength()) {
            parses.merge(section.getSource().getName(), 1, Integer::sum);
        }
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shared = { n }; let f = () => n; f()",
                "shared = { n }; await n",
                "shared = { n }; eval('n')",
                "shared = { n }; const { f } = await import('./lib.js'); f(n) / 10"
            })
    void isEachTextForHundredsOfContexts(String text) {
        List<Frame> frames = new ArrayList<>();
        runIn(frames, text);
        Map<String, Integer> once = Map.copyOf(parses);

        while (frames.size() < CONTEXTS) {
            runIn(frames, text);
        }

        assertThat(engine.openContexts()).isGreaterThanOrEqualTo(CONTEXTS);
        assertSameParses(once, "block.js");
        // A plain text tells its names without being parsed for them.
        assertThat(once.containsKey("block.js#names"))
                .isEqualTo(ScriptReader.namesOf(text) == null);
        assertThat(parses.get("block.js#names")).isEqualTo(once.get("block.js#names"));
    }

    /** Runs a text in a frame that keeps its context. */
    private void runIn(List<Frame> frames, String text) {
        int n = frames.size();
        Frame frame = frame("n", n);
        frames.add(frame);
        assertThat(engine.capture(text, frame).run().value()).isEqualTo(n);
    }

    @Test
    void isEachModuleAlthoughEachFrameHasItsOwn() {
        List<Frame> frames = new ArrayList<>();
        runIn(frames, "const { f } = await import('./lib.js'); f(n) / 10");
        Map<String, Integer> once = Map.copyOf(parses);

        while (frames.size() < 20) {
            int other = frames.size();
            runIn(
                    frames,
                    "// %d\nconst { f } = await import('./lib.js'); f(n) / 10".formatted(other));
        }

        assertSameParses(once, "./lib.js", "./k.js");
    }

    private void assertSameParses(Map<String, Integer> once, String... files) {
        assertThat(once).containsKeys(files);
        for (String file : files) {
            assertThat(parses).containsEntry(file, once.get(file));
        }
    }
}
