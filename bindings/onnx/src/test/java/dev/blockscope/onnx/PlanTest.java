package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.Block;
import dev.blockscope.interleave.Batch;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a trace cuts the graph, and that its values do not depend on it. */
class PlanTest {
    private final ModelWithBlocks blocks = ModelWithBlocks.of(RealModel.TINY_IOI);
    private final OnnxModel model = blocks.model();
    private final Map<String, Tensor> inputs = blocks.inputs();
    private final Map<String, @Nullable Object> locals = blocks.locals();

    @AfterEach
    void close() {
        blocks.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = model.transformer.h[1].output",
                "a = [0, 1, 2].map(i => model.transformer.h[i].output.mean())",
                "for (const block of model.transformer.h) a = block.output.norm()",
            })
    void readsAddNoCut(String text) {
        trace(text);

        assertThat(model.statistics().builds()).isEqualTo(1);
    }

    @Test
    void anEditIsTheOnlyCutAmongReads() {
        trace(
                """
                a = model.transformer.wte.output
                b = model.transformer.h[0].output
                model.transformer.h[1].output = b
                c = model.transformer.h[2].output
                """);

        assertThat(model.statistics().builds()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = model.transformer.h[1].output",
                "for (const block of model.transformer.h) block.output.mean()",
                "model.transformer.h[1].output = model.transformer.h[0].output.mul(2)",
                "model.transformer.h[1].output['mul_'](2)",
                "const { output } = model.transformer.h[2]",
                "const part = 'wte'; a = model.transformer[part]['output']; model.lm_head.output",
                "model.transformer.h[1].attn.output; model.stop()",
            })
    void theSameTraceAgainBuildsNothing(String text) {
        model.trace(inputs, blocks.capture(text));
        long builds = model.statistics().builds();

        model.trace(inputs, blocks.capture(text));

        assertThat(model.statistics().builds()).isEqualTo(builds);
    }

    @Test
    void theSameBatchAgainBuildsNothingAndCutsNothingForReads() {
        Block read = blocks.capture("a = model.transformer.h[1].output.shape");
        Batch<Map<String, Tensor>> batch = new Batch<Map<String, Tensor>>();
        batch.add(read, inputs).add(blocks.capture("b = model.transformer.h[2].output"), inputs);

        model.trace(batch);
        assertThat(model.statistics().builds()).isEqualTo(1);
        model.trace(batch);

        assertThat(model.statistics().builds()).isEqualTo(1);
    }

    @Test
    void aCacheOfManyModulesCutsNothing() {
        Cached cached = model.cache(inputs, List.of("transformer.h.*", "transformer.wte"));

        assertThat(cached.values()).hasSize(4);
        assertThat(model.statistics().builds()).isEqualTo(1);
    }

    @Test
    void aMemberThatLooksLikeAReadButChangesTheTensorIsAnEditAllTheSame() {
        Tensor foreseen = trace("model.transformer.h[1].output.mul_(2)");
        Tensor unforeseen = trace("model.transformer.h[1].output['mul_'](2)");
        Tensor again = trace("model.transformer.h[1].output['mul_'](2)");

        assertSame(unforeseen, foreseen);
        assertSame(again, foreseen);
    }

    @Test
    void aReadThatNobodyForesawHasTheSameValue() {
        trace("const { output } = model.transformer.h[1]; a = output");
        Tensor unforeseen = blocks.tensor("a");
        trace("a = model.transformer.h[1].output");

        assertSame(unforeseen, blocks.tensor("a"));
    }

    @ParameterizedTest
    @EnumSource(RealModel.class)
    void whatIsReadDoesNotDependOnWhereTheGraphIsCut(RealModel real) {
        try (OnnxModel of = real.open()) {
            Set<String> points = of.points().keySet();
            Script ahead = new Script();
            Map<String, Tensor> inOnePiece = ahead.collecting(of);
            Map<String, Tensor> outputs =
                    of.runInStep(real.inputs(), ahead, Plan.of(of.hooks(), points, Set.of()));
            assertThat(of.statistics().builds()).isEqualTo(1);
            Script stepwise = new Script();
            Map<String, Tensor> inPieces = stepwise.collecting(of);
            of.runInStep(real.inputs(), stepwise, Plan.stepByStep());

            assertThat(inOnePiece).hasSameSizeAs(points);
            inOnePiece.forEach((point, value) -> assertSame(value, inPieces.get(point)));
            of.run(real.inputs()).forEach((name, value) -> assertSame(value, outputs.get(name)));
        }
    }

    @ParameterizedTest
    @EnumSource(RealModel.class)
    void goingBackToAnEditThatNobodyForesawComesToTheSame(RealModel real) {
        try (OnnxModel of = real.open()) {
            List<String> points = Script.inOrder(of);
            String early = points.get(points.size() / 4);
            String middle = points.get(points.size() / 2);
            Plan plan = Plan.of(of.hooks(), points, Set.of());
            Map<String, Tensor> back = of.runInStep(real.inputs(), edit(early, middle), plan);
            Map<String, Tensor> cut =
                    of.runInStep(real.inputs(), edit(early, middle), Plan.stepByStep());
            Map<String, Tensor> known = of.runInStep(real.inputs(), edit(early, middle), plan);

            back.forEach((name, value) -> assertSame(value, cut.get(name)));
            back.forEach((name, value) -> assertSame(value, known.get(name)));
            assertThat(back).isNotEqualTo(of.run(real.inputs()));
        }
    }

    private static Script edit(String early, String middle) {
        return new Script()
                .reading(early)
                .at(middle, hidden -> hidden.dtype().isFloatingPoint() ? hidden.mul(1.5) : hidden);
    }

    @Test
    void aProbeRunsNoFurtherThanItsBlockAsks(@TempDir Path folder) throws Exception {
        TinyModel failsLate =
                new TinyModel()
                        .input("x", DType.FLOAT32, "2")
                        .input("at", DType.INT64, "1")
                        .output("y", DType.FLOAT32)
                        .node("Relu", "/net/first/Relu", "x", "h")
                        .node("Gather", "/net/last/Gather", "h at", "y");
        try (OnnxModel tiny = OnnxModel.open(failsLate.writeTo(folder))) {
            Block block = blocks.capture(tiny, "seen = model.net.first.output");
            Map<String, Tensor> beyond =
                    Map.of("x", Tensor.of(new float[] {1, 2}), "at", Tensor.of(new long[] {7}));

            assertThatThrownBy(() -> tiny.trace(beyond, block))
                    .isInstanceOf(OnnxRunException.class);
            assertThat(tiny.probe(beyond, block).result()).isNull();

            assertThat(locals.get("seen")).hasToString("Tensor float32 [2] [1.000, 2.000]");
            assertThat(tiny.ledger().values()).isZero();
        }
    }

    @Test
    void aProbeOfAnEarlyLayerNeedsOneSegment() {
        model.probe(inputs, blocks.capture("a = model.transformer.h[0].output"));

        assertThat(locals.get("a")).isInstanceOf(Tensor.class);
        assertThat(model.statistics().builds()).isEqualTo(1);
    }

    private Tensor trace(String text) {
        return Objects.requireNonNull(blocks.trace(text).result().get("logits"));
    }

    private static void assertSame(Tensor one, @Nullable Tensor other) {
        assertThat(one.sub(Objects.requireNonNull(other)).abs().max()).isZero();
    }
}
