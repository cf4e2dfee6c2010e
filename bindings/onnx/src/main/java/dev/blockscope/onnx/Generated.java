package dev.blockscope.onnx;

import java.util.List;

/**
 * What a model went on with.
 *
 * @param ids the new tokens' numbers, without the prompt; the last is the one that ended it, if it
 *     is complete
 * @param complete whether a token that ends a text came; if not, there were as many tokens as were
 *     wanted
 * @since 0.1
 */
public record Generated(List<Long> ids, boolean complete) {
    /** Copies the list. */
    public Generated {
        ids = List.copyOf(ids);
    }

    /**
     * Returns the new tokens as text.
     *
     * @since 0.1
     */
    public String text(Tokenizer tokenizer) {
        return tokenizer.decode(ids.stream().mapToLong(Long::longValue).toArray());
    }
}
