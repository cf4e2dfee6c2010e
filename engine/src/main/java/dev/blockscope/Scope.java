package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * The namespace a block runs in. A name is looked up in three tiers: <em>own</em>, which starts as
 * the block's snapshot and takes its writes; <em>shared</em>, which the blocks of one frame have in
 * common; and the frame's <em>globals</em>. Behind them stand the language's builtins. A write goes
 * to own and shared, and never to the globals or the frame.
 *
 * <p>Iteration, size and text show own names only; lookups answer for all tiers. As a {@link
 * ProxyObject} any guest language can hold a scope.
 *
 * <p>Own names are for one thread at a time, like the block that runs in them.
 *
 * @since 0.1
 */
public final class Scope implements ProxyObject, Iterable<String> {
    /** What the scope began with: a map that never changes, and that all runs of a block share. */
    private Map<String, @Nullable Object> snapshot;

    private final SharedLocals shared;
    private final Globals globals;

    /** What was assigned since, over the snapshot. */
    private final Map<String, Slot> assigned = LinkedHashMap.newLinkedHashMap(4);

    /** Variables that are declared and were not yet assigned when last looked at. */
    private Map<String, Slot> declared = Map.of();

    /** Names of the snapshot that were removed. */
    private Set<String> removed = Set.of();

    /** Names that the run found behind own and shared, and what it found. */
    private Map<String, @Nullable Object> resolved = Map.of();

    private @Nullable Run run;

    /**
     * Creates a scope; nothing is written to {@code shared}.
     *
     * @param own the names it starts with; copied, not deeply
     */
    public Scope(
            Map<String, ? extends @Nullable Object> own, SharedLocals shared, Globals globals) {
        this(shared, globals, new LinkedHashMap<>(own));
    }

    private Scope(SharedLocals shared, Globals globals, Map<String, @Nullable Object> snapshot) {
        this.snapshot = snapshot;
        this.shared = requireNonNull(shared, "shared");
        this.globals = requireNonNull(globals, "globals");
    }

    /** Creates a scope over a snapshot that nobody will change, without copying it. */
    static Scope over(
            Map<String, @Nullable Object> snapshot, SharedLocals shared, Globals globals) {
        return new Scope(shared, globals, snapshot);
    }

    /**
     * Returns the value of a name, through all tiers.
     *
     * @return the value as plain Java; null is a value
     * @throws NoSuchElementException if no tier binds the name
     */
    public @Nullable Object get(String name) {
        return find(name)
                .orElseThrow(() ->
                        new NoSuchElementException(
                                "no name \"%s\" in the scope; it has %s and shares %s"
                                        .formatted(name, ownNames(), shared.names())))
                .value();
    }

    /** Looks a name up through all tiers; the value is plain Java. */
    public Optional<Binding> find(String name) {
        Slot slot = slot(name);
        return slot == null ? globals.find(name) : Optional.of(new Binding(slot.host()));
    }

    /** Returns whether any tier binds a name. */
    public boolean containsKey(String name) {
        return slot(name) != null || globals.find(name).isPresent();
    }

    /** Binds a name in own and in shared. */
    public void put(String name, @Nullable Object value) {
        assign(name, new Slot.OfHost(value));
    }

    /** Returns the names of the scope's own tier in their order. */
    @Override
    public Iterator<String> iterator() {
        return ownNames().iterator();
    }

    /** Returns the number of own names. */
    public int size() {
        return ownNames().size();
    }

    /** Returns a scope with the same own names, the same shared store and the same globals. */
    public Scope copy() {
        Scope copy = new Scope(shared, globals, snapshot);
        copy.assigned.putAll(assigned);
        copy.declared = new LinkedHashMap<>(declared);
        copy.removed = new LinkedHashSet<>(removed);
        return copy;
    }

    /** Returns the store this scope shares. */
    public SharedLocals shared() {
        return shared;
    }

    /** Returns the names this scope falls back to. */
    public Globals globals() {
        return globals;
    }

    /** Returns the names that were assigned in this scope since it was made, in order. */
    public Set<String> assigned() {
        return new LinkedHashSet<>(assigned.keySet());
    }

    @Override
    public @Nullable Object getMember(String name) {
        Slot slot = slot(name);
        return slot != null
                ? slot.guest(Realm.entered())
                : GuestGlobals.forGuest(globals, name).map(Binding::value).orElse(null);
    }

    @Override
    public boolean hasMember(String name) {
        return containsKey(name);
    }

    @Override
    public Object getMemberKeys() {
        return ProxyArray.fromList(new ArrayList<>(ownNames()));
    }

    @Override
    public void putMember(String name, Value value) {
        Run current = Run.current();
        if (run != null && run.write(name, value)) {
            return;
        }
        if (current == null) {
            assign(name, new Slot.OfHost(GuestToHost.argument(value)));
        } else {
            bind(name, value, current.home());
        }
    }

    /** Binds a name to a value of guest code: where blocks go on with variables, the variable. */
    private void bind(String name, Value value, Home home) {
        Slot.Variable known = shared.isContinued() ? shared.variable(name) : null;
        if (known == null) {
            assign(name, slotOf(value, home));
        } else {
            known.write(value);
            assign(name, known);
        }
    }

    /**
     * Binds a name as code of the block would that assigns it, also when the block's run is over.
     *
     * @param home the home of that run
     * @throws IllegalArgumentException if it is a constant of the block
     */
    void putInBlock(String name, Value value, Home home) {
        if (run != null) {
            if (!run.write(name, value)) {
                bind(name, value, home);
            }
        } else if (own(name) instanceof Slot.Variable variable) {
            variable.write(value);
            shared.changed();
        } else {
            bind(name, value, home);
        }
    }

    /** Whether a name is a variable of the block's own, as opposed to one made by assignment. */
    boolean hasVariable(String name) {
        return run != null ? run.hasVariable(name) : own(name) instanceof Slot.Variable;
    }

    /** Returns the guest's scope object that has the block's variable of a name, or null. */
    @Nullable Object holderOf(String name) {
        if (run != null) {
            return run.holderOf(name);
        }
        return own(name) instanceof Slot.Variable variable ? variable.run().scope() : null;
    }

    /** Returns what a name that is no variable is bound to, to be restored. */
    Before binding(String name) {
        Slot mine = assigned.get(name);
        Slot theirs = shared.slot(name);
        return () -> {
            if (mine == null) {
                assigned.remove(name);
            } else {
                assigned.put(name, mine);
            }
            if (theirs == null) {
                shared.remove(name);
            } else {
                shared.bind(name, theirs);
            }
        };
    }

    /** What a name was bound to. */
    @FunctionalInterface
    interface Before {
        void restore();
    }

    /** Notes that the variables of the run that is under way can be assigned when it is over. */
    void keepVariables() {
        if (run != null) {
            run.keepVariables();
        }
    }

    @Override
    public boolean removeMember(String name) {
        boolean had = ownNames().contains(name);
        assigned.remove(name);
        removed = new LinkedHashSet<>(removed);
        removed.add(name);
        // A name that was deleted must not come back from the shared tier.
        shared.remove(name);
        return had;
    }

    /** Removes a name that some block made by assigning it. Returns false if there is none. */
    boolean removeAssigned(String name) {
        if (assigned.containsKey(name) || shared.slot(name) != null) {
            removeMember(name);
            return true;
        }
        return false;
    }

    /**
     * Returns each name with the tier that binds it: own, shared, or those of the globals that can
     * be listed.
     */
    @Override
    public String toString() {
        Map<String, String> tiers = new LinkedHashMap<>();
        ownNames().forEach(name -> tiers.put(name, "own"));
        shared.names().forEach(name -> tiers.putIfAbsent(name, "shared"));
        globals.names().forEach(name -> tiers.putIfAbsent(name, "global"));
        return "Scope" + tiers;
    }

    /** Looks a guest's name up in one go: the guest's view of it, or null if no tier binds it. */
    @Nullable Binding findForGuest(String name) {
        Slot slot = slot(name);
        return slot != null
                ? new Binding(slot.guest(Realm.entered()))
                : GuestGlobals.forGuest(globals, name).orElse(null);
    }

    boolean hasAssigned() {
        return !assigned.isEmpty();
    }

    List<String> assignedInOrder(Comparator<String> order) {
        List<String> names = new ArrayList<>(assigned.keySet());
        names.sort(order);
        return names;
    }

    /** Returns the assigned names in the order of their first assignments. */
    Collection<String> assignedAsTheyCame() {
        return assigned.keySet();
    }

    /** While a run is under way, its own variables are those of the guest's live frame. */
    void follow(@Nullable Run underWay) {
        run = underWay;
    }

    /**
     * Lets go of what code that the run has left cannot come by. Functions and objects keep their
     * scope; would a scope keep every value around it, then each of a row of blocks that bind a
     * function anew would keep those before it.
     *
     * @param nameable the part of the snapshot that such code can name
     */
    void outlives(Map<String, @Nullable Object> nameable) {
        snapshot = nameable;
        if (!Collections.disjoint(assigned.keySet(), nameable.keySet())) {
            snapshot = new LinkedHashMap<>(nameable);
            // The names stay, for whoever lists them; what they held is behind what they hold now.
            snapshot.replaceAll((name, value) -> assigned.containsKey(name) ? null : value);
        }
    }

    void resolved(Map<String, @Nullable Object> found) {
        resolved = found;
    }

    /** Returns what the run found behind own and shared, by name. */
    Map<String, @Nullable Object> resolved() {
        return resolved;
    }

    /** Returns the own names that are bound now, with what they hold. */
    Map<String, Slot> ownSlots() {
        if (run != null) {
            run.share();
        }
        Map<String, Slot> slots = new LinkedHashMap<>();
        for (String name : ownNames()) {
            Slot slot = own(name);
            if (slot != null && slot.bound()) {
                slots.put(name, slot);
            }
        }
        return slots;
    }

    void assign(String name, Slot slot) {
        assigned.put(requireNonNull(name, "name"), slot);
        shared.bind(name, slot);
    }

    /** Takes a declared variable that has no value yet: siblings may see it once it has. */
    void declare(String name, Slot slot) {
        if (declared.isEmpty()) {
            declared = new LinkedHashMap<>();
        }
        declared.put(name, slot);
        shared.bindIfAbsent(name, slot);
    }

    private static Slot slotOf(Value value, Home home) {
        Slot settled = Slot.settled(value, home);
        return settled == null ? new Slot.OfGuest(value, home) : settled;
    }

    /**
     * Whether the scope's own names bind a name, so that it is not looked for with the siblings.
     */
    boolean isOwn(String name) {
        Slot mine = shared.isContinued() ? null : own(name);
        return mine != null && mine.bound();
    }

    @Nullable Slot slot(String name) {
        Slot live = run == null ? null : run.variable(name);
        if (live != null) {
            return live;
        }
        if (shared.isContinued()) {
            return shared.slot(name);
        }
        Slot mine = own(name);
        return mine != null && mine.bound() ? mine : shared.slot(name);
    }

    private @Nullable Slot own(String name) {
        Slot slot = assigned.get(name);
        if (slot == null) {
            slot = declared.get(name);
        }
        if (slot != null) {
            return slot;
        }
        return snapshot.containsKey(name) && !removed.contains(name)
                ? Slot.of(snapshot.get(name))
                : null;
    }

    private Set<String> ownNames() {
        Set<String> names = new LinkedHashSet<>(snapshot.keySet());
        names.removeAll(removed);
        names.addAll(assigned.keySet());
        declared.forEach((name, slot) -> {
            if (slot.bound()) {
                names.add(name);
            }
        });
        return names;
    }
}
