package dev.blockscope;

import com.google.common.collect.ImmutableList;
import dev.blockscope.truffle.StoppedAt;
import java.util.List;
import java.util.Optional;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.jspecify.annotations.Nullable;

/**
 * User code failed. The message is the error's own; the stack trace holds the user's lines and
 * nothing of the plumbing; {@link #traceback} has them as data. If a host function that the block
 * called threw, the cause is the very exception it threw.
 *
 * <p>It is plain data: it keeps nothing of the guest and outlives the engine.
 *
 * @since 0.1
 */
public final class BlockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What kind of failure it was. */
    public enum Kind {
        /** The text does not parse; found at capture. */
        SYNTAX,
        /** The block threw, or something that it called. */
        RUNTIME,
        /**
         * The block took more than it may: a limit of {@link Limits} but that of time, the end of
         * the stack, of the heap, or of what the language can make, such as a text that is too
         * long.
         */
        LIMIT,
        /** The block took longer than its {@linkplain Limits#time time limit}. */
        TIMEOUT,
        /** The engine was closed, or the block was stopped. */
        CANCELLED
    }

    private final Kind kind;
    private final Traceback traceback;
    private final ImmutableList<BoundName> bindings;
    private final @Nullable ReachedLimit limit;

    BlockException(
            String language,
            Kind kind,
            Traceback traceback,
            List<BoundName> bindings,
            @Nullable Throwable cause) {
        this(language, kind, traceback, bindings, cause, null);
    }

    private BlockException(
            String language,
            Kind kind,
            Traceback traceback,
            List<BoundName> bindings,
            @Nullable Throwable cause,
            @Nullable ReachedLimit limit) {
        super(traceback.message(), cause);
        this.limit = limit;
        this.kind = kind;
        this.traceback = traceback;
        this.bindings = ImmutableList.copyOf(bindings);
        setStackTrace(
                traceback.entries().stream()
                        .map(entry -> element(entry, language))
                        .toArray(StackTraceElement[]::new));
    }

    /** Makes the exception of a text that does not parse. */
    static BlockException ofSyntax(Context context, Dialect dialect, Exception raw) {
        try {
            throw context.asValue(raw).throwException();
        } catch (PolyglotException e) {
            Traceback traceback = Tracebacks.ofSyntax(e, dialect);
            return new BlockException(dialect.id(), Kind.SYNTAX, traceback, List.of(), null);
        }
    }

    /** Makes the exception of a run that failed in the guest. */
    static BlockException of(PolyglotException e, Home home, List<BoundName> bindings) {
        Dialect dialect = home.realm().dialect();
        Traceback traceback = Tracebacks.of(e, dialect, home.block());
        Throwable cause = Causes.of(e, dialect);
        if (e.isHostException() && cause instanceof BlockException inner) {
            // A guest error that came by way of the host is told from its own innermost line.
            return new BlockException(
                    dialect.id(),
                    inner.kind,
                    inner.traceback.before(traceback),
                    bindings,
                    inner,
                    inner.limit);
        }
        return new BlockException(dialect.id(), kindOf(e, dialect), traceback, bindings, cause);
    }

    /**
     * Makes the exception of a run that was stopped.
     *
     * @param places where it was, the innermost first; empty if it had not begun
     */
    static BlockException ofStopped(
            String reason, List<StoppedAt> places, Home home, List<BoundName> bindings) {
        Traceback traceback = Tracebacks.ofStopped(reason, places, home.block());
        return new BlockException(
                home.block().language(), Kind.CANCELLED, traceback, bindings, null);
    }

    /**
     * Makes the exception of a run that has reached a limit.
     *
     * @param places where it was, the innermost first; empty if it had not begun
     */
    static BlockException ofLimit(
            ReachedLimit limit, List<StoppedAt> places, Home home, List<BoundName> bindings) {
        Traceback traceback = Tracebacks.ofStopped(limit.toString(), places, home.block());
        Kind kind = limit.limit() == Limit.TIME ? Kind.TIMEOUT : Kind.LIMIT;
        return new BlockException(home.block().language(), kind, traceback, bindings, null, limit);
    }

    /**
     * Makes the exception of a run whose promise is pending and has nothing left to settle it.
     *
     * @param places where it waits, the innermost first; empty if that is not known
     */
    static BlockException ofUnsettled(
            String message, List<StoppedAt> places, Home home, List<BoundName> bindings) {
        Traceback traceback = Tracebacks.ofStopped(message, places, home.block());
        return new BlockException(home.block().language(), Kind.RUNTIME, traceback, bindings, null);
    }

    /** Makes the exception of a run whose values cannot be handed to the host. */
    static BlockException of(ConversionException e, Home home, List<BoundName> bindings) {
        String message = e.text();
        Traceback traceback =
                e.getCause() instanceof PolyglotException guest
                        ? new Traceback(
                                message,
                                Tracebacks.of(guest, home.realm().dialect(), home.block())
                                        .entries())
                        : Tracebacks.at(message, home.block());
        return new BlockException(home.block().language(), Kind.RUNTIME, traceback, bindings, null);
    }

    /** Returns what kind of failure it was. */
    public Kind kind() {
        return kind;
    }

    /** Returns the user's own lines, the innermost first. */
    public Traceback traceback() {
        return traceback;
    }

    /** Returns what the block had bound before it failed; nothing of it was pushed. */
    public List<BoundName> bindings() {
        return bindings;
    }

    /**
     * Returns the limit that the block has reached, or empty if it failed otherwise, or came to an
     * end of the stack, the heap or the language that is nobody's setting.
     */
    public Optional<ReachedLimit> limit() {
        return Optional.ofNullable(limit);
    }

    private static Kind kindOf(PolyglotException e, Dialect dialect) {
        if (e.isCancelled() || e.isInterrupted()) {
            return Kind.CANCELLED;
        }
        return e.isResourceExhausted() || isOverflow(e, dialect) ? Kind.LIMIT : Kind.RUNTIME;
    }

    static boolean isOverflow(PolyglotException e, Dialect dialect) {
        return e.isHostException()
                ? e.asHostException() instanceof StackOverflowError
                : e.getMessage() != null && dialect.isOverflow(e.getMessage());
    }

    /** A cause that cannot be serialized is sent as data: its class, its message, its frames. */
    private Object writeReplace() {
        Throwable cause = getCause();
        if (cause == null || HostFailure.isSerializable(cause)) {
            return this;
        }
        BlockException sent =
                new BlockException("", kind, traceback, bindings, HostFailure.of(cause), limit);
        sent.setStackTrace(getStackTrace());
        return sent;
    }

    private static StackTraceElement element(Traceback.Entry entry, String language) {
        int dot = entry.function().lastIndexOf('.');
        return entry.guest() || dot < 0
                ? new StackTraceElement(
                        "<" + language + ">", entry.function(), entry.file(), entry.line())
                : new StackTraceElement(
                        entry.function().substring(0, dot),
                        entry.function().substring(dot + 1),
                        entry.file(),
                        entry.line());
    }
}
