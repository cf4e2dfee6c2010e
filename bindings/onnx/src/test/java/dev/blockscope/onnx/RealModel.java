package dev.blockscope.onnx;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The models that everything is tried on. All are read from their artifacts once, when asked for.
 */
enum RealModel {
    /** all-MiniLM-L6-v2 in float32. */
    MINILM("all-minilm-l6-v2.onnx"),
    /** The same with weights in int8, activations quantised while it runs. */
    MINILM_INT8("all-minilm-l6-v2-q.onnx"),
    /** e5-small-v2 in float32: twelve layers, the same words as MiniLM. */
    E5_SMALL("e5-small-v2.onnx"),
    /** The causal model of this repository. */
    TINY_IOI("tiny-ioi/tiny-ioi.onnx");

    private final String resource;

    RealModel(String resource) {
        this.resource = resource;
    }

    Path file() {
        return this == MINILM ? MiniLm.file() : Resources.extract(resource);
    }

    OnnxModel open() {
        try {
            return OnnxModel.open(file());
        } catch (OnnxFileException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns inputs: a sentence of some tokens. */
    Map<String, Tensor> inputs() {
        return this == TINY_IOI
                ? Map.of("input_ids", Tensor.of(new long[] {1, 41, 21, 22, 17, 40, 36, 35}, 1, 8))
                : MiniLm.inputs("The cat sits outside on the mat.");
    }
}
