package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.List;

/**
 * What a text of JavaScript says of a name that it puts into a call: the pieces that are written
 * out, in their order. Between them, and around them, may be anything.
 *
 * @param pieces what is written out; the first begins the name and the last ends it, unless they
 *     are empty
 * @param end where the call ends; where the text does, if it ends before
 */
record NameInText(List<String> pieces, int end) {
    /** What is longer is not looked at. */
    private static final int LONGEST = 1_000;

    NameInText {
        pieces = List.copyOf(pieces);
    }

    /** Reads the argument of a call, from behind the parenthesis that opens it. */
    static NameInText from(String text, int begin) {
        return new Reader(text, begin).read();
    }

    /** Returns whether nothing of it is written out. */
    boolean isUnknown() {
        return pieces.stream().allMatch(String::isEmpty);
    }

    /** Returns whether it may be some name; none if nothing is known of it. */
    boolean mayBe(String name) {
        if (isUnknown()) {
            return false;
        }
        String first = pieces.getFirst();
        String last = pieces.getLast();
        if (pieces.size() == 1) {
            return name.equals(first);
        }
        if (!name.startsWith(first) || !name.endsWith(last)) {
            return false;
        }
        int at = first.length();
        for (String piece : pieces.subList(1, pieces.size() - 1)) {
            int found = name.indexOf(piece, at);
            if (found < 0) {
                return false;
            }
            at = found + piece.length();
        }
        return at <= name.length() - last.length();
    }

    /** Reads quoted pieces and passes over what stands between. */
    private static final class Reader {
        private final String text;
        private final int limit;
        private final List<String> pieces = new ArrayList<>();
        private StringBuilder piece = new StringBuilder();
        private int at;

        Reader(String text, int begin) {
            this.text = text;
            this.at = begin;
            this.limit = Math.min(text.length(), begin + LONGEST);
        }

        NameInText read() {
            int depth = 0;
            while (at < limit) {
                char c = text.charAt(at++);
                if (c == ')' && depth == 0) {
                    break;
                } else if (c == '\'' || c == '"' || c == '`') {
                    if (depth == 0) {
                        readQuoted(c);
                    } else {
                        passQuoted(c);
                    }
                } else if (c != '+' && !Character.isWhitespace(c)) {
                    depth += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
                    gap();
                }
            }
            pieces.add(piece.toString());
            return new NameInText(pieces, at);
        }

        private void readQuoted(char quote) {
            while (at < limit) {
                char c = text.charAt(at++);
                if (c == quote) {
                    return;
                } else if (quote == '`' && text.startsWith("${", at - 1)) {
                    passInserted();
                } else if (c == '\\') {
                    // What it stands for is not looked at.
                    at++;
                    gap();
                } else {
                    piece.append(c);
                }
            }
        }

        private void passQuoted(char quote) {
            while (at < limit) {
                char c = text.charAt(at++);
                if (c == quote) {
                    return;
                }
                at += c == '\\' ? 1 : 0;
            }
        }

        private void passInserted() {
            int depth = 0;
            while (at < limit) {
                char c = text.charAt(at++);
                depth += c == '{' ? 1 : c == '}' ? -1 : 0;
                if (depth == 0) {
                    break;
                }
            }
            gap();
        }

        /** What follows is not next to what was before. */
        private void gap() {
            if (!piece.isEmpty() || pieces.isEmpty()) {
                pieces.add(piece.toString());
                piece = new StringBuilder();
            }
        }
    }
}
