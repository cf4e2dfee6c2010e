package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.instrumentation.EventContext;
import com.oracle.truffle.api.instrumentation.ExecutionEventNode;
import com.oracle.truffle.api.instrumentation.Instrumenter;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.api.instrumentation.Tag;
import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.nodes.EncapsulatingNodeReference;
import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.source.Source;

/**
 * Refuses {@code new.target} in the text of a direct {@code eval} at a block's top level. The
 * language takes the top level for a function, accepts the text, and then fails on its own.
 */
final class EvalCallFollower extends ExecutionEventNode {
    private final Node call;

    private EvalCallFollower(Node call) {
        this.call = call;
    }

    /** Follows every direct call; {@code evalCall} is the language's own tag for it. */
    static void attach(Instrumenter instrumenter, Class<? extends Tag> evalCall) {
        SourceSectionFilter calls =
                SourceSectionFilter.newBuilder()
                        .tagIs(evalCall)
                        .sourceIs(EvalCallFollower::mayCallEval)
                        .build();
        SourceSectionFilter operands =
                SourceSectionFilter.newBuilder().tagIs(StandardTags.ExpressionTag.class).build();
        instrumenter.attachExecutionEventFactory(
                calls, operands, context -> new EvalCallFollower(context.getInstrumentedNode()));
    }

    /** Most texts do not, and are spared the search for a place where they do. */
    private static boolean mayCallEval(Source source) {
        return !source.isInternal() && source.getCharacters().toString().contains("eval");
    }

    @Override
    protected void onInputValue(VirtualFrame frame, EventContext input, int index, Object value) {
        saveInputValue(frame, index, value);
    }

    @Override
    protected void onReturnExceptional(VirtualFrame frame, Throwable exception) {
        if (exception instanceof NullPointerException && isOfParser(exception)) {
            refuse(getSavedInputValues(frame));
        }
    }

    /** Whether the language failed before it ran anything; what guest code throws is never that. */
    @TruffleBoundary
    private static boolean isOfParser(Throwable exception) {
        StackTraceElement[] trace = exception.getStackTrace();
        return trace.length > 0
                && trace[0].getClassName().startsWith("com.oracle.truffle.js.parser.");
    }

    /** Evaluates the text outside of the block, where the language finds the fault and says so. */
    @TruffleBoundary
    private void refuse(Object[] values) {
        EncapsulatingNodeReference current = EncapsulatingNodeReference.getCurrent();
        Node before = current.set(call);
        try {
            InteropLibrary.getUncached().execute(values[0], values[1]);
        } catch (InteropException e) {
            throw new AssertionError("eval could not be called", e);
        } finally {
            current.set(before);
        }
    }
}
