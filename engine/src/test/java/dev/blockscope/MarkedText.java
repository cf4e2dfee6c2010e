package dev.blockscope;

import java.util.ArrayList;
import java.util.List;

/**
 * A text with the places in it that a test is about: each circled number, from ① on, stands before
 * the character it marks.
 *
 * @param text the text without the marks
 * @param places the marked places as {@code line:column}, both 1-based, in the order of the marks
 */
record MarkedText(String text, List<String> places) {
    private static final char FIRST_MARK = '①';

    static MarkedText of(String marked) {
        StringBuilder text = new StringBuilder();
        List<String> places = new ArrayList<>();
        int line = 1;
        int column = 1;
        for (int i = 0; i < marked.length(); i++) {
            char c = marked.charAt(i);
            int mark = c - FIRST_MARK;
            if (mark >= 0 && mark < 9) {
                while (places.size() <= mark) {
                    places.add("");
                }
                places.set(mark, line + ":" + column);
                continue;
            }
            text.append(c);
            column = c == '\n' ? 1 : column + 1;
            line = c == '\n' ? line + 1 : line;
        }
        return new MarkedText(text.toString(), List.copyOf(places));
    }
}
