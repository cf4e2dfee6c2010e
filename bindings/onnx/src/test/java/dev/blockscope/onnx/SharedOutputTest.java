package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.Block;
import dev.blockscope.BlockException;
import dev.blockscope.interleave.Batch;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A module and the last module in it make one tensor, which has two hook points then. */
class SharedOutputTest {
    private static final String OUTER = "model.transformer.h[1].mlp.output";
    private static final String INNER = "model.transformer.h[1].mlp.c_proj.output";

    @Nested
    class WhereTheGraphIsCut extends TwoPaths {
        @Override
        OnnxModel open() {
            return RealModel.TINY_IOI.open();
        }
    }

    @Nested
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    class WhereBlocksAreCalledInline extends TwoPaths {
        @Override
        OnnxModel open() throws OnnxFileException {
            return OnnxModel.builder().inline(true).open(RealModel.TINY_IOI.file());
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class TwoPaths {
        private ModelWithBlocks blocks;
        private OnnxModel model;

        abstract OnnxModel open() throws OnnxFileException;

        @BeforeAll
        void begin() throws OnnxFileException {
            model = open();
            blocks = new ModelWithBlocks(model, RealModel.TINY_IOI.inputs());
        }

        @AfterAll
        void close() {
            blocks.close();
        }

        @Test
        void theTreeSaysThatItIsOneTensor() {
            ModelModule mlp = model.modules().find("transformer.h.1.mlp").orElseThrow();

            assertThat(model.modules().sharing(mlp))
                    .extracting(ModelModule::path)
                    .containsExactly("transformer.h.1.mlp.c_proj");
            assertThat(model).asString().contains("] = transformer.h.1.mlp.c_proj\n");
        }

        @Test
        void bothPathsOfferIt() {
            trace("a = " + INNER + "; b = " + OUTER);
            assertSame(blocks.tensor("a"), blocks.tensor("b"));

            // The other way round as well, because the model has not gone on meanwhile.
            trace("b = " + OUTER + "; c = " + INNER);
            assertSame(blocks.tensor("a"), blocks.tensor("b"));
            assertSame(blocks.tensor("a"), blocks.tensor("c"));
        }

        @Test
        void anEditAtOneIsSeenAtTheOtherAndByTheModel() {
            Map<String, Tensor> byInner = trace(INNER + ".mul_(2); a = " + OUTER + ".abs().max()");
            Map<String, Tensor> byOuter =
                    trace(OUTER + " = " + OUTER + ".mul(2); b = " + INNER + ".abs().max()");

            assertThat(blocks.locals().get("a")).isEqualTo(blocks.locals().get("b"));
            assertSame(logits(byInner), logits(byOuter));
            assertThat(logits(byInner).sub(logits(model.run(blocks.inputs()))).abs().max())
                    .isGreaterThan(1e-3);
        }

        @Test
        void blocksAtTheInnerModuleGoBeforeThoseAtTheOneAroundIt() {
            trace(
                    OUTER + " = " + OUTER + ".mul(0).add(5)",
                    INNER + " = " + INNER + ".mul(0).add(3); seen = " + OUTER + ".abs().max()");
            assertThat(blocks.locals().get("seen")).isEqualTo(5);

            trace(
                    INNER + ".fill_(3)",
                    "before = "
                            + OUTER
                            + ".max(); "
                            + OUTER
                            + ".fill_(4); after = "
                            + OUTER
                            + ".max()");
            assertThat(blocks.locals().get("before")).isEqualTo(3);
            assertThat(blocks.locals().get("after")).isEqualTo(4);
        }

        @Test
        void whoAsksTooLateIsToldThatItIsTheSameTensor() {
            assertThatThrownBy(() -> trace("model.transformer.h[2].output; " + OUTER))
                    .isInstanceOf(BlockException.class)
                    .hasMessageContaining(
                            "has already passed \"transformer.h.1.mlp.output\", which offers the"
                                    + " same value as \"transformer.h.1.mlp.c_proj.output\", visit 0");
        }

        @Test
        void whatABlockHadFirstAtTheModuleAroundAnotherHasHadInsideOfIt() {
            assertThatThrownBy(() -> trace(INNER, OUTER + "; " + INNER))
                    .isInstanceOf(BlockException.class)
                    .hasMessageContaining(
                            "has already passed \"transformer.h.1.mlp.c_proj.output\", which offers"
                                    + " the same value as \"transformer.h.1.mlp.output\"");
        }

        @Test
        void inABatchEachBlockSeesTheEditsOfItsOwnRows() {
            Batch<Map<String, Tensor>> batch = new Batch<>();
            batch.add(blocks.capture(INNER + ".fill_(3); x = " + OUTER + ".max()"), blocks.inputs())
                    .add(
                            blocks.capture(OUTER + ".fill_(2); y = " + OUTER + ".max()"),
                            blocks.inputs());

            model.trace(batch);

            assertThat(blocks.locals()).containsEntry("x", 3).containsEntry("y", 2);
        }

        private Map<String, Tensor> trace(String... texts) {
            return model.trace(
                            blocks.inputs(),
                            List.of(texts).stream().map(blocks::capture).toArray(Block[]::new))
                    .result();
        }

        private static Tensor logits(Map<String, Tensor> outputs) {
            return Objects.requireNonNull(outputs.get("logits"));
        }

        private static void assertSame(Tensor one, Tensor other) {
            assertThat(one.sub(other).abs().max()).isZero();
        }
    }
}
