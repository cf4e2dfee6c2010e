package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which element type operands make: the table of PyTorch's {@code torch.result_type}. */
class PromotionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    float32 | float32 | float32
                    float32 | float16 | float32
                    float32 | float64 | float64
                    float16 | int64   | float16
                    float32 | bool    | float32
                    int64   | int32   | int64
                    int32   | int8    | int32
                    int8    | int8    | int8
                    int8    | uint8   | int16
                    uint8   | int16   | int16
                    int64   | bool    | int64
                    uint8   | bool    | uint8
                    bool    | bool    | bool
                    """)
    void twoTensors(String a, String b, String result) {
        Tensor left = Tensor.zeros(DType.of(a), 2);
        Tensor right = Tensor.zeros(DType.of(b), 2);

        assertThat(left.add(right).dtype()).hasToString(result);
        assertThat(right.add(left).dtype()).hasToString(result);
        assertThat(Tensor.cat(List.of(left, right), 0).dtype()).hasToString(result);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    float32 | float64 | float32
                    float16 | float32 | float16
                    int8    | int64   | int8
                    int64   | float32 | float32
                    int8    | float64 | float64
                    bool    | int32   | int32
                    float16 | int64   | float16
                    """)
    void aTensorAndOneWithoutDimensions(String tensor, String scalar, String result) {
        Tensor left = Tensor.zeros(DType.of(tensor), 2);
        Tensor right = Tensor.zeros(DType.of(scalar));

        assertThat(left.add(right).dtype()).hasToString(result);
        assertThat(right.add(left).dtype()).hasToString(result);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    float32 | 1   | float32
                    float16 | 0.1 | float16
                    float64 | 0.1 | float64
                    int64   | 1   | int64
                    int8    | 300 | int8
                    int64   | 0.5 | float32
                    bool    | 1   | int64
                    bool    | 0.5 | float32
                    """)
    void aTensorAndANumber(String tensor, double number, String result) {
        assertThat(Tensor.zeros(DType.of(tensor), 2).add(number).dtype()).hasToString(result);
    }

    @ParameterizedTest
    @CsvSource({"int64", "uint8", "bool"})
    void quotientsAndMeansHaveFractions(String type) {
        Tensor tensor = Tensor.full(DType.of(type), 1, 2);

        assertThat(tensor.div(2).toFloatArray()).containsExactly(.5f, .5f);
        assertThat(tensor.mean(0).dtype()).isEqualTo(DType.FLOAT32);
        assertThat(tensor.exp().dtype()).isEqualTo(DType.FLOAT32);
        assertThat(tensor.softmax(0).dtype()).isEqualTo(DType.FLOAT32);
    }

    @Test
    void sumsOfWholeNumbersAreInt64AndExact() {
        Tensor large = Tensor.of(new long[] {(1L << 60) + 1, 1}).reshape(1, 2);

        assertThat(large.sum(1).toLongArray()).containsExactly((1L << 60) + 2);
        assertThat(Tensor.full(DType.INT8, 100, 3).sum(0).toLongArray()).containsExactly(300);
        assertThat(Tensor.full(DType.BOOL, 1, 3).sum(0).toLongArray()).containsExactly(3);
    }

    @Test
    void wholeNumbersWrapAround() {
        assertThat(Tensor.full(DType.INT8, 100, 1).add(100).toLongArray()).containsExactly(-56);
        assertThat(Tensor.full(DType.UINT8, 3, 1).sub(5).toLongArray()).containsExactly(254);
        assertThat(Tensor.of(new int[] {1 << 30}).mul(4).toLongArray()).containsExactly(0);
    }

    @Test
    void booleansAddAsOrAndMultiplyAsAnd() {
        Tensor a = Tensor.of(new boolean[] {false, false, true, true});
        Tensor b = Tensor.of(new boolean[] {false, true, false, true});

        assertThat(a.add(b).toLongArray()).containsExactly(0, 1, 1, 1);
        assertThat(a.mul(b).toLongArray()).containsExactly(0, 0, 0, 1);
        assertThatThrownBy(() -> a.sub(b))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("booleans cannot be subtracted");
        assertThatThrownBy(a::neg)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("neg needs numbers, this is bool [4]");
    }

    @Test
    void inPlaceTheTypeStaysAndMustBeOfTheSameKind() {
        Tensor half = Tensor.full(DType.FLOAT16, 1, 2);
        half.add_(Tensor.of(new double[] {.5, 1}));

        assertThat(half.dtype()).isEqualTo(DType.FLOAT16);
        assertThat(half.toFloatArray()).containsExactly(1.5f, 2);
        assertThat(Tensor.full(DType.INT8, 1, 2).add_(Tensor.of(new long[] {1, 2})).toLongArray())
                .containsExactly(2, 3);
        assertThatThrownBy(() -> Tensor.zeros(DType.BOOL, 2).add_(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the result is int64, it cannot be stored in a tensor of bool");
        assertThatThrownBy(() -> Tensor.zeros(DType.INT32, 2).exp_())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("float32, it cannot be stored in a tensor of int32");
    }

    @Test
    void aNumberIsComparedAsTheTypeItIsComparedWith() {
        assertThat(Tensor.of(new float[] {0.1f}).eq(0.1).all()).isTrue();
        assertThat(Tensor.of(new long[] {1, 2}).gt(1.5).toLongArray()).containsExactly(0, 1);
    }
}
