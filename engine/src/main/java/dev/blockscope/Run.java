package dev.blockscope;

import static java.util.Objects.requireNonNull;

import dev.blockscope.truffle.Harvest;
import dev.blockscope.truffle.Meter;
import dev.blockscope.truffle.RunStopped;
import dev.blockscope.truffle.Settlement;
import dev.blockscope.truffle.StoppedAt;
import dev.blockscope.truffle.Unset;
import dev.blockscope.truffle.Variable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * One run of a block in its realm, or one call of a function that a block made. The thread must
 * have the realm's turn.
 */
final class Run implements AutoCloseable {
    /**
     * The innermost run, and the allowance of a call by the host that is about to begin one. Of JDK
     * classes only, so that a thread that outlives an application does not hold it.
     */
    private static final ThreadLocal<@Nullable Object[]> CURRENT =
            ThreadLocal.withInitial(() -> new Object[2]);

    private static final VarHandle HARVEST = harvestHandle();

    /** What guest code may take that only makes an error clearer. */
    private static final long STATEMENTS_AFTERWARDS = 10_000;

    private static final long CALLS_AFTERWARDS = 100;
    private static final Duration TIME_AFTERWARDS = Duration.ofMillis(200);

    private final Home home;
    private final @Nullable Object[] thread;
    private final @Nullable Run outer;
    private final boolean isWithin;
    private final @Nullable Object actedBefore;
    private final @Nullable Block block;
    private final @Nullable Allowance allowance;
    private final @Nullable Object allowanceAround;
    private @Nullable Harvest harvest;
    private List<String> parameters = List.of();
    private boolean variablesKept;

    /** Seen by those who stop the run while it waits. */
    private volatile @Nullable EventLoop loop;

    private @Nullable Console console;

    /** Whether the run has called a function that another run made. */
    private boolean callsOthers;

    /** Whether the scope has taken assignments before the run's end. */
    private boolean boundBefore;

    /** The parameters that hold what siblings have bound, and which of their bindings. */
    private List<String> ofSiblings = List.of();

    private long seen;

    /** The last guest error that host code called by this run was given. */
    private @Nullable Raised raised;

    /** What the block's own names hide of its siblings', as far as anybody wants to know. */
    private List<ShadowedBinding> hidden = List.of();

    /** What may stop the run, or null. */
    private @Nullable StopSignal signal;

    /** What the run came to when it was ended on its way. */
    private @Nullable BlockResult taken;

    /** Variables assigned as properties of the global object. */
    private Set<String> writtenThrough = Set.of();

    private Run(Home home, @Nullable Block block, @Nullable Allowance allowance) {
        this.home = home;
        this.block = block;
        this.thread = CURRENT.get();
        this.outer = (Run) thread[0];
        this.allowance = allowance;
        this.allowanceAround = thread[1];
        thread[0] = this;
        thread[1] = null;
        this.isWithin = isIn(home.realm(), outer);
        this.actedBefore = isWithin ? home.realm().actAs(null) : null;
    }

    /** Whether a run or one of those around it is in a realm. */
    private static boolean isIn(Realm realm, @Nullable Run innermost) {
        for (Run run = innermost; run != null; run = run.outer) {
            if (run.home.realm() == realm) {
                return true;
            }
        }
        return false;
    }

    /** Returns the innermost run that this thread is in, or null. */
    static @Nullable Run current() {
        return (Run) CURRENT.get()[0];
    }

    /** Returns the innermost run that this thread is in; guest code is under way. */
    static Run underWay() {
        Run run = current();
        if (run == null) {
            throw new AssertionError("guest code runs outside any run of a block");
        }
        return run;
    }

    /** Begins a call of a function that a block made: names resolve as they did in that block. */
    static Run ofCall(Home home) {
        return new Run(home, null, allowanceHere());
    }

    /**
     * Does something for the host that has an allowance of its own, calls of guest code for one.
     */
    static <T extends @Nullable Object> T limitedBy(Allowance allowance, Supplier<T> work) {
        @Nullable Object[] thread = CURRENT.get();
        Object before = thread[1];
        thread[1] = allowance;
        try {
            return work.get();
        } finally {
            thread[1] = before;
        }
    }

    /** Returns what this thread may still take, or null if that is not limited. */
    static @Nullable Allowance allowanceHere() {
        @Nullable Object[] thread = CURRENT.get();
        if (thread[1] != null) {
            return (Allowance) thread[1];
        }
        Run run = (Run) thread[0];
        return run == null ? null : run.allowance;
    }

    /**
     * Runs a block once and takes what it bound, without pushing it.
     *
     * @param signal what may stop it, or null
     * @param allowance what it may take, or null if that is not limited
     * @throws BlockException if the block fails
     */
    static BlockResult of(
            Block block, Realm realm, @Nullable StopSignal signal, @Nullable Allowance allowance) {
        Run outer = current();
        if (outer != null && outer.home.realm() == realm) {
            outer.share();
        }
        block.frame().begin(block);
        Scope scope = block.newScope();
        try (Run run = new Run(block.homeIn(realm, scope), block, allowance)) {
            if (signal == null) {
                return run.execute(block, null);
            }
            run.signal = signal;
            signal.add(run);
            try {
                return run.execute(block, signal);
            } finally {
                signal.remove(run);
            }
        }
    }

    Home home() {
        return home;
    }

    /**
     * Returns what is under way beside the code of the block that this run is of, or calls into.
     */
    EventLoop loop() {
        Run owner = this;
        while (owner.block == null && owner.outer != null && owner.outer.isIn(home.realm())) {
            owner = owner.outer;
        }
        EventLoop known = owner.loop;
        if (known == null) {
            known = new EventLoop(owner.home);
            owner.loop = known;
        }
        return known;
    }

    /** Returns a promise, for guest code, of what a future of the host's comes to. */
    Value promiseOf(CompletionStage<?> future) {
        return promises().promiseOf(future, loop());
    }

    private GuestPromises promises() {
        return requireNonNull(home.realm().promises(), "a language without promises has one");
    }

    private boolean isIn(Realm realm) {
        return home.realm() == realm;
    }

    /** Returns what the run says things with. */
    Console console() {
        if (console == null) {
            console = new Console(home, allowance);
        }
        return console;
    }

    /** Tells the run on this thread that it enters a function that another run may have made. */
    @SuppressWarnings("ReferenceEquality") // a run has one home
    static void entersFunction(Object origin) {
        Run run = current();
        if (run != null && ((Origin) origin).home() != run.home) {
            run.callsOthers = true;
        }
    }

    /**
     * Returns the home of the run whose code asks: the one that made the innermost function. Where
     * blocks go on with each other's variables it makes no difference, and those of the run that is
     * under way count.
     */
    Home acting() {
        if (home.scope().shared().isContinued()) {
            return home;
        }
        Object origin = callsOthers ? home.realm().guest().originOfInnermostCode() : null;
        Home maker = origin == null ? null : ((Origin) origin).home();
        return maker == null ? home : maker;
    }

    @Nullable Object toHost(Value value) {
        return GuestToHost.convert(value, home);
    }

    /** Puts the names bound so far into the scope, for siblings that run while this one waits. */
    void share() {
        Harvest running = harvest;
        if (running != null) {
            running.refresh();
            bind(running, false);
        }
    }

    /**
     * Lets the run see what siblings have bound meanwhile, now that it goes on after host code.
     * What the run has assigned itself stays its own.
     */
    void renew() {
        Harvest running = harvest;
        SharedLocals shared = home.scope().shared();
        if (running == null || ofSiblings.isEmpty() || shared.version() == seen) {
            return;
        }
        seen = shared.version();
        Value variables = home.realm().asValue(running.scope());
        for (String name : ofSiblings) {
            Slot now = shared.slot(name);
            if (now != null && running.isAsGiven(name)) {
                variables.putMember(name, now.guest(home.realm()));
                running.takeAsGiven(name);
            }
        }
    }

    /**
     * Removes a name that guest code on this thread deletes. Returns false if it is not one made by
     * assignment: a variable of the block's own, or one that was there before it.
     */
    static boolean deleted(String name) {
        Run run = current();
        if (run == null) {
            return true;
        }
        Scope scope = run.acting().scope();
        return !scope.hasVariable(name)
                && (scope.removeAssigned(name)
                        || !(scope.containsKey(name) || run.home.realm().builtin(name) != null));
    }

    /**
     * Whether the block that runs on this thread declares a name that a script has as a property.
     */
    static boolean declares(String name) {
        Run run = current();
        if (run == null) {
            return false;
        }
        Scope scope = run.acting().scope();
        return (run.block != null && scope == run.home.scope())
                ? run.block.analysis().declaresVariable(name)
                : scope.hasVariable(name);
    }

    /** Whether the name is a variable of the block whose code runs on this thread. */
    static boolean holds(String name) {
        Run run = current();
        return run != null && run.acting().scope().hasVariable(name);
    }

    /** Tells the run on this thread that code which may declare global names begins. */
    static void globalCodeBegins(String text) {
        Run run = current();
        if (run != null) {
            run.home.realm().lendTo(text);
        }
    }

    /** Tells the run on this thread that a module has come to live in its realm. */
    static void moduleLoaded() {
        Run run = current();
        if (run != null) {
            run.home.realm().moduleLoaded();
        }
    }

    /** Tells the run on this thread that it was ended in the middle of a module's code. */
    static void moduleCut() {
        Run run = current();
        if (run != null) {
            run.home.realm().moduleCut();
        }
    }

    /** Tells the run on this thread that code which may have declared global names has ended. */
    static void globalCodeEnded() {
        Run run = current();
        if (run != null) {
            run.home.realm().sweepMidway();
        }
    }

    boolean hasVariable(String name) {
        Harvest running = harvest;
        return running != null
                && mayHold(name)
                && home.realm().asValue(running.scope()).hasMember(name);
    }

    /** Notes a guest error that came out of a call by the host, as the exception the host got. */
    void raised(BlockException given, PolyglotException error) {
        raised = new Raised(given, error);
    }

    /**
     * Returns the guest's own error if the host lets pass what it got for it, or null: code of the
     * run that catches it finds the error it threw.
     */
    @Nullable PolyglotException ownErrorOf(Throwable thrown) {
        Raised last = raised;
        return last != null && thrown.equals(last.given) ? last.error : null;
    }

    private record Raised(BlockException given, PolyglotException error) {}

    /** Stops the run at the next place its guest code comes by. */
    void stop() {
        Harvest running = (Harvest) HARVEST.getAcquire(this);
        if (running != null) {
            home.realm().guest().stop(running);
        }
        EventLoop waiting = loop;
        if (waiting != null) {
            waiting.wake();
        }
    }

    /** Returns the live variable of a name in this run's own frame, or null if it has none. */
    Slot.@Nullable Variable variable(String name) {
        Harvest running = harvest;
        return running != null && mayHold(name) && running.binds(name)
                ? new Slot.Variable(running, name, home, true)
                : null;
    }

    /** Whether guest code may be running: before its names are resolved none does. */
    boolean isInGuest() {
        return block == null || harvest != null;
    }

    /** Returns the guest's scope object that has a variable of this run's own, or null. */
    @Nullable Object holderOf(String name) {
        Harvest running = harvest;
        if (running == null || !mayHold(name)) {
            return null;
        }
        Object holder = running.scope();
        return holder != null && home.realm().asValue(holder).hasMember(name) ? holder : null;
    }

    /** Notes that the host can assign the run's variables when it is over. */
    void keepVariables() {
        variablesKept = true;
        if (harvest != null) {
            harvest.readAll();
        }
    }

    /** Assigns a variable of this run's own frame. Returns false if there is none of that name. */
    boolean write(String name, Value value) {
        Harvest running = harvest;
        if (running == null || !mayHold(name)) {
            return false;
        }
        Value variables = home.realm().asValue(running.scope());
        if (!variables.hasMember(name)) {
            return false;
        }
        try {
            variables.putMember(name, value);
        } catch (UnsupportedOperationException e) {
            throw new ConstantException(name, e);
        }
        running.readAll();
        noteWrittenThrough(name);
        return true;
    }

    @Override
    public void close() {
        if (block != null) {
            home.scope().follow(null);
        }
        thread[0] = outer;
        thread[1] = allowanceAround;
        if (isWithin) {
            home.realm().actAs(actedBefore);
        }
        if (outer != null) {
            outer.renew();
        }
    }

    private BlockResult execute(Block block, @Nullable StopSignal signal) {
        requireNotStopped(signal);
        if (allowance != null) {
            allowance.requireMore();
            requireGuard(!(block.frame().globals() instanceof NoGlobals));
        }
        Shadowing shadowing = block.engine().shadowing();
        long began = shadowing == null ? 0 : tellHidden(block, shadowing);
        Map<String, @Nullable Object> resolved = resolve(block);
        home.scope().resolved(resolved);
        Realm realm = home.realm();
        if (block.analysis().mayLeaveMarks()) {
            realm.expectMarks();
        }
        if (block.analysis().mayCall()) {
            realm.expectCalls();
        }
        PreparedRun prepared = block.prepared(realm, resolved.keySet());
        parameters = prepared.program().names();
        Meter meter = allowance == null ? null : allowance.meter();
        Harvest mine = realm.harvestOf(prepared.program(), signal != null, home, meter);
        @Nullable Object[] arguments = prepared.arguments(block, resolved, mine);
        if (allowance != null) {
            requireGuard(!endsByItself(block, prepared, arguments));
        }
        show(mine, signal);
        if (allowance != null) {
            allowance.begin(mine);
        }
        home.scope().follow(this);
        try {
            prepared.program().executable().executeVoid(arguments);
            return meter == null || isPlain(block, mine)
                    ? harvest(block, mine, began, signal)
                    : realm.metered(meter, () -> harvest(block, mine, began, signal));
        } catch (PolyglotException e) {
            mine.over();
            callsOthers = false;
            if (isKeeping(signal)) {
                realm.sweepAfterFailureIf(block.analysis().mayTouchGlobal());
                return kept(block, mine);
            }
            throw afterwards(() -> {
                realm.sweepAfterFailureIf(block.analysis().mayTouchGlobal());
                return failed(e, mine, signal);
            });
        } catch (ConversionException e) {
            mine.over();
            throw afterwards(() -> isEnded() ? ended(mine) : unconvertible(e, block));
        } catch (LimitException e) {
            mine.over();
            throw afterwards(() -> ended(mine));
        } catch (RunStopped e) {
            // It came by in code of ours, between two calls of the guest's.
            mine.over();
            if (isKeeping(signal)) {
                return kept(block, mine);
            }
            throw afterwards(() -> stopped(mine, signal));
        } finally {
            mine.over();
        }
    }

    /** Takes what a run whose text has come to its end has left. */
    private BlockResult harvest(
            Block block, Harvest mine, long began, @Nullable StopSignal signal) {
        Value returned = settled(mine, callLiteral(block, mine), signal);
        if (taken != null) {
            return taken;
        }
        List<ShadowedBinding> late = hiddenSince(began, block, mine);
        if (!late.isEmpty()) {
            hidden = Stream.concat(hidden.stream(), late.stream()).toList();
        }
        BlockResult result = take(block, mine, returned);
        Shadowing shadowing = block.engine().shadowing();
        if (shadowing != null) {
            shadowing.tell(late);
        }
        return result;
    }

    /** Whether a run that was stopped is to come to what it has bound until then. */
    private static boolean isKeeping(@Nullable StopSignal signal) {
        return signal != null && signal.isKeeping();
    }

    private BlockResult kept(Block block, Harvest mine) {
        return taken == null ? takeEnded(block, mine) : taken;
    }

    /** Whether nothing that the run has left can run guest code when it is read. */
    private boolean isPlain(Block block, Harvest mine) {
        if (block.arguments() != null
                || mine.awaits()
                || block.analysis().mayTouchGlobal()
                || home.scope().hasAssigned()
                || isReference(mine.result())) {
            return false;
        }
        for (int i = 0; i < mine.size(); i++) {
            if (isReference(mine.variable(i).value())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isReference(@Nullable Object raw) {
        return raw != null && !GuestToHost.isPrimitive(raw);
    }

    /** Looks at what a failed run has left. Guest code that this runs is held to little. */
    private BlockException afterwards(Supplier<BlockException> look) {
        if (allowance == null) {
            return look.get();
        }
        Realm realm = home.realm();
        Meter little = realm.guest().meter(STATEMENTS_AFTERWARDS, CALLS_AFTERWARDS);
        AtomicReference<@Nullable Future<?>> end = new AtomicReference<>();
        try {
            return realm.following(
                    little,
                    call ->
                            end.set(
                                    realm.engine()
                                            .watch()
                                            .after(
                                                    TIME_AFTERWARDS,
                                                    () -> realm.guest().stop(call))),
                    look);
        } finally {
            Future<?> planned = end.get();
            if (planned != null) {
                planned.cancel(false);
            }
        }
    }

    private BlockException unconvertible(ConversionException e, Block block) {
        Traceback.Entry place =
                e.name() == null ? Tracebacks.entryOf(home.block()) : block.placeOf(e.name());
        return BlockException.of(e, home, place, bound());
    }

    private boolean isEnded() {
        return allowance != null && allowance.reached() != null;
    }

    /** Makes the exception of a run that has reached a limit. */
    private BlockException ended(Harvest mine) {
        Allowance mineToTake = requireNonNull(allowance);
        ReachedLimit reached = requireNonNull(mineToTake.reached());
        bind(mine, false);
        return BlockException.ofLimit(reached, mineToTake.places(), home.block(), bound());
    }

    /** Runs that may not end by themselves need somebody who waits for them. */
    private void requireGuard(boolean needed) {
        if (needed && allowance != null && !allowance.isGuarded()) {
            throw new GuardNeededException();
        }
    }

    /** Whether the run will end by itself at once, with what its names hold now. */
    private boolean endsByItself(Block block, PreparedRun prepared, @Nullable Object[] arguments) {
        if (!block.analysis().endsByItself() || !home.realm().isUnmarked()) {
            return false;
        }
        for (String name : block.unresolved()) {
            if (!prepared.resolved().contains(name) && home.scope().shared().binds(name)) {
                return false;
            }
        }
        List<String> names = prepared.program().names();
        for (int i = 0; i < names.size(); i++) {
            if (!isHarmless(arguments[i], names.get(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean isHarmless(@Nullable Object argument, String name) {
        return argument == Unset.UNSET
                || StraightText.takes(argument)
                || (argument instanceof Value value && value.equals(home.realm().builtin(name)));
    }

    private void requireNotStopped(@Nullable StopSignal signal) {
        String stopped = signal == null ? null : signal.reason();
        if (stopped != null) {
            throw BlockException.ofStopped(stopped, List.of(), home, List.of());
        }
    }

    /** Lets the run be stopped from now on, if anybody may. */
    private void show(Harvest mine, @Nullable StopSignal signal) {
        if (signal == null) {
            harvest = mine;
            return;
        }
        // Shown before the signal is asked again, so that a stop is seen here or comes by there.
        HARVEST.setVolatile(this, mine);
        try {
            requireNotStopped(signal);
        } catch (BlockException e) {
            mine.over();
            throw e;
        }
    }

    /** Takes what a run that ended well has left. */
    private BlockResult take(Block block, Harvest run, @Nullable Value returned) {
        callsOthers = false;
        boundBefore = block.analysis().mayTouchGlobal() || home.scope().hasAssigned();
        bind(run, true);
        home.realm().sweepIf(block.analysis().mayTouchGlobal());
        Object value =
                returned == null ? toHostOfRaw(run.result()) : GuestToHost.convert(returned, home);
        Map<String, @Nullable Object> assigned = assigned(block, run);
        if (allowance != null) {
            // A host function may have swallowed the end of the run.
            allowance.requireMore();
        }
        return result(block, value, assigned, run);
    }

    private BlockResult result(
            Block block,
            @Nullable Object value,
            Map<String, @Nullable Object> assigned,
            Harvest run) {
        EventLoop left = loop;
        return new BlockResult(
                block,
                value,
                assigned,
                toPush(block, assigned, run),
                left == null ? List.of() : left.pending(),
                hidden);
    }

    /**
     * Comes back from a wait outside of the guest, where a stop could not reach the run: it takes
     * effect now, and what an ended run does on its way out does not count.
     */
    void comeBack() {
        renew();
        Harvest running = harvest;
        if (block == null || running == null || !isStopped()) {
            return;
        }
        if (requireNonNull(signal).isKeeping() && taken == null) {
            share();
            taken = takeEnded(block, running);
        }
        home.realm().guest().stopAgain(running);
    }

    /** Whether the run was stopped and is on its way out. */
    boolean isStopped() {
        return signal != null && signal.isStopped();
    }

    /** Takes what a run that was ended on its way has bound until then. */
    private BlockResult takeEnded(Block block, Harvest run) {
        boundBefore = true;
        bind(run, false);
        return result(block, null, assigned(block, run), run);
    }

    /** Calls the function that the text of a literal has made. Returns null for another text. */
    private @Nullable Value callLiteral(Block block, Harvest mine) {
        List<@Nullable Object> given = block.arguments();
        if (given == null) {
            return null;
        }
        Object[] arguments = given.stream().map(HostToGuest::convert).toArray();
        try {
            Value returned = home.realm().asValue(mine.result()).execute(arguments);
            refresh(mine);
            return returned;
        } catch (PolyglotException e) {
            if (!e.isCancelled()) {
                refresh(mine);
            }
            throw e;
        }
    }

    /**
     * Returns what the promise that a run came to came to itself, once it has; and anything else as
     * it is.
     */
    private @Nullable Value settled(
            Harvest mine, @Nullable Value returned, @Nullable StopSignal signal) {
        Settlement settlement = mine.settlement();
        if (returned != null) {
            settlement = isPromise(returned) ? promises().follow(returned) : null;
        }
        if (settlement == null) {
            return returned;
        }
        waitFor(settlement, mine, () -> requireGoingOn(mine, signal));
        refresh(mine);
        Value value = valueOf(settlement, mine);
        return mine.awaits() && returned == null ? settledLast(mine, signal) : value;
    }

    /** Returns what the last statement of a text that waits came to; null if that is no promise. */
    private @Nullable Value settledLast(Harvest mine, @Nullable StopSignal signal) {
        if (mine.result() == Unset.UNSET) {
            throw new ConversionException(
                    "",
                    "it is an array literal, which is lost at the end of a block that awaits; give it a name: const list = [ ... ]; list",
                    null);
        }
        Value last = home.realm().asValue(mine.result());
        return last.hasMembers() && isPromise(last) ? settled(mine, last, signal) : null;
    }

    /**
     * Returns what a function call returned, as plain Java: of a promise what it comes to, unless
     * code around the call is in the middle of something.
     */
    @Nullable Object returned(Value value) {
        if (isInside() || !value.hasMembers() || !isPromise(value)) {
            return toHost(value);
        }
        Settlement settlement = promises().follow(value);
        waitFor(settlement, null, () -> requireGoingOn(null, null));
        return toHost(valueOf(settlement, null));
    }

    private boolean isPromise(Value value) {
        return home.realm().promises() != null
                && home.realm().dialect().kindOf(value, home.realm()::builtin)
                        == Dialect.Kind.PROMISE;
    }

    private void waitFor(Settlement settlement, @Nullable Harvest mine, Runnable check) {
        try {
            new PromiseWait(this, home.realm(), isInside()).until(settlement, check);
        } catch (InterruptedException e) {
            if (allowance != null) {
                allowance.requireMore();
            }
            Thread.currentThread().interrupt();
            throw BlockException.ofStopped(
                    "the thread was interrupted while the block waited",
                    placesOf(mine),
                    home,
                    boundBefore(mine));
        }
    }

    /** Returns what a promise came to, or fails as it did. */
    private Value valueOf(Settlement settlement, @Nullable Harvest mine) {
        if (!settlement.isSettled()) {
            throw BlockException.ofUnsettled(
                    new PromiseWait(this, home.realm(), isInside()).whyUnsettled(),
                    placesOf(mine),
                    home,
                    boundBefore(mine));
        }
        if (settlement.isRejected()) {
            promises().raise(settlement.value());
        }
        return home.realm().asValue(settlement.value());
    }

    private boolean isInside() {
        return outer != null && outer.isIn(home.realm());
    }

    private void requireGoingOn(@Nullable Harvest mine, @Nullable StopSignal signal) {
        if (allowance != null) {
            allowance.requireMore();
        }
        String reason = signal == null ? null : signal.reason();
        if (reason == null && home.realm().isClosed()) {
            reason = "the engine was closed while the block waited";
        }
        if (reason != null) {
            throw BlockException.ofStopped(reason, placesOf(mine), home, boundBefore(mine));
        }
    }

    private static List<StoppedAt> placesOf(@Nullable Harvest waiting) {
        return waiting == null ? List.of() : waiting.waitsAt();
    }

    private List<BoundName> boundBefore(@Nullable Harvest mine) {
        if (mine == null) {
            return List.of();
        }
        bind(mine, false);
        return bound();
    }

    /** The text itself was over before the call, and its variables were taken then. */
    private void refresh(Harvest mine) {
        home.realm()
                .entered(() -> {
                    mine.refresh();
                    return true;
                });
    }

    /**
     * Looks the text's free names up before the run: what siblings, a frame's globals and the
     * language bind becomes a parameter, which costs the block nothing to read. A name that a
     * sibling's functions may move does not, and neither does one of a text that could tell; but a
     * variable of the block's own begins as its sibling's.
     */
    private Map<String, @Nullable Object> resolve(Block block) {
        List<String> free = block.unresolved();
        if (free.isEmpty()) {
            return Map.of();
        }
        Map<String, @Nullable Object> resolved = new LinkedHashMap<>();
        SharedLocals shared = home.scope().shared();
        seen = shared.version();
        for (String name : free) {
            try {
                resolve(name, shared, block, resolved);
            } catch (LostRealmException e) {
                // Told when the block reads the name, and then it has a line.
                resolved.remove(name);
            }
        }
        return resolved;
    }

    private void resolve(
            String name, SharedLocals shared, Block block, Map<String, @Nullable Object> resolved) {
        Slot sibling = shared.slot(name);
        if (block.frame().isLive(block.analysis(), name)) {
            if (sibling == null) {
                resolveBuiltin(name, block, resolved);
            }
            return;
        }
        boolean declared = block.analysis().declaresVariable(name);
        if (sibling != null && !(declared && sibling.isOf(block.source()))) {
            resolveSibling(name, sibling, declared, block, resolved);
            return;
        }
        try {
            resolveBehindShared(name, resolved);
        } catch (RuntimeException e) {
            // The globals failed. They are asked again when the block reads the name, and then
            // the failure has a line.
            resolved.remove(name);
        }
    }

    private void resolveSibling(
            String name,
            Slot sibling,
            boolean declared,
            Block block,
            Map<String, @Nullable Object> resolved) {
        if (declared) {
            resolved.put(name, sibling.guest(home.realm()));
        } else if (!block.analysis().tellsParameters() && !sibling.moves()) {
            resolved.put(name, sibling.guest(home.realm()));
            if (ofSiblings.isEmpty()) {
                ofSiblings = new ArrayList<>();
            }
            ofSiblings.add(name);
        }
    }

    /** The language's own names are the same whenever they are asked for, unless assigned. */
    private void resolveBuiltin(String name, Block block, Map<String, @Nullable Object> resolved) {
        Value builtin = home.realm().builtin(name);
        if (builtin != null
                && !block.analysis().mayTouch(name)
                && home.scope().globals().find(name).isEmpty()) {
            resolved.put(name, builtin);
        }
    }

    private void resolveBehindShared(String name, Map<String, @Nullable Object> resolved) {
        Optional<Binding> global = GuestGlobals.forGuest(home.scope().globals(), name);
        if (global.isPresent()) {
            resolved.put(name, global.get().value());
            return;
        }
        Value builtin = home.realm().builtin(name);
        if (builtin != null) {
            resolved.put(name, builtin);
        }
    }

    /** Tells what the snapshot hides of what siblings bound since. Returns the moment it did. */
    private long tellHidden(Block block, Shadowing shadowing) {
        long now = block.frame().shared().watch();
        hidden = shadowing.find(block, block.guestSnapshot()::containsKey, block.captured());
        shadowing.tell(hidden);
        return now;
    }

    /** Returns what the run's own names hide of what siblings bound while it waited. */
    private List<ShadowedBinding> hiddenSince(long moment, Block block, Harvest run) {
        Shadowing shadowing = block.engine().shadowing();
        if (shadowing == null) {
            return List.of();
        }
        Set<String> own = new HashSet<>(block.guestSnapshot().keySet());
        own.addAll(home.scope().assigned());
        for (int i = 0; i < run.size(); i++) {
            if (run.variable(i).state() != Variable.State.UNDEFINED) {
                own.add(run.variable(i).name());
            }
        }
        return shadowing.find(block, own::contains, moment);
    }

    private BlockException failed(PolyglotException e, Harvest mine, @Nullable StopSignal signal) {
        if (isEnded() || (signal != null && signal.isStopped())) {
            return stopped(mine, signal);
        }
        bind(mine, false);
        return BlockException.of(e, home, bound());
    }

    /** Makes the exception of a run that somebody ended. */
    private BlockException stopped(Harvest mine, @Nullable StopSignal signal) {
        if (isEnded()) {
            return ended(mine);
        }
        bind(mine, false);
        String reason = requireNonNull(signal == null ? null : signal.reason());
        return BlockException.ofStopped(reason, mine.stoppedAt(), home, bound());
    }

    /** Returns what the run has bound; the values are read from its live variables. */
    private List<BoundName> bound() {
        try {
            return home.realm().entered(() -> BoundName.allOf(home.scope()));
        } catch (PolyglotException | IllegalStateException _) {
            // The context was closed. What it left can mostly be read without it.
            return BoundName.allOf(home.scope());
        }
    }

    /** Puts the variables of the run's frame into the scope. */
    private void bind(Harvest run, boolean ended) {
        Scope scope = home.scope();
        String noName = home.realm().dialect().noName();
        for (int i = 0; i < run.size(); i++) {
            Variable variable = run.variable(i);
            String name = variable.name();
            if (name.equals(noName)) {
                continue;
            }
            switch (variable.state()) {
                case GIVEN -> {
                    if (writtenThrough.contains(name)
                            || run.assigns(name)
                            || (ended && surelyAssigns(name))) {
                        scope.assign(name, slotOf(variable, run, ended));
                    }
                }
                case ASSIGNED -> scope.assign(name, slotOf(variable, run, ended));
                case UNDEFINED -> {
                    if (run.assigns(name) || (ended && surelyAssigns(name))) {
                        scope.assign(name, slotOf(variable, run, ended));
                    } else if (!ended || mayMove(name)) {
                        scope.declare(name, new Slot.Variable(run, name, home, true));
                    }
                }
            }
        }
    }

    private Slot slotOf(Variable variable, Harvest run, boolean ended) {
        boolean continued = home.scope().shared().isContinued();
        boolean moves =
                !ended || mayMove(variable.name()) || (continued && mayCapture(variable.name()));
        Slot slot =
                !moves && GuestToHost.isPrimitive(variable.value())
                        ? new Slot.OfPrimitive(variable.value(), home.block())
                        : new Slot.Variable(run, variable.name(), home, moves);
        return continued ? continued(variable, slot, run) : slot;
    }

    /**
     * Where blocks go on with each other's variables, one that is declared anew is the same as
     * before for functions from before; it is another one only if functions of this block hold it.
     */
    private Slot continued(Variable variable, Slot slot, Harvest run) {
        Slot.Variable before = home.scope().shared().variable(variable.name());
        if (before == null || before.run() == run || !before.take(variable.value())) {
            return slot;
        }
        return mayCapture(variable.name()) ? slot : before;
    }

    private boolean mayCapture(String name) {
        return block != null && block.analysis().mayCapture(name);
    }

    /** Whether code of the block may still assign a name when the run has ended. */
    private boolean mayMove(String name) {
        return block == null || variablesKept || block.analysis().mayMoveLater(name);
    }

    private void noteWrittenThrough(String name) {
        if (writtenThrough.isEmpty()) {
            writtenThrough = new HashSet<>();
        }
        writtenThrough.add(name);
    }

    private boolean surelyAssigns(String name) {
        if (block == null) {
            return false;
        }
        return block.arguments() == null
                ? block.analysis().surelyAssigns(name)
                : block.analysis().surelyAssignsIfCalled(name);
    }

    /** Returns what the run assigned, as plain Java, in the order of the text. */
    private Map<String, @Nullable Object> assigned(Block block, Harvest run) {
        Collection<String> names =
                boundBefore || !run.isInOrder()
                        ? home.scope().assignedInOrder(block.analysis().inTextOrder())
                        : home.scope().assignedAsTheyCame();
        if (names.size() == 1) {
            String name = names.iterator().next();
            return Collections.singletonMap(name, valueOf(name, run));
        }
        Map<String, @Nullable Object> bindings = LinkedHashMap.newLinkedHashMap(names.size());
        for (String name : names) {
            bindings.put(name, valueOf(name, run));
        }
        return Collections.unmodifiableMap(bindings);
    }

    /** Into variables of this realm go the guest's values themselves, elsewhere plain Java. */
    private Map<String, @Nullable Object> toPush(
            Block block, Map<String, @Nullable Object> assigned, Harvest run) {
        if (!(block.frame() instanceof GuestFrame frame) || !frame.isIn(home.realm())) {
            return assigned;
        }
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        assigned.keySet().forEach(name -> values.put(name, guestValueOf(name, run)));
        return values;
    }

    private @Nullable Object toHostOfRaw(@Nullable Object raw) {
        return allowance == null
                ? GuestToHost.ofRaw(raw, home)
                : GuestToHost.ofRaw(raw, home, allowance);
    }

    private @Nullable Object guestValueOf(String name, Harvest run) {
        for (int i = 0; i < run.size(); i++) {
            if (run.variable(i).name().equals(name)) {
                return home.realm().asValue(run.variable(i).value());
            }
        }
        return home.scope().getMember(name);
    }

    private @Nullable Object valueOf(String name, Harvest run) {
        try {
            for (int i = 0; i < run.size(); i++) {
                if (run.variable(i).name().equals(name)) {
                    return toHostOfRaw(run.variable(i).value());
                }
            }
            return home.scope().get(name);
        } catch (ConversionException e) {
            throw e.in(name);
        }
    }

    private static VarHandle harvestHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(Run.class, "harvest", Harvest.class);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a field of this class was not found", e);
        }
    }

    private boolean mayHold(String name) {
        return parameters.contains(name) || (block != null && block.analysis().mayHold(name));
    }
}
