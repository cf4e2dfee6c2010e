package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Being told that a name of a block's own hides what a sibling bound to it since. */
class ShadowedBindingTest {
    private static final List<ShadowedBinding> TOLD = new ArrayList<>();
    private static BlockEngine engine;

    private final Frame frame = frame("x", 1, "y", 1);
    private final BlockSource reader =
            BlockSource.javaScript("let a = 0\na + x", "reader.js").startingAt(40, 1);
    private final BlockSource writer = BlockSource.javaScript("x = 2", "writer.js");

    @BeforeAll
    static void open() {
        engine = BlockEngine.builder().onShadowed(TOLD::add).build();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    @BeforeEach
    void forget() {
        TOLD.clear();
    }

    @Test
    void saysBlockLineNameAndWhatIsHidden() {
        Block hiding = engine.capture(reader, frame);
        engine.capture(writer, frame).run();

        assertThat(hiding.run().value()).isEqualTo(1);

        assertThat(TOLD).containsExactly(new ShadowedBinding(reader, 41, "x", writer));
        assertThat(TOLD.getFirst())
                .hasToString(
                        "reader.js:41: the block's own \"x\" hides what writer.js:1:1 bound to it since");
    }

    @Test
    void isNotSaidOfABindingThatWasThereAtTheCapture() {
        engine.capture(writer, frame).run();

        engine.capture(reader, frame).run();

        assertThat(TOLD).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"x = 5", "let x = 5; x", "function f(x) { return x }; f(5)", "y", "'x'"})
    void isNotSaidOfABlockThatDoesNotReadTheName(String text) {
        Block other = engine.capture(text, frame);
        engine.capture(writer, frame).evaluate();

        other.evaluate();

        assertThat(TOLD).isEmpty();
    }

    @Test
    void isNotSaidOfANameTheBlockHasNotItself() {
        Frame without = frame();
        Block open = engine.capture("x + 1", without);
        engine.capture(writer, without).evaluate();

        assertThat(open.run().value()).isEqualTo(3);
        assertThat(TOLD).isEmpty();
    }

    @Test
    void isNotSaidOfWhatTheBlockBoundItselfInAnEarlierRun() {
        Block counting = engine.capture("x = x + 1", frame);

        counting.evaluate();
        counting.evaluate();

        assertThat(TOLD).isEmpty();
    }

    @Test
    void isNotSaidOfAnotherFrame() {
        Block alone = engine.capture(reader, frame);
        engine.capture(writer, frame("x", 1)).run();

        alone.run();

        assertThat(TOLD).isEmpty();
    }

    @Test
    void isSaidOfWhatTheHostSharedSince() {
        Block hiding = engine.capture(reader, frame);
        SharedLocals.of(frame).put("x", 3);

        hiding.run();

        assertThat(TOLD).containsExactly(new ShadowedBinding(reader, 41, "x", null));
        assertThat(TOLD.getFirst().toString()).contains("what the host bound");
    }

    @Test
    void isSaidOfWhatASiblingBoundWhileTheBlockWaited() {
        Map<String, Object> locals = map();
        Frame both = Frame.of(locals);
        Block sibling = engine.capture(writer, both);
        locals.put("wait", (Runnable) sibling::evaluate);
        BlockSource waiting = BlockSource.javaScript("x = 1\nwait()\nx", "waiting.js");

        Object value = engine.capture(waiting, both).evaluate().value();

        assertThat(value).isEqualTo(1);
        assertThat(TOLD).containsExactly(new ShadowedBinding(waiting, 1, "x", writer));
    }

    @Test
    void isSaidInEveryRun() {
        Block hiding = engine.capture(reader, frame).pushOnly();
        engine.capture(writer, frame).run();

        hiding.run();
        hiding.run();

        assertThat(TOLD).hasSize(2);
    }

    @Test
    void ofAListenerThatThrowsTheRunPushesNothing() {
        Map<String, Object> locals = map("x", 1);
        Frame strict = Frame.of(locals);
        try (BlockEngine throwing =
                BlockEngine.builder()
                        .onShadowed(shadowed -> {
                            throw new IllegalStateException(shadowed.toString());
                        })
                        .build()) {
            Block hiding = throwing.capture("out = x", strict);
            throwing.capture(writer, strict).evaluate();

            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(hiding::run)
                    .withMessageContaining("\"x\" hides what writer.js:1:1 bound");
        }
        assertThat(locals).isEqualTo(map("x", 1));
    }

    @Test
    void isNotLookedForByAnEngineThatWasNotAsked() {
        try (BlockEngine silent = BlockEngine.create()) {
            Block hiding = silent.capture(reader, frame);
            silent.capture(writer, frame).run();

            assertThat(hiding.run().value()).isEqualTo(1);
        }
        assertThat(TOLD).isEmpty();
    }

    @Test
    void needsAListener() {
        assertThatNullPointerException().isThrownBy(() -> BlockEngine.builder().onShadowed(null));
    }
}
