package dev.blockscope;

import dev.blockscope.truffle.StoppedAt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.PolyglotException.StackFrame;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.jspecify.annotations.Nullable;

/** Reads tracebacks off the polyglot exceptions, which are not kept. */
final class Tracebacks {
    /** The property that has all entries kept, whosever they are. */
    static final String DEBUG = "blockscope.debug";

    private Tracebacks() {}

    /** Returns the traceback of a failed run; a failure without guest lines is the block's own. */
    static Traceback of(PolyglotException e, Realm realm, @Nullable BlockSource block) {
        return of(e, realm, block, block == null ? null : entryOf(block));
    }

    /**
     * The same.
     *
     * @param unlined where a failure without guest lines is told to be
     */
    static Traceback of(
            PolyglotException e,
            Realm realm,
            @Nullable BlockSource block,
            Traceback.@Nullable Entry unlined) {
        Dialect dialect = realm.dialect();
        boolean everything = realm.engine().settings().debug() || Boolean.getBoolean(DEBUG);
        List<Traceback.Entry> lines = everything ? null : dialect.linesOf(e, block);
        List<Traceback.Entry> entries =
                new ArrayList<>(lines == null ? framesOf(e, dialect, everything) : lines);
        Traceback.Entry misparse = misparseOf(e, realm);
        if (misparse != null) {
            entries.addFirst(misparse);
        }
        if (entries.isEmpty() && unlined != null) {
            entries.add(unlined);
        }
        return new Traceback(
                Thrown.messageOf(e, realm),
                Thrown.typeOf(e),
                entries,
                Traceback.Gap.NONE,
                null,
                List.of());
    }

    /** Returns where a text is wrong that the block had parsed, or null if it is another error. */
    private static Traceback.@Nullable Entry misparseOf(PolyglotException e, Realm realm) {
        Dialect.Misparse found =
                e.isSyntaxError() && e.getMessage() != null
                        ? realm.dialect().misparseIn(e.getMessage())
                        : null;
        if (found == null) {
            return null;
        }
        boolean made = realm.dialect().isMade(found.file());
        return new Traceback.Entry(
                made ? found.file() : realm.moduleOf(found.file()),
                found.line(),
                found.column(),
                "",
                found.sourceLine(),
                1,
                made ? Traceback.Code.GUEST : Traceback.Code.BLOCK);
    }

    private static List<Traceback.Entry> framesOf(
            PolyglotException e, Dialect dialect, boolean everything) {
        List<Traceback.Entry> entries = new ArrayList<>();
        StackFrame inner = null;
        for (StackFrame frame : e.getPolyglotStackTrace()) {
            boolean hidden = !everything && (isShell(frame, inner) || isUnwritten(frame, dialect));
            inner = frame;
            if (hidden) {
                continue;
            }
            SourceSection section = frame.isHostFrame() ? null : frame.getSourceLocation();
            if (section != null && (everything || !section.getSource().isInternal())) {
                entries.add(guest(frame.getRootName(), section, dialect));
            } else if (everything) {
                entries.add(
                        frame.isHostFrame()
                                ? host(frame.toHostFrame())
                                : new Traceback.Entry(
                                        "<" + frame.getLanguage().getId() + ">",
                                        0,
                                        0,
                                        functionOf(frame.getRootName()),
                                        "",
                                        1,
                                        Traceback.Code.GUEST));
            }
        }
        return entries;
    }

    /**
     * Whether a frame is a text that waits as a whole, around the function that its code goes on
     * in.
     */
    private static boolean isShell(StackFrame frame, @Nullable StackFrame inner) {
        if (inner == null || inner.isHostFrame() || frame.isHostFrame()) {
            return false;
        }
        SourceSection whole = frame.getSourceLocation();
        SourceSection within = inner.getSourceLocation();
        return whole != null
                && within != null
                && whole.getCharLength() == whole.getSource().getLength()
                && whole.getSource().equals(within.getSource())
                && frame.getRootName().equals(inner.getRootName());
    }

    private static boolean isUnwritten(StackFrame frame, Dialect dialect) {
        SourceSection section = frame.isHostFrame() ? null : frame.getSourceLocation();
        return section != null
                && section.isAvailable()
                && frame.getRootName() != null
                && dialect.isUnwritten(frame.getRootName(), section.getCharacters());
    }

    /** Returns the traceback of a text that does not parse: one entry, the place. */
    static Traceback ofSyntax(PolyglotException e, Dialect dialect, BlockSource source) {
        SourceSection section = e.getSourceLocation();
        // The language adds the place and the line to its message; both are in the entry.
        String firstLine =
                e.getMessage() == null
                        ? "SyntaxError"
                        : e.getMessage().lines().findFirst().orElse("SyntaxError");
        Traceback.Entry found =
                section == null ? at("", source).entries().getFirst() : guest("", section, dialect);
        // The text that was parsed may be another one of the same shape.
        Traceback.Entry place = found.withSourceLine(dialect.lineOf(source, found.line()));
        return new Traceback(
                dialect.syntaxMessage(firstLine, place.sourceLine()),
                Thrown.typeOf(e),
                List.of(place),
                Traceback.Gap.NONE,
                null,
                List.of());
    }

    /** Returns a traceback that points at a block as a whole. */
    static Traceback at(String message, BlockSource block) {
        return new Traceback(message, List.of(entryOf(block)));
    }

    /** Returns the traceback of a stopped run; without a place it is the block as a whole. */
    static Traceback ofStopped(String message, List<StoppedAt> places, BlockSource block) {
        if (places.isEmpty()) {
            return at(message, block);
        }
        return new Traceback(message, places.stream().map(Tracebacks::entryAt).toList());
    }

    /** Returns a place that the guest was seen at. */
    static Traceback.Entry entryAt(StoppedAt place) {
        return new Traceback.Entry(
                place.file(),
                place.line(),
                place.column(),
                functionOf(place.root()),
                place.sourceLine(),
                true);
    }

    /** Returns a traceback with what is behind it, as data. */
    static Traceback with(Traceback traceback, Causes.Behind behind) {
        if (behind.equals(Causes.Behind.NOTHING)) {
            return traceback;
        }
        Set<Throwable> told = Collections.newSetFromMap(new IdentityHashMap<>());
        Traceback cause = ofHost(behind.cause(), told);
        return traceback.because(cause, ofHosts(behind.besides(), told));
    }

    /** Exceptions of the host may have each other as causes. */
    private static @Nullable Traceback ofHost(@Nullable Throwable host, Set<Throwable> told) {
        if (host == null || !told.add(host)) {
            return null;
        }
        if (host instanceof BlockException block) {
            return block.traceback();
        }
        Traceback cause = ofHost(host.getCause(), told);
        return new Traceback(
                Thrown.messageOf(host),
                host.getClass().getName(),
                List.of(),
                Traceback.Gap.NONE,
                cause,
                ofHosts(List.of(host.getSuppressed()), told));
    }

    private static List<Traceback> ofHosts(List<Throwable> hosts, Set<Throwable> told) {
        return hosts.stream()
                .filter(host -> !Thrown.isPlumbing(host))
                .map(host -> ofHost(host, told))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns a block as a whole. */
    static Traceback.Entry entryOf(BlockSource block) {
        return entryAt(block, 0);
    }

    /** Returns a place in a block's text, given in UTF-16 units from its start. */
    static Traceback.Entry entryAt(BlockSource block, int offset) {
        String before = block.text().substring(0, offset);
        int start = before.lastIndexOf('\n') + 1;
        int sourceColumn = start == 0 ? block.column() : 1;
        return new Traceback.Entry(
                block.file(),
                block.line() + (int) before.chars().filter(c -> c == '\n').count(),
                sourceColumn + offset - start,
                "",
                block.text().substring(start).lines().findFirst().orElse(""),
                sourceColumn,
                Traceback.Code.BLOCK);
    }

    private static Traceback.Entry host(StackTraceElement element) {
        String file = element.getFileName() == null ? "" : element.getFileName();
        return new Traceback.Entry(
                file,
                Math.max(0, element.getLineNumber()),
                0,
                element.getClassName() + "." + element.getMethodName(),
                "",
                false);
    }

    private static Traceback.Entry guest(
            @Nullable String root, SourceSection section, Dialect dialect) {
        String file = nameOf(section.getSource());
        boolean made = section.getSource().isInternal() || dialect.isMade(file);
        return new Traceback.Entry(
                file,
                section.getStartLine(),
                section.getStartColumn(),
                functionOf(root),
                lineOf(section),
                1,
                made ? Traceback.Code.GUEST : Traceback.Code.BLOCK);
    }

    /**
     * The language names a text's own body with a colon in front, and some functions not at all.
     */
    static String functionOf(@Nullable String root) {
        return root == null || root.startsWith(":") ? "" : root;
    }

    /** A module is named as it was imported, which tells less than its path. */
    private static String nameOf(Source source) {
        return source.getPath() == null ? source.getName() : source.getPath();
    }

    private static String lineOf(SourceSection section) {
        return section.isAvailable() && section.hasLines() && section.getSource().hasCharacters()
                ? section.getSource().getCharacters(section.getStartLine()).toString()
                : "";
    }
}
