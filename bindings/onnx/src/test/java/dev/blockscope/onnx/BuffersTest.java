package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.BlockException;
import dev.blockscope.interleave.Session;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Runs use the memory of those before them, and never that which somebody may still see. */
class BuffersTest {
    private final Buffers buffers = new Buffers(100);

    @Test
    void memoryThatIsGivenBackIsTakenAgain() {
        ByteBuffer memory = buffers.take(40);
        buffers.giveBack(memory);

        assertThat(buffers.take(39)).isNotSameAs(memory);
        assertThat(buffers.take(40)).isSameAs(memory);
        assertThat(buffers.take(40)).isNotSameAs(memory);
    }

    @Test
    void whereMoreIsGivenBackThanIsKeptTheOldestSizesGo() {
        ByteBuffer first = buffers.take(60);
        ByteBuffer second = buffers.take(50);
        buffers.giveBack(first);
        buffers.giveBack(second);

        assertThat(buffers.kept()).isEqualTo(50);
        assertThat(buffers.take(50)).isSameAs(second);
        assertThat(buffers.take(60)).isNotSameAs(first);
    }

    @Test
    void whatIsLargerThanAllThatIsKeptGoesAtOnce() {
        buffers.giveBack(buffers.take(101));

        assertThat(buffers.kept()).isZero();
    }

    @Test
    void closedTheyKeepNone() {
        ByteBuffer memory = buffers.take(40);
        buffers.giveBack(buffers.take(50));
        buffers.close();
        buffers.giveBack(memory);

        assertThat(buffers.kept()).isZero();
    }

    @Nested
    class WhereTheGraphIsCut extends OfModel {
        @Override
        OnnxModel open() {
            return RealModel.TINY_IOI.open();
        }
    }

    @Nested
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    class WhereBlocksAreCalledInline extends OfModel {
        @Override
        OnnxModel open() throws OnnxFileException {
            return OnnxModel.builder().inline(true).open(RealModel.TINY_IOI.file());
        }

        // Where the graph is cut, a tensor that is lent has memory of its own.

        @Test
        void aSessionKeepsTheMemoryOfItsTracesToItsEnd() throws OnnxFileException {
            try (ModelWithBlocks blocks = blocks()) {
                trace(blocks, EDIT);
                long kept = kept(blocks);
                Session.run(() -> {
                    trace(blocks, EDIT);
                    assertThat(kept(blocks)).isLessThan(kept);
                    return null;
                });

                assertThat(kept(blocks)).isEqualTo(kept);
            }
        }

        @Test
        void aTraceThatFailedLeavesItsTensorsToABlockThatMayStillRun() throws OnnxFileException {
            try (ModelWithBlocks blocks = blocks()) {
                trace(blocks, EDIT);
                long kept = kept(blocks);
                assertThatThrownBy(() -> trace(blocks, EDIT + "; throw new Error('enough')"))
                        .isInstanceOf(BlockException.class);

                assertThat(kept(blocks)).isLessThan(kept);
            }
        }
    }

    abstract static class OfModel {
        static final String EDIT = "model.transformer.h[0].output.mul_(2)";

        abstract OnnxModel open() throws OnnxFileException;

        @Test
        void aSecondTraceTakesTheMemoryOfTheFirst() throws OnnxFileException {
            try (ModelWithBlocks blocks = blocks()) {
                Tensor first = last(blocks, EDIT);
                long kept = kept(blocks);

                assertThat(kept).isPositive();
                assertThat(last(blocks, EDIT).sub(first).abs().max()).isZero();
                assertThat(kept(blocks)).isEqualTo(kept);
            }
        }

        @Test
        void anArrayKeepsItsValuesWhateverRunsAfterIt() throws OnnxFileException {
            try (ModelWithBlocks blocks = blocks()) {
                trace(blocks, "seen = model.transformer.h[0].output; array = seen.data");
                trace(blocks, "model.transformer.h[0].output.mul_(2)");
                trace(blocks, "same = seen.data.every((value, i) => value === array[i])");

                assertThat(blocks.locals().get("same")).isEqualTo(true);
            }
        }

        @Test
        void aClosedModelKeepsNone() throws OnnxFileException {
            try (ModelWithBlocks blocks = blocks()) {
                trace(blocks, EDIT);
                blocks.model().close();

                assertThat(kept(blocks)).isZero();
            }
        }

        ModelWithBlocks blocks() throws OnnxFileException {
            return new ModelWithBlocks(open(), RealModel.TINY_IOI.inputs());
        }

        static void trace(ModelWithBlocks blocks, String text) {
            blocks.model().trace(blocks.inputs(), blocks.capture(text));
        }

        static Tensor last(ModelWithBlocks blocks, String text) {
            return List.copyOf(
                            blocks.model()
                                    .trace(blocks.inputs(), blocks.capture(text))
                                    .result()
                                    .values())
                    .getFirst();
        }

        static long kept(ModelWithBlocks blocks) {
            return blocks.model().ledger().buffers().kept();
        }
    }
}
