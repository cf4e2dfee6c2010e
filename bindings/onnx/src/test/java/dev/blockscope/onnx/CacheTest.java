package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What many modules make, kept in one run, and the shapes of it, known before. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CacheTest {
    private final OnnxModel model = RealModel.TINY_IOI.open();
    private final Map<String, Tensor> inputs = RealModel.TINY_IOI.inputs();

    @AfterEach
    void noValueIsLeft() {
        assertThat(model.ledger().values()).isZero();
    }

    @AfterAll
    void close() {
        model.close();
    }

    @ParameterizedTest
    @EnumSource(RealModel.class)
    void theShapeOfEachModuleIsKnownBeforeTheRun(RealModel real) {
        try (OnnxModel opened = real.open()) {
            Map<String, TensorSpec> scan = opened.scan();
            Map<String, Long> sizes = new OpenSizes(opened.inputs()).of(real.inputs());

            Map<String, Tensor> made =
                    opened.cache(real.inputs(), List.copyOf(scan.keySet())).values();

            assertThat(scan.keySet()).isEqualTo(opened.points().keySet()).isEqualTo(made.keySet());
            made.forEach((point, tensor) -> {
                TensorSpec spec = Objects.requireNonNull(scan.get(point));
                assertThat(spec.dtype()).as(point).isEqualTo(tensor.dtype());
                assertThat(spec.shape().stream().map(size -> OpenSizes.size(size, sizes)))
                        .as(point)
                        .containsExactlyElementsOf(Arrays.stream(tensor.shape()).boxed().toList());
            });
            assertThat(opened.ledger().values()).isZero();
        }
    }

    @Test
    void aDimensionHasTheNameThatTheInputHasForIt() {
        assertThat(model.scan().get("transformer.h.1.output"))
                .hasToString("/transformer/h.1/Add_1_output_0: float32 [batch, sequence, 64]");
        assertThat(model.scan().get("transformer.wpe.output"))
                .hasToString("/transformer/wpe/Gather_output_0: float32 [sequence, 64]");
    }

    @Test
    void aPatternMeansTheOutputsOfSeveralModulesInTheOrderTheyAreMade() {
        Cached cached = model.cache(inputs, List.of("transformer.h.*", "transformer.wte.output"));

        assertThat(cached.values().keySet())
                .containsExactly(
                        "transformer.wte.output",
                        "transformer.h.0.output",
                        "transformer.h.1.output",
                        "transformer.h.2.output");
        assertThat(cached.of("transformer.h.1")).isSameAs(cached.of("transformer.h.1.output"));
        assertThat(cached.trace().result()).containsOnlyKeys("logits");
    }

    @Test
    void whatIsKeptIsWhatTheRunGoesOnWith() {
        try (BlockEngine engine = BlockEngine.create()) {
            Map<String, @Nullable Object> locals = new HashMap<>(Map.of("model", model.envoy()));
            Cached cached =
                    model.cache(
                            inputs,
                            List.of("transformer.h.0", "transformer.h.1"),
                            engine.capture(
                                    "model.transformer.h[0].output.fill_(7); x = 1",
                                    Frame.of(locals)));

            assertThat(cached.of("transformer.h.0").sub(7).abs().max()).isZero();
            assertThat(locals.get("x")).isEqualTo(1);
        }
    }

    @Test
    void whatWasMadeBeforeABlockStopsIsKept() {
        try (BlockEngine engine = BlockEngine.create()) {
            Frame frame = Frame.of(new HashMap<>(Map.of("model", model.envoy())));

            Cached cached =
                    model.cache(
                            inputs,
                            List.of("transformer.h.*"),
                            engine.capture("model.transformer.h[1].output; model.stop()", frame));

            assertThat(cached.trace().stopped()).isPresent();
            assertThat(cached.values()).containsKey("transformer.h.0.output");
            assertThat(cached.values()).doesNotContainKey("transformer.h.2.output");
        }
    }

    @Test
    void aModuleThatIsNotThereIsNamedWithTheNearest() {
        assertThatThrownBy(() -> model.cache(inputs, List.of("transformer.h.7")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"transformer.h.7\"")
                .hasMessageContaining("transformer.h.");
        assertThatThrownBy(
                        () -> model.cache(inputs, List.of("transformer.h.0")).of("transformer.h.1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[transformer.h.0.output]");
    }

    @Test
    void aClosedModelIsNotScanned() {
        OnnxModel closed = RealModel.TINY_IOI.open();
        closed.close();

        assertThatThrownBy(closed::scan).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> closed.cache(inputs, List.of("transformer")))
                .isInstanceOf(IllegalStateException.class);
    }
}
