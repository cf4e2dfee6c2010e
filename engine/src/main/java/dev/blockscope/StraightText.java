package dev.blockscope;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds texts of JavaScript that certainly end at once: formulas, comparisons and assignments, with
 * calls of nothing but {@code Math} and {@linkplain QuickCalls what is as quick}. There is nothing
 * in them that could go on: no loop, no function, no object that brings code of its own.
 *
 * <p>Looked at as characters: what is a string or a comment is looked at as well, and may only make
 * the answer no.
 */
final class StraightText {
    /** With few additions of short texts, no text grows long enough to make anything slow. */
    private static final int LONGEST = 1_000;

    private static final int MOST_ADDITIONS = 8;

    /** Words that loop, wait, call, make functions, or lead to something that does. */
    private static final Set<String> FORBIDDEN =
            Set.of(
                    "async",
                    "await",
                    "class",
                    "constructor",
                    "debugger",
                    "do",
                    "eval",
                    "for",
                    "function",
                    "Function",
                    "get",
                    "globalThis",
                    "import",
                    "new",
                    "set",
                    "super",
                    "this",
                    "while",
                    "with",
                    "yield");

    /**
     * Characters and pairs of them that make templates, functions, spreads, comments, escapes, or
     * integers of any size.
     */
    private static final Pattern FORBIDDEN_SIGNS =
            Pattern.compile("[`\\\\]|=>|\\.\\.\\.|//|/\\*|<!--|-->|[0-9a-fA-F_]n\\b");

    /** A parenthesis that opens arguments, unless it follows one of these. */
    private static final Pattern NO_CALL =
            Pattern.compile(
                    "(?:^|[-=,;:?!&|+*/%<>~^({}]|(?<![\\w$.])(?<!\\.\\s{1,99})(?:if|switch|return|typeof|void|in|case|else|throw)|(?<![\\w$.])Math\\.[a-z]\\w*)$");

    private static final Pattern NOTHING = Pattern.compile("(?!)");

    private StraightText() {}

    /** Whether a text is straight; {@code words} are all its words. */
    static boolean is(String text, Set<String> words) {
        return text.length() <= LONGEST
                && text.chars().filter(sign -> sign == '+').count() <= MOST_ADDITIONS
                && words.stream().noneMatch(FORBIDDEN::contains)
                && !FORBIDDEN_SIGNS.matcher(text).find()
                && (calculates(text) || QuickCalls.are(text, words));
    }

    /** Whether a value is one that a straight text can do nothing lengthy with. */
    static boolean takes(@Nullable Object value) {
        return value == null
                || (GuestToHost.isPrimitive(value)
                        && !(value instanceof String text && text.length() > LONGEST));
    }

    /** Whether a text is without lists and calls nothing but {@code Math}. */
    private static boolean calculates(String text) {
        return text.indexOf('[') < 0 && callsNothingBut(NOTHING, text);
    }

    /** Whether a text calls nothing but {@code Math} and what a pattern finds at a text's end. */
    static boolean callsNothingBut(Pattern called, String text) {
        for (int open = text.indexOf('('); open >= 0; open = text.indexOf('(', open + 1)) {
            String before = text.substring(0, open).stripTrailing();
            if (!NO_CALL.matcher(before).find() && !called.matcher(before).find()) {
                return false;
            }
        }
        return true;
    }
}
