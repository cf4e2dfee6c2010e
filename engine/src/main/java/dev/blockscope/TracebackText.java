package dev.blockscope;

import java.util.List;

/** Writes tracebacks as text for people. */
final class TracebackText {
    private static final String CUT = "…";
    private static final String INDENT = "    ";

    /** As many innermost and as many outermost entries are shown of a longer traceback. */
    private static final int SHOWN = 20;

    private static final String NO_FILE = "<no file>";

    private final Rendering rendering;
    private final StringBuilder text = new StringBuilder();

    TracebackText(Rendering rendering) {
        this.rendering = rendering;
    }

    /** Returns the text of a traceback. */
    String of(Traceback traceback) {
        error(traceback);
        behind(traceback);
        return text.toString().stripTrailing();
    }

    /** What failed besides is indented, so that its own causes are not taken for the error's. */
    private void behind(Traceback traceback) {
        for (Traceback other : traceback.suppressed()) {
            TracebackText besides = new TracebackText(rendering);
            besides.named("also failed: ", other, "");
            besides.text
                    .toString()
                    .stripTrailing()
                    .lines()
                    .forEach(line -> text.append(INDENT).append(line).append('\n'));
        }
        if (traceback.cause() != null) {
            named("caused by: ", traceback.cause(), traceback.message());
        }
    }

    /**
     * A message of the host's does not begin with the error's class, as one of the guest does.
     *
     * <p>An error of Blockscope's own that says nothing more tells a reader nothing by its class.
     *
     * @param told a message that needs no repetition
     */
    private void named(String how, Traceback other, String told) {
        if (other.isOurs() && other.message().equals(told)) {
            behind(other);
            return;
        }
        text.append(Style.FAINT.of(how, rendering));
        if (other.pinned() == null && other.type().contains(".")) {
            text.append(Visible.inLine(other.type()));
            if (other.message().equals(told) || other.message().equals(other.type())) {
                text.append('\n');
                behind(other);
                return;
            }
            text.append(": ");
        }
        error(other);
        behind(other);
    }

    private void error(Traceback traceback) {
        Traceback.Entry pinned = traceback.pinned();
        if (pinned != null) {
            text.append(Style.BOLD.of(positionOf(pinned) + ":", rendering)).append(' ');
        }
        text.append(Style.RED.of(Visible.inLines(traceback.message()), rendering)).append('\n');
        if (pinned == null) {
            return;
        }
        excerpt(pinned);
        entries(traceback);
    }

    private void entries(Traceback traceback) {
        List<Traceback.Entry> entries = traceback.entries();
        Traceback.Gap gap = traceback.gap();
        boolean tooMany = entries.size() > 2 * SHOWN;
        int hidden = tooMany ? SHOWN : entries.size();
        int shownAgain = tooMany ? entries.size() - SHOWN : entries.size();
        for (int i = 0; i <= entries.size(); i++) {
            int missing = i == gap.after() ? gap.entries() : 0;
            if (i == hidden && tooMany) {
                boolean around = gap.after() >= hidden && gap.after() <= shownAgain;
                missing = shownAgain - hidden + (around ? gap.entries() : missing);
            } else if (i > hidden && i <= shownAgain) {
                missing = 0;
            }
            if (missing > 0) {
                line("    ... %d more ...".formatted(missing));
            }
            if (i < entries.size() && (i < hidden || i >= shownAgain)) {
                line("    at " + placeOf(entries.get(i)));
            }
        }
    }

    private void line(String line) {
        text.append(Style.FAINT.of(line, rendering)).append('\n');
    }

    private static String placeOf(Traceback.Entry entry) {
        return entry.function().isEmpty()
                ? positionOf(entry)
                : "%s (%s)".formatted(Visible.inLine(entry.function()), positionOf(entry));
    }

    private static String positionOf(Traceback.Entry entry) {
        String file = entry.file().isBlank() ? NO_FILE : Visible.inLine(entry.file());
        if (entry.line() < 1) {
            return file;
        }
        return entry.column() < 1
                ? file + ":" + entry.line()
                : file + ":" + entry.line() + ":" + entry.column();
    }

    private void excerpt(Traceback.Entry entry) {
        if (entry.sourceLine().isBlank() || entry.column() < 1) {
            return;
        }
        List<Cells.Cell> line = Cells.of(entry.sourceLine());
        int at = cellAt(line, entry.column() - entry.sourceColumn());
        Window window = Window.around(at, line, rendering.width());
        String number = Integer.toString(entry.line());
        gutter(number);
        StringBuilder below = new StringBuilder();
        if (window.start() > 0) {
            text.append(CUT);
            below.append(' ');
        }
        for (int i = window.start(); i < window.end(); i++) {
            text.append(line.get(i).text());
            if (i < at) {
                below.append(line.get(i).blank());
            }
        }
        text.append(window.end() < line.size() ? CUT : "").append('\n');
        gutter(" ".repeat(number.length()));
        text.append(below).append(Style.RED.of("^", rendering)).append('\n');
    }

    private void gutter(String number) {
        text.append(Style.FAINT.of("  " + number + " | ", rendering));
    }

    /** Returns the index of the character that a place of the line is in; the end if it is none. */
    private static int cellAt(List<Cells.Cell> line, int offset) {
        for (int i = line.size() - 1; i >= 0; i--) {
            if (line.get(i).start() <= offset) {
                boolean beyond = i == line.size() - 1 && offset >= line.get(i).end();
                return beyond ? line.size() : i;
            }
        }
        return 0;
    }

    /**
     * The part of a line that is shown.
     *
     * @param start the first character of it
     * @param end the one behind its last
     */
    private record Window(int start, int end) {
        /** Returns as much as fits around a place: all, or a third of the width before it. */
        static Window around(int at, List<Cells.Cell> line, int width) {
            if (line.stream().mapToInt(Cells.Cell::width).sum() <= width) {
                return new Window(0, line.size());
            }
            // A cell at each side is for the sign that the line was cut.
            int room = width - 2;
            int start = at;
            int left = 0;
            while (start > 0 && left + line.get(start - 1).width() <= room / 3) {
                left += line.get(--start).width();
            }
            int end = start;
            int used = 0;
            while (end < line.size() && used + line.get(end).width() <= room) {
                used += line.get(end++).width();
            }
            while (start > 0 && used + line.get(start - 1).width() <= room) {
                used += line.get(--start).width();
            }
            return new Window(start, end);
        }
    }

    /** How a part stands out on a terminal. */
    private enum Style {
        BOLD("1"),
        FAINT("2"),
        RED("31");

        private final String code;

        Style(String code) {
            this.code = code;
        }

        String of(String part, Rendering rendering) {
            return rendering.coloured() && !part.isEmpty()
                    ? "\u001b[" + code + "m" + part + "\u001b[0m"
                    : part;
        }
    }
}
