package dev.blockscope;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells whether what a text of JavaScript calls is over at once: members of texts, of numbers and
 * of one short list that take no longer than these are long, while nothing in the text grows large.
 * Each of a few additions makes at most twice as much of what there is, the list as many times as
 * it has elements, and joining it twice that: a few megabytes at most.
 *
 * <p>Looked at as characters, like the {@linkplain StraightText straight text} that it is but for
 * its calls.
 */
final class QuickCalls {
    /** The global builtins that are quick themselves and lead to nothing else. */
    static final Set<String> BUILTINS =
            Set.of(
                    "Boolean",
                    "Math",
                    "Number",
                    "String",
                    "isFinite",
                    "isNaN",
                    "parseFloat",
                    "parseInt");

    private static final int MOST_COMMAS = 8;
    private static final int MOST_ADDITIONS = 6;

    /** What goes through a text for each of its places: only where no text has grown at all. */
    private static final Set<String> SEARCHES = Set.of("includes", "indexOf", "lastIndexOf");

    /** All other members of texts, numbers, lists, functions, patterns and errors. */
    private static final Set<String> LENGTHY =
            Set.of(
                    "__defineGetter__",
                    "__defineSetter__",
                    "__lookupGetter__",
                    "__lookupSetter__",
                    "__proto__",
                    "anchor",
                    "apply",
                    "asIntN",
                    "big",
                    "bind",
                    "blink",
                    "bold",
                    "call",
                    "caller",
                    "captureStackTrace",
                    "compile",
                    "concat",
                    "constructor",
                    "copyWithin",
                    "dotAll",
                    "entries",
                    "every",
                    "exec",
                    "fill",
                    "filter",
                    "find",
                    "findIndex",
                    "findLast",
                    "findLastIndex",
                    "fixed",
                    "flags",
                    "flat",
                    "flatMap",
                    "fontcolor",
                    "fontsize",
                    "forEach",
                    "fromCharCode",
                    "fromCodePoint",
                    "global",
                    "hasIndices",
                    "hasOwnProperty",
                    "ignoreCase",
                    "isPrototypeOf",
                    "isWellFormed",
                    "italics",
                    "keys",
                    "link",
                    "localeCompare",
                    "map",
                    "match",
                    "matchAll",
                    "multiline",
                    "normalize",
                    "padEnd",
                    "padStart",
                    "pop",
                    "propertyIsEnumerable",
                    "prototype",
                    "push",
                    "raw",
                    "reduce",
                    "reduceRight",
                    "repeat",
                    "replace",
                    "replaceAll",
                    "reverse",
                    "search",
                    "shift",
                    "small",
                    "some",
                    "sort",
                    "source",
                    "splice",
                    "split",
                    "stack",
                    "sticky",
                    "strike",
                    "sub",
                    "sumPrecise",
                    "sup",
                    "test",
                    "toLocaleLowerCase",
                    "toLocaleString",
                    "toLocaleUpperCase",
                    "toReversed",
                    "toSorted",
                    "toSpliced",
                    "toString",
                    "toWellFormed",
                    "unicode",
                    "unicodeSets",
                    "unshift",
                    "valueOf",
                    "values");

    /** A bracket that opens a list, and does not ask an object for a member. */
    private static final Pattern BEFORE_LIST =
            Pattern.compile("(?:^|[-=,;:?!&|+*%<>~^({]|(?<![\\w$.])(?:return|case|throw))$");

    /** What follows a bracket that closes the computed name of a member, and never a list. */
    private static final Pattern COMPUTED_NAME = Pattern.compile("\\]\\s*[:(]");

    /** A parenthesis that opens the arguments of one of them. */
    private static final Pattern QUICK =
            Pattern.compile(
                    "(?:\\.(?:at|char(?:Code)?At|codePointAt|endsWith|includes|indexOf|join|lastIndexOf|slice|startsWith|substring|to(?:Fixed|Precision|LowerCase|UpperCase)|trim(?:End|Start)?)|(?<![\\w$.])(?:Boolean|Number|String|isFinite|isNaN|parseFloat|parseInt))$");

    private QuickCalls() {}

    /** Whether a text calls nothing else; {@code words} are all its words. */
    static boolean are(String text, Set<String> words) {
        boolean searches = words.stream().anyMatch(SEARCHES::contains);
        return words.stream().noneMatch(LENGTHY::contains)
                && count(text, ',') <= MOST_COMMAS
                && count(text, '+') <= (searches ? 0 : MOST_ADDITIONS)
                && hasOneListAtMost(text, words)
                && StraightText.callsNothingBut(QUICK, text);
    }

    /** A list of any length could be made by its length. */
    private static boolean hasOneListAtMost(String text, Set<String> words) {
        int list = text.indexOf('[');
        return list < 0
                || (text.indexOf('[', list + 1) < 0
                        && text.indexOf("join") == text.lastIndexOf("join")
                        && !words.contains("length")
                        && !COMPUTED_NAME.matcher(text).find()
                        && BEFORE_LIST.matcher(text.substring(0, list).stripTrailing()).find());
    }

    private static long count(String text, char sign) {
        return text.chars().filter(it -> it == sign).count();
    }
}
