package dev.blockscope.script;

import com.google.common.collect.Sets;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The tokens of a text, one at a time. What is rare, or means one thing here and another there, is
 * not plain: regular expressions, names with escapes or with other letters than ASCII's, and old
 * forms of numbers and comments.
 */
final class Tokens {
    /** What a token is. */
    enum Kind {
        NAME,
        NUMBER,
        STRING,
        /** From a back quote, or from the brace that ends an expression, to the next of both. */
        TEMPLATE,
        SIGN,
        END
    }

    /** All signs by their first character, the longer ones first. */
    private static final String[][] SIGNS =
            byFirst(
                    ">>>= ... === !== **= <<= >>> >>= &&= ||= ??= => == != <= >= && || ?? ?. ++ -- += -= *= /= %= &= |= ^= << >> **"
                            + " { } ( ) [ ] ; , < > + - * / % & | ^ ! ~ ? : = .");

    /** Words that are no names, or names only here and there. */
    private static final Set<String> NO_NAMES =
            Sets.union(ReservedWords.ALL, Set.of("arguments", "async", "eval")).immutableCopy();

    private final String text;
    private Kind kind = Kind.END;
    private String value = "";
    private int start;
    private int end;
    private int endOfLast;
    private boolean onNewLine;

    Tokens(String text) throws NotPlainException {
        this.text = text;
        next();
    }

    Kind kind() {
        return kind;
    }

    /** Returns the characters of a name or of a sign. */
    String value() {
        return value;
    }

    boolean is(String sign) {
        return kind == Kind.SIGN && value.equals(sign);
    }

    boolean isName(String name) {
        return kind == Kind.NAME && value.equals(name);
    }

    int start() {
        return start;
    }

    /** Whether a sign follows this token, with nothing but blanks between. */
    boolean isFollowedBy(String sign) {
        int next = end;
        while (at(next) == ' ') {
            next++;
        }
        return text.startsWith(sign, next);
    }

    /** Takes a name that may be anything's, and returns it. */
    String identifier() throws NotPlainException {
        String name = value;
        NotPlainException.unless(kind == Kind.NAME && !NO_NAMES.contains(name));
        next();
        return name;
    }

    void take(String sign) throws NotPlainException {
        NotPlainException.unless(is(sign));
        next();
    }

    /** Takes a sign if it is there. */
    boolean taken(String sign) throws NotPlainException {
        boolean taken = is(sign);
        if (taken) {
            next();
        }
        return taken;
    }

    /** Returns where the token before this one ends. */
    int endOfLast() {
        return endOfLast;
    }

    /** Whether the token stands on another line than the end of the one before. */
    boolean onNewLine() {
        return onNewLine;
    }

    /** Whether a template ends here, as opposed to going on after an expression. */
    boolean endsTemplate() {
        return kind == Kind.TEMPLATE && text.charAt(end - 1) == '`';
    }

    /** Whether all from a place to the last token is the text, but for parentheses and space. */
    boolean isAllFrom(int place) {
        return isEmpty(0, place) && isEmpty(endOfLast, text.length());
    }

    private boolean isEmpty(int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (!Character.isWhitespace(c) && c != '(' && c != ')') {
                return false;
            }
        }
        return true;
    }

    /** Goes back, or forth, to the token that starts at a place. */
    void goTo(int place) throws NotPlainException {
        end = place;
        next();
    }

    void next() throws NotPlainException {
        endOfLast = end;
        skipSpace();
        start = end;
        value = "";
        if (start == text.length()) {
            kind = Kind.END;
            return;
        }
        char first = text.charAt(start);
        if (isLetter(first)) {
            name();
        } else if (isDigit(first) || (first == '.' && isDigit(at(start + 1)))) {
            number();
        } else if (first == '"' || first == '\'') {
            string(first);
        } else if (first == '`') {
            template();
        } else {
            sign();
        }
    }

    /** Takes the brace that the text is at for the end of an expression in a template. */
    void template() throws NotPlainException {
        kind = Kind.TEMPLATE;
        end = start + 1;
        while (at(end) != '`' && !(at(end) == '$' && at(end + 1) == '{')) {
            character();
        }
        end += at(end) == '`' ? 1 : 2;
    }

    private void name() {
        kind = Kind.NAME;
        while (isLetter(at(end)) || isDigit(at(end))) {
            end++;
        }
        value = text.substring(start, end);
    }

    private void number() throws NotPlainException {
        kind = Kind.NUMBER;
        if (at(end) == '0' && isLetter(at(end + 1))) {
            prefixed();
        } else {
            NotPlainException.unless(!(at(end) == '0' && isDigit(at(end + 1))));
            digits();
            if (at(end) == 'n' && text.charAt(start) != '.') {
                end++;
            } else {
                fraction();
            }
        }
        NotPlainException.unless(!isLetter(at(end)) && !isDigit(at(end)));
    }

    /** Such as 0xff. */
    private void prefixed() throws NotPlainException {
        int radix =
                switch (at(end + 1)) {
                    case 'x', 'X' -> 16;
                    case 'o', 'O' -> 8;
                    case 'b', 'B' -> 2;
                    default -> throw new NotPlainException();
                };
        end += 2;
        NotPlainException.unless(isDigit(at(end), radix));
        while (isDigit(at(end), radix)) {
            end++;
        }
    }

    private void fraction() throws NotPlainException {
        if (at(end) == '.') {
            end++;
            digits();
        }
        if (at(end) == 'e' || at(end) == 'E') {
            end++;
            if (at(end) == '+' || at(end) == '-') {
                end++;
            }
            NotPlainException.unless(isDigit(at(end)));
            digits();
        }
    }

    private void digits() {
        while (isDigit(at(end))) {
            end++;
        }
    }

    private void string(char quote) throws NotPlainException {
        kind = Kind.STRING;
        end++;
        while (at(end) != quote) {
            NotPlainException.unless(!isLineEnd(at(end)));
            character();
        }
        end++;
    }

    /** Takes one character of a text in quotes; of the escapes those of one letter. */
    private void character() throws NotPlainException {
        NotPlainException.unless(end < text.length());
        if (text.charAt(end) == '\\') {
            end++;
            NotPlainException.unless("nrtbfv'\"`\\$/".indexOf(at(end)) >= 0);
        }
        end++;
    }

    private void sign() throws NotPlainException {
        kind = Kind.SIGN;
        char first = text.charAt(start);
        NotPlainException.unless(first < SIGNS.length);
        for (String sign : SIGNS[first]) {
            if (text.startsWith(sign, start)) {
                end = start + sign.length();
                value = sign;
                // As in a?.5:b
                NotPlainException.unless(!(sign.equals("?.") && isDigit(at(end))));
                return;
            }
        }
        throw new NotPlainException();
    }

    private void skipSpace() throws NotPlainException {
        onNewLine = false;
        while (end < text.length()) {
            char next = text.charAt(end);
            if (next == '/' && at(end + 1) == '/') {
                while (end < text.length() && !isLineEnd(at(end))) {
                    end++;
                }
            } else if (next == '/' && at(end + 1) == '*') {
                int close = text.indexOf("*/", end + 2);
                NotPlainException.unless(close >= 0);
                onNewLine |= text.substring(end, close).chars().anyMatch(Tokens::isLineEnd);
                end = close + 2;
            } else if (next == ' ' || next == '\t' || isLineEnd(next)) {
                onNewLine |= isLineEnd(next);
                end++;
            } else {
                // Old comments.
                NotPlainException.unless(
                        !text.startsWith("<!--", end) && !text.startsWith("-->", end));
                return;
            }
        }
    }

    private static String[][] byFirst(String signs) {
        String[][] byFirst = new String[128][];
        for (char first = 0; first < byFirst.length; first++) {
            String begin = String.valueOf(first);
            byFirst[first] =
                    Stream.of(signs.split(" ", -1))
                            .filter(sign -> sign.startsWith(begin))
                            .map(String::intern) // so that the same sign is the same object
                            .toArray(String[]::new);
        }
        return byFirst;
    }

    private char at(int place) {
        return place < text.length() ? text.charAt(place) : 0;
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isDigit(char c, int radix) {
        return c < 128 && Character.digit(c, radix) >= 0;
    }

    private static boolean isLineEnd(int c) {
        return c == '\n' || c == '\r' || c == '\u2028' || c == '\u2029';
    }
}
