package dev.blockscope;

import dev.blockscope.truffle.StoppedAt;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.PolyglotException.StackFrame;
import org.graalvm.polyglot.SourceSection;
import org.jspecify.annotations.Nullable;

/** Reads tracebacks off the polyglot exceptions, which are not kept. */
final class Tracebacks {
    private Tracebacks() {}

    /** Returns the traceback of a failed run; a failure without guest lines is the block's own. */
    static Traceback of(PolyglotException e, Dialect dialect, @Nullable BlockSource block) {
        List<Traceback.Entry> lines = dialect.linesOf(e, block);
        List<Traceback.Entry> entries = lines == null ? framesOf(e) : lines;
        Traceback traceback = new Traceback(messageOf(e), entries).filter(Traceback.Entry::guest);
        return traceback.entries().isEmpty() && block != null
                ? at(traceback.message(), block)
                : traceback;
    }

    private static List<Traceback.Entry> framesOf(PolyglotException e) {
        List<Traceback.Entry> entries = new ArrayList<>();
        for (StackFrame frame : e.getPolyglotStackTrace()) {
            if (frame.isHostFrame()) {
                entries.add(host(frame.toHostFrame()));
            } else if (frame.getSourceLocation() != null) {
                addGuest(frame.getRootName(), frame.getSourceLocation(), entries);
            }
        }
        return entries;
    }

    /** Returns the traceback of a text that does not parse: one entry, the place. */
    static Traceback ofSyntax(PolyglotException e, Dialect dialect) {
        List<Traceback.Entry> entries = new ArrayList<>();
        if (e.getSourceLocation() != null) {
            addGuest("", e.getSourceLocation(), entries);
        }
        // The language adds the place and the line to its message; both are in the entry.
        String firstLine = messageOf(e).lines().findFirst().orElse("SyntaxError");
        return new Traceback(dialect.syntaxMessage(firstLine), entries);
    }

    /** Returns a traceback that points at a block as a whole. */
    static Traceback at(String message, BlockSource block) {
        String line = block.text().lines().findFirst().orElse("");
        return new Traceback(
                message,
                List.of(
                        new Traceback.Entry(
                                block.file(), block.line(), block.column(), "", line, true)));
    }

    /** Returns the traceback of a stopped run; without a place it is the block as a whole. */
    static Traceback ofStopped(String message, List<StoppedAt> places, BlockSource block) {
        if (places.isEmpty()) {
            return at(message, block);
        }
        return new Traceback(
                message,
                places.stream()
                        .map(place ->
                                new Traceback.Entry(
                                        place.file(),
                                        place.line(),
                                        place.column(),
                                        functionOf(place.root()),
                                        place.sourceLine(),
                                        true))
                        .toList());
    }

    private static String messageOf(PolyglotException e) {
        if (e.isHostException()) {
            Throwable host = CallbackException.unwrap(e.asHostException());
            return host.getMessage() == null ? host.getClass().getName() : host.getMessage();
        }
        if (e.getMessage() != null) {
            return e.getMessage();
        }
        return e.isCancelled() ? "the block was cancelled" : "the block failed without a message";
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

    private static void addGuest(
            @Nullable String root, SourceSection section, List<Traceback.Entry> entries) {
        if (section.getSource().isInternal()) {
            return;
        }
        entries.add(
                new Traceback.Entry(
                        section.getSource().getName(),
                        section.getStartLine(),
                        section.getStartColumn(),
                        functionOf(root),
                        lineOf(section),
                        true));
    }

    /**
     * The language names a text's own body with a colon in front, and some functions not at all.
     */
    static String functionOf(@Nullable String root) {
        return root == null || root.startsWith(":") ? "" : root;
    }

    private static String lineOf(SourceSection section) {
        return section.isAvailable() && section.hasLines() && section.getSource().hasCharacters()
                ? section.getSource().getCharacters(section.getStartLine()).toString()
                : "";
    }
}
