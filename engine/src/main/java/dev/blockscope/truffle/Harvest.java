package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.RootCallTarget;
import com.oracle.truffle.api.Truffle;
import com.oracle.truffle.api.exception.AbstractTruffleException;
import com.oracle.truffle.api.frame.FrameInstance.FrameAccess;
import com.oracle.truffle.api.frame.MaterializedFrame;
import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.interop.TruffleObject;
import com.oracle.truffle.api.nodes.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a text comes to: its result and the variables of its top level. It is passed to
 * the text as an argument behind those that have a name.
 *
 * <p>The guest's scope object must be made inside the event that ends the body: made later it
 * silently misses every name that a closure captured. It stays live afterwards.
 */
public final class Harvest extends Stoppable implements TruffleObject {
    private static final boolean[] UNWATCHED = {};

    private final ParsedText text;
    private final boolean keepsFrame;
    private final long longestText;
    private @Nullable Object origin;
    private Object[] arguments = {};

    /** Those that the body was called with: the same, behind what the language adds. */
    private Object[] takenArguments = {};

    private @Nullable Node body;
    private @Nullable MaterializedFrame frame;
    private @Nullable Object scope;
    private @Nullable Object result;
    private Variable[] variables = {};

    /** For each name that the text has watched, whether it was assigned. */
    private final boolean[] assigned;

    private List<StoppedAt> waitsAt = List.of();
    private @Nullable StoppedAt failedAt;
    private @Nullable AbstractTruffleException failure;
    private @Nullable Harvest resumedBy;
    private final @Nullable Promises promises;

    /** What becomes of the promise that the text came to; null if it came to something else. */
    private @Nullable Settlement settlement;

    private boolean readsAll;
    private boolean inOrder;

    /**
     * Prepares to follow the next run of {@code text}.
     *
     * @param context the context that parsed it
     * @param keepsFrame whether the variables will be asked for while the run is under way; they
     *     can be had without, from the run's own thread, but that throws compiled code away
     * @param promises the context's promises, or null if its language has none
     * @param meter what counts the run, or null
     * @param longestText how many UTF-16 units of a text the run may hand over: of a longer one no
     *     Java string is made
     */
    public Harvest(
            ParsedText text,
            GuestContext context,
            boolean keepsFrame,
            @Nullable Promises promises,
            @Nullable Meter meter,
            long longestText) {
        super(context, meter);
        this.text = text;
        this.longestText = longestText;
        this.keepsFrame = keepsFrame || text.awaits();
        this.promises = promises;
        this.assigned =
                text.watch().names().isEmpty()
                        ? UNWATCHED
                        : new boolean[text.watch().names().size()];
    }

    /** Returns the run that a body was called for, by the body's arguments, or null. */
    static @Nullable Harvest in(Object[] arguments) {
        return arguments.length > 0 && arguments[arguments.length - 1] instanceof Harvest run
                ? run
                : null;
    }

    /** Sets what is kept with each function that the run makes. */
    public void origin(Object maker) {
        origin = maker;
    }

    @Nullable Object origin() {
        return origin;
    }

    /** Returns the body's result: a Java string, boolean, number or raw guest object. */
    public @Nullable Object result() {
        return result;
    }

    /**
     * Returns the place of the last failure of the top level of a text that waits; null if none of
     * it has failed. One that the text has caught counts.
     */
    public @Nullable StoppedAt failedAt() {
        return failedAt;
    }

    /** Notes that a statement of the top level has failed; those around it fail with it. */
    @SuppressWarnings("ReferenceEquality") // a failure is the same on its way out
    void failedAt(AbstractTruffleException why, Node statement) {
        if (failure == why) {
            return;
        }
        failure = why;
        Node node = why.getLocation();
        List<StoppedAt> places = node == null ? List.of() : StoppedAt.of(node);
        if (places.isEmpty()) {
            places = StoppedAt.of(statement);
        }
        failedAt = places.isEmpty() ? null : places.getFirst();
    }

    /** Returns the number of variables. */
    public int size() {
        return variables.length;
    }

    /** Returns a variable as it was when last taken: at the end, unless refreshed. */
    public Variable variable(int index) {
        return variables[index];
    }

    /** Whether an assignment of a name that was watched has been carried out. */
    public boolean assigns(String name) {
        int index = assigned.length == 0 ? -1 : text.watch().names().indexOf(name);
        return index >= 0 && assigned[index];
    }

    ParsedText text() {
        return text;
    }

    long longestText() {
        return longestText;
    }

    void assigned(int watched) {
        assigned[watched] = true;
    }

    /** Whether the variables come in the order of the plan that the text was parsed with. */
    public boolean isInOrder() {
        return inOrder;
    }

    /** Has every variable read when the body ends: more than its text may assign them. */
    public void readAll() {
        readsAll = true;
    }

    boolean readsAll() {
        return readsAll;
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
                taken.add(Variable.of(name, value, position >= 0, given, longestText));
            }
        }
        variables = taken.toArray(Variable[]::new);
        inOrder = false;
    }

    /**
     * Returns the live scope object of the run: the final one if the body has ended, else one that
     * shows the names bound so far. Null if the body was never entered.
     */
    public @Nullable Object scope() {
        if (scope != null || body == null) {
            return scope;
        }
        if (frame == null) {
            frame = ownFrame(body);
        }
        return frame == null ? null : BlockScopes.ofTop(body, frame);
    }

    /** Finds the body's frame among those of this thread. */
    @SuppressWarnings("ReferenceEquality") // a root node is itself and no other
    private @Nullable MaterializedFrame ownFrame(Node entered) {
        return Truffle.getRuntime()
                .<@Nullable MaterializedFrame>iterateFrames(instance -> {
                    boolean isBody =
                            instance.getCallTarget() instanceof RootCallTarget target
                                    && target.getRootNode() == entered.getRootNode();
                    if (!isBody) {
                        return null;
                    }
                    Object[] given = instance.getFrame(FrameAccess.READ_ONLY).getArguments();
                    return given.length > 0 && given[given.length - 1] == this
                            ? instance.getFrame(FrameAccess.MATERIALIZE).materialize()
                            : null;
                });
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

    /** Whether a parameter still holds what was given to it, as far as one can tell. */
    public boolean isAsGiven(String name) {
        int position = text.parameters().indexOf(name);
        Object now = scope();
        Object value = now == null || position < 0 ? null : Variable.read(now, name);
        return value != null
                && Variable.of(name, value, true, arguments[position], longestText).state()
                        != Variable.State.ASSIGNED;
    }

    /** Takes what a parameter holds now for what was given to it. */
    public void takeAsGiven(String name) {
        int position = text.parameters().indexOf(name);
        Object now = scope();
        Object value = now == null || position < 0 ? null : Variable.read(now, name);
        if (value != null) {
            arguments[position] = value;
        }
    }

    /** Lets go of what was given for variables that were assigned since, and of failures. */
    public void letGo() {
        failure = null;
        for (Variable variable : variables) {
            int position = text.parameters().indexOf(variable.name());
            if (position >= 0 && variable.state() == Variable.State.ASSIGNED) {
                forget(position);
            }
        }
    }

    /**
     * Code of a body that has begun has its own variable, and does not come back to the argument.
     */
    private void forget(int position) {
        int added = takenArguments.length - arguments.length;
        if (added >= 0) {
            takenArguments[added + position] = Unset.UNSET;
        }
        arguments[position] = Unset.UNSET;
    }

    void begin(Object[] given) {
        arguments = given;
    }

    boolean hasPresets() {
        return !text.presets().isEmpty();
    }

    /**
     * Gives variables of the body that cannot be its parameters their values.
     *
     * @param given the body's arguments, which end with those values and this
     */
    @TruffleBoundary
    void preset(Object bodyScope, Object[] given) {
        List<String> presets = text.presets();
        int first = given.length - 1 - presets.size();
        try {
            for (int i = 0; i < presets.size(); i++) {
                InteropLibrary.getUncached()
                        .writeMember(bodyScope, presets.get(i), given[first + i]);
            }
        } catch (InteropException e) {
            throw new AssertionError("a variable of a body could not be written", e);
        }
    }

    boolean keepsFrame() {
        return keepsFrame;
    }

    /** Returns whether the body begins: one that has waited is entered again. */
    boolean entered(Node node, @Nullable MaterializedFrame kept) {
        boolean begins = body == null;
        body = node;
        frame = kept;
        scope = null;
        waitsAt = List.of();
        executedBy(Thread.currentThread());
        return begins;
    }

    /** Notes the object that holds the variables of a run that is about to begin. */
    void opened(Object namespace) {
        scope = namespace;
        executedBy(Thread.currentThread());
    }

    /** Follows what the body returned if that is a promise; the guest has not been left yet. */
    void returned(@Nullable Object value) {
        if (promises != null && promises.isPromise(value)) {
            settlement = promises.follow(Objects.requireNonNull(value));
        }
    }

    /** Returns what becomes of the promise that the text came to, or null if it came to none. */
    public @Nullable Settlement settlement() {
        return settlement;
    }

    /** Whether the value of the text is known when its promise is settled. */
    public boolean awaits() {
        return text.awaits();
    }

    /** Returns where the body waits, the innermost frame first; empty if it does not. */
    public List<StoppedAt> waitsAt() {
        return waitsAt;
    }

    /** Notes where the body waits; the innermost statement comes first. */
    void waitsAt(List<StoppedAt> places) {
        if (waitsAt.isEmpty()) {
            waitsAt = places;
        }
    }

    void resumedBy(@Nullable Harvest other) {
        resumedBy = other;
    }

    /** Returns the run that was under way when the body went on, or null. */
    @Nullable Harvest resumedBy() {
        return resumedBy;
    }

    void ended(@Nullable Object finalScope, Object[] taken) {
        scope = finalScope;
        takenArguments = taken;
    }

    @Nullable Object endScope() {
        return scope;
    }

    void result(Object value) {
        result = Variable.plain(value, longestText);
    }

    void take(Variable[] taken) {
        variables = taken;
        inOrder = true;
    }

    /** Returns the names of the variables of a scope object, without those the machinery adds. */
    static List<String> namesIn(Object scope) {
        InteropLibrary interop = InteropLibrary.getUncached();
        try {
            Object members = interop.getMembers(scope);
            long size = interop.getArraySize(members);
            List<String> names = new ArrayList<>();
            for (long i = 0; i < size; i++) {
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
