package dev.blockscope;

import dev.blockscope.truffle.Harvest;
import dev.blockscope.truffle.Variable;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.graalvm.polyglot.PolyglotException;
import org.jspecify.annotations.Nullable;

/**
 * What a run binds: takes the variables of its frame into its scope, where siblings see them, and
 * makes plain Java of what it assigned.
 */
final class RunBindings {
    private final Home home;
    private final @Nullable Block block;

    /** Whether the host can assign the variables when the run is over. */
    private boolean variablesKept;

    /** Whether the scope has taken assignments before the run's end. */
    private boolean boundBefore;

    /** Variables assigned as properties of the global object. */
    private Set<String> writtenThrough = Set.of();

    /**
     * Creates what a run binds, which is nothing yet.
     *
     * @param block the run's block; null for the call of a function
     */
    RunBindings(Home home, @Nullable Block block) {
        this.home = home;
        this.block = block;
    }

    /** Notes that the host can assign the run's variables when it is over. */
    void keepVariables() {
        variablesKept = true;
    }

    /** Notes that a variable was assigned as a property of the global object. */
    void writtenThrough(String name) {
        if (writtenThrough.isEmpty()) {
            writtenThrough = new HashSet<>();
        }
        writtenThrough.add(name);
    }

    /** Puts the variables of a run that goes on, or that something has ended, into the scope. */
    void bindMidway(Harvest run) {
        boundBefore = true;
        bind(run, false);
    }

    /** Puts the variables of a run that has come to its end into the scope. */
    void bindAtEnd(Harvest run) {
        if (!boundBefore) {
            boundBefore = mayTouchGlobal() || home.scope().hasAssigned();
        }
        bind(run, true);
    }

    private void bind(Harvest run, boolean ended) {
        SharedLocals shared = home.scope().shared();
        if (shared.isContinued()) {
            bindEach(run, ended);
        } else {
            shared.atOnce(() -> bindEach(run, ended));
        }
    }

    private void bindEach(Harvest run, boolean ended) {
        Scope scope = home.scope();
        String noName = home.realm().dialect().noName();
        for (int i = 0; i < run.size(); i++) {
            Variable variable = run.variable(i);
            String name = variable.name();
            if (name.equals(noName)) {
                continue;
            }
            switch (variable.state()) {
                case GIVEN -> {
                    if (writtenThrough.contains(name) || hasAssigned(name, run, ended)) {
                        scope.assign(name, slotOf(variable, run, ended));
                    }
                }
                case ASSIGNED -> scope.assign(name, slotOf(variable, run, ended));
                case UNDEFINED -> {
                    if (hasAssigned(name, run, ended)) {
                        scope.assign(name, slotOf(variable, run, ended));
                    } else if (!ended || mayMove(name)) {
                        scope.declare(name, new Slot.Variable(run, name, home, true));
                    }
                }
            }
        }
    }

    /** Whether a run has assigned a name whose value does not tell. */
    private boolean hasAssigned(String name, Harvest run, boolean ended) {
        return run.assigns(name) || (ended && surelyAssigns(name));
    }

    private boolean surelyAssigns(String name) {
        if (block == null) {
            return false;
        }
        return block.arguments() == null
                ? block.analysis().surelyAssigns(name)
                : block.analysis().surelyAssignsIfCalled(name);
    }

    private Slot slotOf(Variable variable, Harvest run, boolean ended) {
        boolean continued = home.scope().shared().isContinued();
        boolean moves =
                !ended || mayMove(variable.name()) || (continued && mayCapture(variable.name()));
        Slot slot =
                !moves && GuestToHost.isPrimitive(variable.value())
                        ? new Slot.OfPrimitive(variable.value(), home.block())
                        : new Slot.Variable(run, variable.name(), home, moves);
        return continued ? continued(variable, slot, run) : slot;
    }

    /**
     * Where blocks go on with each other's variables, one that is declared anew is the same as
     * before for functions from before; it is another one only if functions of this block hold it.
     */
    private Slot continued(Variable variable, Slot slot, Harvest run) {
        Slot.Variable before = home.scope().shared().variable(variable.name());
        if (before == null || before.run() == run || !before.take(variable.value())) {
            return slot;
        }
        return mayCapture(variable.name()) ? slot : before;
    }

    private boolean mayTouchGlobal() {
        return block != null && block.analysis().mayTouchGlobal();
    }

    private boolean mayCapture(String name) {
        return block != null && block.analysis().mayCapture(name);
    }

    /** Whether code of the block may still assign a name when the run has ended. */
    private boolean mayMove(String name) {
        return block == null || variablesKept || block.analysis().mayMoveLater(name);
    }

    /** Whether nothing that the run has left can run guest code when it is read. */
    boolean arePlain(Harvest run) {
        return !run.awaits()
                && !mayTouchGlobal()
                && !home.scope().hasAssigned()
                && !hasReferences(run);
    }

    private static boolean hasReferences(Harvest run) {
        if (isReference(run.result())) {
            return true;
        }
        for (int i = 0; i < run.size(); i++) {
            if (isReference(run.variable(i).value())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether something may be left of a run that keeps its scope, but nobody who may ask for any
     * name.
     */
    boolean outlive(Harvest run) {
        return block != null
                && !variablesKept
                && (boundBefore
                        || block.analysis().makesFunctions()
                        || home.realm().hasLeftSomething()
                        || hasReferences(run));
    }

    private static boolean isReference(@Nullable Object raw) {
        return raw != null && !GuestToHost.isPrimitive(raw);
    }

    /** Returns what the run assigned, as plain Java, in the order of the text. */
    Map<String, @Nullable Object> assigned(
            Block block, Harvest run, @Nullable Allowance allowance) {
        Collection<String> names =
                boundBefore || !run.isInOrder()
                        ? home.scope().assignedInOrder(block.analysis().inTextOrder())
                        : home.scope().assignedAsTheyCame();
        if (names.size() == 1) {
            String name = names.iterator().next();
            return Collections.singletonMap(name, valueOf(name, run, allowance));
        }
        if (names.size() <= FewBindings.MOST) {
            return few(names.toArray(String[]::new), run, allowance);
        }
        Map<String, @Nullable Object> bindings = LinkedHashMap.newLinkedHashMap(names.size());
        for (String name : names) {
            bindings.put(name, valueOf(name, run, allowance));
        }
        return Collections.unmodifiableMap(bindings);
    }

    private Map<String, @Nullable Object> few(
            String[] names, Harvest run, @Nullable Allowance allowance) {
        @Nullable Object[] values = new Object[names.length];
        for (int i = 0; i < names.length; i++) {
            values[i] = valueOf(names[i], run, allowance);
        }
        return new FewBindings(names, values);
    }

    private @Nullable Object valueOf(String name, Harvest run, @Nullable Allowance allowance) {
        try {
            Variable variable = variable(name, run);
            return variable == null
                    ? home.scope().get(name)
                    : GuestToHost.ofRaw(variable.value(), home, allowance);
        } catch (ConversionException e) {
            throw e.in(name);
        } catch (LimitException e) {
            throw e.in(name);
        }
    }

    /** Into variables of this realm go the guest's values themselves, elsewhere plain Java. */
    Map<String, @Nullable Object> toPush(
            Frame frame, Map<String, @Nullable Object> assigned, Harvest run) {
        if (!(frame instanceof GuestFrame guest) || !guest.isIn(home.realm())) {
            return assigned;
        }
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        assigned.keySet().forEach(name -> values.put(name, guestValueOf(name, run)));
        return values;
    }

    private @Nullable Object guestValueOf(String name, Harvest run) {
        Variable variable = variable(name, run);
        return variable == null
                ? home.scope().getMember(name)
                : home.realm().asValue(variable.value());
    }

    private static @Nullable Variable variable(String name, Harvest run) {
        for (int i = 0; i < run.size(); i++) {
            if (run.variable(i).name().equals(name)) {
                return run.variable(i);
            }
        }
        return null;
    }

    /** Returns what the run has bound so far; the values are read from its live variables. */
    List<BoundName> list() {
        try {
            return home.realm().entered(() -> BoundName.allOf(home.scope()));
        } catch (PolyglotException | IllegalStateException _) {
            // The context was closed. What it left can mostly be read without it.
            return BoundName.allOf(home.scope());
        }
    }
}
