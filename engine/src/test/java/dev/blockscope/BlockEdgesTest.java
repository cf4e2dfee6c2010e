package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A captured block: its text, what a run of it comes to, and that no trick of the text matters. */
class BlockEdgesTest {
    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    @Test
    void aBlockMayRunAnotherBlockOfItsFrame() {
        Map<String, Object> locals = map();
        Frame frame = Frame.of(locals);
        Block inner = engine.capture("inner = 2; 'a' + s", Frame.of(map("s", "b")));
        Block sibling = engine.capture("own = 3; outer + 1", frame);
        locals.put("run", (java.util.concurrent.Callable<Object>) () -> inner.run().value());
        locals.put(
                "beside", (java.util.concurrent.Callable<Object>) () -> sibling.evaluate().value());

        Object value =
                engine.capture("outer = 1; [run(), beside(), typeof inner, own].join()", frame)
                        .evaluate()
                        .value();

        assertThat(value).isEqualTo("ab,2,undefined,3");
    }
}
