package dev.blockscope;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where an error came from, as plain data: it holds no guest value and outlives the engine.
 *
 * @param message the error's own message; of one that is longer than 10,000 characters the
 *     beginning
 * @param type the error's class as its language names it, such as {@code "TypeError"}; for host
 *     code the qualified name of the class; an empty text if there is none
 * @param entries the innermost first; of more than 100 the innermost and the outermost 50
 * @param gap the entries that were left out of the middle
 * @param cause the error behind this one, or null if it has none
 * @param suppressed what failed besides, such as the errors of an {@code AggregateError}
 * @since 0.1
 */
public record Traceback(
        String message,
        String type,
        List<Entry> entries,
        Gap gap,
        @Nullable Traceback cause,
        List<Traceback> suppressed)
        implements Serializable {
    /** Packages whose entries are plumbing: ours, polyglot's, Truffle's and reflection's. */
    private static final List<String> LIBRARIES =
            List.of(
                    "org.graalvm",
                    "com.oracle.truffle",
                    "java.lang.reflect",
                    "java.lang.invoke",
                    "jdk.internal");

    /** Our own packages, by exact name: a user's code may well live in a package below ours. */
    private static final Set<String> OURS =
            Set.of(
                    "dev.blockscope",
                    "dev.blockscope.interleave",
                    "dev.blockscope.truffle",
                    "dev.blockscope.wire");

    /** As many innermost and as many outermost entries are kept of a longer traceback. */
    private static final int KEPT = 50;

    private static final int LONGEST_MESSAGE = 10_000;

    /** Copies the lists, and shortens what is longer than said above. */
    public Traceback {
        requireNonNull(message, "message");
        requireNonNull(type, "type");
        requireNonNull(gap, "gap");
        if (message.length() > LONGEST_MESSAGE) {
            message = message.substring(0, LONGEST_MESSAGE) + "…";
        }
        int surplus = entries.size() - 2 * KEPT;
        if (surplus > 0) {
            gap = new Gap(KEPT, gap.entries() + surplus);
            entries =
                    Stream.concat(
                                    entries.stream().limit(KEPT),
                                    entries.stream().skip(entries.size() - KEPT))
                            .toList();
        }
        entries = List.copyOf(entries);
        suppressed = List.copyOf(suppressed);
    }

    /** Creates a traceback of an error without a class, a cause, and errors besides. */
    public Traceback(String message, List<Entry> entries) {
        this(message, "", entries, Gap.NONE, null, List.of());
    }

    /** Whose code an entry is. */
    public enum Code {
        /** A block's text. */
        BLOCK,
        /** Other guest code, such as what {@code eval} made of a string. */
        GUEST,
        /** Code of the JVM. */
        HOST
    }

    /**
     * One line of a traceback.
     *
     * @param file the file, as the user named it
     * @param line the line, 1-based; 0 if it is not known
     * @param column the column, 1-based, in UTF-16 units; 0 if it is not known
     * @param function the function, or an empty text at a block's top level; for host code the
     *     qualified class name, a dot, and the method
     * @param sourceLine the whole line of source, or an empty text if it is not known; of a line
     *     that is longer than 500 characters the part around the column, with "…" where it was cut
     * @param sourceColumn the column at which {@code sourceLine} starts, 1-based
     * @param code whose code it is
     */
    public record Entry(
            String file,
            int line,
            int column,
            String function,
            String sourceLine,
            int sourceColumn,
            Code code)
            implements Serializable {
        private static final int LONGEST_LINE = 500;
        private static final int BEFORE_COLUMN = LONGEST_LINE / 2;

        /** Checks the parts, and cuts a source line that is too long. */
        public Entry {
            requireNonNull(file, "file");
            requireNonNull(function, "function");
            requireNonNull(sourceLine, "sourceLine");
            requireNonNull(code, "code");
            checkArgument(sourceColumn >= 1, "source column is %s", sourceColumn);
            if (sourceLine.length() > LONGEST_LINE) {
                int start =
                        Math.clamp(
                                (long) column - sourceColumn - BEFORE_COLUMN,
                                0,
                                sourceLine.length() - LONGEST_LINE);
                int end = start + LONGEST_LINE;
                sourceLine =
                        (start > 0
                                        ? "…" + sourceLine.substring(start + 1, end - 1)
                                        : sourceLine.substring(0, end - 1))
                                + (end < sourceLine.length() ? "…" : sourceLine.substring(end - 1));
                sourceColumn += start;
            }
        }

        /** Creates an entry of a block or, if it is not guest code, of the host. */
        public Entry(
                String file,
                int line,
                int column,
                String function,
                String sourceLine,
                boolean guest) {
            this(file, line, column, function, sourceLine, 1, guest ? Code.BLOCK : Code.HOST);
        }

        /** Returns whether it is guest code. */
        public boolean guest() {
            return code != Code.HOST;
        }

        /** Returns the same entry with another text of its line. */
        Entry withSourceLine(String text) {
            return new Entry(file, line, column, function, text, 1, code);
        }

        boolean isLibrary() {
            int method = function.lastIndexOf('.');
            if (guest() || method < 0) {
                return false;
            }
            String type = function.substring(0, method);
            int dot = type.lastIndexOf('.');
            return (dot >= 0 && OURS.contains(type.substring(0, dot)))
                    || LIBRARIES.stream().anyMatch(library -> type.startsWith(library + "."));
        }
    }

    /**
     * Entries that are not there.
     *
     * @param after how many of the entries that are there come before the gap
     * @param entries how many were left out; 0 if none
     */
    public record Gap(int after, int entries) implements Serializable {
        /** No gap. */
        public static final Gap NONE = new Gap(0, 0);
    }

    /** Returns a traceback without entries. */
    public static Traceback empty(String message) {
        return new Traceback(message, List.of());
    }

    /**
     * Returns the entries that match, in order, of this traceback and of its causes; this traceback
     * is left as it is. If none matches the result is empty.
     */
    public Traceback filter(Predicate<? super Entry> predicate) {
        return keeping(traceback -> traceback.entries.stream().map(predicate::test).toList());
    }

    /**
     * Returns the user's entries: guest code in any file, and host code that guest code called. The
     * libraries in between and the host that ran the block are left out, also of the causes.
     */
    public Traceback clean() {
        return keeping(Traceback::ofUser);
    }

    /** Tells for each entry whether it is the user's. */
    private List<Boolean> ofUser() {
        int outermost = entries.size();
        while (outermost > 0 && !entries.get(outermost - 1).guest()) {
            outermost--;
        }
        List<Boolean> kept = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            kept.add(i < outermost && !entries.get(i).isLibrary());
        }
        return kept;
    }

    private Traceback keeping(Choice choice) {
        List<Boolean> kept = choice.of(this);
        List<Entry> rest = new ArrayList<>();
        int beforeGap = 0;
        for (int i = 0; i < entries.size(); i++) {
            if (i == gap.after()) {
                beforeGap = rest.size();
            }
            if (kept.get(i)) {
                rest.add(entries.get(i));
            }
        }
        Gap moved = gap.entries() == 0 ? Gap.NONE : new Gap(beforeGap, gap.entries());
        return new Traceback(
                message,
                type,
                rest,
                moved,
                cause == null ? null : cause.keeping(choice),
                suppressed.stream().map(it -> it.keeping(choice)).toList());
    }

    @FunctionalInterface
    private interface Choice {
        /** Tells for each entry of a traceback whether it is kept. */
        List<Boolean> of(Traceback traceback);
    }

    /** Returns this traceback with the entries of {@code outer} behind its own, if they lack. */
    Traceback before(Traceback outer) {
        int missing = entries.size() - outer.entries.size();
        if (missing >= 0 && entries.subList(missing, entries.size()).equals(outer.entries)) {
            return this;
        }
        Gap joined =
                gap.entries() > 0
                        ? new Gap(gap.after(), gap.entries() + outer.gap.entries())
                        : new Gap(entries.size() + outer.gap.after(), outer.gap.entries());
        return new Traceback(
                message,
                type,
                Stream.concat(entries.stream(), outer.entries.stream()).toList(),
                joined,
                cause,
                suppressed);
    }

    /** Whether the error is of a class of ours. */
    boolean isOurs() {
        return OURS.contains(type.substring(0, Math.max(0, type.lastIndexOf('.'))));
    }

    /** Returns this traceback with another message. */
    Traceback saying(String other) {
        return new Traceback(other, type, entries, gap, cause, suppressed);
    }

    /** Returns this traceback with what is behind the error, and what failed besides. */
    Traceback because(@Nullable Traceback reason, List<Traceback> besides) {
        return new Traceback(message, type, entries, gap, reason, besides);
    }

    /** Returns the innermost entry of guest code, or null if there is none. */
    public @Nullable Entry innermost() {
        return entries.stream().filter(Entry::guest).findFirst().orElse(null);
    }

    /**
     * Returns the entry that a reader is shown first, with its line: the innermost one of a block's
     * text, or of guest code that was made of a string if no block is on the stack. It is null if
     * there is no guest code.
     */
    public @Nullable Entry pinned() {
        return entries.stream()
                .filter(entry -> entry.code() == Code.BLOCK)
                .findFirst()
                .orElseGet(this::innermost);
    }

    /** Returns the traceback as {@link #render(Rendering)} does in {@link Rendering#PLAIN}. */
    public String render() {
        return render(Rendering.PLAIN);
    }

    /**
     * Returns the traceback as text: the place and the message, the line with a caret below the
     * column, the entries, and the same of the causes. Without entries it is the message alone.
     * Characters that would not print, or not where they stand, are shown as others.
     */
    public String render(Rendering rendering) {
        return new TracebackText(rendering).of(this);
    }
}
