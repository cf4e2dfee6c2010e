package dev.blockscope;

import static java.util.Objects.requireNonNull;

import dev.blockscope.truffle.Harvest;
import dev.blockscope.truffle.Meter;
import dev.blockscope.truffle.RunStopped;
import dev.blockscope.truffle.Settlement;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
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

    private final Home home;
    private final @Nullable Object[] thread;
    private final @Nullable Run outer;
    private final boolean isWithin;
    private final @Nullable Object actedBefore;
    private final @Nullable Block block;
    private final @Nullable Allowance allowance;
    private final @Nullable Object allowanceAround;
    private final RunBindings bindings;

    /** What the text's free names meant when the run began; null if it has none. */
    private @Nullable FreeNames freeNames;

    private @Nullable Harvest harvest;
    private List<String> parameters = List.of();

    /** Seen by those who stop the run while it waits. */
    private volatile @Nullable EventLoop loop;

    private @Nullable Console console;

    /** Whether the run has called a function that another run made. */
    private boolean callsOthers;

    /** The last guest error that host code called by this run was given. */
    private @Nullable Raised raised;

    /** What the block's own names hide of its siblings', or null if nobody wants to know. */
    private @Nullable ShadowWatch shadows;

    /** What may stop the run, or null. */
    private @Nullable StopSignal signal;

    /** What the run came to when it was ended on its way. */
    private @Nullable BlockResult taken;

    private Run(Home home, @Nullable Block block, @Nullable Allowance allowance) {
        this.home = home;
        this.block = block;
        this.bindings = new RunBindings(home, block);
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
        // It may change what the texts of the realm share, long after the block was looked at.
        home.realm().expectCalls();
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
                return run.execute(block);
            }
            run.signal = signal;
            signal.add(run);
            try {
                return run.execute(block);
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

    /** Whether the run may have memory outside of the heap, of so many bytes. */
    boolean takesBesideHeap(double bytes) {
        return allowance == null || !(bytes > 0) || allowance.takesBesideHeap((long) bytes);
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
            bindings.bindMidway(running);
        }
    }

    /**
     * Lets the run see what siblings have bound meanwhile, now that it goes on after host code.
     * What the run has assigned itself stays its own.
     */
    void renew() {
        Harvest running = harvest;
        if (running != null && freeNames != null) {
            freeNames.renew(running);
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

    /** Tells the run on this thread that a module's text is about to be parsed. */
    static void moduleRead(String name) {
        Run run = current();
        if (run != null) {
            run.home.realm().moduleRead(name);
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
        bindings.keepVariables();
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
        bindings.writtenThrough(name);
        return true;
    }

    @Override
    public void close() {
        if (block != null) {
            home.scope().follow(null);
            letGo(block);
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

    /** What the run has left keeps no more than its code can come by. */
    private void letGo(Block block) {
        Harvest ended = harvest;
        if (ended != null && bindings.outlive(ended)) {
            ended.letGo();
            home.scope().outlives(block.nameable());
        }
    }

    private BlockResult execute(Block block) {
        if (signal != null) {
            ending().requireNotStopped();
        }
        if (allowance != null) {
            allowance.requireMore();
            requireGuard(!(block.frame().globals() instanceof NoGlobals));
        }
        shadows = ShadowWatch.of(block);
        Map<String, @Nullable Object> resolved = resolve(block);
        home.scope().resolved(resolved);
        Realm realm = home.realm();
        expect(block.analysis());
        PreparedRun prepared = block.prepared(realm, resolved.keySet());
        parameters = prepared.program().names();
        Meter meter = allowance == null ? null : allowance.meter();
        Harvest mine = realm.harvestOf(prepared.program(), signal != null, home, allowance);
        @Nullable Object[] arguments = prepared.arguments(block, resolved, mine);
        if (allowance != null && !allowance.isGuarded()) {
            requireGuard(!prepared.endsByItself(block, arguments));
        }
        show(mine);
        if (allowance != null) {
            allowance.begin(mine);
        }
        home.scope().follow(this);
        try {
            prepared.program().executable().executeVoid(arguments);
            return meter == null || (block.arguments() == null && bindings.arePlain(mine))
                    ? harvest(block, mine)
                    : realm.metered(meter, () -> harvest(block, mine));
        } catch (PolyglotException | ConversionException | LimitException | RunStopped e) {
            mine.over();
            callsOthers = false;
            return endedBy(e, block, mine);
        } catch (BlockException e) {
            // It was given up while it waited.
            throw e.leaving(pending());
        } finally {
            mine.over();
        }
    }

    private Map<String, @Nullable Object> resolve(Block block) {
        if (block.unresolved().isEmpty()) {
            return Map.of();
        }
        freeNames = new FreeNames(home);
        return freeNames.resolve(block);
    }

    /** Prepares the realm for what a text may do to it. */
    private void expect(Analysis analysis) {
        if (analysis.mayLeaveMarks()) {
            home.realm().expectMarks();
        }
        if (analysis.mayCall()) {
            home.realm().expectCalls();
        }
    }

    /** Runs that may not end by themselves need somebody who waits for them. */
    private void requireGuard(boolean needed) {
        if (needed && allowance != null && !allowance.isGuarded()) {
            throw new GuardNeededException();
        }
    }

    /** Lets the run be stopped from now on, if anybody may. */
    private void show(Harvest mine) {
        if (signal == null) {
            harvest = mine;
            return;
        }
        // Shown before the signal is asked again, so that a stop is seen here or comes by there.
        HARVEST.setVolatile(this, mine);
        try {
            ending().requireNotStopped();
        } catch (BlockException e) {
            mine.over();
            throw e;
        }
    }

    /** Takes what a run whose text has come to its end has left. */
    private BlockResult harvest(Block block, Harvest mine) {
        Value returned = settled(mine, callLiteral(block, mine));
        if (taken != null) {
            return taken;
        }
        if (shadows == null) {
            return take(block, mine, returned);
        }
        List<ShadowedBinding> late = shadows.late(home.scope(), mine);
        BlockResult result = take(block, mine, returned);
        shadows.tell(late);
        return result;
    }

    /** Takes what a run that ended well has left. */
    private BlockResult take(Block block, Harvest run, @Nullable Value returned) {
        callsOthers = false;
        bindings.bindAtEnd(run);
        home.realm().sweepIf(block.analysis().mayTouchGlobal());
        Object value =
                returned == null
                        ? GuestToHost.ofRaw(run.result(), home, allowance)
                        : GuestToHost.convert(returned, home);
        BlockResult result = result(block, value, run);
        if (allowance != null) {
            // A host function may have swallowed the end of the run.
            allowance.requireMore();
        }
        return result;
    }

    private BlockResult result(Block block, @Nullable Object value, Harvest run) {
        Map<String, @Nullable Object> assigned = bindings.assigned(block, run, allowance);
        return new BlockResult(
                block,
                value,
                assigned,
                bindings.toPush(block.frame(), assigned, run),
                pending(),
                shadows == null ? List.of() : shadows.hidden());
    }

    /** Returns what the run has under way beside its own code. */
    private List<Pending> pending() {
        EventLoop left = loop;
        return left == null ? List.of() : left.pending();
    }

    /** A run that was ended comes to what it has bound if whoever stopped it wants that. */
    private BlockResult endedBy(Throwable end, Block block, Harvest mine) {
        boolean byStop = end instanceof PolyglotException || end instanceof RunStopped;
        if (!byStop || signal == null || !signal.isKeeping()) {
            throw ending().of(end, block, mine).leaving(pending());
        }
        if (end instanceof PolyglotException) {
            home.realm().sweepAfterFailureIf(block.analysis().mayTouchGlobal());
        }
        return taken == null ? takeEnded(block, mine) : taken;
    }

    private RunEnding ending() {
        return new RunEnding(home, bindings, signal, allowance);
    }

    /** Takes what a run that was ended on its way has bound until then. */
    private BlockResult takeEnded(Block block, Harvest run) {
        bindings.bindMidway(run);
        return result(block, null, run);
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

    /**
     * Has a run that is to end do so in this call of the host, past all code of its own: what it
     * would be thrown, its {@code catch} or {@code finally} could take.
     */
    void endHere() {
        Harvest running = harvest;
        if (block != null && running != null) {
            home.realm().guest().stopAgain(running);
            home.realm().safepoint();
        }
    }

    /** Whether the run was stopped and is on its way out. */
    boolean isStopped() {
        return signal != null && signal.isStopped();
    }

    /** Whether the run was stopped, or has reached a limit, and is on its way out. */
    boolean isToEnd() {
        return isStopped() || (allowance != null && allowance.isToEnd());
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

    /** Takes the variables anew: the text itself was over before what was done last. */
    void refresh(Harvest mine) {
        home.realm()
                .entered(() -> {
                    mine.refresh();
                    return true;
                });
    }

    /**
     * Returns what the promise that a run came to came to itself, once it has; of anything else the
     * value that {@code returned} is, or null if that is known to the harvest.
     */
    private @Nullable Value settled(Harvest mine, @Nullable Value returned) {
        if (returned != null) {
            return Settling.isPromise(returned, home.realm())
                    ? settling(mine).ofPromise(returned)
                    : returned;
        }
        Settlement settlement = mine.settlement();
        return settlement == null ? null : settling(mine).ofText(mine, settlement);
    }

    /**
     * Returns what a function call returned, as plain Java: of a promise what it comes to, unless
     * code around the call is in the middle of something.
     */
    @Nullable Object returned(Value value) {
        boolean waits =
                !isInside() && value.hasMembers() && Settling.isPromise(value, home.realm());
        return toHost(waits ? settling(null).ofPromise(value) : value);
    }

    private Settling settling(@Nullable Harvest mine) {
        return new Settling(this, promises(), ending(), mine);
    }

    /** Whether guest code of the realm has called the host code that began the run. */
    boolean isInside() {
        return outer != null && outer.isIn(home.realm());
    }

    private boolean mayHold(String name) {
        return parameters.contains(name) || (block != null && block.analysis().mayHold(name));
    }

    private static VarHandle harvestHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(Run.class, "harvest", Harvest.class);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a field of this class was not found", e);
        }
    }
}
