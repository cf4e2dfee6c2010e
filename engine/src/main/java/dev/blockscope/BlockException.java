package dev.blockscope;

import com.google.common.collect.ImmutableList;
import dev.blockscope.truffle.StoppedAt;
import java.util.List;
import java.util.Objects;
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

    /** What a block's own lines are called where a function has its name. */
    private static final String TOP_LEVEL = "<block>";

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

    private final String language;
    private final Kind kind;
    private final Traceback traceback;
    private final ImmutableList<BoundName> bindings;
    private final @Nullable ReachedLimit limit;
    private ImmutableList<Pending> pending = ImmutableList.of();

    BlockException(
            String language,
            Kind kind,
            Traceback traceback,
            List<BoundName> bindings,
            Causes.Behind behind) {
        this(language, kind, Tracebacks.with(traceback, behind), bindings, behind, null);
    }

    private BlockException(
            String language,
            Kind kind,
            Traceback traceback,
            List<BoundName> bindings,
            Causes.Behind behind,
            @Nullable ReachedLimit limit) {
        super(traceback.message(), behind.cause());
        this.limit = limit;
        this.language = language;
        this.kind = kind;
        this.traceback = traceback;
        this.bindings = ImmutableList.copyOf(bindings);
        behind.besides().forEach(this::addSuppressed);
        setStackTrace(
                traceback.entries().stream()
                        .map(entry -> element(entry, language))
                        .toArray(StackTraceElement[]::new));
    }

    /**
     * Makes the exception of a run that failed elsewhere, of what was told of it.
     *
     * @param language the id of the block's language
     * @param traceback the user's lines there
     * @param cause what is behind it, or null
     * @param besides what failed as well
     * @param limit the limit that was reached, or null
     */
    public static BlockException elsewhere(
            String language,
            Kind kind,
            Traceback traceback,
            List<BoundName> bindings,
            @Nullable Throwable cause,
            List<Throwable> besides,
            @Nullable ReachedLimit limit) {
        return new BlockException(
                language, kind, traceback, bindings, new Causes.Behind(cause, besides), limit);
    }

    /** Makes the exception of a text that does not parse. */
    static BlockException ofSyntax(
            Context context, Dialect dialect, BlockSource source, Exception raw) {
        try {
            throw context.asValue(raw).throwException();
        } catch (PolyglotException e) {
            Traceback traceback = Tracebacks.ofSyntax(e, dialect, source);
            return new BlockException(
                    dialect.id(), Kind.SYNTAX, traceback, List.of(), Causes.Behind.NOTHING);
        }
    }

    /** Makes the exception of a run that failed in the guest. */
    static BlockException of(PolyglotException e, Home home, List<BoundName> bindings) {
        return of(e, home.realm(), bindings, Tracebacks.of(e, home.realm(), home.block()));
    }

    /**
     * Makes the exception of a call, in the middle of guest code, of a function that failed: where
     * it was called is told by that code if nothing else is known.
     */
    static BlockException ofInnerCall(PolyglotException e, Home home) {
        return of(e, home.realm(), List.of(), Tracebacks.of(e, home.realm(), null));
    }

    /** Makes the exception of an error whose traceback is known. */
    static BlockException of(
            PolyglotException e, Realm realm, List<BoundName> bindings, Traceback traceback) {
        String language = realm.dialect().id();
        Causes.Behind behind = Causes.of(e, realm);
        if (e.isHostException() && behind.cause() instanceof BlockException inner) {
            // A guest error that came by way of the host is told from its own innermost line.
            return new BlockException(
                    language,
                    inner.kind,
                    inner.traceback.before(traceback),
                    bindings,
                    inner.isEnd() ? new Causes.Behind(inner.getCause(), List.of()) : behind,
                    inner.limit);
        }
        if (e.isHostException() && behind.cause() instanceof ConversionException refusal) {
            // What a host function was to be given could not be made plain Java.
            return of(refusal, realm, traceback, bindings);
        }
        Kind kind = kindOf(e, realm.dialect());
        return new BlockException(
                language,
                kind,
                Tracebacks.with(traceback, behind),
                bindings,
                behind,
                kind == Kind.LIMIT ? endOf(e, realm.dialect()) : null);
    }

    /**
     * Makes the exception of a run that was stopped.
     *
     * @param places where it was, the innermost first; empty if it had not begun
     */
    static BlockException ofStopped(
            String reason, List<StoppedAt> places, BlockSource block, List<BoundName> bindings) {
        return ofStopped(Tracebacks.ofStopped(reason, places, block), block, bindings);
    }

    /** Makes the exception of a run that was stopped, with its traceback. */
    static BlockException ofStopped(
            Traceback traceback, BlockSource block, List<BoundName> bindings) {
        return new BlockException(
                block.language(), Kind.CANCELLED, traceback, bindings, Causes.Behind.NOTHING);
    }

    /**
     * Makes the exception of a run that has reached a limit.
     *
     * @param places where it was, the innermost first; empty if it had not begun
     */
    static BlockException ofLimit(
            ReachedLimit limit,
            List<StoppedAt> places,
            BlockSource block,
            List<BoundName> bindings) {
        return ofLimit(
                limit, Tracebacks.ofStopped(limit.toString(), places, block), block, bindings);
    }

    /** Makes the exception of a run that has reached a limit, with its traceback. */
    static BlockException ofLimit(
            ReachedLimit limit, Traceback traceback, BlockSource block, List<BoundName> bindings) {
        Kind kind = limit.limit() == Limit.TIME ? Kind.TIMEOUT : Kind.LIMIT;
        return new BlockException(
                block.language(), kind, traceback, bindings, Causes.Behind.NOTHING, limit);
    }

    /**
     * Makes the exception of a run whose promise is pending and has nothing left to settle it.
     *
     * @param places where it waits, the innermost first; empty if that is not known
     */
    static BlockException ofUnsettled(
            String message, List<StoppedAt> places, Home home, List<BoundName> bindings) {
        Traceback traceback = Tracebacks.ofStopped(message, places, home.block());
        return new BlockException(
                home.block().language(), Kind.RUNTIME, traceback, bindings, Causes.Behind.NOTHING);
    }

    /**
     * Makes the exception of a run whose values cannot be handed to the host.
     *
     * @param place where the value was assigned, or the block as a whole
     */
    static BlockException of(
            ConversionException e, Home home, Traceback.Entry place, List<BoundName> bindings) {
        return of(e, home.realm(), new Traceback("", List.of(place)), bindings);
    }

    private static BlockException of(
            ConversionException e, Realm realm, Traceback place, List<BoundName> bindings) {
        Kind kind = isOverflow(e.getCause(), realm.dialect()) ? Kind.LIMIT : Kind.RUNTIME;
        Traceback traceback = place;
        Causes.Behind behind = Causes.Behind.NOTHING;
        if (e.getCause() instanceof PolyglotException guest) {
            // Guest code that was to tell the value failed: that has a place of its own.
            traceback = Tracebacks.of(guest, realm, null).before(place);
            behind = Causes.of(guest, realm);
        }
        return new BlockException(
                realm.dialect().id(),
                kind,
                Tracebacks.with(traceback.saying(e.text()), behind),
                bindings,
                behind,
                kind == Kind.LIMIT ? endOfStack() : null);
    }

    /** Returns the id of the block's language. */
    public String language() {
        return language;
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
     * Returns the limit that the block has reached, or empty if it failed otherwise. An end of the
     * stack, the heap or the language, which is nobody's setting, is {@link Limit#STACK}, {@link
     * Limit#HEAP} or {@link Limit#SIZE}.
     */
    public Optional<ReachedLimit> limit() {
        return Optional.ofNullable(limit);
    }

    /**
     * Returns what the block had begun and left unfinished when it failed, as {@link
     * BlockResult#pending} does of a run that ended well. It has ended with the run. Empty for a
     * run that took place elsewhere, or was left behind.
     */
    public List<Pending> pending() {
        return pending;
    }

    /** Notes what the run has left under way. */
    BlockException leaving(List<Pending> unfinished) {
        pending = ImmutableList.copyOf(unfinished);
        return this;
    }

    /** Whether a run was ended from outside, by a stop or by the close of its context. */
    static boolean isEndFromOutside(PolyglotException e) {
        return e.isCancelled() || e.isInterrupted();
    }

    private static Kind kindOf(PolyglotException e, Dialect dialect) {
        if (isEndFromOutside(e)) {
            return Kind.CANCELLED;
        }
        return e.isResourceExhausted() || isOverflow(e, dialect) || isTooLarge(e, dialect)
                ? Kind.LIMIT
                : Kind.RUNTIME;
    }

    /** Returns the end of the stack, the heap or the language that a failure is. */
    private static ReachedLimit endOf(PolyglotException e, Dialect dialect) {
        if (isOverflow(e, dialect)) {
            return endOfStack();
        }
        String message = e.getMessage();
        return message != null && isTooLarge(e, dialect)
                ? new ReachedLimit(Limit.SIZE, dialect.largest(message))
                : new ReachedLimit(Limit.HEAP, Runtime.getRuntime().maxMemory());
    }

    private static ReachedLimit endOfStack() {
        return new ReachedLimit(Limit.STACK, ThreadStack.bytes());
    }

    /** Whether the language refused to make something that is too large for it. */
    private static boolean isTooLarge(PolyglotException e, Dialect dialect) {
        return e.isGuestException() && e.getMessage() != null && dialect.isTooLarge(e.getMessage());
    }

    /**
     * Whether it is an end of the stack, the heap or the language, which thousands of calls through
     * the host may pass.
     */
    private boolean isEnd() {
        return kind == Kind.LIMIT && (limit == null || limit.limit().isOfTheRuntime());
    }

    /** Whether the stack has come to its end, be it the guest's or the host's. */
    static boolean isOverflow(@Nullable Throwable e, Dialect dialect) {
        if (e instanceof PolyglotException guest) {
            return guest.isHostException()
                    ? isOverflow(CallbackException.unwrap(guest.asHostException()), dialect)
                    : guest.getMessage() != null && dialect.isOverflow(guest.getMessage());
        }
        return e instanceof StackOverflowError
                || (e instanceof ConversionException && isOverflow(e.getCause(), dialect));
    }

    /** Causes that cannot be serialized are sent as data: class, message, frames. */
    private Object writeReplace() {
        Throwable cause = getCause();
        Throwable sentCause = cause == null ? null : HostFailure.of(cause);
        List<Throwable> besides = List.of(getSuppressed());
        List<Throwable> sentBesides = besides.stream().map(HostFailure::of).toList();
        if (Objects.equals(sentCause, cause) && sentBesides.equals(besides)) {
            return this;
        }
        BlockException sent =
                new BlockException(
                        "",
                        kind,
                        traceback,
                        bindings,
                        new Causes.Behind(sentCause, sentBesides),
                        limit);
        sent.pending = pending;
        sent.setStackTrace(getStackTrace());
        return sent;
    }

    private static StackTraceElement element(Traceback.Entry entry, String language) {
        String file = Visible.inLine(entry.file());
        String function = Visible.inLine(entry.function());
        int dot = function.lastIndexOf('.');
        return entry.guest() || dot < 0
                ? new StackTraceElement(
                        "<" + language + ">",
                        function.isEmpty() ? TOP_LEVEL : function,
                        file,
                        entry.line())
                : new StackTraceElement(
                        function.substring(0, dot),
                        function.substring(dot + 1),
                        file,
                        entry.line());
    }
}
