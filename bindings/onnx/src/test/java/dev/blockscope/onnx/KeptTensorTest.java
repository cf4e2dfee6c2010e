package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.BlockException;
import dev.blockscope.GuestFunction;
import dev.blockscope.interleave.Batch;
import dev.blockscope.interleave.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A tensor that a model lends to a block is the block's until the run is over, and no longer. */
class KeptTensorTest {
    private static final String OVER =
            "the tensor float32 [1, 8, 64] of \"transformer.h.0.output\" belonged to a run that is"
                    + " over; keep a copy of it by clone() while the block runs, or assign it to a"
                    + " name of the block, which makes one";

    @Nested
    class WhereTheGraphIsCut extends Kept {
        @Override
        OnnxModel open() {
            return RealModel.TINY_IOI.open();
        }

        @Test
        void inputsOfAModuleAreLentToo() {
            trace("kept.push(model.transformer.h[1].input)");

            assertThatThrownBy(() -> kept.getFirst().sum())
                    .hasMessageContaining("of \"transformer.h.1.inputs\" belonged to a run");
        }

        @Test
        void aProbeEndsTheTimeOfItsTensors() {
            blocks.model().probe(blocks.inputs(), blocks.capture(KEEP));

            assertOver(kept.getFirst());
        }

        @Test
        void aRecordingEndsTheTimeOfTheBlocksTensorsAndKeepsItsOwn() {
            Cached cached =
                    blocks.model()
                            .cache(
                                    blocks.inputs(),
                                    List.of("transformer.h.0"),
                                    blocks.capture(KEEP));

            assertOver(kept.getFirst());
            assertThat(cached.of("transformer.h.0").abs().max()).isPositive();
        }
    }

    @Nested
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    class WhereBlocksAreCalledInline extends Kept {
        @Override
        OnnxModel open() throws OnnxFileException {
            return OnnxModel.builder().inline(true).open(RealModel.TINY_IOI.file());
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class Kept {
        static final String KEEP = "kept.push(model.transformer.h[0].output)";

        final List<Tensor> kept = new ArrayList<>();
        ModelWithBlocks blocks;
        Map<String, @Nullable Object> locals;

        abstract OnnxModel open() throws OnnxFileException;

        @BeforeAll
        void begin() throws OnnxFileException {
            blocks = new ModelWithBlocks(open(), RealModel.TINY_IOI.inputs());
            locals = blocks.locals();
            locals.put("kept", kept);
        }

        @BeforeEach
        void keepNothing() {
            kept.clear();
        }

        @AfterAll
        void close() {
            blocks.close();
        }

        @Test
        void inAListOfTheHostItSaysThatItsRunIsOver() {
            trace(KEEP);

            assertOver(kept.getFirst());
        }

        @Test
        void handedToAFunctionOfTheHostItIsGoodUntilTheRunIsOver() {
            List<Double> meanwhile = new ArrayList<>();
            Consumer<Tensor> take =
                    tensor -> {
                        meanwhile.add(tensor.abs().max());
                        kept.add(tensor);
                    };
            locals.put("take", take);

            trace("take(model.transformer.h[0].output[0]); model.transformer.h[1].output");

            assertThat(meanwhile).singleElement().satisfies(max -> assertThat(max).isPositive());
            assertThatThrownBy(() -> kept.getFirst().toFloatArray())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith(
                            "the tensor float32 [8, 64] of \"transformer.h.0.output\"");
        }

        @Test
        void inAClosureItIsAnErrorAtTheLineThatUsesIt() {
            trace("const h = model.transformer.h[0].output\nsum = () => {\n  return h.sum()\n}");

            GuestFunction sum = (GuestFunction) Objects.requireNonNull(locals.get("sum"));
            assertThatThrownBy(sum::call)
                    .isInstanceOf(BlockException.class)
                    .hasMessageContaining(OVER)
                    .satisfies(e ->
                            assertThat(((BlockException) e).traceback().render())
                                    .contains("return h.sum()"));
        }

        @Test
        void aBlockOfALaterRunIsToldAtItsLine() {
            trace(KEEP);

            assertThatThrownBy(() -> trace("first = model.transformer.h[1].output\nkept[0].mul(2)"))
                    .isInstanceOf(BlockException.class)
                    .hasMessageContaining(OVER)
                    .satisfies(e ->
                            assertThat(((BlockException) e).traceback().render())
                                    .contains("block.js:2"));
        }

        @Test
        void neitherWrittenNorHandedToAModelItIsTakenForWhatItWas() {
            trace(KEEP + "; kept.push(kept[0][0][1])");
            Tensor row = kept.get(1);

            assertThatThrownBy(() -> row.fill_(0)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> row.add(1)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> Tensor.zeros(DType.FLOAT32, 64).copy_(row))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> row.at(3).item()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> trace("again = kept[0]"))
                    .isInstanceOf(BlockException.class)
                    .hasMessageContaining(OVER);
        }

        @Test
        void itsTypeItsShapeAndWhereItIsFromCanStillBeAskedFor() {
            trace(KEEP);

            assertThat(kept.getFirst().shape()).containsExactly(1, 8, 64);
            assertThat(kept.getFirst().dtype()).isEqualTo(DType.FLOAT32);
            assertThat(kept.getFirst())
                    .hasToString(
                            "Tensor float32 [1, 8, 64] of \"transformer.h.0.output\", whose run is over");
        }

        @Test
        void aRunThatFailsIsOverToo() {
            assertThatThrownBy(() -> trace(KEEP + "; throw new Error('enough')"))
                    .hasMessageContaining("enough");

            assertOver(kept.getFirst());
        }

        @Test
        void aCopyANameAndWhatWasComputedOfItStayGood() {
            trace(
                    """
                    h = model.transformer.h[0].output
                    kept.push(h.clone(), h.mul(2))
                    all = { h: [h] }
                    h
                    """);

            Tensor h = blocks.tensor("h");
            assertThat(kept.get(0).sub(h).abs().max()).isZero();
            assertThat(kept.get(1).div(2).sub(h).abs().max()).isZero();
            assertThat(locals.get("all")).asString().contains("Tensor float32 [1, 8, 64] [");
        }

        @Test
        void aBlockOfTheSameFrameUsesItInTheSameRun() {
            blocks.model()
                    .trace(
                            blocks.inputs(),
                            blocks.capture("h = model.transformer.h[0].output"),
                            blocks.capture(
                                    "const next = model.transformer.h[1].output; moved = next.sub(h).abs().max()"));

            assertThat(((Number) Objects.requireNonNull(locals.get("moved"))).doubleValue())
                    .isPositive();
        }

        @Test
        void inASessionItIsGoodUntilTheSessionIsOver() {
            Session.run(() -> {
                trace("h = model.transformer.h[0].output; " + KEEP);
                trace("same = h.sub(model.transformer.h[0].output).abs().max()");
                assertThat(kept.getFirst().abs().max()).isPositive();
                return null;
            });

            assertThat(locals.get("same")).isEqualTo(0);
            assertThat(blocks.tensor("h").abs().max()).isPositive();
            assertOver(kept.getFirst());
        }

        @Test
        void inASessionThatFailsItIsOverToo() {
            assertThatThrownBy(() ->
                            Session.run(() -> {
                                trace(KEEP);
                                throw new IllegalArgumentException("enough");
                            }))
                    .hasMessage("enough");

            assertOver(kept.getFirst());
        }

        @Test
        void theStepsOfAGenerationAreOneRun() {
            Generator.builder(blocks.model())
                    .tokens(2)
                    .build()
                    .generate(
                            GeneratorTest.prompt(1, 41, 21, 22),
                            blocks.capture(
                                    """
                                    for (const step of model.all()) {
                                      kept.push(step.transformer.h[0].output)
                                      first = kept[0].abs().max()
                                    }
                                    """));

            assertThat(kept).hasSize(2);
            assertThatThrownBy(() -> kept.getFirst().clone())
                    .hasMessageContaining("float32 [1, 4, 64]");
        }

        Map<String, Tensor> trace(String text) {
            return blocks.trace(text).result();
        }

        static void assertOver(Tensor tensor) {
            assertThatThrownBy(tensor::toFloatArray)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(OVER);
        }
    }

    /** In a batch blocks see rows, some of which are copies: those of what all inputs share. */
    @Nested
    class InABatch {
        @Test
        void theRowsOfABlockAreLent() {
            try (ModelWithBlocks blocks = ModelWithBlocks.of(RealModel.MINILM)) {
                List<Tensor> kept = new ArrayList<>();
                blocks.locals().put("kept", kept);
                Batch<Map<String, Tensor>> batch = new Batch<>();
                batch.add(
                                blocks.capture(
                                        """
                                        kept.push(model.embeddings.position_embeddings.output)
                                        const h = model.encoder.layer[0].output
                                        kept.push(h)
                                        model.encoder.layer[0].output = h.mul(1)
                                        """),
                                blocks.inputs())
                        .add(
                                blocks.capture("kept.push(model.encoder.layer[0].output)"),
                                blocks.inputs())
                        .add(blocks.capture("kept.push(model.encoder.layer[0].output)"));

                blocks.model().trace(batch);

                assertThat(kept)
                        .hasSize(4)
                        .allSatisfy(tensor ->
                                assertThatThrownBy(tensor::clone)
                                        .isInstanceOf(IllegalStateException.class)
                                        .hasMessageContaining("belonged to a run that is over"));
            }
        }
    }
}
