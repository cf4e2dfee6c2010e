package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.instrumentation.ExecutionEventNode;
import com.oracle.truffle.api.instrumentation.Instrumenter;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;

/**
 * Tells when a module's code begins, as it does to be linked, or goes on after a wait; and when a
 * stop has cut it short.
 */
final class ModuleFollower extends ExecutionEventNode {
    private final Runnable begun;
    private final Runnable cut;

    private ModuleFollower(Runnable begun, Runnable cut) {
        this.begun = begun;
        this.cut = cut;
    }

    static void attach(Instrumenter instrumenter, Runnable begun, Runnable cut) {
        SourceSectionFilter modules =
                SourceSectionFilter.newBuilder()
                        .tagIs(StandardTags.RootTag.class)
                        .rootNameIs(name -> name != null && name.startsWith(":module"))
                        .build();
        instrumenter.attachExecutionEventFactory(
                modules, context -> new ModuleFollower(begun, cut));
    }

    @Override
    @TruffleBoundary
    protected void onEnter(VirtualFrame frame) {
        begun.run();
    }

    @Override
    @TruffleBoundary
    protected void onReturnExceptional(VirtualFrame frame, Throwable exception) {
        if (exception instanceof RunStopped) {
            cut.run();
        }
    }
}
