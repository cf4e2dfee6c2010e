package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.frame.MaterializedFrame;
import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.interop.NodeLibrary;
import com.oracle.truffle.api.interop.TruffleObject;
import com.oracle.truffle.api.interop.UnsupportedMessageException;
import com.oracle.truffle.api.nodes.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a text comes to: its result and the variables of its top level. It is passed to
 * the text as an argument behind those that have a name.
 *
 * <p>The guest's scope object must be made inside the event that ends the body: made later it
 * silently misses every name that a closure captured. It stays live afterwards.
 */
public final class Harvest implements TruffleObject {
    private final ParsedText text;
    private final GuestContext context;
    private Object[] arguments = {};
    private @Nullable Node body;
    private @Nullable MaterializedFrame frame;
    private @Nullable Object scope;
    private @Nullable Object result;
    private Variable[] variables = {};
    private List<StoppedAt> stoppedAt = List.of();
    private volatile @Nullable Thread thread;
    private final AtomicBoolean stopping = new AtomicBoolean();

    /**
     * Prepares to follow the next run of {@code text}.
     *
     * @param context the context that parsed it
     */
    public Harvest(ParsedText text, GuestContext context) {
        this.text = text;
        this.context = context;
    }

    /** Returns the body's result: a Java string, boolean, number or raw guest object. */
    public @Nullable Object result() {
        return result;
    }

    /** Returns the number of variables. */
    public int size() {
        return variables.length;
    }

    /** Returns a variable as it was when last taken: at the end, unless refreshed. */
    public Variable variable(int index) {
        return variables[index];
    }

    /** Returns where the run was when it was stopped, the innermost frame first. */
    public List<StoppedAt> stoppedAt() {
        return stoppedAt;
    }

    /** Notes that the run is over, however it ended; there is nothing left to stop. */
    public void over() {
        thread = null;
    }

    /** Takes the variables anew. The context must be entered on this thread. */
    @TruffleBoundary
    public void refresh() {
        Object now = scope();
        if (now == null) {
            return;
        }
        List<Variable> taken = new ArrayList<>();
        for (String name : namesIn(now)) {
            int position = text.parameters().indexOf(name);
            Object given =
                    position < 0 || position >= arguments.length ? null : arguments[position];
            Object value = Variable.read(now, name);
            if (value != null) {
                taken.add(Variable.of(name, value, position >= 0, given));
            }
        }
        variables = taken.toArray(Variable[]::new);
    }

    /**
     * Returns the live scope object of the run: the final one if the body has ended, else one that
     * shows the names bound so far. Null if the body was never entered.
     */
    public @Nullable Object scope() {
        if (scope != null || body == null || frame == null) {
            return scope;
        }
        NodeLibrary nodes = NodeLibrary.getUncached();
        try {
            return nodes.hasScope(body, frame) ? nodes.getScope(body, frame, true) : null;
        } catch (UnsupportedMessageException e) {
            throw new AssertionError("a node that has a scope refused to give it", e);
        }
    }

    /**
     * Returns whether the run has a variable of this name that has got a value. The context must be
     * entered on this thread.
     */
    public boolean binds(String name) {
        Object now = scope();
        Object value = now == null ? null : Variable.read(now, name);
        return value != null && !Variable.isUnset(value);
    }

    /** Returns the thread that executes the body or its microtasks, or null if none does. */
    @Nullable Thread thread() {
        return thread;
    }

    GuestContext context() {
        return context;
    }

    /** Returns true to the first who wants to stop the run, and false to everyone after. */
    boolean beginStopping() {
        return stopping.compareAndSet(false, true);
    }

    void stoppedAt(List<StoppedAt> places) {
        stoppedAt = places;
    }

    void begin(Object[] given) {
        arguments = given;
    }

    void entered(Node node, MaterializedFrame bodyFrame) {
        body = node;
        frame = bodyFrame;
        thread = Thread.currentThread();
    }

    void ended(@Nullable Object finalScope) {
        scope = finalScope;
    }

    @Nullable Object endScope() {
        return scope;
    }

    void result(Object value) {
        result = Variable.plain(value);
    }

    void take(Variable[] taken) {
        variables = taken;
    }

    /** Returns the names of the variables of a scope object, without those the machinery adds. */
    static List<String> namesIn(Object scope) {
        InteropLibrary interop = InteropLibrary.getUncached();
        try {
            Object members = interop.getMembers(scope);
            List<String> names = new ArrayList<>();
            for (long i = 0; i < interop.getArraySize(members); i++) {
                String name = interop.asString(interop.readArrayElement(members, i));
                if (!name.equals("this")) {
                    names.add(name);
                }
            }
            return names;
        } catch (InteropException e) {
            throw new AssertionError("a scope refused to list its variables", e);
        }
    }
}
