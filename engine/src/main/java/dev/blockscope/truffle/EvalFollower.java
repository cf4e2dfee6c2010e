package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.instrumentation.ExecutionEventNode;
import com.oracle.truffle.api.instrumentation.Instrumenter;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.source.Source;
import java.util.function.Consumer;

/**
 * Tells when code given to {@code eval} runs. Called indirectly, {@code eval} declares names on the
 * global object itself, past everything that is behind it.
 */
final class EvalFollower extends ExecutionEventNode {
    /** The name of every text given to {@code eval}. */
    static final String FILE_OF_EVAL = "<eval>";

    private final Source code;
    private final Consumer<String> begins;
    private final Runnable ended;

    private EvalFollower(Source code, Consumer<String> begins, Runnable ended) {
        this.code = code;
        this.begins = begins;
        this.ended = ended;
    }

    static void attach(Instrumenter instrumenter, Consumer<String> begins, Runnable ended) {
        SourceSectionFilter bodies =
                SourceSectionFilter.newBuilder()
                        .tagIs(StandardTags.RootTag.class)
                        .sourceIs(source -> source.getName().equals(FILE_OF_EVAL))
                        .build();
        instrumenter.attachExecutionEventFactory(
                bodies,
                context -> {
                    Node node = context.getInstrumentedNode();
                    return BlockInstrument.isProgram(node.getRootNode())
                            ? new EvalFollower(
                                    context.getInstrumentedSourceSection().getSource(),
                                    begins,
                                    ended)
                            : null;
                });
    }

    @Override
    @TruffleBoundary
    protected void onEnter(VirtualFrame frame) {
        begins.accept(code.getCharacters().toString());
    }

    @Override
    @TruffleBoundary
    protected void onReturnValue(VirtualFrame frame, Object result) {
        ended.run();
    }

    @Override
    @TruffleBoundary
    protected void onReturnExceptional(VirtualFrame frame, Throwable exception) {
        ended.run();
    }
}
