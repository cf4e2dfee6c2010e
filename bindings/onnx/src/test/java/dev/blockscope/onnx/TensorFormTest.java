package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tensors as what travels of them. */
final class TensorFormTest {
    static Stream<DType> holdable() {
        return Arrays.stream(DType.values()).filter(DType::isHoldable);
    }

    @ParameterizedTest
    @MethodSource("holdable")
    void everyElementTypeComesBackAsItWas(DType type) {
        Tensor tensor = Tensor.of(new long[] {0, 1, 1, 0, 1, 1}, 2, 3).to(type);
        assertThat(back(tensor)).hasToString(tensor.toString());
        assertThat(back(tensor.transpose(0, 1)))
                .hasToString(tensor.transpose(0, 1).clone().toString());
        assertThat(back(tensor.select(0, 1))).hasToString(tensor.select(0, 1).toString());
        assertThat(back(Tensor.zeros(type))).hasToString(Tensor.zeros(type).toString());
        assertThat(back(Tensor.zeros(type, 3, 0))).hasToString(Tensor.zeros(type, 3, 0).toString());
    }

    @Test
    void whatComesBackHasMemoryOfItsOwn() {
        Tensor tensor = Tensor.of(new float[] {1, 2});
        Tensor back = back(tensor);
        tensor.zero_();
        assertThat(back).hasToString(Tensor.of(new float[] {1, 2}).toString());
    }

    @Test
    void theLeastSignificantByteComesFirst() {
        assertThat(TensorForm.of(Tensor.of(new int[] {1, 258}, 2, 1)))
                .usingRecursiveComparison()
                .isEqualTo(List.of("int32", List.of(2, 1), new byte[] {1, 0, 0, 0, 2, 1, 0, 0}));
    }

    private static Tensor back(Tensor tensor) {
        return TensorForm.tensor(TensorForm.of(tensor));
    }

    static Stream<Object> none() {
        byte[] eight = new byte[8];
        return Stream.of(
                "float32",
                List.of(),
                List.of("float32", List.of(2), List.of(1, 2)),
                List.of("float33", List.of(2), eight),
                List.of("string", List.of(8), eight),
                List.of("float32", List.of(3), eight),
                List.of("float32", List.of(-2), eight),
                List.of("float32", List.of(2L), eight),
                List.of("float32", Collections.singletonList(null), eight),
                List.of("float32", List.of(1 << 30, 1 << 30, 1 << 30), eight),
                List.of("int8", List.of(Integer.MAX_VALUE, 2), eight),
                List.of("bool", List.of(8), new byte[] {1, 0, 2, 0, 0, 0, 0, 0}));
    }

    @ParameterizedTest
    @MethodSource("none")
    void whatIsNoTensorIsRefusedBeforeThereIsMemoryForIt(Object plain) {
        assertThatThrownBy(() -> TensorForm.tensor(plain))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
