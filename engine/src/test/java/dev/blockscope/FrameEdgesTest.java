package dev.blockscope;

import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Where a block was written, and how what it assigned gets back there. */
class FrameEdgesTest {
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
    void thatThrowAnErrorWhenWrittenAreRestoredToo() {
        Map<String, Object> locals =
                new LinkedHashMap<>() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public @Nullable Object put(String name, @Nullable Object value) {
                        if (name.equals("b")) {
                            throw new AssertionError("out of order");
                        }
                        return super.put(name, value);
                    }
                };

        Throwable thrown =
                catchThrowableOfType(
                        Throwable.class, () -> Frame.of(locals).push(map("a", 1, "b", 2)));

        assertThat(thrown).isNotNull();
        assertThat(locals).isEmpty();
    }
}
