package dev.blockscope;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A captured block: text, the place it was written at, its frame, and a snapshot of the frame's
 * locals. It runs any number of times, each time from its snapshot.
 *
 * <p>A block may be run from many threads. Blocks of one frame take turns; blocks of different
 * frames do not wait for each other.
 *
 * @since 0.1
 */
public final class Block {
    private final BlockEngine engine;
    private final BlockSource source;
    private final Frame frame;
    private final Analysis analysis;
    private final Map<String, @Nullable Object> guestSnapshot;
    private final List<String> parameters;
    private final List<String> unresolved;

    /** When it was captured, as the shared locals count; 0 unless someone asks what it hides. */
    private final long captured;

    private final RunSettings settings;

    /** What the function that the text is will be called with; null if the text is the block. */
    private final @Nullable List<@Nullable Object> arguments;

    private volatile @Nullable PreparedRun last;

    /** Whether a run may be one that ends at once whatever its names hold. */
    private volatile boolean mayEndByItself;

    /** The part of the snapshot that outlives a run; null as long as none needs it. */
    private volatile @Nullable Map<String, @Nullable Object> nameable;

    Block(BlockEngine engine, BlockSource source, Frame frame, Analysis analysis) {
        this(engine, source, frame, analysis, null, frame.captured());
    }

    /** Creates a block of a snapshot that is not its frame's. */
    Block(
            BlockEngine engine,
            BlockSource source,
            Frame frame,
            Analysis analysis,
            Map<String, ? extends @Nullable Object> snapshot) {
        this(engine, source, frame, analysis, null, new LinkedHashMap<>(snapshot));
    }

    /** Creates a block that is a function literal. */
    Block(BlockEngine engine, Literal literal, Analysis analysis) {
        this(
                engine,
                literal.source(),
                literal.frame(),
                analysis,
                literal.arguments(),
                literal.frame().captured());
    }

    /**
     * Creates a block.
     *
     * @param snapshot a map that takes null for a name, and that nobody changes any more
     */
    private Block(
            BlockEngine engine,
            BlockSource source,
            Frame frame,
            Analysis analysis,
            @Nullable List<@Nullable Object> arguments,
            Map<String, @Nullable Object> snapshot) {
        this.engine = engine;
        this.source = source;
        this.frame = frame;
        this.analysis = analysis;
        this.captured = engine.shadowing() == null ? 0 : frame.shared().watch();
        this.guestSnapshot = Collections.unmodifiableMap(snapshot);
        checkArgument(
                !guestSnapshot.containsKey(null),
                "the locals of the frame have a null name; names are text");
        this.parameters =
                frame.parametersAmong(analysis.parametersFor(guestSnapshot.keySet()), analysis);
        this.unresolved = analysis.freeExcept(parameters);
        this.settings = engine.settings();
        this.arguments = arguments;
        this.mayEndByItself = arguments == null;
    }

    /** Creates the same block with other settings. */
    private Block(Block block, RunSettings settings) {
        this.engine = block.engine;
        this.source = block.source;
        this.frame = block.frame;
        this.analysis = block.analysis;
        this.captured = block.captured;
        this.guestSnapshot = block.guestSnapshot;
        this.parameters = block.parameters;
        this.unresolved = block.unresolved;
        this.last = block.last;
        this.mayEndByItself = block.mayEndByItself;
        this.settings = settings;
        this.arguments = block.arguments;
    }

    /**
     * Returns this block, with the same snapshot, limited to push some names: what else it assigns
     * is shared with its siblings and shown by {@link BlockResult#bindings}, but never written to
     * the frame. This block is not changed. A limit can only be made narrower: of names this block
     * may not push, the new one may push none either.
     *
     * @param names what it may push, any text; a name that a run does not assign is not pushed, and
     *     no names at all mean that nothing is
     */
    public Block pushOnly(String... names) {
        return new Block(this, settings.pushingOnly(Set.copyOf(Arrays.asList(names))));
    }

    /**
     * Returns this block, with the same snapshot, held to other limits: each of its runs may take
     * as much and no more. This block is not changed.
     */
    public Block within(Limits limits) {
        return new Block(this, settings.within(requireNonNull(limits, "limits")));
    }

    /** Returns what a run of this block may take. */
    public Limits limits() {
        return settings.limits();
    }

    /**
     * Returns this block, with the same snapshot, and what it says told to a listener. This block
     * is not changed.
     */
    public Block withOutput(OutputListener listener) {
        return new Block(this, settings.saying(requireNonNull(listener, "listener")));
    }

    /** Returns who hears what a run of this block says. */
    public OutputListener output() {
        return settings.output();
    }

    /**
     * Returns the result of a run that took place elsewhere, and lets the block's siblings see what
     * it assigned; {@link BlockResult#push} may follow.
     *
     * @param value the value of the run
     * @param bindings the names that it assigned with their values, in their order
     */
    public BlockResult resultOf(
            @Nullable Object value, Map<String, ? extends @Nullable Object> bindings) {
        BlockResult result = resultOfTrace(value, bindings);
        result.bindings().forEach(frame.shared()::put);
        return result;
    }

    /**
     * Returns the result of a run that took place elsewhere as a part of a trace; {@link
     * BlockResult#push} may follow. What blocks bind for each other in a trace is gone when the
     * trace has ended, so the block's siblings see none of it.
     *
     * @param value the value of the run
     * @param bindings the names that it assigned with their values, in their order
     */
    public BlockResult resultOfTrace(
            @Nullable Object value, Map<String, ? extends @Nullable Object> bindings) {
        Map<String, @Nullable Object> assigned =
                Collections.unmodifiableMap(new LinkedHashMap<>(bindings));
        return new BlockResult(this, value, assigned, assigned, List.of(), List.of());
    }

    /**
     * Runs the block and pushes what it assigned into its frame.
     *
     * @throws BlockException if the block fails; then nothing is pushed
     * @throws PushException if the frame refuses a name
     * @throws IllegalStateException if the engine is closed
     */
    public BlockResult run() {
        try {
            BlockResult result = evaluate();
            result.push();
            return result;
        } catch (BlockException e) {
            frame.failed(this, e);
            throw e;
        }
    }

    /**
     * Runs the block on a {@linkplain BlockEngine#threads thread of the engine} and pushes what it
     * assigned into its frame. Cancelling the future stops the block, which then pushes nothing.
     *
     * @return the run's result, or what {@link #run} would throw
     */
    public CompletableFuture<BlockResult> runAsync() {
        return AsyncRun.of(this);
    }

    /**
     * Runs the block without a push; {@link BlockResult#push} may follow.
     *
     * @throws BlockException if the block fails
     * @throws IllegalStateException if the engine is closed
     */
    public BlockResult evaluate() {
        return evaluated(null);
    }

    /**
     * Runs the block without a push, until {@code signal} stops it.
     *
     * <p>Such a run mostly takes place on a thread of the engine while the caller waits, so that
     * the caller is free soon after the stop whatever the block does: host functions are then
     * called on that thread.
     *
     * @throws BlockException if the block fails or is stopped
     * @throws IllegalStateException if the engine is closed
     */
    public BlockResult evaluate(StopSignal signal) {
        return evaluated(requireNonNull(signal, "signal"));
    }

    private BlockResult evaluated(@Nullable StopSignal signal) {
        return engine.isWatched() ? observed(() -> limited(signal)) : limited(signal);
    }

    /** Runs on this thread, for whoever attends the run sees to it that nobody waits too long. */
    BlockResult attended(StopSignal signal, Allowance allowance, Runnable toEnd) {
        return engine.isWatched()
                ? observed(() -> inTime(signal, allowance, toEnd))
                : inTime(signal, allowance, toEnd);
    }

    private BlockResult inTime(StopSignal signal, Allowance allowance, Runnable toEnd) {
        return Limits.obeying(
                allowance,
                _ -> {
                    if (!settings.limits().areWatched()) {
                        return inTurn(signal, allowance);
                    }
                    try (var _ = engine.watch().over(allowance, toEnd)) {
                        return inTurn(signal, allowance);
                    }
                });
    }

    private BlockResult observed(Supplier<BlockResult> evaluation) {
        Observation run = engine.observe(BlockEvent.Kind.RUN);
        Observation failure = engine.observe(BlockEvent.Kind.ERROR);
        BlockResult result;
        try {
            result = evaluation.get();
        } catch (BlockException e) {
            if (failure != null) {
                failure.end(source, String.valueOf(e.getMessage()));
            }
            throw e;
        }
        if (run != null) {
            run.end(source, "");
        }
        return result;
    }

    private BlockResult limited(@Nullable StopSignal signal) {
        Limits limits = settings.limits();
        if (signal == null && limits.areNone()) {
            return inTurn(null, null);
        }
        boolean held = signal != null || limits.areWatched();
        if (held && mayEndByItself && analysis.endsByItself()) {
            try {
                return Limits.obeying(
                        Allowance.unguarded(limits, engine.guest(), source, signal),
                        allowance -> inTurn(signal, allowance));
            } catch (GuardNeededException e) {
                mayEndByItself = false;
            }
        }
        return limits.held(engine, source, signal, allowance -> inTurn(signal, allowance));
    }

    private Realm begin(Tenancy tenancy, Frame tenant) {
        try {
            return tenancy.begin(tenant);
        } catch (LimitException e) {
            throw BlockException.ofLimit(e.limit(), List.of(), source, List.of());
        }
    }

    private BlockResult inTurn(@Nullable StopSignal signal, @Nullable Allowance allowance) {
        Frame tenant = frame.tenant(engine);
        Tenancy tenancy = tenant.tenancy(engine);
        while (true) {
            Realm realm = begin(tenancy, tenant);
            try {
                return allowance == null
                        ? realm.exclusively(() -> Run.of(this, realm, signal, null))
                        : realm.inTurn(allowance, () -> Run.of(this, realm, signal, allowance));
            } catch (LostRealmException e) {
                if (!e.isOf(realm)) {
                    throw e;
                }
                // The frame gets another one.
            } finally {
                tenancy.end(tenant, realm);
            }
        }
    }

    /** Returns the engine that captured the block. */
    public BlockEngine engine() {
        return engine;
    }

    /** Returns the text and its place. */
    public BlockSource source() {
        return source;
    }

    /**
     * Whether the block is a function literal of a script: it is called, and its variables are
     * those of the line that it is written on.
     */
    public boolean isLiteral() {
        return arguments != null;
    }

    /** Returns the frame the block was captured in. */
    public Frame frame() {
        return frame;
    }

    /**
     * Returns the frame's locals as they were when the block was captured.
     *
     * @throws IllegalStateException if the frame is guest code's and its engine is closed
     */
    public Map<String, @Nullable Object> snapshot() {
        return frame.plain(guestSnapshot);
    }

    /**
     * Returns the names that the text reads from outside itself, in the order of the text, whether
     * anything binds them or not: names that it only assigns are not among them, names in its
     * functions are. A text with a direct {@code eval} may read any name, and so may one that gets
     * hold of the global object as far as the name occurs in it; then every such name of the
     * snapshot and of the shared locals counts.
     */
    public Set<String> reads() {
        Set<String> candidates = new LinkedHashSet<>(guestSnapshot.keySet());
        candidates.addAll(frame.shared().names());
        return analysis.reads(source.text(), candidates);
    }

    /** Returns the same as the engine has it: guest code's own values are {@link Slot}s. */
    Map<String, @Nullable Object> guestSnapshot() {
        return guestSnapshot;
    }

    /** Returns the part of the snapshot that code of this block can come by. */
    Map<String, @Nullable Object> nameable() {
        Map<String, @Nullable Object> known = nameable;
        if (known == null) {
            Map<String, @Nullable Object> named = new LinkedHashMap<>();
            guestSnapshot.forEach((name, value) -> {
                if (analysis.mayName(name)) {
                    named.put(name, value);
                }
            });
            known = Collections.unmodifiableMap(named);
            nameable = known;
        }
        return known;
    }

    /** Returns a scope as a run of this block begins with: the snapshot over shared and globals. */
    Scope newScope() {
        return Scope.over(guestSnapshot, frame.shared(), frame.globals());
    }

    /** Returns where what a run of this block makes lives. */
    Home homeIn(Realm realm, Scope scope) {
        return new Home(realm, scope, source, frame, settings);
    }

    /** Writes what a run assigned into the frame, as far as the block may push it. */
    void push(Map<String, @Nullable Object> bindings) {
        Observation push = engine.observe(BlockEvent.Kind.PUSH);
        Map<String, @Nullable Object> pushed = settings.pushed(bindings);
        try {
            frame.push(pushed);
        } catch (PushException e) {
            throw e.at(placeOf(e.name()));
        }
        frame.ended(this, bindings.keySet());
        if (push != null) {
            push.end(source, String.join(", ", pushed.keySet()));
        }
    }

    /** Returns where the text assigns a name last, or the text as a whole if it does nowhere. */
    Traceback.Entry placeOf(String name) {
        return Tracebacks.entryAt(source, source.text().length() - analysis.lastAssignmentOf(name));
    }

    /** Returns the last statement of the text's top level, which mostly makes what it comes to. */
    Traceback.Entry placeOfValue() {
        return Tracebacks.entryAt(source, source.text().length() - analysis.lastStatement());
    }

    /** Returns how the block is to run. */
    RunSettings settings() {
        return settings;
    }

    /** Returns the moment of the capture, as the shared locals count. */
    long captured() {
        return captured;
    }

    Analysis analysis() {
        return analysis;
    }

    /** Returns what a run calls its text's value with, or null if the text is all there is. */
    @Nullable List<@Nullable Object> arguments() {
        return arguments;
    }

    /** Returns the text's free names that are not parameters whatever surrounds the block. */
    List<String> unresolved() {
        return unresolved;
    }

    /**
     * Returns the parsed text for a realm. A block mostly runs in one realm and with the same
     * parameters, so the last program is kept at hand.
     *
     * @param resolved the parameters beyond the block's own
     */
    PreparedRun prepared(Realm realm, Set<String> resolved) {
        PreparedRun prepared = last;
        if (prepared == null || !prepared.fits(realm, resolved)) {
            List<String> names = parameters;
            if (!resolved.isEmpty()) {
                names = new ArrayList<>(parameters);
                names.addAll(resolved);
            }
            Program program = realm.program(source, names, analysis);
            prepared = PreparedRun.of(this, program, resolved);
            last = prepared;
        }
        return prepared;
    }

    @Override
    public String toString() {
        return "Block[" + source + "]";
    }
}
