package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A variable, or the end of a call, with the members and elements that follow it in a text, such as
 * {@code model.encoder.layer[3].output}.
 *
 * @param text the chain as it is written
 * @param variable the variable; empty if it begins at the end of a call
 * @param parts the names of members and the elements; {@link #ANY} for one that is computed
 * @param start where it begins
 * @param end where it ends
 */
record Chain(String text, String variable, List<String> parts, int start, int end) {
    static final String ANY = "*";

    // Nothing is tried twice, and repetitions of groups, which recur, are few: any text will do.
    static final String NAME = "[\\w$]++";
    private static final String INDEX = "\\[(?:[^\\[\\]]++|\\[[^\\[\\]]*+]){0,50}+]";

    /** How a module is named that has the name of a member, or none that can follow a dot. */
    private static final String MODULE =
            "\\.\\s*+\\$?module\\s*+\\(\\s*+['\"`]([^'\"`]*+)['\"`]\\s*+\\)";

    private static final String MEMBER = "\\.\\s*+(%s)".formatted(NAME);

    private static final Pattern PART =
            Pattern.compile("%s|%s|(%s)".formatted(MODULE, MEMBER, INDEX));

    private static final Pattern CHAIN =
            Pattern.compile(
                    "((?<![\\w$])%s|(?<=[)\\]]))(?:\\s*+\\??(?:%s)){1,50}+".formatted(NAME, PART));

    Chain {
        parts = List.copyOf(parts);
    }

    /** Returns the chains of a text, in their order. */
    static List<Chain> in(String text) {
        List<Chain> chains = new ArrayList<>();
        Matcher chain = CHAIN.matcher(text);
        while (chain.find()) {
            chains.add(of(chain));
        }
        return Collections.unmodifiableList(chains);
    }

    /** Returns the chain that begins at a place of a text, if one does. */
    static Optional<Chain> at(String text, int start) {
        Matcher chain = CHAIN.matcher(text).region(start, text.length()).useTransparentBounds(true);
        return chain.lookingAt() ? Optional.of(of(chain)) : Optional.empty();
    }

    private static Chain of(Matcher found) {
        List<String> parts = new ArrayList<>();
        Matcher part =
                PART.matcher(found.group())
                        .region(found.end(1) - found.start(), found.end() - found.start());
        while (part.find()) {
            String name = part.group(1) == null ? part.group(2) : part.group(1);
            parts.add(name == null ? index(part.group(3)) : name);
        }
        return new Chain(found.group(), found.group(1), parts, found.start(), found.end());
    }

    /** Returns a position or a name in brackets. */
    private static String index(String brackets) {
        String inside = brackets.substring(1, brackets.length() - 1).strip();
        String name = inside.replaceAll("^(['\"`])(.*)\\1$", "$2");
        return name.matches("\\d+") || !name.equals(inside) ? name : ANY;
    }
}
