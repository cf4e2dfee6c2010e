package dev.blockscope;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.MapMaker;
import dev.blockscope.truffle.GuestAccess;
import dev.blockscope.truffle.GuestCall;
import dev.blockscope.truffle.GuestContext;
import dev.blockscope.truffle.Harvest;
import dev.blockscope.truffle.Meter;
import dev.blockscope.truffle.OriginQuestion;
import dev.blockscope.truffle.ParsePlan;
import dev.blockscope.truffle.ParsedText;
import dev.blockscope.truffle.Peek;
import dev.blockscope.truffle.Stoppable;
import dev.blockscope.truffle.TextLength;
import dev.blockscope.truffle.TextNames;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * One guest context whose global object falls back to the scope of the block that runs.
 *
 * <p>One thread at a time may be in it, the one that has the <em>turn</em>. A realm holds no frame,
 * so that a frame that keeps one can go.
 */
final class Realm {
    private static final int KNOWN_NAMES = 1_000;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    /** How long the next block waits for a run that was given up; it may be about to end. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final BlockEngine engine;
    private final Context context;
    private final GuestAccess guest;
    private final GuestContext here;
    private final Dialect dialect;
    private final Dialect.Fallback fallback;
    private final Map<String, Optional<Value>> builtins = bounded(KNOWN_NAMES);
    private final OwnedLock turn = new OwnedLock();
    private final ParsedTexts texts;
    private final Map<Value, WeakReference<GuestFunction>> functions = new WeakHashMap<>();

    /** Functions that were made anew of their sources. */
    private final Map<FunctionSource, Value> made = new WeakHashMap<>();

    private final ConcurrentMap<Object, SharedLocals> activations =
            new MapMaker().weakKeys().weakValues().makeMap();
    private final Set<Origin> origins = Collections.newSetFromMap(new WeakHashMap<>());
    private final OriginQuestion question = new OriginQuestion();
    private final ConcurrentMap<Object, HostView> views =
            new MapMaker().concurrencyLevel(1).weakKeys().weakValues().makeMap();
    private final AtomicBoolean taken = new AtomicBoolean();
    private final Set<EventLoop> waiting = ConcurrentHashMap.newKeySet();
    private @Nullable Tenancy tenant;
    private boolean mayBeMarked;

    /** Whether a text has run, since the realm was as new, that called anything. */
    private boolean mayHaveCalled;

    /** Whether the host may hold functions of the realm. */
    private boolean hasHandles;

    private boolean leftAnything;
    private boolean hasModules;

    /** The module whose text was read last. */
    private @Nullable String moduleRead;

    private volatile boolean lent;
    private boolean swept;
    private boolean marked;
    private volatile boolean tampered;
    private volatile boolean lost;

    /** When the run that has the turn was given up, or 0 if it was not. */
    private volatile long overdueSince;

    private volatile boolean closed;

    Realm(BlockEngine engine, Dialect dialect, Context context, GuestAccess guest) {
        this.engine = engine;
        this.dialect = dialect;
        this.context = context;
        this.guest = guest;
        this.here = entered(guest::here);
        this.texts = dialect.sharesPrograms() ? engine.texts() : new ParsedTexts();
        this.fallback =
                dialect.install(
                        context,
                        guest,
                        new Dialect.Names(
                                arguments -> lookUp(arguments[0].asString()),
                                arguments -> put(arguments[0].asString(), arguments[1]),
                                arguments -> Run.deleted(arguments[0].asString()),
                                arguments -> Run.declares(arguments[0].asString()),
                                arguments -> Run.holds(arguments[0].asString())));
    }

    /**
     * Lets a host function fail once and tells of it, so that what this takes is there before an
     * end of the stack, where nothing can be loaded: what fails to be is lost for good.
     */
    void rehearse() {
        entered(guest::rehearseCalls);
        var _ = ThreadStack.bytes();
        Runnable fails =
                () -> {
                    throw new IllegalStateException("rehearsed");
                };
        Source caller =
                Source.newBuilder(dialect.id(), dialect.caller(), "rehearsal")
                        .internal(true)
                        .buildLiteral();
        try {
            context.eval(caller).executeVoid(HostFunction.of(fails));
            throw new AssertionError("a host function that throws has not");
        } catch (PolyglotException e) {
            Traceback traceback = Tracebacks.of(e, this, null);
            requireNonNull(BlockException.of(e, this, List.of(), traceback));
        }
    }

    /** Returns a map that forgets what was not asked for the longest time. */
    private static <K, V> Map<K, V> bounded(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    /** Returns the realm in which this thread runs a block, or null. */
    static @Nullable Realm entered() {
        Run run = Run.current();
        return run == null ? null : run.home().realm();
    }

    BlockEngine engine() {
        return engine;
    }

    GuestAccess guest() {
        return guest;
    }

    Dialect dialect() {
        return dialect;
    }

    /** Returns what a run of a program of this realm is to report to. */
    Harvest harvestOf(Program program, boolean mayWait, Home home, @Nullable Allowance allowance) {
        GuestPromises promises = fallback.promises();
        Harvest harvest =
                new Harvest(
                        program.text(),
                        here,
                        mayWait,
                        promises == null ? null : promises.followed(),
                        allowance == null ? null : allowance.meter(),
                        allowance == null ? Long.MAX_VALUE : allowance.limits().resultSize());
        if (program.text().followsFunctions() && !marked) {
            Origin origin = new Origin(home);
            origins.add(origin);
            harvest.origin(origin);
        }
        return harvest;
    }

    /** Returns the home of the run that made a function, or null if that is not known. */
    @Nullable Home makerOf(Value function) {
        if (origins.isEmpty()) {
            return null;
        }
        context.asValue(question).executeVoid(function);
        return question.answer() instanceof Origin origin ? origin.home() : null;
    }

    /**
     * Lets functions forget which run made them if a builtin may lead to one: what they hold would
     * never go. From then on they see the names of the block that calls them.
     */
    void forgetOriginsIfMarked() {
        if (!origins.isEmpty() && mayBeMarked && usable() && !exclusively(this::isAsNew)) {
            marked = true;
            origins.forEach(Origin::forget);
            origins.clear();
        }
    }

    /** Has calls on this thread counted as those of a run; returns whose they were before. */
    @Nullable Object actAs(@Nullable Object origin) {
        return guest.actAs(here, origin);
    }

    /** Returns the promises of this realm, or null if its language has none. */
    @Nullable GuestPromises promises() {
        return fallback.promises();
    }

    /** Has a loop woken when the realm is closed while a run waits for what comes next. */
    void begunToWait(EventLoop loop) {
        waiting.add(loop);
    }

    void endedToWait(EventLoop loop) {
        waiting.remove(loop);
    }

    /** Whether the engine has closed the realm. */
    boolean isClosed() {
        return closed;
    }

    ReentrantLock turn() {
        return turn;
    }

    /** Whether blocks may still run here. */
    boolean usable() {
        return !closed && !tampered && !lost;
    }

    /** Takes the realm for one borrower. Returns false if it has one, or is closed. */
    boolean tryTake(Tenancy borrower) {
        if (!taken.compareAndSet(false, true)) {
            return false;
        }
        if (tenant != borrower) {
            tenant = borrower;
            mayBeMarked |= mayHaveCalled;
        }
        return true;
    }

    /** Offers the realm to the next borrower. */
    void release() {
        if (hasHandles) {
            functions.clear();
            hasHandles = false;
        }
        if (!made.isEmpty()) {
            made.clear();
        }
        leftAnything = false;
        swept = false;
        taken.set(false);
    }

    /** Whether the realm is one of those that are lent in turn. */
    boolean isLent() {
        return lent;
    }

    void lent(boolean now) {
        lent = now;
    }

    /** Whether nothing is known to have changed of what all texts of the realm share. */
    boolean isUnmarked() {
        return !mayBeMarked;
    }

    /** Notes that a text runs that may change what all texts of the realm share. */
    void expectMarks() {
        mayBeMarked = true;
    }

    /**
     * Notes that a text runs that may call something. It need not look as if it could leave marks:
     * that is made sure of before another borrower gets the realm.
     */
    void expectCalls() {
        mayHaveCalled = true;
    }

    /** Notes that something of this realm goes on living after the run. */
    void leaveSomething() {
        leftAnything = true;
    }

    /** Whether something of this realm is known to go on living. */
    boolean hasLeftSomething() {
        return leftAnything;
    }

    /** Notes that a module lives here, whose variables are the frame's own. */
    void moduleLoaded() {
        hasModules = true;
    }

    /** Notes that a module's text is about to be parsed. */
    void moduleRead(String name) {
        moduleRead = name;
    }

    /**
     * Returns the name of the module that does not parse, which the language calls as it was asked
     * for: the one that was read last, if it may be so called.
     */
    String moduleOf(String asked) {
        String file = asked.substring(asked.lastIndexOf('/') + 1);
        String read = moduleRead;
        return read != null && (read.equals(file) || read.endsWith("/" + file)) ? read : asked;
    }

    /**
     * Notes that a module was ended in the middle of its code: to the language it is being loaded
     * for ever, so no block can import it here again.
     */
    void moduleCut() {
        tampered = true;
    }

    /**
     * Whether the blocks of {@code frame} left nothing here that must go on living. Modules and
     * marks need not where no block will run any more.
     */
    boolean isFreeOf(Frame frame) {
        return !leftAnything
                && frame.shared().settle()
                && (!usable() || (!hasModules && (!mayBeMarked || exclusively(this::isAsNew))));
    }

    /** Whether nothing that all texts share has changed since the realm was made. */
    boolean isAsNew() {
        if (!usable() || hasModules) {
            return false;
        }
        if (mayBeMarked) {
            mayBeMarked = !fallback.isAsNew();
            mayHaveCalled &= mayBeMarked;
        }
        return !mayBeMarked;
    }

    /**
     * Checks that guest values of this realm can still be used.
     *
     * @throws IllegalStateException if the engine was closed, naming {@code what}
     */
    void requireUsable(Supplier<String> what) {
        requireNotLost();
        if (closed) {
            throw new IllegalStateException(
                    "%s cannot be used any more, its engine is closed; take plain values out before closing it"
                            .formatted(what.get()));
        }
    }

    /**
     * Does something with this realm's values while no other thread runs in it.
     *
     * @throws LostRealmException if the realm is lost
     */
    <T extends @Nullable Object> T exclusively(Supplier<T> work) {
        if (!turn.tryLock()) {
            waitForTurn(null);
        }
        try {
            requireNotLost();
            return work.get();
        } finally {
            giveTurnBack();
        }
    }

    /**
     * The same within what an allowance leaves.
     *
     * @throws LimitException if a limit is reached before the turn comes
     * @throws LostRealmException if the realm is lost
     */
    <T extends @Nullable Object> T inTurn(Allowance allowance, Supplier<T> work) {
        if (!turn.tryLock()) {
            waitForTurn(allowance);
        }
        allowance.entered(this);
        try {
            requireNotLost();
            return work.get();
        } finally {
            allowance.left(this);
            giveTurnBack();
        }
    }

    private void giveTurnBack() {
        turn.unlock();
        if (lost && !turn.isHeldByCurrentThread()) {
            engine.realms().discard(this);
        }
    }

    private void waitForTurn(@Nullable Allowance allowance) {
        boolean interrupted = false;
        try {
            boolean mine = false;
            while (!mine) {
                loseIfOverdue();
                requireNotLost();
                if (allowance != null) {
                    if (allowance.nanosLeft() <= 0) {
                        allowance.reach(Limit.TIME);
                    }
                    allowance.requireMore();
                    allowance.requireNotStopped();
                }
                try {
                    mine = turn.tryLock(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Gives the realm up once the run that has the turn was waited for long enough. */
    private void loseIfOverdue() {
        long since = overdueSince;
        if (since != 0 && System.nanoTime() - since > PATIENCE.toNanos()) {
            lost = true;
            engine.realms().lose(this);
        }
    }

    private void requireNotLost() {
        if (lost) {
            throw LostRealmException.toStoppedRun(this);
        }
    }

    /**
     * Checks that what blocks share here can still be had.
     *
     * @throws LostRealmException if it cannot
     */
    void requireThere() {
        requireNotLost();
        if (closed) {
            throw LostRealmException.withItsEngine(this);
        }
    }

    /** Notes that nobody waits any longer for the run of a thread, if that has the turn. */
    void isOverdue(Thread thread) {
        if (turn.isHeldBy(thread)) {
            overdueSince = System.nanoTime() | 1;
        }
    }

    /** Whether a run that nobody waits for has the turn, and it is not that of a thread. */
    boolean isKeptFrom(Thread thread) {
        return overdueSince != 0 && !turn.isHeldBy(thread);
    }

    /** Notes that the run that has the turn is about to give it back. */
    void isHome() {
        overdueSince = 0;
    }

    /** Whether what is here cannot be had any more. */
    boolean isGone() {
        return lost || closed;
    }

    /** Whether nothing will run here any more, and what is here cannot be had. */
    boolean isLost() {
        return lost;
    }

    /** Has guest code counted that something calls, on a thread that has been here. */
    <T extends @Nullable Object> T metered(Meter meter, Supplier<T> work) {
        return guest.metered(here, meter, work);
    }

    /** Runs guest code that is no block's, as a run would, where it can be stopped and counted. */
    <T extends @Nullable Object> T following(
            @Nullable Meter meter, Consumer<Stoppable> begins, Supplier<T> work) {
        GuestCall call = new GuestCall(here, meter);
        // A thread is known to the context once it has been in it; it must not stay there, for the
        // work may give the turn away.
        entered(() -> true);
        begins.accept(call);
        return guest.following(call, work);
    }

    /** Returns the views of host objects that guest code of the realm may hold. */
    ConcurrentMap<Object, HostView> views() {
        return views;
    }

    /** Has this thread, which is in the context, do now what it was asked to. */
    void safepoint() {
        context.safepoint();
    }

    Value asValue(@Nullable Object raw) {
        return context.asValue(raw);
    }

    /** Returns the UTF-16 units of a text, or -1 if they are known of the Java string only. */
    long lengthOf(Value text) {
        TextLength length = new TextLength();
        context.asValue(length).executeVoid(text);
        return length.units();
    }

    /** Returns a member of a guest object, or null if there is none or guest code would tell it. */
    @Nullable Value peek(Value object, String member) {
        try {
            if (!dialect.tellsGetters()) {
                return object.hasMember(member) ? object.getMember(member) : null;
            }
            Peek peek = new Peek();
            context.asValue(peek).executeVoid(object, member);
            return peek.found() == null ? null : context.asValue(peek.found());
        } catch (PolyglotException | IllegalStateException e) {
            // The context was closed, or there is no stack left: then nothing can be told.
            return null;
        }
    }

    /** Returns a value as guest code has it in its variables. */
    Value imported(@Nullable Object value) {
        return fallback.imported(value);
    }

    /** Returns one of the language's own globals, or null if it has none of that name. */
    @Nullable Value builtin(String name) {
        return builtins.computeIfAbsent(name, this::findBuiltin).orElse(null);
    }

    private Optional<Value> findBuiltin(String name) {
        Value found = fallback.builtin(name);
        return found.equals(fallback.absent()) ? Optional.empty() : Optional.of(found);
    }

    /** Returns the host's handle of a function: the same one as long as the host holds it. */
    GuestFunction functionOf(Value function, Home home) {
        WeakReference<GuestFunction> known = functions.get(function);
        GuestFunction handle = known == null ? null : known.get();
        if (handle == null) {
            Home maker = makerOf(function);
            handle = new GuestFunction(function, maker == null ? home : maker);
            leftAnything = true;
            functions.put(function, new WeakReference<>(handle));
            hasHandles = true;
        }
        return handle;
    }

    /**
     * Returns the function that was made of a source, the same one for each use.
     *
     * @param make hands over the function as soon as it has one
     */
    Value madeOf(FunctionSource source, Consumer<Consumer<Value>> make) {
        Value known = made.get(source);
        if (known == null) {
            leaveSomething();
            boolean whole = false;
            try {
                make.accept(function -> made.put(source, function));
                known = requireNonNull(made.get(source));
                whole = true;
            } finally {
                if (!whole) {
                    made.remove(source);
                }
            }
        }
        return known;
    }

    /**
     * Returns the store of an activation of a guest function: the same one as long as a frame of it
     * is held. Held here it would keep itself, for what is in it may hold the activation.
     */
    SharedLocals sharedOf(Object activation) {
        return activations.computeIfAbsent(activation, _ -> new SharedLocals());
    }

    /** Lists the names of a text. */
    TextNames namesOf(BlockSource source) {
        return parsing(source, () -> dialect.namesOf(guest, source));
    }

    /** Returns whether a text parses with one name as its parameter. */
    boolean parsesWith(BlockSource source, String name, boolean awaits) {
        try {
            parse(source, ParsePlan.of(name, awaits));
            return true;
        } catch (BlockException e) {
            return false;
        }
    }

    /** Returns a text parsed with parameters, as a program of this realm. */
    Program program(BlockSource source, List<String> names, Analysis analysis) {
        ParsedTexts.Program parsed =
                texts.program(source, names, () -> parseLeniently(source, names, analysis));
        Value executable = context.asValue(parsed.text());
        return new Program(this, parsed.text(), executable, parsed.arguments());
    }

    /**
     * Cleans up what a block may have defined on the global object itself, past the scope. Once a
     * realm has had a block that can, all later blocks might call into it.
     */
    void sweepIf(boolean suspicious) {
        swept |= suspicious;
        if (swept && !fallback.sweep(true)) {
            tampered = true;
        }
    }

    /** The same in the middle of a run, when code that may have declared global names has ended. */
    void sweepMidway() {
        swept = true;
        try {
            if (!fallback.sweep(false)) {
                tampered = true;
            }
        } catch (PolyglotException e) {
            if (!(e.isInterrupted() || e.isCancelled() || e.isInternalError())) {
                throw e;
            }
            // The run is being stopped, and is asked to until it is; but this is below guest code,
            // where no exception of that kind may come by.
            tampered = true;
        }
    }

    /** The same for a run that has failed, whose error must not be lost over another one. */
    void sweepAfterFailureIf(boolean suspicious) {
        try {
            sweepIf(suspicious);
        } catch (PolyglotException e) {
            tampered = true;
        }
    }

    /** Lets code that may declare global names find the scope's declared. */
    void lendTo(String text) {
        fallback.lendTo(text);
    }

    /**
     * Ends what runs here and frees the context; host code that a block is in is not waited for.
     */
    void close() {
        closed = true;
        taken.set(true);
        waiting.forEach(EventLoop::wake);
        context.close(true);
    }

    /**
     * The net below the analysis: names that a text cannot take after all, such as {@code eval} in
     * strict text, are left out, and stay reachable through the global object.
     */
    private ParsedTexts.Program parseLeniently(
            BlockSource source, List<String> names, Analysis analysis) {
        ParsePlan plan = analysis.planFor(names);
        if (plan.names().isEmpty()) {
            plan = withNoName(plan);
        }
        ParsedText text;
        try {
            text = parse(source, plan);
        } catch (BlockException e) {
            boolean awaits = plan.awaits();
            List<String> taken = new ArrayList<>(plan.names());
            taken.removeIf(name -> !parsesWith(source, name, awaits));
            plan = withNoName(plan.withNames(taken));
            text = parse(source, plan);
        }
        return new ParsedTexts.Program(text, plan.arguments());
    }

    /** With no parameter at all a text would be an ordinary script. */
    private ParsePlan withNoName(ParsePlan plan) {
        List<String> names = new ArrayList<>(plan.names());
        names.add(dialect.noName());
        return plan.withNames(names);
    }

    private ParsedText parse(BlockSource source, ParsePlan plan) {
        return parsing(source, () -> fallback.parse(source, plan));
    }

    private <T> T parsing(BlockSource source, Parse<T> parse) {
        return entered(() -> {
            try {
                return parse.get();
            } catch (Exception e) {
                throw BlockException.ofSyntax(context, dialect, source, e);
            }
        });
    }

    /** Does something inside the context. */
    <T extends @Nullable Object> T entered(Supplier<T> work) {
        context.enter();
        try {
            return work.get();
        } finally {
            context.leave();
        }
    }

    // What guest code holds of us is static: it must not hold the realm that it lives in.

    private static @Nullable Object lookUp(String name) {
        Home home = Run.underWay().acting();
        Binding binding = home.scope().findForGuest(name);
        return binding == null ? home.realm().fallback.absent() : binding.value();
    }

    private static boolean put(String name, Value value) {
        Run run = Run.underWay();
        try {
            Home home = run.acting();
            home.scope().putInBlock(name, value, home);
            run.renew();
            return true;
        } catch (ConstantException e) {
            return false;
        }
    }

    /** A lock that knows whose it is. */
    private static final class OwnedLock extends ReentrantLock {
        private static final long serialVersionUID = 1L;

        boolean isHeldBy(Thread thread) {
            return thread.equals(getOwner());
        }
    }

    @FunctionalInterface
    private interface Parse<T> {
        T get() throws Exception;
    }
}
