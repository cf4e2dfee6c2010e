package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TensorTest {
    private final Tensor table = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);

    @Test
    void hasShapeTypeAndSize() {
        assertThat(table.shape()).containsExactly(2, 3);
        assertThat(table.dtype()).hasToString("float32");
        assertThat(table.dim()).isEqualTo(2);
        assertThat(table.size()).isEqualTo(6);
    }

    @Test
    void isOneDimensionalWithoutAShape() {
        assertThat(Tensor.of(new long[] {4, 5}).shape()).containsExactly(2);
    }

    @Test
    void refusesAShapeOfAnotherSize() {
        assertThatThrownBy(() -> Tensor.of(new float[5], 2, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("shape [2, 3] needs 6 elements, 5 were given");
    }

    @Test
    void refusesShapesThatNoMemoryHolds() {
        assertThatThrownBy(() -> Tensor.zeros(DType.FLOAT32, 1L << 20, 1L << 20))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more elements than the limit of 2147483647");
        assertThatThrownBy(() -> Tensor.zeros(DType.FLOAT32, 1L << 30))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4294967296 bytes, the limit is 2147483647");
        assertThatThrownBy(() -> Tensor.zeros(DType.FLOAT32, 2, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("negative");
    }

    @Test
    void givesElementsByIndexFromEitherEnd() {
        assertThat(table.item(1, 2)).isEqualTo(6);
        assertThat(table.item(-1, 0)).isEqualTo(4);
        assertThat(table.at(-2).toFloatArray()).containsExactly(1, 2, 3);
    }

    @Test
    void saysWhichIndicesThereAre() {
        assertThatThrownBy(() -> table.item(0, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("index 3 is out of range for shape [3], expected -3 to 2");
        assertThatThrownBy(() -> table.select(2, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dimension 2 is out of range for shape [2, 3], expected -2 to 1");
        assertThatThrownBy(() -> table.at(0, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("3 indices [0, 0, 0] for shape [2, 3], expected at most 2");
        assertThatThrownBy(table::item)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shape [2, 3] is not one number");
    }

    @Test
    void viewsShareMemory() {
        table.select(1, 0).fill_(9);
        table.slice(1, -1, Long.MAX_VALUE).mul_(10);

        assertThat(table.toFloatArray()).containsExactly(9, 2, 30, 9, 5, 60);
    }

    @Test
    void slicesBeyondTheEndsAreShort() {
        assertThat(table.slice(1, 1, 99).shape()).containsExactly(2, 2);
        assertThat(table.slice(0, 2, 1).size()).isZero();
    }

    @Test
    void transposesAndReshapes() {
        assertThat(table.transpose(0, 1).toFloatArray()).containsExactly(1, 4, 2, 5, 3, 6);
        assertThat(table.reshape(3, -1).toList())
                .isEqualTo(List.of(List.of(1.0, 2.0), List.of(3.0, 4.0), List.of(5.0, 6.0)));
        assertThat(table.transpose(0, 1).reshape(6).toFloatArray())
                .containsExactly(1, 4, 2, 5, 3, 6);
        assertThatThrownBy(() -> table.reshape(4, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a tensor of shape [2, 3] has 6 elements, it cannot be reshaped to [4,"
                                + " -1]");
    }

    @Test
    void calculatesElementByElement() {
        Tensor two = Tensor.full(DType.FLOAT32, 2, 2, 3);

        assertThat(table.add(two).toFloatArray()).containsExactly(3, 4, 5, 6, 7, 8);
        assertThat(table.sub(1).toFloatArray()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(table.mul(table).toFloatArray()).containsExactly(1, 4, 9, 16, 25, 36);
        assertThat(table.div(two).toFloatArray()).containsExactly(.5f, 1, 1.5f, 2, 2.5f, 3);
        assertThat(table.sub(3).abs().toFloatArray()).containsExactly(2, 1, 0, 1, 2, 3);
    }

    @Test
    void broadcastsRowsAndColumns() {
        Tensor row = Tensor.of(new float[] {10, 20, 30});
        Tensor column = Tensor.of(new float[] {100, 200}, 2, 1);

        assertThat(table.add(row).toFloatArray()).containsExactly(11, 22, 33, 14, 25, 36);
        assertThat(column.add(row).toFloatArray()).containsExactly(110, 120, 130, 210, 220, 230);
    }

    @Test
    void saysWhichShapesDoNotFit() {
        assertThatThrownBy(() -> table.add(Tensor.of(new float[2])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "shapes [2, 3] and [2] do not fit each other: 3 and 2 differ");
        assertThatThrownBy(() -> table.at(0).add_(table))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("shape [2, 3] cannot be broadcast to shape [3]");
    }

    @Test
    void wholeNumbersStayWholeUntilTheyAreDivided() {
        Tensor ids = Tensor.of(new long[] {1, 2, 3});

        assertThat(ids.add(1).dtype()).isEqualTo(DType.INT64);
        assertThat(ids.mul(ids).toLongArray()).containsExactly(1, 4, 9);
        assertThat(ids.add(0.5).dtype()).isEqualTo(DType.FLOAT32);
        assertThat(ids.div(2).toFloatArray()).containsExactly(.5f, 1, 1.5f);
        assertThatThrownBy(() -> ids.add_(0.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("float32, it cannot be stored in a tensor of int64");
    }

    @Test
    void changesInPlaceAndCountsIt() {
        int before = table.storage().changes();

        Tensor same = table.add_(1).sub_(2).mul_(2).div_(4).copy_(table.mul(2));

        assertThat(same).isSameAs(table);
        assertThat(table.toFloatArray()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(table.storage().changes()).isGreaterThan(before);
    }

    @Test
    void readsBeforeItWritesWhereViewsOverlap() {
        Tensor square = Tensor.of(new float[] {1, 2, 3, 4}, 2, 2);

        square.add_(square.transpose(0, 1));

        assertThat(square.toFloatArray()).containsExactly(2, 5, 5, 8);
    }

    @Test
    void aCloneHasItsOwnMemory() {
        Tensor copy = table.transpose(0, 1).clone();
        copy.fill_(0);

        assertThat(table.sum()).isEqualTo(21);
    }

    @Test
    void reducesAllOrOneDimension() {
        assertThat(table.sum()).isEqualTo(21);
        assertThat(table.mean()).isEqualTo(3.5);
        assertThat(table.max()).isEqualTo(6);
        assertThat(table.min()).isEqualTo(1);
        assertThat(table.sum(0).toFloatArray()).containsExactly(5, 7, 9);
        assertThat(table.mean(-1).toFloatArray()).containsExactly(2, 5);
        assertThat(table.norm()).isCloseTo(Math.sqrt(91), within(1e-9));
        assertThat(table.norm(1).shape()).containsExactly(2);
        Tensor lengths = table.norm(new long[] {-1}, true);
        assertThat(lengths.shape()).containsExactly(2, 1);
        assertThat(table.div(lengths).at(1).norm()).isCloseTo(1, within(1e-6));
    }

    @Test
    void reducesTheMiddleOfThree() {
        Tensor cube = Tensor.of(new float[] {1, 2, 3, 4, 5, 6, 7, 8}, 2, 2, 2);

        assertThat(cube.sum(1).toFloatArray()).containsExactly(4, 6, 12, 14);
        assertThat(cube.norm(1).shape()).containsExactly(2, 2);
        assertThat(cube.norm(new long[] {1}, true).shape()).containsExactly(2, 1, 2);
        assertThat(cube.sum(new long[] {0, -1}, false).toFloatArray()).containsExactly(14, 22);
    }

    @Test
    void sharesSumToOne() {
        Tensor shares = Tensor.of(new float[] {1000, 1000, 0, 0}, 2, 2).softmax(-1);

        assertThat(shares.toFloatArray()).containsExactly(.5f, .5f, .5f, .5f);
        assertThat(table.softmax(0).sum(0).sub(1).abs().max()).isLessThan(1e-6);
    }

    @Test
    void multipliesMatricesVectorsAndBatches() {
        Tensor turned = table.transpose(0, 1);
        Tensor batch = Tensor.of(new float[] {1, 0, 0, 1, 2, 0, 0, 2}, 2, 2, 2);

        assertThat(table.matmul(turned).toFloatArray()).containsExactly(14, 32, 32, 77);
        assertThat(table.matmul(Tensor.of(new float[] {1, 0, 1})).toFloatArray())
                .containsExactly(4, 10);
        assertThat(Tensor.of(new float[] {1, 1}).matmul(table).toFloatArray())
                .containsExactly(5, 7, 9);
        assertThat(Tensor.of(new float[] {1, 2}).matmul(Tensor.of(new float[] {3, 4})).item())
                .isEqualTo(11);
        assertThat(batch.matmul(table).at(1).toFloatArray()).containsExactly(2, 4, 6, 8, 10, 12);
        assertThatThrownBy(() -> table.matmul(table))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shapes [2, 3] and [2, 3] cannot be multiplied");
    }

    @Test
    void comparesDirections() {
        assertThat(table.cosine(table.mul(3))).isCloseTo(1, within(1e-9));
        assertThat(table.dot(table)).isEqualTo(91);
        assertThatThrownBy(() -> table.dot(table.at(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dot needs two tensors of one shape, given [2, 3] and [3]");
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"FLOAT32", "FLOAT64", "FLOAT16", "INT64", "INT32", "INT8", "UINT8"})
    void convertsThereAndBack(DType type) {
        Tensor converted = table.transpose(0, 1).to(type);

        assertThat(converted.dtype()).isEqualTo(type);
        assertThat(converted.toFloatArray()).containsExactly(1, 4, 2, 5, 3, 6);
        assertThat(converted.at(1).toLongArray()).containsExactly(2, 5);
    }

    @Test
    void refusesWhatAnElementCannotHold() {
        assertThatThrownBy(() -> Tensor.zeros(DType.UINT8, 2).fill_(300))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an element of type uint8 cannot hold 300");
        assertThatThrownBy(() -> Tensor.zeros(DType.INT64, 2).fill_(0.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an element of type int64 cannot hold 0.5");
        assertThatThrownBy(() -> Tensor.zeros(DType.STRING, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a tensor cannot hold elements of type string");
        assertThatThrownBy(() -> Tensor.of(new float[] {Float.NaN}).to(DType.INT64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an element of type int64 cannot hold NaN");
        assertThatThrownBy(() -> Tensor.of(new long[] {1}).matmul(Tensor.of(new long[] {1})))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("convert it with to(\"float32\")");
    }

    @Test
    void scalarsHaveNoDimensions() {
        Tensor scalar = Tensor.full(DType.FLOAT32, 3);

        assertThat(scalar.shape()).isEmpty();
        assertThat(scalar.mul(2).item()).isEqualTo(6);
        assertThat(scalar.sum()).isEqualTo(3);
    }

    @Test
    void emptyTensorsHaveNoMean() {
        Tensor none = Tensor.zeros(DType.FLOAT32, 0, 3);

        assertThat(none.mean()).isNaN();
        assertThat(none.sum(0).toFloatArray()).containsExactly(0, 0, 0);
        assertThat(none.mean(0).item(1)).isNaN();
        assertThat(none.add(1).size()).isZero();
    }

    @Test
    void printsTypeShapeAndTheFirstElements() {
        assertThat(table)
                .hasToString("Tensor float32 [2, 3] [1.000, 2.000, 3.000, 4.000, 5.000, 6.000]");
        assertThat(Tensor.of(new long[9])).hasToString("Tensor int64 [9] [0, 0, 0, 0, 0, 0, ...]");
    }

    @Test
    void joinsAlongADimensionOrANewOne() {
        Tensor row = Tensor.of(new long[] {7, 8, 9}, 1, 3);

        assertThat(Tensor.cat(List.of(table, row), 0).at(2).toFloatArray())
                .containsExactly(7, 8, 9);
        assertThat(Tensor.cat(List.of(table, table), -1).shape()).containsExactly(2, 6);
        assertThat(Tensor.stack(List.of(table, table), -1).shape()).containsExactly(2, 3, 2);
        assertThatThrownBy(() -> Tensor.cat(List.of(table, row), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "shapes [2, 3] and [1, 3] cannot be joined along dimension 1");
        assertThatThrownBy(() -> Tensor.stack(List.of(table, row), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("stack needs tensors of one shape, given [2, 3] and [1, 3]");
        assertThatThrownBy(() -> Tensor.cat(List.of(), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cat needs at least one tensor");
    }

    @Test
    void slicesBackwardsAndInSteps() {
        Tensor line = Tensor.of(new float[] {0, 1, 2, 3, 4});

        assertThat(line.slice(0, 1, 5, 2).toFloatArray()).containsExactly(1, 3);
        assertThat(line.slice(0, -1, Long.MIN_VALUE, -2).toFloatArray()).containsExactly(4, 2, 0);
        assertThat(line.slice(0, 3, 0, -1).toFloatArray()).containsExactly(3, 2, 1);
        assertThat(line.slice(0, 0, 5, Long.MAX_VALUE).toFloatArray()).containsExactly(0);
        assertThat(line.slice(0, 4, Long.MIN_VALUE, Long.MIN_VALUE).toFloatArray())
                .containsExactly(4);
        assertThat(line.flip(0).slice(0, 1, 3).toFloatArray()).containsExactly(3, 2);
    }

    @Test
    void whatNoNumberIsRanksAsPyTorchRanksIt() {
        Tensor odd = Tensor.of(new float[] {1, Float.NaN, Float.POSITIVE_INFINITY, -0f, 0f});

        assertThat(odd.argmax()).isEqualTo(1);
        assertThat(odd.argmin()).isEqualTo(1);
        assertThat(odd.max()).isNaN();
        assertThat(odd.topk(3).indices().toLongArray()).containsExactly(1, 2, 0);
        assertThat(odd.topk(2, 0, false).indices().toLongArray()).containsExactly(3, 4);
        assertThat(odd.relu().toFloatArray()[1]).isNaN();
    }

    @Test
    void reductionsOfNothing() {
        Tensor none = Tensor.zeros(DType.INT64, 0, 3);

        assertThat(Tensor.zeros(DType.FLOAT32, 0).max()).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(none.sum(0).toLongArray()).containsExactly(0, 0, 0);
        assertThat(none.max(1).size()).isZero();
        assertThatThrownBy(() -> none.max(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("max of no elements: int64 [0, 3]");
        assertThatThrownBy(() -> none.argmax(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "no argmax of no elements, along dimension 0 of shape [0, 3]");
    }

    @Test
    void longRowsAreWorkedOnInPieces() {
        Tensor large = Tensor.full(DType.FLOAT32, 1, 3, 5000);

        assertThat(large.add(large.transpose(0, 1).reshape(3, 5000)).sum()).isEqualTo(30_000);
        assertThat(large.slice(1, 0, 5000, 2).neg().sum(1).toFloatArray())
                .containsExactly(-2500, -2500, -2500);
    }
}
