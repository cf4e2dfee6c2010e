package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.instrumentation.EventContext;
import com.oracle.truffle.api.instrumentation.ExecutionEventNode;
import com.oracle.truffle.api.instrumentation.Instrumenter;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.api.instrumentation.Tag;
import com.oracle.truffle.api.strings.TruffleString;
import java.util.function.Consumer;

/**
 * Tells when guest code deletes a property of the global object: {@code delete name} and every
 * other form of the operator. Names that only the scope has are no properties there, so the
 * language finds nothing to delete and tells nobody.
 */
final class DeleteFollower extends ExecutionEventNode {
    private final Consumer<String> onDelete;

    private DeleteFollower(Consumer<String> onDelete) {
        this.onDelete = onDelete;
    }

    /** Follows every delete expression; {@code unaryOperation} is the language's own tag for it. */
    static void attach(
            Instrumenter instrumenter,
            Class<? extends Tag> unaryOperation,
            Consumer<String> onDelete) {
        SourceSectionFilter operations =
                SourceSectionFilter.newBuilder()
                        .tagIs(unaryOperation)
                        .sourceIs(source -> !source.isInternal())
                        .build();
        SourceSectionFilter operands =
                SourceSectionFilter.newBuilder().tagIs(StandardTags.ExpressionTag.class).build();
        instrumenter.attachExecutionEventFactory(
                operations,
                operands,
                context -> isDelete(context) ? new DeleteFollower(onDelete) : null);
    }

    @Override
    protected void onInputValue(VirtualFrame frame, EventContext input, int index, Object value) {
        saveInputValue(frame, index, value);
    }

    @Override
    protected void onReturnValue(VirtualFrame frame, Object result) {
        if (Boolean.TRUE.equals(result)) {
            deleted(getSavedInputValues(frame));
        }
    }

    @TruffleBoundary
    private void deleted(Object[] operands) {
        boolean ofGlobal =
                operands.length == 2
                        && operands[0] != null
                        && operands[0].getClass().getSimpleName().equals("JSGlobalObject");
        if (ofGlobal && operands[1] instanceof TruffleString name) {
            onDelete.accept(name.toJavaStringUncached());
        }
    }

    private static boolean isDelete(EventContext context) {
        return "delete".equals(NameFinder.describe(context.getInstrumentedNode(), "operator"));
    }
}
