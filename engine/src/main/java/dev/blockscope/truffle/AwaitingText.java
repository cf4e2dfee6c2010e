package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.ContextThreadLocal;
import com.oracle.truffle.api.RootCallTarget;
import com.oracle.truffle.api.exception.AbstractTruffleException;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.instrumentation.EventContext;
import com.oracle.truffle.api.instrumentation.ExecutionEventNode;
import com.oracle.truffle.api.instrumentation.Instrumenter;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.api.instrumentation.TruffleInstrument;
import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.nodes.RootNode;
import com.oracle.truffle.api.source.Source;
import com.oracle.truffle.api.source.SourceSection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Texts whose own top level waits with {@code await}, which no script may: such a text is parsed as
 * the body of an async function whose parameters are its names.
 *
 * <p>The language can be given text to put around a source, as its Node variant does, and counts
 * positions from the source's own first character. So places stay exact. What an async function
 * does not have is a script's value, the value of its last statement; it is noted as the statements
 * of the top level come by.
 */
final class AwaitingText {
    /** Tells the language's parser that the next names are texts to put around the source. */
    private static final String AROUND = "%NODE_ENV_PARSE_TOKEN%";

    static final String ARROW = ":=>";

    /** What a statement begins with that has no value, or whose statements' values do not count. */
    private static final Pattern NO_VALUE =
            Pattern.compile(
                    "^(?:let|const|var|class|function|async\\s+function|for|while|do|if|else|try|switch|with|\\{)(?:\\b|(?<=\\{))");

    private static final Pattern LOOP = Pattern.compile("^(?:for|while|do)\\b");

    private final Instrumenter instrumenter;
    private final ContextThreadLocal<CurrentRun> current;
    private final Set<Source> sources =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    private final AtomicBoolean attached = new AtomicBoolean();

    AwaitingText(Instrumenter instrumenter, ContextThreadLocal<CurrentRun> current) {
        this.instrumenter = instrumenter;
        this.current = current;
    }

    /**
     * Parses a text. The target takes what a script's would, and answers nothing: what becomes of
     * the text is told by the settlement of its run.
     *
     * @param key an equal source that is held as long as the text is
     * @throws Exception the language's own error if the text does not parse
     */
    RootCallTarget parse(TruffleInstrument.Env env, Source source, Source key, ParsePlan plan)
            throws Exception {
        sources.add(key);
        if (attached.compareAndSet(false, true)) {
            attach();
        }
        String parameters = String.join(", ", plan.names());
        RootCallTarget function =
                (RootCallTarget)
                        env.parse(
                                source,
                                AROUND,
                                "(async (" + parameters + ") => {",
                                "\n})",
                                "false");
        return new Root(function, current).getCallTarget();
    }

    private void attach() {
        attach(StandardTags.RootTag.class, context -> new ReturnFollower());
        attach(
                StandardTags.RootBodyTag.class,
                context -> new BlockInstrument.BodyFollower(context.getInstrumentedNode()));
        attach(StandardTags.RootBodyTag.class, context -> new ResumeFollower(current));
        attach(StandardTags.StatementTag.class, AwaitingText::followStatement);
    }

    private void attach(Class<?> tag, Following following) {
        SourceSectionFilter nodes =
                SourceSectionFilter.newBuilder()
                        .tagIs(tag)
                        .rootNameIs(ARROW::equals)
                        .sourceIs(sources::contains)
                        .build();
        instrumenter.attachExecutionEventFactory(
                nodes,
                context ->
                        isTop(context.getInstrumentedNode().getRootNode())
                                ? following.follow(context)
                                : null);
    }

    /** Whether a function is the whole of its text. One that is written in the text is not. */
    private static boolean isTop(@Nullable RootNode root) {
        SourceSection section = root == null ? null : root.getSourceSection();
        return section != null
                && section.isAvailable()
                && section.getCharLength() == section.getSource().getLength();
    }

    private static @Nullable ExecutionEventNode followStatement(EventContext context) {
        SourceSection section = context.getInstrumentedSourceSection();
        boolean counts = !NO_VALUE.matcher(section.getCharacters()).find();
        for (Node node = context.getInstrumentedNode().getParent();
                counts && node != null;
                node = node.getParent()) {
            SourceSection around = node.getSourceSection();
            counts =
                    around == null
                            || !around.isAvailable()
                            || around.getCharLength() == around.getSource().getLength()
                            || !LOOP.matcher(around.getCharacters()).find();
        }
        return new StatementFollower(context.getInstrumentedNode(), counts);
    }

    @FunctionalInterface
    private interface Following {
        @Nullable ExecutionEventNode follow(EventContext context);
    }

    /** Calls the function that the text is. */
    private static final class Root extends RootNode {
        private final RootCallTarget text;
        private final ContextThreadLocal<CurrentRun> current;

        Root(RootCallTarget text, ContextThreadLocal<CurrentRun> current) {
            super(null);
            this.text = text;
            this.current = current;
        }

        @Override
        public boolean isInternal() {
            return true;
        }

        @Override
        public Object execute(VirtualFrame frame) {
            return call(frame.getArguments());
        }

        @TruffleBoundary
        private boolean call(Object[] arguments) {
            Harvest run = (Harvest) arguments[arguments.length - 1];
            run.begin(arguments);
            CurrentRun here = current.get();
            Harvest outer = here.run;
            here.run = run;
            Meter outerMeter = here.meter;
            here.meter = run.meter();
            try {
                InteropLibrary.getUncached().execute(text.call(), arguments);
            } catch (InteropException e) {
                throw new AssertionError("a function could not be called", e);
            } finally {
                here.run = outer;
                here.meter = outerMeter;
                run.refresh();
            }
            return true;
        }
    }

    /** Follows the promise that the function returns while the guest has not been left. */
    private static final class ReturnFollower extends ExecutionEventNode {
        @Override
        protected void onReturnValue(VirtualFrame frame, Object result) {
            Harvest run = Harvest.in(frame.getArguments());
            if (run != null) {
                run.returned(result);
            }
        }
    }

    /** Whatever calls the body back, it is its own run that goes on. */
    private static final class ResumeFollower extends ExecutionEventNode {
        private final ContextThreadLocal<CurrentRun> current;

        ResumeFollower(ContextThreadLocal<CurrentRun> current) {
            this.current = current;
        }

        @Override
        @TruffleBoundary
        protected void onEnter(VirtualFrame frame) {
            Harvest run = Harvest.in(frame.getArguments());
            if (run != null) {
                CurrentRun here = current.get();
                run.resumedBy(here.run);
                here.run = run;
            }
        }

        @Override
        protected void onReturnValue(VirtualFrame frame, Object result) {
            left(frame);
        }

        @Override
        protected void onReturnExceptional(VirtualFrame frame, Throwable exception) {
            left(frame);
        }

        @TruffleBoundary
        private void left(VirtualFrame frame) {
            Harvest run = Harvest.in(frame.getArguments());
            if (run != null) {
                current.get().run = run.resumedBy();
            }
        }
    }

    /** Notes what a statement of the top level came to, and where the run waits or fails. */
    private static final class StatementFollower extends ExecutionEventNode {
        private final Node statement;
        private final boolean counts;

        StatementFollower(Node statement, boolean counts) {
            this.statement = statement;
            this.counts = counts;
        }

        @Override
        protected void onReturnValue(VirtualFrame frame, Object result) {
            Harvest run = counts ? Harvest.in(frame.getArguments()) : null;
            if (run != null) {
                // An array literal alone does not tell, as nobody has asked for it.
                run.result(result == null ? Unset.UNSET : plain(result));
            }
        }

        /** Whole numbers of the language's own are no numbers to anybody else. */
        private static Object plain(Object result) {
            return result instanceof Number number
                            && number.getClass().getSimpleName().equals("SafeInteger")
                    ? number.doubleValue()
                    : result;
        }

        @Override
        protected void onReturnExceptional(VirtualFrame frame, Throwable exception) {
            Harvest run = Harvest.in(frame.getArguments());
            if (run != null) {
                left(run, exception);
            }
        }

        @TruffleBoundary
        private void left(Harvest run, Throwable exception) {
            if (exception instanceof AbstractTruffleException failure) {
                run.failedAt(failure, statement);
            } else if (run.waitsAt().isEmpty()
                    && exception.getClass().getSimpleName().equals("YieldException")) {
                run.waitsAt(List.copyOf(StoppedAt.here(statement, 1)));
                Meter meter = run.meter();
                if (meter != null) {
                    meter.at(statement);
                }
            }
        }
    }
}
