package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where an error came from, as plain data: it holds no guest value and outlives the engine.
 *
 * @param message the error's own message
 * @param entries the innermost first
 * @since 0.1
 */
public record Traceback(String message, List<Entry> entries) implements Serializable {
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
            Set.of("dev.blockscope", "dev.blockscope.interleave", "dev.blockscope.truffle");

    /** As many innermost and as many outermost entries are kept of a longer traceback. */
    private static final int KEPT = 50;

    /** Copies the entries; of more than 100 it keeps the innermost and the outermost 50. */
    public Traceback {
        requireNonNull(message, "message");
        if (entries.size() > 2 * KEPT) {
            entries =
                    Stream.concat(
                                    entries.stream().limit(KEPT),
                                    entries.stream().skip(entries.size() - KEPT))
                            .toList();
        }
        entries = List.copyOf(entries);
    }

    /**
     * One line of a traceback.
     *
     * @param file the file, as the user named it
     * @param line the line, 1-based; 0 if it is not known
     * @param column the column, 1-based, in UTF-16 units; 0 if it is not known
     * @param function the function, or an empty text at a block's top level; for host code the
     *     qualified class name, a dot, and the method
     * @param sourceLine the whole line of source, or an empty text if it is not known
     * @param guest whether it is guest code
     */
    public record Entry(
            String file, int line, int column, String function, String sourceLine, boolean guest)
            implements Serializable {
        /** Checks the parts. */
        public Entry {
            requireNonNull(file, "file");
            requireNonNull(function, "function");
            requireNonNull(sourceLine, "sourceLine");
        }

        boolean isLibrary() {
            int method = function.lastIndexOf('.');
            if (guest || method < 0) {
                return false;
            }
            String type = function.substring(0, method);
            int dot = type.lastIndexOf('.');
            return (dot >= 0 && OURS.contains(type.substring(0, dot)))
                    || LIBRARIES.stream().anyMatch(library -> type.startsWith(library + "."));
        }

        private String place() {
            return function.isEmpty() ? position() : function + " (" + position() + ")";
        }

        private String position() {
            return column > 0 ? file + ":" + line + ":" + column : file + ":" + line;
        }
    }

    /** Returns a traceback without entries. */
    public static Traceback empty(String message) {
        return new Traceback(message, List.of());
    }

    /**
     * Returns the entries that match, in order; this traceback is left as it is. If none matches
     * the result is empty.
     */
    public Traceback filter(Predicate<? super Entry> predicate) {
        return new Traceback(message, entries.stream().filter(predicate).toList());
    }

    /**
     * Returns the user's entries: guest code in any file, and host code that guest code called. The
     * libraries in between and the host that ran the block are left out.
     */
    public Traceback clean() {
        int outermost = entries.size();
        while (outermost > 0 && !entries.get(outermost - 1).guest()) {
            outermost--;
        }
        return new Traceback(message, entries.subList(0, outermost))
                .filter(entry -> !entry.isLibrary());
    }

    /** Returns this traceback with the entries of {@code outer} behind its own, if they lack. */
    Traceback before(Traceback outer) {
        int missing = entries.size() - outer.entries.size();
        if (missing >= 0 && entries.subList(missing, entries.size()).equals(outer.entries)) {
            return this;
        }
        return new Traceback(
                message, Stream.concat(entries.stream(), outer.entries.stream()).toList());
    }

    /** Returns the innermost entry of guest code, or null if there is none. */
    public @Nullable Entry innermost() {
        return entries.stream().filter(Entry::guest).findFirst().orElse(null);
    }

    /**
     * Returns the traceback as text: the place and the message, the line with a caret below the
     * column, and the entries. Without entries it is the message alone.
     */
    public String render() {
        Entry first = innermost();
        if (first == null) {
            return message;
        }
        StringBuilder text = new StringBuilder();
        text.append(first.position()).append(": ").append(message).append('\n');
        excerpt(first, text);
        entries.forEach(entry -> text.append("    at ").append(entry.place()).append('\n'));
        return text.toString().stripTrailing();
    }

    private static void excerpt(Entry entry, StringBuilder text) {
        if (entry.sourceLine().isBlank() || entry.column() < 1) {
            return;
        }
        String number = Integer.toString(entry.line());
        text.append("  ").append(number).append(" | ").append(entry.sourceLine()).append('\n');
        text.append("  ").append(" ".repeat(number.length())).append(" | ");
        int width = Math.min(entry.column() - 1, entry.sourceLine().length());
        // Tabs are kept, so that the caret stands below its character at any tab width.
        for (int i = 0; i < width; i++) {
            text.append(entry.sourceLine().charAt(i) == '\t' ? '\t' : ' ');
        }
        text.append("^\n");
    }
}
