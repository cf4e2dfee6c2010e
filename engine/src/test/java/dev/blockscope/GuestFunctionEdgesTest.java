package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A function that a block made, in the host's hands. */
class GuestFunctionEdgesTest {
    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static GuestFunction function(String text, Frame frame) {
        return (GuestFunction) engine.capture(text, frame).run().value();
    }

    @Test
    void aResultThatCannotBeHandedOverIsABlockException() {
        GuestFunction f = function("() => ({ get a() { throw new Error('getter') } })", frame());

        assertThatExceptionOfType(BlockException.class)
                .isThrownBy(f::call)
                .withMessageContaining("a");
    }
}
