package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Texts much longer than a run may hand over are refused by their length. One of 2<sup>28</sup>
 * characters, put together in 28 steps, takes next to nothing until somebody reads the whole of it.
 */
@Timeout(120)
class LongTextsTest {
    /** A sixteenth of what the shortest form of the text would take. */
    private static final long LITTLE = 1 << 24;

    /** In a JVM of its own, for with assertions GraalVM reads every text that it is asked about. */
    @Test
    void areRefusedUnread() throws Exception {
        assertThat(OwnJvm.run(Refusals.class)).contains("all refused");
    }

    @Test
    void thatAreThrownAreCut() {
        try (BlockEngine engine = BlockEngine.create()) {
            for (String text :
                    List.of("throw 'x'.repeat(2 ** 20)", "throw Error('x'.repeat(2 ** 20))")) {
                BlockException e =
                        catchThrowableOfType(
                                BlockException.class, engine.capture(text, frame())::run);

                assertThat(e.getMessage()).hasSizeBetween(10_000, 10_100).contains("xxx…");
                assertThat(e.traceback().render()).hasSizeLessThan(10_500);
            }
        }
    }

    /** In a JVM of its own, for it is the heap that ends. */
    @Test
    void thatTheHeapCannotHoldAreLimits() throws Exception {
        List<String> options =
                List.of(
                        "-Xmx200m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        OwnJvm.path(place -> true));

        assertThat(OwnJvm.runWith(options, NoRoom.class)).contains("all limits");
    }

    /** Makes texts as long as the language allows, in all ways that they can leave a block. */
    static final class NoRoom {
        private static final List<String> TEXTS =
                List.of(
                        "'x'.repeat(2 ** 30 - 40)",
                        "throw '\u20ac'.repeat(2 ** 30 - 40)",
                        "out = 'x'.repeat(2 ** 30 - 40); 1",
                        "let s = 'x'.repeat(2 ** 20); for (let i = 0; i < 9; i++) s += s; s",
                        "let s = 'x'.repeat(2 ** 20); for (let i = 0; i < 9; i++) s += s; throw s",
                        "let s = 'x'.repeat(2 ** 20); for (let i = 0; i < 9; i++) s += s; f(s)");

        private NoRoom() {}

        public static void main(String[] arguments) {
            try (BlockEngine engine = BlockEngine.builder().output(line -> {}).build()) {
                for (String text : TEXTS) {
                    Frame frame = frame("f", (Consumer<Object>) given -> {});
                    BlockException e =
                            catchThrowableOfType(
                                    BlockException.class, engine.capture(text, frame)::run);
                    if (e == null || e.kind() != BlockException.Kind.LIMIT) {
                        throw new AssertionError(text, e);
                    }
                }
            }
            System.out.println("all limits");
        }
    }

    /** Lets blocks hand over a long text, and measures what it takes to refuse that. */
    static final class Refusals {
        private static final String LONG = "let s = 'x'; for (let i = 0; i < 28; i++) s += s;\n";

        private static final List<String> RESULTS =
                List.of(
                        "s",
                        "out = s; 1",
                        "var later = s; () => later",
                        "({ s })",
                        "[[s]]",
                        "await Promise.resolve(s)",
                        "(async () => s)()",
                        "f(s)",
                        "f({ s })");

        private static final List<String> OUTPUTS =
                List.of(
                        "console.log(s); s = 1",
                        "console.log('%s', s); s = 1",
                        "console.error(1, s, s); s = 1",
                        "print(s, s); s = 1");

        private Refusals() {}

        public static void main(String[] arguments) {
            Limits limits = Limits.builder().resultSize(1_000_000).outputBytes(64 << 10).build();
            try (BlockEngine engine =
                    BlockEngine.builder().limits(limits).output(line -> {}).build()) {
                RESULTS.forEach(text -> requireRefused(engine, text, Limit.RESULT_SIZE));
                OUTPUTS.forEach(text -> requireRefused(engine, text, Limit.OUTPUT));
            }
            System.out.println("all refused");
        }

        private static void requireRefused(BlockEngine engine, String text, Limit limit) {
            Frame frame = frame("f", (Consumer<Object>) given -> {});
            Block block = engine.capture(LONG + text, frame);
            long before = Allocation.of(Thread.currentThread());
            String outcome;
            try {
                outcome = "returned " + block.run();
            } catch (BlockException e) {
                outcome = e.limit().map(reached -> reached.limit().toString()).orElse(e.toString());
            }
            long taken = Allocation.of(Thread.currentThread()) - before;
            if (!outcome.equals(limit.toString()) || taken > LITTLE) {
                throw new AssertionError("%s: %s, %d bytes".formatted(text, outcome, taken));
            }
        }
    }
}
