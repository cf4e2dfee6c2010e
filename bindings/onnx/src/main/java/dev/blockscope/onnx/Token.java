package dev.blockscope.onnx;

/**
 * One token of a text.
 *
 * @param string how the vocabulary writes it, such as {@code "##ing"} or {@code "ĠParis"}
 * @param id its number in the vocabulary
 * @param from where it begins in the text, in {@code char}s; -1 if it does not come from the text
 * @param to where it ends in the text; -1 if it does not come from the text
 * @since 0.1
 */
public record Token(String string, long id, int from, int to) {
    /** Returns whether it comes from the text, other than a mark such as {@code [CLS]}. */
    boolean isOfText() {
        return from >= 0 && to > from;
    }
}
