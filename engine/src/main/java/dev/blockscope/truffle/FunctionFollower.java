package dev.blockscope.truffle;

import com.oracle.truffle.api.Assumption;
import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.ContextThreadLocal;
import com.oracle.truffle.api.Truffle;
import com.oracle.truffle.api.frame.FrameInstance.FrameAccess;
import com.oracle.truffle.api.frame.MaterializedFrame;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.instrumentation.EventContext;
import com.oracle.truffle.api.instrumentation.ExecutionEventNode;
import com.oracle.truffle.api.instrumentation.Instrumenter;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.api.instrumentation.Tag;
import com.oracle.truffle.api.nodes.RootNode;
import com.oracle.truffle.api.object.DynamicObject;
import com.oracle.truffle.api.object.DynamicObjectLibrary;
import com.oracle.truffle.api.object.HiddenKey;
import com.oracle.truffle.api.source.Source;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Knows which run made a function, for functions that ask the global object for names: those mean
 * what they meant where the function was written, also if a run of another text calls it.
 *
 * <p>A function is given its origin when its literal is evaluated. A call of a function whose
 * origin is not the run that is under way is told; from then on the run asks, at each name, whose
 * code it is that asks. That means to look at the stack, and takes some ten microseconds, which
 * runs that call no such function are spared.
 */
final class FunctionFollower {
    private static final HiddenKey ORIGIN = new HiddenKey("origin");
    private static final Set<String> MADE_OF_STRINGS =
            Set.of(EvalFollower.FILE_OF_EVAL, "<function>");

    private final Instrumenter instrumenter;
    private final LanguageTags tags;
    private final ContextThreadLocal<CurrentRun> current;
    private final Assumption nothing =
            Truffle.getRuntime().createAssumption("no text's functions are followed");
    private final Set<Source> texts =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    private volatile Consumer<Object> onForeign = origin -> {};

    FunctionFollower(
            Instrumenter instrumenter, LanguageTags tags, ContextThreadLocal<CurrentRun> current) {
        this.instrumenter = instrumenter;
        this.tags = tags;
        this.current = current;
    }

    /** Sets who is told of a call of a function that the run under way did not make. */
    void onForeign(Consumer<Object> listener) {
        onForeign = listener;
    }

    /** Holds as long as no text is followed. */
    Assumption nothing() {
        return nothing;
    }

    /** Has the functions of a text followed. */
    void follow(Source text) {
        texts.add(text);
        synchronized (this) {
            Class<? extends Tag> literal = tags.find("LiteralTag");
            if (literal != null && nothing.isValid()) {
                nothing.invalidate();
                attach(literal);
            }
        }
    }

    private void attach(Class<? extends Tag> literal) {
        instrumenter.attachExecutionEventFactory(
                nodes(literal),
                context ->
                        "FunctionLiteral"
                                        .equals(
                                                NameFinder.describe(
                                                        context.getInstrumentedNode(),
                                                        "literalType"))
                                ? new Making()
                                : null);
        instrumenter.attachExecutionEventFactory(
                nodes(StandardTags.RootTag.class), context -> isProgram(context) ? null : call());
        // Where a generator goes on, only its body is told of.
        instrumenter.attachExecutionEventFactory(
                nodes(StandardTags.RootBodyTag.class),
                context -> isInGenerator(context) ? call() : null);
    }

    private static boolean isProgram(EventContext context) {
        return BlockInstrument.isProgram(context.getInstrumentedNode().getRootNode());
    }

    private static boolean isInGenerator(EventContext context) {
        RootNode root = context.getInstrumentedNode().getRootNode();
        return root != null && root.getClass().getSimpleName().endsWith("GeneratorRootNode");
    }

    private Call call() {
        return new Call(current, this);
    }

    private SourceSectionFilter nodes(Class<? extends Tag> tag) {
        return SourceSectionFilter.newBuilder()
                .tagIs(tag)
                .sourceIs(source ->
                        texts.contains(source) || MADE_OF_STRINGS.contains(source.getName()))
                .build();
    }

    /** Returns the origin of a function, or null if it has none. */
    static @Nullable Object originOf(@Nullable Object function) {
        return function instanceof DynamicObject object
                ? DynamicObjectLibrary.getUncached().getOrDefault(object, ORIGIN, null)
                : null;
    }

    /**
     * Returns the origin of the code that is the innermost of this thread: of the function, if it
     * has one, or else of the run whose text it is.
     */
    @TruffleBoundary
    static @Nullable Object ofInnermostCode() {
        Object found =
                Truffle.getRuntime()
                        .<@Nullable Object>iterateFrames(instance -> {
                            Object[] arguments =
                                    instance.getFrame(FrameAccess.READ_ONLY).getArguments();
                            Harvest run = Harvest.in(arguments);
                            return run == null ? originOf(functionOf(arguments)) : run;
                        });
        return found instanceof Harvest run ? run.origin() : found;
    }

    /**
     * Returns the function that is called with arguments as the language passes them: behind its
     * receiver, or, where a generator goes on, in the frame that it keeps.
     */
    private static @Nullable Object functionOf(Object[] arguments) {
        Object[] given =
                arguments.length > 0 && arguments[0] instanceof MaterializedFrame kept
                        ? kept.getArguments()
                        : arguments;
        return given.length > 1 ? given[1] : null;
    }

    /** Gives each function its origin: that of the code that makes it. */
    private static final class Making extends ExecutionEventNode {
        @Child
        private DynamicObjectLibrary objects =
                DynamicObjectLibrary.getFactory().createDispatched(3);

        @Override
        protected void onReturnValue(VirtualFrame frame, @Nullable Object result) {
            if (result instanceof DynamicObject function) {
                Object[] arguments = frame.getArguments();
                Harvest run = Harvest.in(arguments);
                Object origin = run == null ? originOf(functionOf(arguments)) : run.origin();
                if (origin == null && run == null) {
                    origin = ofInnermostCode();
                }
                if (origin != null) {
                    objects.put(function, ORIGIN, origin);
                }
            }
        }

        private @Nullable Object originOf(@Nullable Object function) {
            return function instanceof DynamicObject object
                    ? objects.getOrDefault(object, ORIGIN, null)
                    : null;
        }
    }

    /** Tells of calls of functions that the run under way did not make. */
    private static final class Call extends ExecutionEventNode {
        private final ContextThreadLocal<CurrentRun> current;
        private final FunctionFollower follower;

        @Child
        private DynamicObjectLibrary objects =
                DynamicObjectLibrary.getFactory().createDispatched(3);

        Call(ContextThreadLocal<CurrentRun> current, FunctionFollower follower) {
            this.current = current;
            this.follower = follower;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // a run has one origin
        protected void onEnter(VirtualFrame frame) {
            if (functionOf(frame.getArguments()) instanceof DynamicObject function) {
                Object origin = objects.getOrDefault(function, ORIGIN, null);
                if (origin != null && origin != current.get().origin) {
                    tell(origin);
                }
            }
        }

        @TruffleBoundary
        private void tell(Object origin) {
            follower.onForeign.accept(origin);
        }
    }
}
