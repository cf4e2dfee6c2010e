package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Some builtins never look whether they are to stop, and what they are given can keep them busy for
 * years. Their caller is free all the same, the engine goes on and can be closed, and the JVM ends.
 */
@Timeout(120)
class LeftBehindTest {
    /** In a JVM of its own, which is the only thing that ends such a builtin. */
    @Test
    void whatNothingStopsKeepsNobody() throws Exception {
        assertThat(OwnJvm.run(Endless.class)).contains("all left behind");
    }

    /** Leaves some builtins behind that would never end. */
    static final class Endless {
        private static final List<String> TEXTS =
                List.of(
                        "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
                        "let a = {}; for (let i = 0; i < 60; i++) a = { a, b: a }; JSON.stringify(a)",
                        "BigInt('9'.repeat(2e7))");

        private static final Limits LIMITS =
                Limits.builder().time(Duration.ofMillis(500)).statements(1_000).build();

        private static final Duration IN_TIME = Duration.ofSeconds(10);

        private Endless() {}

        public static void main(String[] arguments) {
            try (BlockEngine engine =
                    BlockEngine.builder().limits(LIMITS).contexts(TEXTS.size() + 1).build()) {
                // So that what a first run takes is no part of their time.
                engine.capture("[1].indexOf(JSON.stringify(1))", frame()).within(Limits.NONE).run();
                for (String text : TEXTS) {
                    require(outcome(engine, text) == Limit.TIME, text);
                }
                require(
                        engine.overdueRuns() == TEXTS.size(),
                        "left behind: " + engine.overdueRuns());
                require(engine.capture("x + 1", frame("x", 1)).run().value().equals(2), "the next");
            }
            System.out.println("all left behind");
        }

        private static Limit outcome(BlockEngine engine, String text) {
            long began = System.nanoTime();
            try {
                throw new AssertionError(text + " came to " + engine.capture(text, frame()).run());
            } catch (BlockException e) {
                Duration took = Duration.ofNanos(System.nanoTime() - began);
                require(took.compareTo(IN_TIME) < 0, text + " took " + took);
                return e.limit().orElseThrow().limit();
            }
        }

        private static void require(boolean holds, String what) {
            if (!holds) {
                throw new AssertionError(what);
            }
        }
    }
}
