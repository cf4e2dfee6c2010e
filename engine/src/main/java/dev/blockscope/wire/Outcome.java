package dev.blockscope.wire;

import dev.blockscope.BlockException;
import dev.blockscope.BlockResult;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a run elsewhere came to. */
sealed interface Outcome {
    /** The block ended well. */
    record Result(@Nullable Object value, Map<String, @Nullable Object> bindings)
            implements Outcome {}

    /** The block failed. */
    record Failure(BlockException exception) implements Outcome {}

    /** The block was not run, or what it came to could not be sent. */
    record Refusal(String reason) implements Outcome {}

    /** The parts of an outcome as bytes, of which each has one of these or two. */
    Set<String> PARTS = Set.of("value", "bindings", "failure", "refused");

    /**
     * Writes a result.
     *
     * @throws UnsendableException if a value of it cannot travel
     */
    static byte[] of(BlockResult result, Vocabulary vocabulary) {
        return EnvelopeFormat.write(
                vocabulary,
                3,
                (out, values) -> {
                    EnvelopeFormat.writeVariables("bindings", result.bindings(), out, values);
                    out.writeFieldName("value");
                    values.write(result.value(), ValuePath.of("the result"));
                });
    }

    static byte[] of(BlockException failure) {
        return EnvelopeFormat.write(
                Vocabulary.EMPTY,
                2,
                (out, values) -> {
                    out.writeFieldName("failure");
                    values.write(WireFailure.toPlain(failure), ValuePath.of("the failure"));
                });
    }

    static byte[] refusal(String reason) {
        return EnvelopeFormat.write(
                Vocabulary.EMPTY,
                2,
                (out, values) -> {
                    out.writeFieldName("refused");
                    values.write(reason, ValuePath.of("the reason"));
                });
    }

    /**
     * Reads an outcome.
     *
     * @param language the block's language
     * @throws EnvelopeException if the bytes are none
     */
    static Outcome read(byte[] bytes, Vocabulary vocabulary, String language) {
        Parts parts = EnvelopeFormat.parts(bytes, vocabulary, PARTS);
        if (parts.has("refused")) {
            return new Refusal(parts.text("refused"));
        }
        return parts.has("failure")
                ? new Failure(new WireFailure(vocabulary).ofPlain(parts.get("failure"), language))
                : new Result(parts.get("value"), parts.map("bindings"));
    }
}
