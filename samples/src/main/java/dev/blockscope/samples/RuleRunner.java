package dev.blockscope.samples;

import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockResult;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.Limits;
import dev.blockscope.Traceback;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs rules as blocks, each in a frame of its own whose locals are the fields of its input. */
final class RuleRunner implements AutoCloseable {

    private final BlockEngine engine;

    /**
     * Creates a runner.
     *
     * @param most how long a rule may run before it is stopped
     */
    RuleRunner(Duration most) {
        engine =
                BlockEngine.builder()
                        .limits(Limits.UNTRUSTED.toBuilder().time(most).build())
                        .build();
    }

    /**
     * Checks that a rule parses.
     *
     * @throws BlockException if it does not, with the place
     */
    void check(String name, String text) {
        engine.capture(source(name, text), Frame.empty());
    }

    /**
     * Runs a rule. Nothing of one run is seen by another.
     *
     * @throws BlockException if the rule fails or is stopped
     */
    BlockResult run(String name, String text, Map<String, @Nullable Object> input) {
        return engine.capture(source(name, text), Frame.of(input)).evaluate();
    }

    /** Returns the guest contexts that are open. */
    int openContexts() {
        return engine.openContexts();
    }

    @Override
    public void close() {
        engine.close();
    }

    /**
     * Returns an error as the user of a rule reads it: where it is, and the lines that led there.
     */
    static Map<String, @Nullable Object> described(String rule, BlockException e) {
        Map<String, @Nullable Object> error = new LinkedHashMap<>();
        error.put("rule", rule);
        error.put("kind", e.kind().name());
        error.put("message", e.getMessage());
        Traceback.Entry place = e.traceback().innermost();
        if (place != null) {
            error.put("line", place.line());
            error.put("column", place.column());
            error.put("source", place.sourceLine());
        }
        error.put("calls", e.traceback().entries().stream().map(RuleRunner::described).toList());
        error.put("traceback", List.of(e.traceback().render().split("\n")));
        return error;
    }

    private static Map<String, @Nullable Object> described(Traceback.Entry call) {
        Map<String, @Nullable Object> described = new LinkedHashMap<>();
        described.put("file", call.file());
        described.put("line", call.line());
        described.put("column", call.column());
        described.put("function", call.function());
        return described;
    }

    private static BlockSource source(String name, String text) {
        return BlockSource.javaScript(text, name + ".js");
    }
}
