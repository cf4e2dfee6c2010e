package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.RootCallTarget;
import com.oracle.truffle.api.ThreadLocalAction;
import com.oracle.truffle.api.TruffleSafepoint.Interrupter;
import com.oracle.truffle.api.frame.MaterializedFrame;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.instrumentation.EventContext;
import com.oracle.truffle.api.instrumentation.ExecutionEventNode;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.api.instrumentation.TruffleInstrument;
import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.nodes.RootNode;
import com.oracle.truffle.api.source.Source;
import com.oracle.truffle.api.source.SourceSection;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The instrument that every engine of ours carries; {@link GuestAccess} is its service. */
public final class BlockInstrument extends TruffleInstrument {
    /** The id under which a polyglot engine lists this instrument. */
    public static final String ID = "blockscope";

    /** The runs under way on each thread, innermost first. */
    private final ThreadLocal<Deque<Harvest>> runs = ThreadLocal.withInitial(ArrayDeque::new);

    @Override
    protected void onCreate(Env env) {
        SourceSectionFilter bodies =
                SourceSectionFilter.newBuilder()
                        .tagIs(StandardTags.RootBodyTag.class)
                        .sourceIs(source -> !source.isInternal())
                        .build();
        env.getInstrumenter().attachExecutionEventFactory(bodies, context -> follow(env, context));
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

    private @Nullable ExecutionEventNode follow(Env env, EventContext context) {
        Node node = context.getInstrumentedNode();
        return isProgram(node.getRootNode())
                ? new BodyFollower(env, node, context.getInstrumentedSourceSection().getSource())
                : null;
    }

    /** Reports a body's frame to the harvest of the run it belongs to. */
    private final class BodyFollower extends ExecutionEventNode {
        private final Env env;
        private final Node body;
        private final Source source;

        BodyFollower(Env env, Node body, Source source) {
            this.env = env;
            this.body = body;
            this.source = source;
        }

        @Override
        protected void onEnter(VirtualFrame frame) {
            entered(frame.materialize());
        }

        @Override
        protected void onReturnValue(VirtualFrame frame, Object result) {
            ended(frame.materialize());
        }

        @Override
        protected void onReturnExceptional(VirtualFrame frame, Throwable exception) {
            ended(frame.materialize());
        }

        @TruffleBoundary
        private void entered(MaterializedFrame frame) {
            Harvest run = runs.get().peek();
            if (run != null && run.isOf(source)) {
                run.entered(body, frame, env.getEnteredContext());
            }
        }

        @TruffleBoundary
        private void ended(MaterializedFrame frame) {
            Harvest run = runs.get().peek();
            if (run != null && run.isOf(source)) {
                run.ended(body, frame);
            }
        }
    }

    private final class Access implements GuestAccess {
        private final Env env;

        Access(Env env) {
            this.env = env;
        }

        @Override
        public ParsedText parse(String language, String file, String text, List<String> names)
                throws Exception {
            Source source = Source.newBuilder(language, text, file).build();
            RootCallTarget target =
                    (RootCallTarget) env.parse(source, names.toArray(String[]::new));
            return new ParsedText(target, source);
        }

        @Override
        public TextNames namesOf(String language, String file, String text, String parameter)
                throws Exception {
            // A source of its own: visiting makes the nodes expand, which a program need not pay.
            Source source = Source.newBuilder(language, text, file).cached(false).build();
            // As a plain script first: with parameters a text may be more than a script is.
            env.parse(source);
            env.parse(source, parameter);
            NameFinder finder = new NameFinder(env.getInstrumenter());
            env.getInstrumenter()
                    .visitLoadedSourceSections(
                            SourceSectionFilter.newBuilder().sourceIs(source::equals).build(),
                            finder);
            return finder.names();
        }

        @Override
        public void begin(Harvest harvest) {
            runs.get().push(harvest);
        }

        @Override
        public void end(Harvest harvest) {
            if (runs.get().pop() != harvest) {
                throw new AssertionError("runs must end in the reverse order of their beginning");
            }
        }

        @Override
        public void stop(Harvest harvest) {
            Harvest.Place place = harvest.place();
            if (place != null) {
                // Nobody waits for it: the thread comes by when its guest code does.
                var _ =
                        env.submitThreadLocal(
                                place.context(), new Thread[] {place.thread()}, new Stop(harvest));
            }
        }

        @Override
        public <T extends @Nullable Object> T outside(Supplier<T> action) {
            return env.getEnteredContext()
                    .leaveAndEnter(null, Interrupter.THREAD_INTERRUPT, Supplier<T>::get, action);
        }
    }

    /** Throws at the next safepoint of a thread, as long as the run to stop is still there. */
    private static final class Stop extends ThreadLocalAction {
        private final Harvest harvest;

        Stop(Harvest harvest) {
            super(true, false);
            this.harvest = harvest;
        }

        @Override
        protected void perform(ThreadLocalAction.Access access) {
            if (harvest.place() != null) {
                throw new RunStopped();
            }
        }
    }
}
