package dev.blockscope.samples;

import static java.util.Objects.requireNonNull;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import dev.blockscope.onnx.OnnxModel;
import dev.blockscope.onnx.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * all-MiniLM-L6-v2, a transformer of six layers that turns a sentence into 384 numbers; sentences
 * of like meaning point in like directions. Model and tokenizer come out of a Maven artifact.
 */
final class Minilm implements AutoCloseable {

    static final String NAME = "all-MiniLM-L6-v2";

    private final Path file;
    private final OnnxModel model;
    private final HuggingFaceTokenizer tokenizer;

    private Minilm(Path file, OnnxModel model, HuggingFaceTokenizer tokenizer) {
        this.file = file;
        this.model = model;
        this.tokenizer = tokenizer;
    }

    /**
     * Opens model and tokenizer.
     *
     * @throws IOException if the model cannot be copied to a temporary file, where it is mapped
     *     from
     */
    static Minilm open() throws IOException {
        Path file = Files.createTempFile(NAME + "-", ".onnx");
        // Also when the sample is interrupted, 90 MB are not to stay behind.
        file.toFile().deleteOnExit();
        try (InputStream bytes = resource("all-minilm-l6-v2.onnx");
                InputStream vocabulary = resource("all-minilm-l6-v2-tokenizer.json")) {
            Files.write(file, bytes.readAllBytes());
            return new Minilm(
                    file,
                    OnnxModel.open(file),
                    HuggingFaceTokenizer.newInstance(
                            vocabulary,
                            Map.of("padding", "true", "truncation", "true", "maxLength", "256")));
        }
    }

    OnnxModel model() {
        return model;
    }

    /** Splits texts into tokens, the shorter texts filled up to the length of the longest. */
    Batch batch(List<String> texts) {
        Encoding[] encodings = tokenizer.batchEncode(texts);
        return new Batch(
                Arrays.stream(encodings).map(encoding -> List.of(encoding.getTokens())).toList(),
                tensor(encodings, Encoding::getIds),
                tensor(encodings, Encoding::getAttentionMask),
                tensor(encodings, Encoding::getTypeIds));
    }

    @Override
    public void close() throws IOException {
        tokenizer.close();
        model.close();
        Files.deleteIfExists(file);
    }

    private static Tensor tensor(Encoding[] encodings, Function<Encoding, long[]> part) {
        long[] values = Arrays.stream(encodings).map(part).flatMapToLong(Arrays::stream).toArray();
        return Tensor.of(values, encodings.length, values.length / encodings.length);
    }

    private static InputStream resource(String name) {
        return requireNonNull(Minilm.class.getClassLoader().getResourceAsStream(name), name);
    }

    /**
     * Texts as the model takes them: tensors with a row for each text and a column for each token.
     *
     * @param tokens the tokens of each text, as text
     * @param ids the tokens' numbers
     * @param mask 1 for a token, 0 for what fills a shorter text up
     * @param types 0 everywhere; the model was made for pairs of texts too
     */
    record Batch(List<List<String>> tokens, Tensor ids, Tensor mask, Tensor types) {

        /** The inputs by the names the model has for them. */
        Map<String, Tensor> inputs() {
            return Map.of("input_ids", ids, "attention_mask", mask, "token_type_ids", types);
        }

        /** Returns one embedding for each text: the mean over its tokens of the model's output. */
        List<float[]> embeddings(Map<String, Tensor> outputs) {
            Tensor hidden = requireNonNull(outputs.get("last_hidden_state"), "last_hidden_state");
            List<float[]> embeddings = new ArrayList<>();
            for (int text = 0; text < tokens.size(); text++) {
                long length = Math.round(mask.at(text).sum());
                embeddings.add(hidden.at(text).slice(0, 0, length).mean(0).toFloatArray());
            }
            return embeddings;
        }
    }
}
