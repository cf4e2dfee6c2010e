package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.frame.MaterializedFrame;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.instrumentation.EventBinding;
import com.oracle.truffle.api.instrumentation.EventContext;
import com.oracle.truffle.api.instrumentation.ExecutionEventNode;
import com.oracle.truffle.api.instrumentation.Instrumenter;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.interop.NodeLibrary;
import com.oracle.truffle.api.interop.TruffleObject;
import com.oracle.truffle.api.interop.UnsupportedMessageException;
import com.oracle.truffle.api.source.Source;
import org.jspecify.annotations.Nullable;

/**
 * The variables around a function, found without running it: the function is called, and the call
 * is taken back before its first line. As a guest object this is executed with the function once.
 *
 * <p>The function must be one whose call begins in its own text: not a class, a builtin or a proxy.
 */
public final class FunctionVariables implements TruffleObject {
    static {
        ExecutableExport.register(FunctionVariables.class, FunctionVariables::look);
    }

    private final Instrumenter instrumenter;
    private boolean entered;

    /** The variables around the function, or null if there are none. */
    private @Nullable Object scope;

    FunctionVariables(Instrumenter instrumenter) {
        this.instrumenter = instrumenter;
    }

    /** Returns the guest's live scope object that has the variables, or null if there are none. */
    public @Nullable Object scope() {
        return scope;
    }

    /** Whether there is a variable of this name, be it without a value yet. */
    public boolean declares(String name) {
        return scope != null && InteropLibrary.getUncached().isMemberReadable(scope, name);
    }

    /** Whether the variable of this name stands above its declaration, and cannot be read. */
    public boolean isUninitialized(String name) {
        return scope != null && LiveScope.isUninitialized(scope, name);
    }

    /** Whether the variable of this name is declared, and {@code undefined}. */
    public boolean isUndefined(String name) {
        Object value = read(name);
        return value != null && Variable.isUnset(value);
    }

    /** Returns the value of a variable, or null if there is none or it cannot be read. */
    public @Nullable Object read(String name) {
        Object around = scope;
        return around != null && declares(name) ? Variable.read(around, name) : null;
    }

    /** Assigns a variable. Returns false if it is a constant. */
    public boolean write(String name, Object value) {
        Object around = scope;
        if (around == null || LiveScope.isConstant(around, name)) {
            return false;
        }
        try {
            InteropLibrary.getUncached().writeMember(around, name, value);
            return true;
        } catch (InteropException e) {
            throw new AssertionError("a variable that can be written refused it", e);
        }
    }

    private void look(Object[] arguments) throws InteropException {
        InteropLibrary any = InteropLibrary.getUncached();
        Object function = arguments[0];
        Source text = any.getSourceLocation(function).getSource();
        EventBinding<?> looking =
                instrumenter.attachExecutionEventFactory(
                        SourceSectionFilter.newBuilder()
                                .tagIs(StandardTags.RootTag.class)
                                .sourceIs(text::equals)
                                .build(),
                        context -> new Entry(context, this, Thread.currentThread()));
        try {
            any.execute(function);
        } finally {
            looking.dispose();
        }
    }

    /** Takes a call back when it begins. */
    private static final class Entry extends ExecutionEventNode {
        private final EventContext context;
        private final FunctionVariables question;
        private final Thread asking;

        Entry(EventContext context, FunctionVariables question, Thread asking) {
            this.context = context;
            this.question = question;
            this.asking = asking;
        }

        @Override
        protected void onEnter(VirtualFrame frame) {
            if (asks()) {
                look(frame.materialize());
                throw context.createUnwind(null);
            }
        }

        @TruffleBoundary
        private boolean asks() {
            return Thread.currentThread() == asking && !question.entered;
        }

        /** What is around a function is all that its own scope lies in. */
        @TruffleBoundary
        private void look(MaterializedFrame frame) {
            try {
                InteropLibrary any = InteropLibrary.getUncached();
                Object own =
                        NodeLibrary.getUncached()
                                .getScope(context.getInstrumentedNode(), frame, true);
                question.scope = any.hasScopeParent(own) ? any.getScopeParent(own) : null;
                question.entered = true;
            } catch (UnsupportedMessageException e) {
                throw new AssertionError("a function that begins has no scope", e);
            }
        }

        @Override
        protected Object onUnwind(VirtualFrame frame, Object info) {
            return true;
        }
    }
}
