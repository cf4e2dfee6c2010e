package dev.blockscope;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.blockscope.OutputLine.Level;
import dev.blockscope.truffle.StoppedAt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one run says: where its lines go, and what {@code console} counts, measures and indents
 * meanwhile. How values become text is the guest's own affair.
 */
final class Console {
    /** A longer line is cut. */
    private static final int LONGEST_LINE = 1 << 20;

    private static final int DEEPEST_GROUP = 100;
    private static final int DEEPEST_TRACE = 20;

    /** How many labels may be counted or measured at once. */
    private static final int MOST_LABELS = 1_000;

    /** What is said of progress sooner than this after the last time is not handed on. */
    private static final long PROGRESS_NANOS = 100_000_000;

    /** What it counts as, of the output. */
    private static final int PROGRESS_BYTES = 2 * Double.BYTES;

    private final Home home;
    private final @Nullable Allowance allowance;
    private final OutputListener listener;
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, Long> begun = new HashMap<>();
    private int groups;
    private long progressTold = System.nanoTime() - PROGRESS_NANOS;
    private boolean endTold;

    /** Creates the console of a run that has said nothing yet. */
    Console(Home home, @Nullable Allowance allowance) {
        this.home = home;
        this.allowance = allowance;
        this.listener = home.settings().output();
    }

    /** Counts characters of a line that are too many. Returns false if the run is about to end. */
    boolean skip(int characters) {
        return allowance == null || allowance.writes(characters);
    }

    /**
     * Hands a line to the listener, indented as far as groups are open.
     *
     * @param skipped how many characters have been cut off its end already
     */
    void write(Level level, String text, int skipped) {
        if (allowance != null && !allowance.writes(text.getBytes(UTF_8).length)) {
            return;
        }
        List<StoppedAt> calls = home.realm().guest().calls(1);
        String file = calls.isEmpty() ? home.block().file() : calls.getFirst().file();
        int line = calls.isEmpty() ? 0 : calls.getFirst().line();
        listener.print(new OutputLine(level, indented(cut(text, skipped)), file, line));
    }

    /** The same with the calls that have led there. */
    void trace(String title) {
        String calls =
                home.realm().guest().calls(DEEPEST_TRACE).stream()
                        .map(Console::shown)
                        .collect(Collectors.joining());
        write(Level.DEBUG, title + calls, 0);
    }

    /** Counts once more, and returns how often it was. */
    int count(String label) {
        return known(counts.size()) || counts.containsKey(label)
                ? counts.merge(label, 1, Integer::sum)
                : 1;
    }

    /** Begins to count anew. Returns false if nothing was counted. */
    boolean countReset(String label) {
        return counts.remove(label) != null;
    }

    /** Begins to measure. Returns false if that has begun already. */
    boolean time(String label) {
        return !known(begun.size()) || begun.putIfAbsent(label, System.nanoTime()) == null;
    }

    /** Returns the milliseconds since a measurement began, or -1 if it did not. */
    double elapsed(String label, boolean ends) {
        Long since = ends ? begun.remove(label) : begun.get(label);
        return since == null ? -1 : (System.nanoTime() - since) / 1e6;
    }

    /**
     * Hands on how far the block is, unless that was done a moment ago: a loop says it each time
     * around. That all is done is handed on at once, so that it is not what is left out.
     */
    void progress(double done, double total) {
        boolean ends = done == total;
        long now = System.nanoTime();
        if (now - progressTold < PROGRESS_NANOS && (!ends || endTold)) {
            return;
        }
        progressTold = now;
        endTold = ends;
        if (allowance == null || allowance.writes(PROGRESS_BYTES)) {
            listener.progress(done, total);
        }
    }

    /** Opens or closes a group, whose lines are indented. */
    void group(int change) {
        groups = Math.clamp(groups + change, 0, DEEPEST_GROUP);
    }

    private static boolean known(int labels) {
        return labels < MOST_LABELS;
    }

    private static String shown(StoppedAt call) {
        String place = "%s:%d:%d".formatted(call.file(), call.line(), call.column());
        String function = Tracebacks.functionOf(call.root());
        return "\n    at " + (function.isEmpty() ? place : function + " (" + place + ")");
    }

    private static String cut(String text, int skipped) {
        int shown = Math.min(text.length(), LONGEST_LINE);
        int left = text.length() - shown + skipped;
        return left == 0
                ? text
                : text.substring(0, shown) + "... %d more characters".formatted(left);
    }

    private String indented(String text) {
        String margin = "  ".repeat(groups);
        return groups == 0 ? text : margin + text.replace("\n", "\n" + margin);
    }
}
