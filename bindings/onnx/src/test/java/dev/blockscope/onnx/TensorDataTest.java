package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The typed arrays that blocks get of a tensor's memory. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TensorDataTest {
    private final BlockEngine engine = BlockEngine.create();

    @AfterAll
    void close() {
        engine.close();
    }

    @ParameterizedTest
    @CsvSource({
        "float32, Float32Array",
        "float64, Float64Array",
        "int64, BigInt64Array",
        "int32, Int32Array",
        "int16, Int16Array",
        "int8, Int8Array",
        "uint8, Uint8Array",
        "bool, Uint8Array"
    })
    void isTheTypedArrayOfTheElements(String type, String array) {
        Tensor tensor = Tensor.of(new float[] {0, 1, 1, 0}, 2, 2).to(DType.of(type));

        Map<String, @Nullable Object> locals =
                run(
                        tensor,
                        "kind = t.data.constructor.name; text = t[1].data.join(); t.data[3] = t.data[1]");

        assertThat(locals).containsEntry("kind", array).containsEntry("text", "1,0");
        assertThat(tensor.toFloatArray()).containsExactly(0, 1, 1, 1);
    }

    @Test
    void sharesTheMemoryOfPartsOfATensor() {
        Tensor tensor = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2);

        run(
                tensor,
                "const d = t.slice(0, 1, 3).data; for (let i = 0; i < d.length; i++) d[i] *= 2");

        assertThat(tensor.toFloatArray()).containsExactly(1, 2, 6, 8, 10, 12);
    }

    @Test
    void goesThroughElementsThatAreNotSideBySide() {
        Tensor tensor = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2);

        Map<String, @Nullable Object> locals =
                run(tensor, "const d = t.T.data; text = [...d].join(); d[1] = 9");

        assertThat(locals).containsEntry("text", "1,3,5,2,4,6");
        assertThat(tensor.toFloatArray()).containsExactly(1, 2, 9, 4, 5, 6);
    }

    @Test
    void readsHalfPrecisionAsNumbers() {
        Tensor tensor = Tensor.full(DType.FLOAT16, 0.5, 2);

        assertThat(run(tensor, "text = [...t.data].join()")).containsEntry("text", "0.5,0.5");
    }

    @Test
    void whatIsPushedIsACopy() {
        Tensor tensor = Tensor.of(new float[] {1, 2});

        Object kept = run(tensor, "kept = t.data").get("kept");
        tensor.fill_(7);

        assertThat(kept).isEqualTo(new float[] {1, 2});
    }

    @Test
    void theModelGoesOnWithWhatWasWritten(@TempDir Path folder) throws Exception {
        try (OnnxModel model = OnnxModel.open(TinyModel.perceptron().writeTo(folder))) {
            Map<String, @Nullable Object> locals =
                    new LinkedHashMap<>(Map.of("model", model.envoy()));
            Map<String, Tensor> x = Map.of("x", Tensor.of(new float[] {1, 2}, 1, 2));

            Map<String, Tensor> outputs =
                    model.trace(
                                    x,
                                    engine.capture(
                                            "const d = model.net.layer[0].act.output.data; d[0] = 3; d[1] = 4",
                                            Frame.of(locals)))
                            .result();

            assertThat(Objects.requireNonNull(outputs.get("y")).toFloatArray())
                    .containsExactly(4, 3);
        }
    }

    private Map<String, @Nullable Object> run(Tensor tensor, String text) {
        Map<String, @Nullable Object> locals = new LinkedHashMap<>(Map.of("t", tensor));
        engine.capture(text, Frame.of(locals)).run();
        return locals;
    }
}
