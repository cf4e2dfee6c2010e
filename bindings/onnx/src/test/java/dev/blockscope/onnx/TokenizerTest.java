package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Texts as tokens, and the positions of what stands in them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenizerTest {
    private static final String SENTENCE =
            "when Mary and John went to the store , John gave a drink to";

    private final Tokenizer words = open("tiny-ioi/tokenizer.json");
    private final Tokenizer pieces = open("all-minilm-l6-v2-tokenizer.json");

    @AfterAll
    void close() {
        words.close();
        pieces.close();
        pieces.close();
    }

    @Test
    void aTokenHasItsStringItsNumberAndItsPlaceInTheText() {
        Tokens tokens = pieces.encode("A tokenizer");

        assertThat(tokens.tokens())
                .containsExactly(
                        new Token("[CLS]", 101, -1, -1),
                        new Token("a", 1037, 0, 1),
                        new Token("token", 19204, 2, 7),
                        new Token("##izer", 17629, 7, 11),
                        new Token("[SEP]", 102, -1, -1));
    }

    @Test
    void placesCountCharsAndNotCodePoints() {
        Tokens tokens = pieces.encode("\uD83D\uDE00\uD83D\uDE00 in Paris");

        Token paris = tokens.tokens().get(tokens.find(" Paris"));
        assertThat(tokens.text().substring(paris.from(), paris.to())).isEqualTo("Paris");
    }

    @Test
    void aPieceOfTheTextIsFoundWithAndWithoutTheBlankBeforeIt() {
        Tokens tokens = pieces.encode("Paris, not paris");

        assertThat(tokens.find("Paris")).isEqualTo(1);
        assertThat(tokens.find(" paris")).isEqualTo(4);
        assertThat(tokens.find("paris", -1)).isEqualTo(4);
        assertThat(tokens.find("[SEP]")).isEqualTo(5);
    }

    @Test
    void ofSeveralTheFirstIsMeantUnlessANumberSaysWhich() {
        Tokens tokens = words.encode(SENTENCE);

        assertThat(tokens.find(" John")).isEqualTo(4);
        assertThat(tokens.find("John", 1)).isEqualTo(10);
        assertThat(tokens.find("John", -1)).isEqualTo(10);
        assertThat(tokens.find("<bos>")).isZero();
    }

    @Test
    void aPieceWithinAWordIsNoToken() {
        // "store" has a "to" in it, and does not count.
        assertThat(words.encode(SENTENCE).find(" to", -1)).isEqualTo(14);
        assertThatThrownBy(() -> words.encode(SENTENCE).find("tor"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void severalTokensAreASpan() {
        Tokens tokens = pieces.encode("The tokenizer works");

        assertThat(tokens.span("tokenizer works", 0)).containsExactly(2, 3, 4);
        assertThatThrownBy(() -> tokens.find("tokenizer"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "\"tokenizer\" is 2 tokens, at [2, 3]: [token, ##izer]; span(\"tokenizer\") gives them all");
    }

    @Test
    void whatIsAbsentIsAnErrorThatListsTheTokens() {
        Tokens tokens = words.encode("Mary went to");

        assertThatThrownBy(() -> tokens.find(" Paris"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "\" Paris\" is not among the tokens of the text: 0 <bos>, 1 Mary, 2 went, 3 to");
        assertThatThrownBy(() -> tokens.find("Mary", 1))
                .hasMessageStartingWith("\"Mary\" is 1 times and not number 1 among");
        assertThatThrownBy(() -> tokens.find("")).hasMessageStartingWith("\"\" is not among");
        assertThatThrownBy(() -> tokens.find(" ")).hasMessageStartingWith("\" \" is not among");
    }

    @Test
    void aBlockFindsPositions() throws Exception {
        try (BlockEngine engine = BlockEngine.create();
                OnnxModel model = RealModel.TINY_IOI.open()) {
            Map<String, @Nullable Object> locals = new HashMap<>();
            Tokens tokens = words.encode(SENTENCE);
            locals.put("model", model.envoy());
            locals.put("tokens", tokens);
            Block block =
                    engine.capture(
                            """
                            at = tokens.find(' John', -1)
                            hidden = model.transformer.h[1].output[0][at]
                            all = [tokens.length, tokens[at], tokens.strings[1], tokens.ids[0],
                                   tokens.offsets[1], tokens.span('went to')]
                            """,
                            Frame.of(locals));

            model.trace(tokens.inputs(model), block);

            assertThat(locals.get("at")).isEqualTo(10);
            assertThat(((Tensor) Objects.requireNonNull(locals.get("hidden"))).shape())
                    .containsExactly(64);
            assertThat(locals.get("all")).hasToString("[15, John, when, 1, [0, 4], [5, 6]]");
        }
    }

    @Test
    void anAbsentPieceIsAnErrorAtTheBlocksLine() {
        try (BlockEngine engine = BlockEngine.create()) {
            Map<String, @Nullable Object> locals = new HashMap<>();
            locals.put("tokens", words.encode("Mary went to"));

            assertThatThrownBy(() ->
                            engine.capture("a = 1\nb = tokens.find(' Paris')", Frame.of(locals))
                                    .run())
                    .isInstanceOf(BlockException.class)
                    .hasMessageContaining("1 Mary, 2 went")
                    .satisfies(e ->
                            assertThat(((BlockException) e).traceback().render())
                                    .contains("block.js:2"));
            assertThatThrownBy(() ->
                            engine.capture("'use strict'; tokens[0] = 'x'", Frame.of(locals)).run())
                    .isInstanceOf(BlockException.class)
                    .hasMessageContaining("tokens are fixed");
        }
    }

    @Test
    void tokensAreTheInputsOfAModel() {
        try (OnnxModel model = MiniLm.open()) {
            String text = "The cat sits outside on the mat.";

            Map<String, Tensor> inputs = pieces.encode(text).inputs(model);

            assertThat(inputs).hasSameSizeAs(MiniLm.inputs(text));
            MiniLm.inputs(text)
                    .forEach((name, tensor) ->
                            assertThat(inputs.get(name)).hasToString(tensor.toString()));
        }
    }

    @Test
    void aModelThatTakesSomethingElseIsNamed() {
        try (OnnxModel model = CachedModel.open(1)) {
            assertThatThrownBy(() -> words.encode("Mary").inputs(model))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"past_key_values.0.key\"");
        }
    }

    @Test
    void tokensBecomeTextAgain() {
        assertThat(words.decode(words.encode("Mary and John").ids())).isEqualTo("Mary and John");
        assertThat(pieces.decode(pieces.encode("A tokenizer.").ids())).isEqualTo("a tokenizer.");
    }

    @Test
    void aWordThatTheVocabularyLacksIsAnError() {
        assertThatThrownBy(() -> words.encode("Mary met Godot"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"Mary met Godot\" cannot be split into tokens");
    }

    @Test
    void whatIsNoTokenizerIsAnError() {
        byte[] text = "{\"version\": \"1.0\"}".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> Tokenizer.read(new ByteArrayInputStream(text), "other.json"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("\"other.json\" is no tokenizer");
        assertThatThrownBy(() -> Tokenizer.open(Path.of("nowhere.json")))
                .isInstanceOf(NoSuchFileException.class);
    }

    private static Tokenizer open(String resource) {
        try {
            return Tokenizer.open(Resources.extract(resource));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
