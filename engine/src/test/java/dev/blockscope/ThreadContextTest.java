package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.interleave.Envoy;
import dev.blockscope.interleave.HookPoints;
import dev.blockscope.interleave.Interleaver;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.MDC;
import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPLoggerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** What SLF4J knows of the caller's thread is known where its blocks run. */
class ThreadContextTest {
    @Test
    void theContextOfLogLinesFollowsABlockAndDoesNotStay() throws Exception {
        assertThat(OwnJvm.run(LogsOfUsers.class))
                .filteredOn(line -> !line.startsWith("SLF4J"))
                .containsExactly(
                        "within limits: ada",
                        "on another thread: ada",
                        "in step: ada",
                        "nobody within limits: null",
                        "nobody on another thread: null",
                        "nobody in step: null");
    }

    /** A program with a logger that has such a context. */
    static final class LogsOfUsers {
        private static final HookPoints POINTS = HookPoints.of(List.of("a"));

        public static void main(String[] arguments) {
            System.setProperty("slf4j.provider", WithContext.class.getName());
            MDC.put("user", "ada");
            try (BlockEngine engine = BlockEngine.create()) {
                tell("", engine);
                MDC.clear();
                tell("nobody ", engine);
            }
        }

        private static void tell(String who, BlockEngine engine) {
            Map<String, Object> locals = new HashMap<>(Map.of("it", Envoy.of(POINTS)));
            locals.put("user", (Supplier<String>) () -> MDC.get("user"));
            Frame frame = Frame.of(locals);
            Block block = engine.capture("seen = user()", frame);
            block.within(Limits.builder().time(Duration.ofSeconds(20)).build()).run();
            System.out.println(who + "within limits: " + locals.get("seen"));
            block.runAsync().join();
            System.out.println(who + "on another thread: " + locals.get("seen"));
            Block waits = engine.capture("it.a; seen = user()", frame);
            Interleaver.of(POINTS).run(List.of(waits), visits -> visits.visit("a", 1));
            System.out.println(who + "in step: " + locals.get("seen"));
        }
    }

    /** Logs nothing and has a context, which the logger of the tests has not. */
    public static final class WithContext implements SLF4JServiceProvider {
        private final MDCAdapter context = new BasicMDCAdapter();

        @Override
        public ILoggerFactory getLoggerFactory() {
            return new NOPLoggerFactory();
        }

        @Override
        public IMarkerFactory getMarkerFactory() {
            return new BasicMarkerFactory();
        }

        @Override
        public MDCAdapter getMDCAdapter() {
            return context;
        }

        @Override
        public String getRequestedApiVersion() {
            return "2.0";
        }

        @Override
        public void initialize() {}
    }
}
