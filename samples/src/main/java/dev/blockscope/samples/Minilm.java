package dev.blockscope.samples;

import static java.util.Objects.requireNonNull;

import dev.blockscope.onnx.OnnxModel;
import dev.blockscope.onnx.Tensor;
import dev.blockscope.onnx.Token;
import dev.blockscope.onnx.Tokenizer;
import dev.blockscope.onnx.Tokens;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * all-MiniLM-L6-v2, a transformer of six layers that turns a sentence into 384 numbers; sentences
 * of like meaning point in like directions. Model and tokenizer come out of Maven artifacts.
 */
final class Minilm implements AutoCloseable {

    static final String NAME = "all-MiniLM-L6-v2";
    static final int LAYERS = 6;
    static final int HEADS = 12;

    static final String TOO_LONG = "a sentence has more than the 512 tokens that the model takes";

    private static final int MOST_TOKENS = 512;

    private final Path file;
    private final OnnxModel model;
    private final Tokenizer tokenizer;

    private Minilm(Path file, OnnxModel model, Tokenizer tokenizer) {
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
        return open("all-minilm-l6-v2");
    }

    /**
     * Opens the model with weights of 8 bits, and the tokenizer.
     *
     * @throws IOException if the model cannot be copied to a temporary file
     */
    static Minilm openQuantised() throws IOException {
        return open("all-minilm-l6-v2-q");
    }

    private static Minilm open(String name) throws IOException {
        Path file = Files.createTempFile(name + "-", ".onnx");
        // Also when the sample is interrupted, 90 MB are not to stay behind.
        file.toFile().deleteOnExit();
        try (InputStream bytes = resource(name + ".onnx");
                InputStream vocabulary = resource(name + "-tokenizer.json")) {
            Files.write(file, bytes.readAllBytes());
            return new Minilm(
                    file,
                    OnnxModel.open(file),
                    Tokenizer.read(vocabulary, name + "-tokenizer.json"));
        }
    }

    /** Returns where the model lies as long as it is open. */
    Path file() {
        return file;
    }

    OnnxModel model() {
        return model;
    }

    /** Splits a text into tokens; empty if there are more than the model has positions for. */
    Optional<Tokens> encode(String text) {
        return Optional.of(tokenizer.encode(text))
                .filter(tokens -> tokens.tokens().size() <= MOST_TOKENS);
    }

    /** Puts texts together, the shorter ones filled up to the length of the longest. */
    Batch batch(List<Tokens> texts) {
        return new Batch(texts, Tokens.inputs(model, texts));
    }

    @Override
    public void close() throws IOException {
        tokenizer.close();
        model.close();
        Files.deleteIfExists(file);
    }

    private static InputStream resource(String name) {
        return requireNonNull(Minilm.class.getClassLoader().getResourceAsStream(name), name);
    }

    /** Returns the embedding of one text: the mean over its tokens of the model's output. */
    static Tensor embedding(Map<String, Tensor> outputs, int text, long length) {
        Tensor hidden = requireNonNull(outputs.get("last_hidden_state"), "last_hidden_state");
        return hidden.at(text).slice(0, 0, length).mean(0);
    }

    /**
     * Texts as the model takes them.
     *
     * @param texts the tokens of each text
     * @param inputs tensors with a row for each text and a column for each token
     */
    record Batch(List<Tokens> texts, Map<String, Tensor> inputs) {

        /** The tokens of each text, as text. */
        List<List<String>> strings() {
            return texts.stream()
                    .map(text -> text.tokens().stream().map(Token::string).toList())
                    .toList();
        }

        /** A tensor that is 1 for a token and 0 for what fills a shorter text up. */
        Tensor mask() {
            return requireNonNull(inputs.get("attention_mask"));
        }

        /** Returns one embedding for each text. */
        List<float[]> embeddings(Map<String, Tensor> outputs) {
            List<float[]> embeddings = new ArrayList<>();
            for (int text = 0; text < texts.size(); text++) {
                embeddings.add(
                        embedding(outputs, text, texts.get(text).tokens().size()).toFloatArray());
            }
            return embeddings;
        }
    }
}
