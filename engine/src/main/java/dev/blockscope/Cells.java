package dev.blockscope;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line as a terminal lays it out: a row of what a reader takes for one character, each of which
 * takes no cell, one or two.
 */
final class Cells {
    /**
     * What a reader takes for one character may be a letter with its accents, or a whole family.
     */
    private static final Pattern CHARACTER = Pattern.compile("\\X");

    /** As wide as a tab can be; where its next stop is depends on what the reader has set. */
    private static final int WIDEST_TAB = 8;

    private static final int EMOJI_STYLE = 0xFE0F;

    private Cells() {}

    /**
     * What a reader takes for one character.
     *
     * @param start where it starts in the line, in UTF-16 units from 0
     * @param end where the next one starts
     * @param text what is shown of it
     * @param width how many cells it takes at most
     */
    record Cell(int start, int end, String text, int width) {
        /** Returns what takes as much room as this, wherever it stands. */
        String blank() {
            return text.equals("\t") ? text : " ".repeat(width);
        }
    }

    /** Returns the characters of a line. */
    static List<Cell> of(String line) {
        List<Cell> cells = new ArrayList<>();
        Matcher character = CHARACTER.matcher(line);
        while (character.find()) {
            StringBuilder shown = new StringBuilder();
            character.group().codePoints().map(Visible::picture).forEach(shown::appendCodePoint);
            String text = shown.toString();
            cells.add(new Cell(character.start(), character.end(), text, widthOf(text)));
        }
        return cells;
    }

    private static int widthOf(String character) {
        if (character.equals("\t")) {
            return WIDEST_TAB;
        }
        int first = character.codePointAt(0);
        if (character.length() == 1 && first < 0x300) {
            return 1;
        }
        boolean emoji =
                character.codePoints().anyMatch(Character::isEmojiPresentation)
                        || (Character.isEmoji(first) && character.indexOf(EMOJI_STYLE) >= 0);
        return emoji || character.codePoints().anyMatch(Cells::isWide) ? 2 : isMark(first) ? 0 : 1;
    }

    private static boolean isMark(int character) {
        return switch (Character.getType(character)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> true;
            default -> false;
        };
    }

    /** The wide and the full-width characters of Unicode's "East Asian Width", but for emoji. */
    private static boolean isWide(int c) {
        return (c >= 0x1100 && c <= 0x115F) // Hangul that begin a syllable
                || (c >= 0x2E80 && c <= 0x303E) // radicals, punctuation
                || (c >= 0x3041 && c <= 0x4DBF) // kana, bopomofo, CJK
                || (c >= 0x4E00 && c <= 0xA4CF) // CJK, Yi
                || (c >= 0xA960 && c <= 0xA97F) // more Hangul
                || (c >= 0xAC00 && c <= 0xD7A3) // Hangul syllables
                || (c >= 0xF900 && c <= 0xFAFF) // CJK for compatibility
                || (c >= 0xFE10 && c <= 0xFE19) // vertical forms
                || (c >= 0xFE30 && c <= 0xFE6F) // small and vertical forms
                || (c >= 0xFF01 && c <= 0xFF60) // full-width Latin
                || (c >= 0xFFE0 && c <= 0xFFE6) // full-width signs
                || (c >= 0x16FE0 && c <= 0x18DFF) // Tangut, Khitan
                || (c >= 0x1AFF0 && c <= 0x1B2FF) // more kana, Nushu
                || (c >= 0x1F200 && c <= 0x1F265) // letters in squares
                || (c >= 0x20000 && c <= 0x3FFFD); // CJK beyond the basic plane
    }
}
