package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.interleave.Envoy;
import dev.blockscope.interleave.HookPoints;
import dev.blockscope.interleave.Interleaver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The mechanism in one go, run from the module path, from the class path, and compiled. */
@Tag("path-shapes")
@Tag("compiled")
final class PathShapesTest {
    @Test
    void capturesRunsSharesAndPushes() {
        Map<String, Object> locals = new HashMap<>(Map.of("price", 3, "quantity", 4));
        Frame frame = Frame.of(locals);
        try (BlockEngine engine = BlockEngine.create()) {
            Block first =
                    engine.capture("let n = 0; total = price * quantity; inc = () => ++n", frame);
            Block sibling = engine.capture("inc(); inc(); n", frame);
            first.run();
            assertThat(sibling.run().value()).isEqualTo(2);
        }
        assertThat(locals).containsEntry("total", 12).containsEntry("n", 0);
    }

    @Test
    void runsInStepWithAComputation() {
        HookPoints points = HookPoints.of(List.of("half", "whole"));
        Map<String, Object> locals = new HashMap<>(Map.of("it", Envoy.of(points)));
        try (BlockEngine engine = BlockEngine.create()) {
            Block block = engine.capture("it.half = it.half + 1; end = it.whole", Frame.of(locals));
            Interleaver.of(points)
                    .run(
                            List.of(block),
                            visits -> {
                                int half = (Integer) visits.visit("half", 20);
                                return visits.visit("whole", 2 * half);
                            });
        }
        assertThat(locals).containsEntry("end", 42);
    }

    @Test
    void staysRightWhileItGetsHot() {
        Map<String, Object> locals = new HashMap<>(Map.of("x", 1));
        Frame frame = Frame.of(locals);
        try (BlockEngine engine = BlockEngine.create()) {
            Block block =
                    engine.capture(
                            "let s = 0; for (let i = 0; i < 100; i++) s += x * Math.max(i, 2); s",
                            frame);
            for (int i = 0; i < 3_000; i++) {
                assertThat(block.run().value()).isEqualTo(4_953);
            }
        }
        assertThat(locals).containsEntry("s", 4_953);
    }

    @Test
    void namesTheRuntime() {
        try (BlockEngine engine = BlockEngine.create()) {
            assertThat(engine.runtime()).contains(engine.isCompiled() ? "compiled" : "interpreted");
        }
    }
}
