package dev.blockscope.truffle;

import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import com.oracle.truffle.api.Assumption;
import com.oracle.truffle.api.CompilerDirectives;
import com.oracle.truffle.api.CompilerDirectives.CompilationFinal;
import com.oracle.truffle.api.ContextThreadLocal;
import com.oracle.truffle.api.RootCallTarget;
import com.oracle.truffle.api.ThreadLocalAction;
import com.oracle.truffle.api.TruffleSafepoint.Interrupter;
import com.oracle.truffle.api.TruffleStackTraceElement;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.instrumentation.EventBinding;
import com.oracle.truffle.api.instrumentation.EventContext;
import com.oracle.truffle.api.instrumentation.ExecutionEventNode;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.api.instrumentation.TruffleInstrument;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.interop.NodeLibrary;
import com.oracle.truffle.api.interop.UnsupportedMessageException;
import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.nodes.RootNode;
import com.oracle.truffle.api.source.Source;
import com.oracle.truffle.api.source.SourceSection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The instrument that every engine of ours carries; {@link GuestAccess} is its service. */
public final class BlockInstrument extends TruffleInstrument {
    /** The id under which a polyglot engine lists this instrument. */
    public static final String ID = "blockscope";

    private static final Duration BETWEEN_REQUESTS = Duration.ofMillis(20);

    private final ContextThreadLocal<CurrentRun> current =
            locals.createContextThreadLocal((context, thread) -> new CurrentRun());

    @Override
    protected void onCreate(Env env) {
        SourceSectionFilter bodies =
                SourceSectionFilter.newBuilder()
                        .tagIs(StandardTags.RootBodyTag.class)
                        .rootNameIs(":program"::equals)
                        .build();
        env.getInstrumenter().attachExecutionEventFactory(bodies, BlockInstrument::follow);
        env.registerService(new Access(env));
    }

    /** Whether a root is the body of a whole text, as opposed to a function written in it. */
    static boolean isProgram(@Nullable RootNode root) {
        if (root == null || !":program".equals(root.getName())) {
            return false;
        }
        SourceSection section = root.getSourceSection();
        // A method may be named ":program" too, but it never spans its whole text.
        return section == null || section.getCharLength() == section.getSource().getLength();
    }

    private static @Nullable ExecutionEventNode follow(EventContext context) {
        Node node = context.getInstrumentedNode();
        boolean internal = context.getInstrumentedSourceSection().getSource().isInternal();
        return !internal && isProgram(node.getRootNode()) ? new BodyFollower(node) : null;
    }

    /**
     * Reports a body's frame to the harvest of its run, which is the last of the body's arguments:
     * one more than the text has parameters for.
     */
    static final class BodyFollower extends ExecutionEventNode {
        private final Node body;
        @Child private NodeLibrary nodes;

        /** Whether a run of this body has ever kept its frame; most bodies are spared the cost. */
        @CompilationFinal private boolean keepsFrames;

        /** Whether a run of this body has ever had presets. */
        @CompilationFinal private boolean presets;

        BodyFollower(Node body) {
            this.body = body;
            this.nodes = insert(NodeLibrary.getFactory().create(body));
        }

        @Override
        protected void onEnter(VirtualFrame frame) {
            Harvest run = Harvest.in(frame.getArguments());
            if (run == null) {
                return;
            }
            if (run.keepsFrame() && !keepsFrames) {
                CompilerDirectives.transferToInterpreterAndInvalidate();
                keepsFrames = true;
            }
            if (run.hasPresets() && !presets) {
                CompilerDirectives.transferToInterpreterAndInvalidate();
                presets = true;
            }
            boolean begins = run.entered(body, keepsFrames ? frame.materialize() : null);
            if (presets && begins) {
                preset(run, frame);
            }
        }

        private void preset(Harvest run, VirtualFrame frame) {
            try {
                run.preset(nodes.getScope(body, frame.materialize(), true), frame.getArguments());
            } catch (UnsupportedMessageException e) {
                throw new AssertionError("a body that begins has no scope", e);
            }
        }

        @Override
        protected void onReturnValue(VirtualFrame frame, Object result) {
            ended(frame);
            Harvest run = Harvest.in(frame.getArguments());
            if (run != null) {
                run.returned(result);
            }
        }

        @Override
        protected void onReturnExceptional(VirtualFrame frame, Throwable exception) {
            ended(frame);
        }

        private void ended(VirtualFrame frame) {
            Harvest run = Harvest.in(frame.getArguments());
            if (run == null) {
                return;
            }
            try {
                Object scope = nodes.getScope(body, frame.materialize(), false);
                run.ended(scope, frame.getArguments());
            } catch (UnsupportedMessageException e) {
                run.ended(null, frame.getArguments());
            }
        }
    }

    private final class Access implements GuestAccess {
        private final Env env;
        private final Interner<Source> texts = Interners.newWeakInterner();
        private final LanguageTags tags;
        private final GlobalFollowers followers;
        private final WriteFollower.Watches writes;
        private final FunctionFollower functions;
        private final AwaitingText awaiting;
        private final Assumption uncounted = Assumption.create("no run is counted");
        private volatile boolean expectsModules;

        Access(Env env) {
            this.env = env;
            this.tags = new LanguageTags(env.getInstrumenter(), NameFinder.TAGS);
            this.followers = new GlobalFollowers(env.getInstrumenter(), tags);
            this.writes = new WriteFollower.Watches(env.getInstrumenter(), current);
            this.functions = new FunctionFollower(env.getInstrumenter(), tags, current);
            this.awaiting = new AwaitingText(env.getInstrumenter(), current);
        }

        @Override
        public ParsedText parse(String language, String file, String text, ParsePlan plan)
                throws Exception {
            Source source = sourceOf(language, file, text);
            // The nodes have a source of their own that is only equal. What is noted of the text is
            // kept as long as there is somebody who holds the one that it is noted under.
            Source key = plan.isNoted() ? texts.intern(source) : source;
            WriteFollower.Watch watch = writes.watch(key, plan.watched());
            if (plan.followsFunctions()) {
                functions.follow(key);
            }
            RootCallTarget target =
                    plan.awaits()
                            ? awaiting.parse(env, source, key, plan)
                            : runOf(source, plan).getCallTarget();
            return new ParsedText(
                    target,
                    plan.arguments(),
                    plan.presets(),
                    watch,
                    plan.awaits(),
                    plan.followsFunctions(),
                    key);
        }

        /** A text that imports has a path, which the paths of its modules are relative to. */
        private Source sourceOf(String language, String file, String text) throws IOException {
            return expectsModules && text.contains("import")
                    ? Source.newBuilder(language, env.getTruffleFile(env.getEnteredContext(), file))
                            .content(text)
                            .name(file)
                            .build()
                    : Source.newBuilder(language, text, file).cached(false).build();
        }

        @Override
        public void onModule(Runnable begun, Runnable cut) {
            ModuleFollower.attach(env.getInstrumenter(), begun, cut);
        }

        @Override
        public void expectModules() {
            expectsModules = true;
        }

        private RunRoot runOf(Source source, ParsePlan plan) throws Exception {
            RootCallTarget body =
                    (RootCallTarget) env.parse(source, plan.names().toArray(String[]::new));
            return new RunRoot(body, plan, current, functions.nothing(), uncounted);
        }

        @Override
        public void check(String language, String file, String text) throws Exception {
            env.parse(Source.newBuilder(language, text, file).cached(false).build());
        }

        @Override
        public TextNames namesOf(String language, String file, String text, String parameter)
                throws Exception {
            // Under a name of its own: visiting expands the nodes, which no program need pay for.
            // Internal, for it is no text that a tool should show.
            Source source =
                    Source.newBuilder(language, text, file + "#names")
                            .cached(false)
                            .internal(true)
                            .build();
            NameFinder finder = new NameFinder(env.getInstrumenter(), tags, parameter);
            SourceSectionFilter itsNodes = tags.nodesOf(source);
            // Attached before the parse it hears of this text's nodes; to look for them afterwards
            // would go through every text that was ever loaded.
            EventBinding<?> listening =
                    env.getInstrumenter().attachLoadSourceSectionListener(itsNodes, finder, false);
            try {
                env.parse(source, parameter);
            } catch (Exception e) {
                // As a plain script it fails under its own file's name, and never by a crash, which
                // a new.target that is parsed with parameters makes.
                check(language, file, text);
                throw e;
            } finally {
                listening.dispose();
            }
            if (text.contains("delete")) {
                followers.expectDeletes();
            }
            return finder.names();
        }

        @Override
        public boolean rehearseCalls() {
            RootCallTarget any = RootNode.createConstantNode(0).getCallTarget();
            Object call = TruffleStackTraceElement.create(null, any, null).getGuestObject();
            return InteropLibrary.getUncached().hasDeclaringMetaObject(call);
        }

        @Override
        public void onDelete(Predicate<String> listener) {
            followers.onDelete(listener);
        }

        @Override
        public void onGlobalCode(Consumer<String> begins, Runnable ended) {
            followers.onGlobalCode(begins, ended);
        }

        @Override
        public void expectGlobalCode() {
            followers.expectGlobalCode();
        }

        @Override
        public void onForeignFunction(Consumer<Object> listener) {
            functions.onForeign(listener);
        }

        @Override
        public @Nullable Object originOfInnermostCode() {
            return FunctionFollower.ofInnermostCode();
        }

        @Override
        public @Nullable Object actAs(GuestContext context, @Nullable Object origin) {
            CurrentRun here = current.get(context.context());
            Object before = here.origin;
            here.origin = origin;
            return before;
        }

        @Override
        public GuestContext here() {
            return new GuestContext(env.getEnteredContext());
        }

        @Override
        public @Nullable LiveScope caller() {
            // Outside of the context, as in a wait, the guest's variables cannot be used.
            return env.getEnteredContext() == null ? null : LiveScope.ofCall((call, place) -> true);
        }

        @Override
        public @Nullable LiveScope callWith(String file, int start, String text) {
            WrittenFunction function = new WrittenFunction(file, start, text);
            return env.getEnteredContext() == null ? null : LiveScope.ofCall(function::isIn);
        }

        @Override
        public FunctionVariables variablesAround() {
            return new FunctionVariables(env.getInstrumenter());
        }

        @Override
        public List<StoppedAt> calls(int most) {
            return env.getEnteredContext() == null ? List.of() : StoppedAt.here(null, most);
        }

        @Override
        public void stop(Stoppable work) {
            if (!work.isOver() && work.beginStopping()) {
                Future<?> first = askToStop(work);
                Thread.ofVirtual().name("blockscope-stop").start(() -> insist(work, first));
            }
        }

        @Override
        public void stopAgain(Harvest harvest) {
            // This thread comes by itself.
            var _ = askToStop(harvest);
        }

        /**
         * Asks again until the work is over: in the depth of a recursion a request may drown in an
         * overflow of the stack, which guest code can catch. One that still waits, as it does while
         * the thread is in host code, is enough.
         */
        private void insist(Stoppable work, @Nullable Future<?> first) {
            Future<?> latest = first;
            while (!work.isOver()) {
                try {
                    Thread.sleep(BETWEEN_REQUESTS);
                } catch (InterruptedException e) {
                    throw new AssertionError("nobody interrupts this thread", e);
                }
                if (latest == null || latest.isDone()) {
                    latest = askToStop(work);
                }
            }
            if (latest != null) {
                latest.cancel(false);
            }
        }

        /** Nobody waits for the answer: the thread comes by when its guest code does. */
        private @Nullable Future<?> askToStop(Stoppable work) {
            Thread thread = work.thread();
            return thread == null
                    ? null
                    : env.submitThreadLocal(
                            work.context().context(), new Thread[] {thread}, new Stop(work));
        }

        @Override
        public Meter meter(long statements, long depth) {
            if (uncounted.isValid()) {
                followMeters();
            }
            return new Meter(statements, depth);
        }

        /** Nobody pays for meters before there is one. */
        private synchronized void followMeters() {
            if (uncounted.isValid()) {
                MeterFollower.attach(env.getInstrumenter(), current);
                uncounted.invalidate();
            }
        }

        @Override
        public <T extends @Nullable Object> T following(GuestCall call, Supplier<T> action) {
            call.executedBy(Thread.currentThread());
            try {
                return counted(call.context(), call.meter(), action);
            } finally {
                call.over();
            }
        }

        @Override
        public <T extends @Nullable Object> T metered(
                GuestContext context, Meter meter, Supplier<T> action) {
            return counted(context, meter, action);
        }

        private <T extends @Nullable Object> T counted(
                GuestContext context, @Nullable Meter meter, Supplier<T> action) {
            CurrentRun here = current.get(context.context(), Thread.currentThread());
            Meter outer = here.meter;
            here.meter = meter;
            try {
                return action.get();
            } finally {
                here.meter = outer;
            }
        }

        @Override
        public <T extends @Nullable Object> T outside(Supplier<T> action) {
            return env.getEnteredContext()
                    .leaveAndEnter(null, Interrupter.THREAD_INTERRUPT, Supplier<T>::get, action);
        }
    }

    /** Throws at the next safepoint of a thread, as long as the work to stop is still there. */
    private static final class Stop extends ThreadLocalAction {
        private final Stoppable work;

        /** Made ahead: a thread in the depth of a recursion may have no stack left to make one. */
        private final RunStopped stopped = new RunStopped();

        Stop(Stoppable work) {
            super(true, false);
            this.work = work;
        }

        @Override
        protected void perform(ThreadLocalAction.Access access) {
            if (work.thread() == null) {
                return;
            }
            try {
                Meter meter = work.meter();
                Node found = access.getLocation();
                work.stoppedAt(StoppedAt.here(meter == null ? found : meter.exactly(found)));
            } catch (StackOverflowError e) {
                // Then the run's end does not say where it was.
                throw stopped;
            }
            throw stopped;
        }
    }
}
