package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.onnx.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What the documented examples find around them. */
public abstract class ExampleWorld {

    /** A model, as the examples that open one name it. */
    protected static final Path file = copy("all-minilm-l6-v2.onnx", ".onnx");

    /** Its tokenizer. */
    protected static final Path tokenizerFile = copy("all-minilm-l6-v2-tokenizer.json", ".json");

    /** A causal language model. */
    protected static final Path ioiFile = copy("tiny-ioi/tiny-ioi.onnx", ".onnx");

    /** Its tokenizer. */
    protected static final Path ioiTokenizer = copy("tiny-ioi/tokenizer.json", ".json");

    /** Inputs of the model: one text of four tokens. */
    protected static final Map<String, Tensor> inputs =
            Map.of(
                    "input_ids", Tensor.of(new long[] {101, 2023, 2003, 102}, 1, 4),
                    "attention_mask", Tensor.of(new long[] {1, 1, 1, 1}, 1, 4),
                    "token_type_ids", Tensor.of(new long[4], 1, 4));

    private static int checks;

    /** Checks that a value prints as the example says. */
    protected static void check(Object value, String expected) {
        checks++;
        assertThat(String.valueOf(value)).isEqualTo(expected);
    }

    /** Returns how many checks were made since it was asked last. */
    static int checks() {
        int made = checks;
        checks = 0;
        return made;
    }

    private static Path copy(String resource, String suffix) {
        try (InputStream bytes =
                ExampleWorld.class.getClassLoader().getResourceAsStream(resource)) {
            Path copy = Files.createTempFile("example-", suffix);
            copy.toFile().deleteOnExit();
            Files.write(copy, bytes.readAllBytes());
            return copy;
        } catch (IOException e) {
            throw new AssertionError("the resource %s cannot be copied".formatted(resource), e);
        }
    }
}
