package dev.blockscope;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.MapMaker;
import dev.blockscope.truffle.GuestAccess;
import dev.blockscope.truffle.TextNames;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.io.IOAccess;
import org.jspecify.annotations.Nullable;

/**
 * Captures blocks and owns all that running them takes.
 *
 * {@snippet :
 * try (BlockEngine engine = BlockEngine.create()) {
 *     Map<String, Object> locals = new HashMap<>(Map.of("price", 3, "quantity", 4));
 *     Block block = engine.capture("total = price * quantity", Frame.of(locals));
 *     block.run();
 *     locals.get("total"); // 12
 * }
 * }
 *
 * <p>An engine may be used from many threads. What blocks return and push is plain Java and
 * outlives it; functions that blocks made do not.
 *
 * @since 0.1
 */
public final class BlockEngine implements AutoCloseable {
    /** How many threads blocks in step may hold at once. */
    private static final int THREADS = 512;

    /** What whoever waits for a run is told when the engine has closed meanwhile. */
    static final String CLOSED = "the engine was closed";

    /** How long a closing engine waits for host code that a block is in. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Dialect dialect;
    private final Engine engine;
    private final GuestAccess guest;
    private final Realm analyst;
    private final GuestRuntime runtime;
    private final ParsedTexts texts = new ParsedTexts();
    private final Realms realms;
    private final Watch watch = new Watch();
    private final StopSignal closing = new StopSignal();
    private final Overdue overdue = new Overdue();

    /** By their copies; held by the frames whose they are. */
    private final ConcurrentMap<Object, GuestObject> objects =
            new MapMaker().weakKeys().weakValues().makeMap();

    private final BlockThreads threads;
    private final RunSettings settings;
    private final Trust trust;
    private final @Nullable Shadowing shadowing;
    private final @Nullable Consumer<? super BlockEvent> listener;
    private final @Nullable ModuleResolver modules;
    private volatile boolean closed;

    private BlockEngine(Dialect dialect, Engine engine, Builder builder) {
        this.dialect = dialect;
        this.settings = builder.settings;
        this.trust = builder.trust;
        this.realms = new Realms(this::newRealmIfOpen, builder.mostContexts);
        this.shadowing = builder.shadowing;
        this.listener = builder.listener;
        this.threads = new BlockThreads(builder.threadContext, builder.threads);
        this.modules = builder.modules;
        this.engine = engine;
        this.guest = Installation.guestOf(engine);
        guest.onModule(Run::moduleLoaded, Run::moduleCut);
        if (modules != null) {
            guest.expectModules();
        }
        guest.onDelete(Run::deleted);
        guest.onForeignFunction(Run::entersFunction);
        guest.onGlobalCode(Run::globalCodeBegins, Run::globalCodeEnded);
        this.analyst = Installation.working(this::newRealm);
        BlockSource primer = new BlockSource(dialect.id(), dialect.primer(), "primer", 1, 1);
        Installation.working(() -> analyst.namesOf(primer));
        analyst.rehearse();
        this.runtime = GuestRuntime.of(engine);
    }

    /**
     * Creates an engine; the same as {@code builder().build()}. Its blocks reach nothing of the
     * host, but <strong>nothing limits what they take</strong>: for code of others write {@code
     * builder().limits(Limits.UNTRUSTED).build()}.
     *
     * @throws IllegalStateException if GraalVM, the guest language or our instrument cannot be
     *     found or do not fit each other
     */
    public static BlockEngine create() {
        return builder().build();
    }

    /** Returns a builder of an engine that does what {@link #create} does, unless told more. */
    public static Builder builder() {
        return new Builder();
    }

    /** Creates an engine for another language. */
    static BlockEngine of(Dialect dialect) {
        return new BlockEngine(dialect, Installation.engineOf(dialect.id()), new Builder());
    }

    /**
     * Captures a text in a frame, as a file of its own.
     *
     * @throws BlockException if the text does not parse
     * @throws IllegalArgumentException if the frame's locals have a null name
     * @throws IllegalStateException if the engine is closed
     */
    public Block capture(String text, Frame frame) {
        FrameCode code = frame.code();
        return capture(
                new BlockSource(dialect.id(), text, code.file(), code.firstLine(), 1), frame);
    }

    /**
     * Captures a text in a frame: parses it and takes a snapshot of the frame's locals.
     *
     * @throws BlockException if the text does not parse, with the place; nothing runs
     * @throws IllegalArgumentException if the engine does not have the language, or the frame's
     *     locals have a null name
     * @throws IllegalStateException if the engine is closed
     */
    public Block capture(BlockSource source, Frame frame) {
        requireNonNull(frame, "frame");
        return observed(() -> new Block(this, source, frame, checked(source)));
    }

    /**
     * Captures a text with values of its own instead of the frame's locals, as a block that comes
     * from elsewhere has them.
     *
     * @param snapshot the names that the block begins with; copied, not deeply
     * @throws BlockException if the text does not parse, with the place; nothing runs
     * @throws IllegalArgumentException if the engine does not have the language, or the snapshot
     *     has a null name
     * @throws IllegalStateException if the engine is closed
     */
    public Block capture(
            BlockSource source, Frame frame, Map<String, ? extends @Nullable Object> snapshot) {
        requireNonNull(frame, "frame");
        return observed(() -> new Block(this, source, frame, checked(source), snapshot));
    }

    /**
     * Captures a function literal in a script as a block: {@code trace(() => { vec = f(x) })}. Call
     * it inside the host function that the script passes the literal to, with the function as the
     * host function was given it.
     *
     * <p>The block's frame is the live frame of the line on which the literal is written, as {@link
     * Frame#caller} gives it. A run calls the literal: what it declares is its own, what it assigns
     * to names of its line is pushed, and the block's value is what it returns.
     *
     * {@snippet :
     * Consumer<GuestFunction> trace = literal -> blocks.add(engine.capture(literal));
     * }
     *
     * @param literal an arrow function or a function expression that is an argument of the call
     * @param arguments what the literal's parameters are given at each run, converted as names are;
     *     those left out are undefined
     * @throws BlockException if the literal cannot stand by itself, as with {@code super}
     * @throws IllegalArgumentException if it is async, a generator, a method, bound, or not written
     *     in a script, or uses a {@code this} that a block cannot have
     * @throws IllegalStateException if the engine is closed, or the script is not in the call that
     *     the literal is written in
     */
    public Block capture(GuestFunction literal, @Nullable Object... arguments) {
        requireNonNull(literal, "literal");
        requireOpen();
        Literal found = literal.literal(this, arguments);
        return new Block(this, found, analysisOf(found.source()));
    }

    /**
     * Begins to observe something that is done with a block, for those who bring the engine
     * together with other worlds. Returns null if nobody watches.
     */
    public @Nullable Observation observe(BlockEvent.Kind kind) {
        return Observation.of(listener, kind);
    }

    /** Whether anybody may watch what is done with blocks. */
    boolean isWatched() {
        return Observation.mayBe(listener);
    }

    private Block observed(Supplier<Block> capture) {
        Observation observation = observe(BlockEvent.Kind.CAPTURE);
        Block block = capture.get();
        if (observation != null) {
            observation.end(block.source(), "");
        }
        return block;
    }

    /**
     * Returns an executor of threads that blocks may wait on: platform threads, made when needed,
     * kept for a while, and ended when the engine closes: then a task is rejected.
     */
    public Executor threads() {
        return threads;
    }

    /**
     * Runs a task on one of these threads.
     *
     * @throws IllegalStateException if the engine is closed
     */
    void start(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            throw closedException();
        }
    }

    /**
     * Leases threads on which so many tasks can run at once and wait for each other. If others hold
     * too many, it waits; on a thread of an engine it does not, since that wait might never end.
     *
     * @throws IllegalArgumentException if {@code count} is negative
     * @throws IllegalStateException if the engine may not use as many {@linkplain Builder#threads
     *     threads}, or on a thread of an engine, if as many are not free, or if the engine is
     *     closed
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public ThreadLease lease(int count) throws InterruptedException {
        requireOpen();
        checkArgument(count >= 0, "%s threads are to be leased, expected 0 or more", count);
        return threads.lease(count);
    }

    /**
     * Stops a signal when the engine closes, for whoever holds blocks in the middle of their runs:
     * a block that waits for its turn outside of its guest context does not hear of the close by
     * itself. A signal that nobody else holds is forgotten. If the engine is closed already, the
     * signal is stopped at once.
     */
    public void stopAtClose(StopSignal signal) {
        closing.adopt(requireNonNull(signal, "signal"));
    }

    /** Whether {@link #close} was called. */
    boolean isClosed() {
        return closed;
    }

    /** Returns the number of threads that are leased. */
    public int leasedThreads() {
        return threads.leased();
    }

    /**
     * Returns the number of guest contexts that are open for blocks: as many as runs were under way
     * at once, of which at most four for each processor are kept for the next runs, and one for
     * each frame in which something lives on, such as an object that its blocks share.
     */
    public int openContexts() {
        return realms.size();
    }

    /** Returns whether guest code is compiled to machine code. */
    public boolean isCompiled() {
        return runtime.isCompiled();
    }

    /**
     * Returns the number of runs that were stopped, whose callers have gone on, and that have not
     * ended yet: they are in host functions that ignore interrupts, or in a builtin that nothing
     * can stop. Each has a thread and a guest context until it comes back to guest code.
     */
    public int overdueRuns() {
        return overdue.count();
    }

    /** Returns how far the engine's blocks are trusted. */
    public Trust trust() {
        return trust;
    }

    /**
     * Returns the runtime in one line: its name, its version, and whether it compiles. The first
     * engine of a JVM also tells the SLF4J logger {@code dev.blockscope.runtime}, as information.
     */
    public String runtime() {
        return runtime.text();
    }

    /**
     * Ends every block that runs and frees everything. Closing twice does nothing. A block that was
     * running fails as cancelled. One that is inside a host function is waited for one second; if
     * that is not enough, what it holds is freed when the function returns.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        // Whoever waits in the middle of a block would wait for ever, and the context for them.
        closing.stop(CLOSED);
        watch.close();
        if (!realms.isBusy()) {
            free();
            threads.close(PATIENCE);
            return;
        }
        // The context waits for host code that a block is in, and the caller must not.
        Thread closer = Thread.ofPlatform().daemon().name("blockscope-close").start(this::free);
        try {
            closer.join(PATIENCE);
            threads.close(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void free() {
        realms.close();
        analyst.close();
        engine.close(true);
    }

    Watch watch() {
        return watch;
    }

    Overdue overdue() {
        return overdue;
    }

    GuestAccess guest() {
        return guest;
    }

    IllegalStateException closedException() {
        return new IllegalStateException("the engine is closed; create another one");
    }

    Realms realms() {
        return realms;
    }

    private Realm newRealmIfOpen() {
        requireOpen();
        return newRealm();
    }

    private Realm newRealm() {
        Context.Builder context =
                Context.newBuilder(dialect.id())
                        .engine(engine)
                        .allowExperimentalOptions(true)
                        .options(dialect.options(trust));
        trust.applyTo(context);
        if (modules != null) {
            context.allowIO(IOAccess.newBuilder().fileSystem(new ModuleFiles(modules)).build());
        }
        Context fresh = context.build();
        boolean made = false;
        try {
            Realm realm = new Realm(this, dialect, fresh, guest);
            made = true;
            return realm;
        } finally {
            if (!made) {
                fresh.close(true);
            }
        }
    }

    private Analysis checked(BlockSource source) {
        requireNonNull(source, "source");
        requireOpen();
        checkArgument(
                source.language().equals(dialect.id()),
                "the language of %s is \"%s\"; this engine runs \"%s\"",
                source,
                source.language(),
                dialect.id());
        return analysisOf(source);
    }

    Analysis analysisOf(BlockSource source) {
        return texts.analysis(source, () -> analyst.exclusively(() -> analyse(source)));
    }

    /**
     * Calls a method of an object that a block of a {@linkplain Frame#ofNamespace namespace} has
     * handed out as a map, or of a function. It is the block's own object that the method sees as
     * {@code this}, not the map, which is a copy.
     *
     * @param object a map that came out of a run or a call, or of the frame's variables; or a
     *     {@link GuestFunction}
     * @throws NoSuchMethodException if the object has no such method
     * @throws IllegalArgumentException if it is no such object of this engine
     * @throws BlockException if the method throws
     * @throws IllegalStateException if the engine is closed
     */
    public @Nullable Object invoke(Object object, String method, @Nullable Object... arguments)
            throws NoSuchMethodException {
        requireNonNull(method, "method");
        return objectOf(object).invoke(method, arguments);
    }

    /**
     * Returns whether an object that {@link #invoke} takes has a method.
     *
     * @throws IllegalArgumentException if it is no such object of this engine
     * @throws IllegalStateException if the engine is closed
     */
    public boolean hasMethod(Object object, String method) {
        return objectOf(object).has(requireNonNull(method, "method"));
    }

    private GuestObject objectOf(Object object) {
        GuestObject known =
                requireNonNull(object, "object") instanceof GuestFunction function
                        ? function.object()
                        : objects.get(object);
        checkArgument(
                known != null && known.home().realm().engine() == this,
                "a %s is no object of a block of this engine that has methods; only the very map that came out of a namespace stands for one",
                object.getClass().getTypeName());
        return known;
    }

    void keepObject(Object copy, GuestObject object) {
        objects.put(copy, object);
    }

    /** Returns the words of a text of this engine. */
    Set<String> wordsOf(BlockSource source) {
        return analysisOf(source).words();
    }

    private Analysis analyse(BlockSource source) {
        TextNames plain = dialect.plainNamesOf(source.text());
        TextNames names = plain == null ? analyst.namesOf(source) : plain;
        Analysis analysis =
                new Analysis(
                        dialect,
                        source.text(),
                        names,
                        name ->
                                analyst.exclusively(
                                        () -> analyst.parsesWith(source, name, names.awaits())));
        if (analysis.mayTouchGlobal()) {
            guest.expectGlobalCode();
        }
        return analysis;
    }

    private void requireOpen() {
        if (closed) {
            throw closedException();
        }
    }

    /** Returns what is known of the texts that the engine has seen. */
    ParsedTexts texts() {
        return texts;
    }

    /** Returns the engine that tools attach to. */
    Engine polyglot() {
        return engine;
    }

    /** Returns how blocks run that are told nothing else. */
    RunSettings settings() {
        return settings;
    }

    /** Returns what finds hidden bindings, or null if nobody wants to know. */
    @Nullable Shadowing shadowing() {
        return shadowing;
    }

    /**
     * The settings of an engine. Without any it trusts blocks with nothing but their frame, lets
     * them run until they end, and reports nothing.
     *
     * @since 0.1
     */
    public static final class Builder {
        private RunSettings settings = RunSettings.DEFAULT;
        private Trust trust = Trust.UNTRUSTED;
        private int mostContexts = Integer.MAX_VALUE;
        private @Nullable Shadowing shadowing;
        private @Nullable Consumer<? super BlockEvent> listener;
        private ThreadContext threadContext = ThreadContext.mdc();
        private int threads = THREADS;
        private @Nullable ModuleResolver modules;

        private Builder() {}

        /**
         * Has a listener told of each capture, run, wait, visit, push and error, with how long it
         * took, on the thread that did it and when it is done. What the listener throws comes out
         * there.
         */
        public Builder onEvent(Consumer<? super BlockEvent> listener) {
            this.listener = requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Sets what of the caller's thread the threads that run its blocks have too, instead of
         * {@link ThreadContext#mdc}.
         */
        public Builder threadContext(ThreadContext context) {
            this.threadContext = requireNonNull(context, "context");
            return this;
        }

        /**
         * Sets how many threads blocks in step may hold at once, instead of 512: one for each block
         * of each trace that runs.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder threads(int most) {
            checkArgument(most > 0, "the engine may use %s threads, expected at least 1", most);
            this.threads = most;
            return this;
        }

        /** Sets how far the engine's blocks are trusted, instead of {@link Trust#UNTRUSTED}. */
        public Builder trust(Trust trust) {
            this.trust = requireNonNull(trust, "trust");
            return this;
        }

        /**
         * Sets how many guest contexts may be open at once; see {@link BlockEngine#openContexts}. A
         * run that needs one more fails with {@link Limit#CONTEXTS}, and nothing waits for one.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder contexts(int most) {
            checkArgument(
                    most > 0, "the limit of contexts is %s, expected a positive number", most);
            this.mostContexts = most;
            return this;
        }

        /**
         * Sets what a run may take of each block that the engine captures, instead of {@link
         * Limits#NONE}; {@link Block#within} changes that for one block. {@link Limits#UNTRUSTED}
         * sets all that there are.
         */
        public Builder limits(Limits limits) {
            this.settings = settings.within(requireNonNull(limits, "limits"));
            return this;
        }

        /**
         * Has tracebacks keep every entry, those of the JVM and of the libraries too, to find out
         * what happens between the user's lines. The system property {@code blockscope.debug},
         * looked at when an error is raised, does the same for all engines.
         */
        public Builder debug(boolean everything) {
            this.settings = settings.debugging(everything);
            return this;
        }

        /**
         * Has a listener told whenever a block reads a name of its own although a sibling has bound
         * that name since: after the block's capture, or, while the block waited, after its run
         * began. That is how a scope works, and often not what was meant.
         *
         * <p>The listener is called on the thread that runs the block, before the run and after one
         * that ended well, at most once for each binding in each run. What it throws comes out of
         * the run, which then pushes nothing. Without a listener nothing is looked for.
         */
        public Builder onShadowed(Consumer<? super ShadowedBinding> listener) {
            this.shadowing = new Shadowing(requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Has a listener told what blocks say with {@code console} and {@code print}. Without one
         * it goes to the SLF4J logger {@code dev.blockscope.output}, at the level it was said at. A
         * block may have a {@linkplain Block#withOutput listener of its own}.
         */
        public Builder output(OutputListener listener) {
            settings = settings.saying(requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Gives blocks modules to {@code import()}. Without it there are none.
         *
         * <p>A frame whose block has imported a module keeps its guest context, in which the module
         * lives on: its siblings import the same one, and nobody else does.
         */
        public Builder modules(ModuleResolver resolver) {
            modules = requireNonNull(resolver, "resolver");
            return this;
        }

        /**
         * Creates the engine.
         *
         * @throws IllegalStateException if GraalVM, the guest language or our instrument cannot be
         *     found or do not fit each other
         */
        public BlockEngine build() {
            // What is missing is told before the language is looked at.
            Engine engine = Installation.engineOf(BlockSource.JAVASCRIPT);
            return new BlockEngine(new JavaScript(), engine, this);
        }
    }
}
