package dev.blockscope;

/**
 * Makes text safe to show: what a terminal would obey, or show elsewhere than it stands, becomes a
 * character that can be seen.
 */
final class Visible {
    private static final char PICTURES_OF_CONTROLS = '␀';
    private static final char PICTURE_OF_DELETE = '␡';
    private static final char NO_PICTURE = '\uFFFD';

    private Visible() {}

    /** Returns a text that stays on its line, with its controls as Java would write them. */
    static String inLine(String text) {
        return escape(text, false);
    }

    /** The same for a text that may have lines and tabs of its own. */
    static String inLines(String text) {
        return escape(text.replace("\r\n", "\n"), true);
    }

    private static String escape(String text, boolean layout) {
        if (text.codePoints().noneMatch(Visible::isHidden)) {
            return text;
        }
        StringBuilder visible = new StringBuilder();
        text.codePoints()
                .forEach(character -> {
                    if (isHidden(character)
                            && !(layout && (character == '\n' || character == '\t'))) {
                        visible.append(escaped(character));
                    } else {
                        visible.appendCodePoint(character);
                    }
                });
        return visible.toString();
    }

    private static String escaped(int character) {
        return switch (character) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default ->
                    Character.isBmpCodePoint(character)
                            ? "\\u%04x".formatted(character)
                            : "\\u{%x}".formatted(character);
        };
    }

    /** Returns what stands for a character in a line whose characters must keep their places. */
    static int picture(int character) {
        if (!isHidden(character) || character == '\t') {
            return character;
        }
        if (character < ' ') {
            return PICTURES_OF_CONTROLS + character;
        }
        return character == 0x7f ? PICTURE_OF_DELETE : NO_PICTURE;
    }

    /** Joiners between letters and emoji belong to what is seen. */
    private static boolean isHidden(int character) {
        if ((character >= ' ' && character < 0x7f) || character == 0x200c || character == 0x200d) {
            return false;
        }
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.FORMAT ->
                    !isPartOfEmoji(character);
            default -> false;
        };
    }

    /** Flags of regions are written with tags, which are of the class of format characters. */
    private static boolean isPartOfEmoji(int character) {
        return character >= 0xE0020 && character <= 0xE007F;
    }
}
