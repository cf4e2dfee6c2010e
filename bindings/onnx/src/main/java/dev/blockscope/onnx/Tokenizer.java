package dev.blockscope.onnx;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.huggingface.tokenizers.jni.CharSpan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Splits texts into the tokens of a model, as its {@code tokenizer.json} says: the format of
 * Hugging Face, which comes with most models.
 *
 * <pre>{@code
 * try (Tokenizer tokenizer = Tokenizer.open(Path.of("tokenizer.json"))) {
 *     Tokens tokens = tokenizer.encode("The Eiffel Tower is in Paris");
 *     int position = tokens.find(" Paris");
 *     model.run(tokens.inputs(model));
 * }
 * }</pre>
 *
 * <p>The work is done by {@code ai.djl.huggingface:tokenizers}, which is not among this module's
 * own dependencies: an application that uses a tokenizer adds it.
 *
 * <p>Safe for use by several threads. After {@link #close} it must not be used.
 *
 * @since 0.1
 */
public final class Tokenizer implements AutoCloseable {
    /** A file may ask for a fixed length; models here take any, and batches fill up themselves. */
    private static final Map<String, String> AS_LONG_AS_THE_TEXT =
            Map.of("padding", "false", "truncation", "false");

    private final HuggingFaceTokenizer tokenizer;

    private Tokenizer(HuggingFaceTokenizer tokenizer) {
        this.tokenizer = tokenizer;
    }

    /**
     * Opens a tokenizer.
     *
     * @param json a file called {@code tokenizer.json} or like it
     * @throws IOException if it cannot be read or is no tokenizer
     * @throws IllegalStateException if {@code ai.djl.huggingface:tokenizers} is missing
     * @since 0.1
     */
    public static Tokenizer open(Path json) throws IOException {
        try (InputStream in = Files.newInputStream(json)) {
            return read(in, json.toString());
        }
    }

    /**
     * Reads a tokenizer, such as a resource.
     *
     * @param name what it is called in errors
     * @throws IOException if it cannot be read or is no tokenizer
     * @throws IllegalStateException if {@code ai.djl.huggingface:tokenizers} is missing
     * @since 0.1
     */
    public static Tokenizer read(InputStream json, String name) throws IOException {
        try {
            return new Tokenizer(HuggingFaceTokenizer.newInstance(json, AS_LONG_AS_THE_TEXT));
        } catch (NoClassDefFoundError e) {
            throw new IllegalStateException(
                    "a tokenizer needs ai.djl.huggingface:tokenizers, which is not on the class path or module path; add it to the application",
                    e);
        } catch (RuntimeException e) {
            // What the native reader finds wrong comes unchecked, and so it would for any file.
            throw new IOException("\"%s\" is no tokenizer: %s".formatted(name, e.getMessage()), e);
        }
    }

    /**
     * Splits a text, with the tokens that the model wants around it, such as {@code [CLS]}.
     *
     * @throws IllegalArgumentException if the tokenizer refuses it, such as a word that its
     *     vocabulary lacks
     * @since 0.1
     */
    public Tokens encode(String text) {
        Encoding encoding;
        try {
            encoding = tokenizer.encode(text);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "\"%s\" cannot be split into tokens: %s".formatted(text, e.getMessage()), e);
        }
        String[] strings = encoding.getTokens();
        long[] ids = encoding.getIds();
        CharSpan[] spans = encoding.getCharTokenSpans();
        List<Token> tokens = new ArrayList<>();
        for (int i = 0; i < ids.length; i++) {
            int from = spans[i] == null ? -1 : spans[i].getStart();
            int to = spans[i] == null ? -1 : spans[i].getEnd();
            tokens.add(
                    new Token(
                            strings[i],
                            ids[i],
                            from < 0 ? -1 : text.offsetByCodePoints(0, from),
                            to < 0 ? -1 : text.offsetByCodePoints(0, to)));
        }
        return new Tokens(text, tokens);
    }

    /**
     * Returns the text of some tokens, without those that only mean something to the model.
     *
     * @since 0.1
     */
    public String decode(long... ids) {
        return tokenizer.decode(ids, true);
    }

    /**
     * Frees the native memory. Closing a second time does nothing.
     *
     * @since 0.1
     */
    @Override
    public void close() {
        tokenizer.close();
    }
}
