package dev.blockscope.samples;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.blockscope.onnx.OnnxModel;
import dev.blockscope.onnx.Tensor;
import dev.blockscope.onnx.Tokenizer;
import dev.blockscope.onnx.Tokens;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The causal model of this repository with its words, see {@code src/models/tiny-ioi}. */
final class TinyIoi implements AutoCloseable {
    private static final String BEGINNING = "<bos>";

    private final Path folder;
    private final OnnxModel model;
    private final Tokenizer tokenizer;
    private final List<String> words;

    private TinyIoi(Path folder, OnnxModel model, Tokenizer tokenizer, List<String> words) {
        this.folder = folder;
        this.model = model;
        this.tokenizer = tokenizer;
        this.words = words;
    }

    static TinyIoi open() throws IOException {
        Path folder = Files.createTempDirectory("tiny-ioi");
        try (InputStream vocabulary = resource("vocab.json");
                InputStream json = resource("tokenizer.json")) {
            return new TinyIoi(
                    folder,
                    OnnxModel.open(copyTo(folder)),
                    Tokenizer.read(json, "tokenizer.json"),
                    JSON.std.listOfFrom(String.class, vocabulary));
        }
    }

    /** Copies the model into a folder, because ONNX Runtime reads weights from a file. */
    static Path copyTo(Path folder) throws IOException {
        Path file = folder.resolve("tiny-ioi.onnx");
        try (InputStream in = resource("tiny-ioi.onnx")) {
            Files.copy(in, file);
        }
        return file;
    }

    private static InputStream resource(String name) {
        return Objects.requireNonNull(TinyIoi.class.getResourceAsStream("/tiny-ioi/" + name));
    }

    OnnxModel model() {
        return model;
    }

    /** Returns the number of layers. */
    int layers() {
        return (int)
                model.modules().modules().stream()
                        .filter(module -> module.path().matches("transformer\\.h\\.\\d+"))
                        .count();
    }

    /** Returns the words of a sentence with the mark of its beginning. */
    static List<String> tokens(String sentence) {
        return List.of((BEGINNING + " " + sentence.strip()).split("\\s+"));
    }

    /** Returns a word of a sentence that the model does not know. */
    Optional<String> unknown(String sentence) {
        return tokens(sentence).stream().filter(token -> !words.contains(token)).findFirst();
    }

    /** Returns a sentence as the model takes it. */
    Tokens encode(String sentence) {
        return tokenizer.encode(sentence);
    }

    /** Returns the model's inputs for a sentence. */
    Map<String, Tensor> inputs(String sentence) {
        return encode(sentence).inputs(model);
    }

    /** Returns the model's answer, a row of logits for each position of the one sentence. */
    static Tensor logits(Map<String, Tensor> outputs) {
        return Objects.requireNonNull(outputs.get("logits")).at(0);
    }

    /** Returns the number of the word that comes next by a row of logits. */
    static int next(Tensor logits) {
        return (int) logits.argmax();
    }

    String word(int number) {
        return words.get(number);
    }

    @Override
    public void close() throws IOException {
        tokenizer.close();
        model.close();
        Files.deleteIfExists(folder.resolve("tiny-ioi.onnx"));
        Files.deleteIfExists(folder);
    }
}
