package dev.blockscope;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The word {@code await} in a text whose top level may wait, which the language's scripts do not.
 */
final class TopLevelAwait {
    static final String WORD = "await";

    private static final Pattern AWAIT =
            Pattern.compile("(\\bfor\\s+)?(?<![.\\w$#])await(?![\\w$])");

    private TopLevelAwait() {}

    /** Whether a text has the word, wherever and as what. */
    static boolean isIn(String text) {
        return text.contains(WORD) && AWAIT.matcher(text).find();
    }

    /**
     * Returns a text that a script may have and that has the same names at the same places: in each
     * place another word of the same length stands that takes one operand as well.
     */
    static String hidden(String text) {
        return AWAIT.matcher(text)
                .replaceAll(found ->
                        found.group(1) == null
                                ? "void "
                                : Matcher.quoteReplacement(found.group(1)) + "     ");
    }
}
