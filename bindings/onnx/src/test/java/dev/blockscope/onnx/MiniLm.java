package dev.blockscope.onnx;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The fp32 model all-MiniLM-L6-v2 and its tokenizer, taken out of their jar once. */
final class MiniLm {
    private static final Path FILE = Resources.extract("all-minilm-l6-v2.onnx");
    private static final HuggingFaceTokenizer TOKENIZER = tokenizer();

    private MiniLm() {}

    static Path file() {
        return FILE;
    }

    static OnnxModel open() {
        try {
            return OnnxModel.open(FILE);
        } catch (OnnxFileException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the inputs of one sentence. */
    static Map<String, Tensor> inputs(String sentence) {
        Encoding encoding = TOKENIZER.encode(sentence);
        long length = encoding.getIds().length;
        return Map.of(
                "input_ids", Tensor.of(encoding.getIds(), 1, length),
                "attention_mask", Tensor.of(encoding.getAttentionMask(), 1, length),
                "token_type_ids", Tensor.of(encoding.getTypeIds(), 1, length));
    }

    /** Returns the output points of the embeddings and of the six layers. */
    static List<String> layerOutputs() {
        List<String> points = new ArrayList<>(List.of("embeddings.output"));
        for (int layer = 0; layer < 6; layer++) {
            points.add("encoder.layer.%d.output".formatted(layer));
        }
        return points;
    }

    private static HuggingFaceTokenizer tokenizer() {
        try {
            return HuggingFaceTokenizer.newInstance(
                    Resources.extract("all-minilm-l6-v2-tokenizer.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
