package dev.blockscope.truffle;

import com.oracle.truffle.api.ContextThreadLocal;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.instrumentation.ExecutionEventNode;
import com.oracle.truffle.api.instrumentation.Instrumenter;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.api.instrumentation.Tag;
import com.oracle.truffle.api.nodes.Node;
import org.jspecify.annotations.Nullable;

/** Tells the meter of this thread, if there is one, what guest code does. */
abstract class MeterFollower extends ExecutionEventNode {
    private final ContextThreadLocal<CurrentRun> current;
    final Node place;

    private MeterFollower(ContextThreadLocal<CurrentRun> current, Node place) {
        this.current = current;
        this.place = place;
    }

    /** Follows all code of the user's, in every context of the engine. */
    static void attach(Instrumenter instrumenter, ContextThreadLocal<CurrentRun> current) {
        instrumenter.attachExecutionEventFactory(
                of(StandardTags.StatementTag.class),
                context -> new OfStatement(current, context.getInstrumentedNode()));
        instrumenter.attachExecutionEventFactory(
                of(StandardTags.RootTag.class),
                context -> new OfFunction(current, context.getInstrumentedNode()));
        instrumenter.attachExecutionEventFactory(
                of(StandardTags.CallTag.class),
                context -> new OfCall(current, context.getInstrumentedNode()));
    }

    private static SourceSectionFilter of(Class<? extends Tag> tag) {
        return SourceSectionFilter.newBuilder()
                .tagIs(tag)
                .sourceIs(source -> !source.isInternal())
                .build();
    }

    final @Nullable Meter meter() {
        return current.get().meter;
    }

    /** Counts a statement. */
    private static final class OfStatement extends MeterFollower {
        OfStatement(ContextThreadLocal<CurrentRun> current, Node place) {
            super(current, place);
        }

        @Override
        protected void onEnter(VirtualFrame frame) {
            Meter meter = meter();
            if (meter != null) {
                meter.executes(place);
            }
        }
    }

    /** Counts how deep functions are nested; a generator is not in while it waits. */
    private static final class OfFunction extends MeterFollower {
        OfFunction(ContextThreadLocal<CurrentRun> current, Node place) {
            super(current, place);
        }

        @Override
        protected void onEnter(VirtualFrame frame) {
            Meter meter = meter();
            if (meter != null) {
                meter.enters(place);
            }
        }

        @Override
        protected void onReturnValue(VirtualFrame frame, @Nullable Object result) {
            left();
        }

        @Override
        protected void onReturnExceptional(VirtualFrame frame, Throwable exception) {
            left();
        }

        @Override
        protected void onYield(VirtualFrame frame, @Nullable Object value) {
            left();
        }

        @Override
        protected void onResume(VirtualFrame frame) {
            Meter meter = meter();
            if (meter != null) {
                meter.resumes();
            }
        }

        private void left() {
            Meter meter = meter();
            if (meter != null) {
                meter.leaves();
            }
        }
    }

    /** Notes the place of a call, which is where the thread is as long as it is in host code. */
    private static final class OfCall extends MeterFollower {
        OfCall(ContextThreadLocal<CurrentRun> current, Node place) {
            super(current, place);
        }

        @Override
        protected void onEnter(VirtualFrame frame) {
            note();
        }

        @Override
        protected void onReturnValue(VirtualFrame frame, @Nullable Object result) {
            note();
        }

        @Override
        protected void onReturnExceptional(VirtualFrame frame, Throwable exception) {
            note();
        }

        private void note() {
            Meter meter = meter();
            if (meter != null) {
                meter.at(place);
            }
        }
    }
}
