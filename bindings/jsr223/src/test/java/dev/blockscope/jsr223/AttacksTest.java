package dev.blockscope.jsr223;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import dev.blockscope.GuestFunction;
import dev.blockscope.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.script.Bindings;
import javax.script.ScriptEngine;
import javax.script.ScriptException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A door of the engine's corpus that is closed to a block is closed to a script. */
final class AttacksTest {
    private static final Path CORPUS = Path.of("../../engine/src/test/resources/attacks");

    private static BlockEngine blocks;
    private static BlockScriptEngine scripts;

    @BeforeAll
    static void open() {
        blocks =
                BlockEngine.builder()
                        .limits(
                                Limits.UNTRUSTED.toBuilder()
                                        .time(Duration.ofSeconds(20))
                                        .statements(300_000)
                                        .build())
                        .output(line -> {})
                        .build();
        scripts = BlockScriptEngineFactory.of(blocks).getScriptEngine();
        scripts.put(ScriptEngine.FILENAME, "block.js");
    }

    @AfterAll
    static void close() {
        blocks.close();
    }

    static Stream<Path> doors() throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files
                    .filter(file -> file.getFileName().toString().startsWith("door"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @Test
    void theDoorsAreThere() throws IOException {
        assertThat(doors()).hasSizeGreaterThan(40);
    }

    @ParameterizedTest
    @MethodSource("doors")
    void isClosedToAScriptToo(Path door) throws IOException {
        String text = Files.readString(door);

        assertThat(ofScript(text)).isEqualTo(ofBlock(text));
    }

    private static String ofBlock(String text) {
        try {
            return String.valueOf(blocks.capture(text, Frame.of(locals())).run().value());
        } catch (BlockException e) {
            return e.getMessage();
        }
    }

    private static String ofScript(String text) {
        Bindings bindings = scripts.createBindings();
        bindings.putAll(locals());
        try {
            return String.valueOf(scripts.eval(text, bindings));
        } catch (ScriptException e) {
            return e.getCause().getMessage();
        }
    }

    /** What the doors of the corpus try to go through. */
    @SuppressWarnings("UnnecessaryStringBuilder") // an object of the host's, and no text
    private static Map<String, Object> locals() {
        Function<Object, Object> f = it -> 1;
        Function<GuestFunction, Object> each = GuestFunction::call;
        Map<String, Object> locals = new HashMap<>();
        locals.put("svc", new StringBuilder("service"));
        locals.put("f", f);
        locals.put("each", each);
        locals.put("error", new IllegalStateException("error"));
        locals.put("bytes", ByteBuffer.allocate(4));
        locals.put("list", List.of(1, 2));
        locals.put("map", Map.of("a", 1));
        locals.put("type", String.class);
        locals.put("bag", new ArrayList<>(List.of(1, 2)));
        return locals;
    }
}
