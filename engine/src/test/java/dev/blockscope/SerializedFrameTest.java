package dev.blockscope;

import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The stand-in for a frame whose block is shipped. */
class SerializedFrameTest {
    private static final FrameCode CODE = new FrameCode("steer.js", 40, "steer");

    @Test
    void keepsThePlaceOfTheCodeAndNothingOfTheVariables() {
        Frame frame = Frame.of(map("x", 1), Globals.of(Map.of("g", 2)), CODE);

        SerializedFrame serialized = SerializedFrame.of(frame);

        assertThat(serialized.code()).isEqualTo(CODE);
        assertThat(serialized.snapshot()).isEmpty();
        assertThat(serialized.globals().find("g")).isEmpty();
    }

    @Test
    void sharesNothingWithTheFrameItStandsFor() {
        Frame frame = Frame.of(map(), Globals.none(), CODE);
        SharedLocals.of(frame).put("x", 1);

        assertThat(SharedLocals.of(SerializedFrame.of(frame)).names()).isEmpty();
    }

    @Test
    void takesAPushAsAPlainUpdateOfItsLocals() {
        SerializedFrame frame = SerializedFrame.of(CODE);

        frame.push(map("b", 1, "a", null));
        frame.push(map("b", 2));

        assertThat(frame.snapshot()).isEqualTo(map("b", 2, "a", null));
        assertThat(frame.snapshot().keySet()).containsExactly("b", "a");
    }

    @Test
    void takesTheBlocksOfAnEngine() {
        SerializedFrame frame = SerializedFrame.of(CODE);
        try (BlockEngine engine = BlockEngine.create()) {
            engine.capture("let total = 5", frame).run();

            assertThat(engine.capture("total + 1", frame).run().value()).isEqualTo(6);
        }

        assertThat(frame.snapshot()).isEqualTo(map("total", 5));
    }

    @Test
    void doesNotShowItsLocalsToChanges() {
        SerializedFrame frame = SerializedFrame.of(CODE);
        frame.push(map("x", 1));

        frame.snapshot().put("x", 2);

        assertThat(frame.snapshot()).isEqualTo(map("x", 1));
    }

    @Test
    void equalsAnotherOfTheSameCode() {
        SerializedFrame one = SerializedFrame.of(CODE);
        SerializedFrame other = SerializedFrame.of(CODE);
        one.push(map("x", 1));

        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one).isNotEqualTo(SerializedFrame.of(new FrameCode("steer.js", 41, "steer")));
    }

    @Test
    void ofASerializedFrameIsTheSameAgain() {
        SerializedFrame one = SerializedFrame.of(CODE);

        assertThat(SerializedFrame.of(one)).isEqualTo(one).isNotSameAs(one);
    }

    @Test
    void saysWhereItStands() {
        assertThat(SerializedFrame.of(CODE)).hasToString("SerializedFrame[steer.js:40 steer]");
    }

    @Test
    void needsACode() {
        assertThatNullPointerException().isThrownBy(() -> SerializedFrame.of((FrameCode) null));
        assertThatNullPointerException().isThrownBy(() -> SerializedFrame.of((Frame) null));
    }
}
