package dev.blockscope.truffle;

import java.util.Set;

/**
 * The names a text uses, found by parsing it and not by running it.
 *
 * @param lexical names declared by {@code let}, {@code const} or {@code class} in the text's own
 *     body, at its top level or in braces
 * @param variables names declared by {@code var} or {@code function} in the text's own body
 * @param read free names that are read
 * @param written free names that are assigned
 * @param directEval whether the text calls {@code eval} directly, so that the lists are incomplete
 */
public record TextNames(
        Set<String> lexical,
        Set<String> variables,
        Set<String> read,
        Set<String> written,
        boolean directEval) {
    /** Copies the sets. */
    public TextNames {
        lexical = Set.copyOf(lexical);
        variables = Set.copyOf(variables);
        read = Set.copyOf(read);
        written = Set.copyOf(written);
    }
}
