package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.instrumentation.EventContext;
import com.oracle.truffle.api.instrumentation.ExecutionEventNode;
import com.oracle.truffle.api.instrumentation.Instrumenter;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.api.instrumentation.Tag;
import com.oracle.truffle.api.source.Source;
import com.oracle.truffle.api.strings.TruffleString;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells when guest code deletes a property of the global object: {@code delete name} and every
 * other form of the operator. Names that only the scope has are no properties there, so the
 * language finds nothing to delete and tells nobody.
 */
final class DeleteFollower extends ExecutionEventNode {
    private final EventContext context;

    /** The name, where the operand is one that {@code eval} may declare at any time; else null. */
    private final @Nullable String dynamicName;

    private final Predicate<String> onDelete;

    private DeleteFollower(
            EventContext context, @Nullable String dynamicName, Predicate<String> onDelete) {
        this.context = context;
        this.dynamicName = dynamicName;
        this.onDelete = onDelete;
    }

    /**
     * Follows {@code delete name} in code that has or is the text of an {@code eval}: there the
     * language looks a name up anew each time, and such an expression is tagged as a read.
     */
    static void attachDynamic(Instrumenter instrumenter, Predicate<String> onDelete) {
        SourceSectionFilter reads =
                SourceSectionFilter.newBuilder()
                        .tagIs(StandardTags.ReadVariableTag.class)
                        .sourceIs(DeleteFollower::deletesDynamically)
                        .build();
        instrumenter.attachExecutionEventFactory(
                reads,
                context -> {
                    String text = context.getInstrumentedSourceSection().getCharacters().toString();
                    return text.startsWith("delete")
                            ? new DeleteFollower(
                                    context,
                                    NameFinder.describe(
                                            context.getInstrumentedNode(), "readVariableName"),
                                    onDelete)
                            : null;
                });
    }

    private static boolean deletesDynamically(Source source) {
        boolean isText = source.hasCharacters() && !source.isInternal();
        String text = isText ? source.getCharacters().toString() : "";
        return text.contains("delete")
                && (text.contains("eval") || source.getName().equals(EvalFollower.FILE_OF_EVAL));
    }

    /** Follows every delete expression; {@code unaryOperation} is the language's own tag for it. */
    static void attach(
            Instrumenter instrumenter,
            Class<? extends Tag> unaryOperation,
            Predicate<String> onDelete) {
        SourceSectionFilter operations =
                SourceSectionFilter.newBuilder()
                        .tagIs(unaryOperation)
                        .sourceIs(source -> !source.isInternal() && mayDelete(source))
                        .build();
        SourceSectionFilter operands =
                SourceSectionFilter.newBuilder().tagIs(StandardTags.ExpressionTag.class).build();
        instrumenter.attachExecutionEventFactory(
                operations,
                operands,
                context -> isDelete(context) ? new DeleteFollower(context, null, onDelete) : null);
    }

    /** Most texts do not, and are spared the search for a place where they do. */
    private static boolean mayDelete(Source source) {
        return source.hasCharacters() && source.getCharacters().toString().contains("delete");
    }

    @Override
    protected void onInputValue(VirtualFrame frame, EventContext input, int index, Object value) {
        saveInputValue(frame, index, value);
    }

    @Override
    protected void onReturnValue(VirtualFrame frame, Object result) {
        if (Boolean.TRUE.equals(result) && !deleted(getSavedInputValues(frame))) {
            throw context.createUnwind(false);
        }
    }

    /** What is not gone makes the operator answer false. */
    @Override
    protected Object onUnwind(VirtualFrame frame, Object info) {
        return info;
    }

    @TruffleBoundary
    private boolean deleted(Object[] operands) {
        if (dynamicName != null) {
            return onDelete.test(dynamicName);
        }
        boolean ofGlobal =
                operands.length == 2
                        && operands[0] != null
                        && operands[0].getClass().getSimpleName().equals("JSGlobalObject");
        return !ofGlobal
                || !(operands[1] instanceof TruffleString name)
                || onDelete.test(name.toJavaStringUncached());
    }

    private static boolean isDelete(EventContext context) {
        return "delete".equals(NameFinder.describe(context.getInstrumentedNode(), "operator"));
    }
}
