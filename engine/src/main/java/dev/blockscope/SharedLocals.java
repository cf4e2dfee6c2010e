package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The store that all blocks of one frame share: what one of them binds, the others see. It belongs
 * to the frame object and goes when the frame goes.
 *
 * <p>It may be used from many threads. Reading a value that guest code bound waits for the block
 * that runs in the frame, if there is one.
 *
 * @since 0.1
 */
public final class SharedLocals {
    private final Map<String, Slot> slots = new LinkedHashMap<>();

    /** How many of the slots may need their realm. */
    private int unsettled;

    /** Counts the changes. */
    private long version;

    /** The version in which each name was bound last; null as long as nobody asks. */
    private @Nullable Map<String, Long> moments;

    /** Whether blocks go on with each other's variables instead of binding names anew. */
    private final boolean continued;

    /** Creates a store that belongs to no frame. */
    public SharedLocals() {
        this(false);
    }

    private SharedLocals(boolean continued) {
        this.continued = continued;
    }

    /** Returns a store whose names are one set of variables for all blocks. */
    static SharedLocals continued() {
        return new SharedLocals(true);
    }

    /** Returns the store of a frame: the same one for the same frame object, always. */
    public static SharedLocals of(Frame frame) {
        return frame.shared();
    }

    /** Looks a name up; the value is plain Java. */
    public Optional<Binding> find(String name) {
        return Optional.ofNullable(slot(name)).map(slot -> new Binding(slot.host()));
    }

    /** Binds a name for all blocks that have no own binding of it. */
    public void put(String name, @Nullable Object value) {
        bind(name, new Slot.OfHost(value));
    }

    /** Returns the names bound, in the order in which they came. */
    public synchronized Set<String> names() {
        return new LinkedHashSet<>(slots.keySet());
    }

    /** Binds every name of another store here too; values are the same, and live ones stay live. */
    public void putAll(SharedLocals other) {
        other.slots().forEach(this::bind);
    }

    /** Returns a store of its own with the same bindings. */
    public SharedLocals copy() {
        SharedLocals copy = new SharedLocals();
        copy.putAll(this);
        return copy;
    }

    private synchronized Map<String, Slot> slots() {
        return new LinkedHashMap<>(slots);
    }

    /** Forgets every name. */
    public synchronized void clear() {
        slots.clear();
        unsettled = 0;
        version++;
    }

    boolean isContinued() {
        return continued;
    }

    /** Returns what a name is bound to if it is a variable of a run, be it without a value yet. */
    synchronized Slot.@Nullable Variable variable(String name) {
        return slots.get(name) instanceof Slot.Variable variable ? variable : null;
    }

    /** Returns a number that changes whenever a name is bound or removed. */
    synchronized long version() {
        return version;
    }

    /** Whether the store has something of this name, bound or not. */
    synchronized boolean binds(String name) {
        return slots.containsKey(name);
    }

    @Nullable Slot slot(String name) {
        Slot slot;
        synchronized (this) {
            slot = slots.get(name);
        }
        // Asked outside the lock: a variable may have to wait for the block that runs.
        return slot != null && slot.bound() ? slot : null;
    }

    /** Does several changes, which others see all or none of; they must not ask slots. */
    synchronized void atOnce(Runnable changes) {
        changes.run();
    }

    /** Notes that a variable was assigned that is bound here. */
    synchronized void changed() {
        version++;
    }

    synchronized void bind(String name, Slot slot) {
        replaced(slots.put(requireNonNull(name, "name"), slot), slot);
        if (moments != null) {
            moments.put(name, version);
        }
    }

    /** From now on keeps in mind when names are bound. Returns the moment that is now. */
    synchronized long watch() {
        if (moments == null) {
            moments = new HashMap<>();
        }
        return version;
    }

    /** Returns what a name was bound to after a moment, or null if it was not. */
    @Nullable Slot boundSince(long moment, String name) {
        synchronized (this) {
            if (moments == null || moments.getOrDefault(name, 0L) <= moment) {
                return null;
            }
        }
        return slot(name);
    }

    synchronized void bindIfAbsent(String name, Slot slot) {
        if (!slots.containsKey(name)) {
            bind(name, slot);
        }
    }

    /** Forgets what is gone with its realm, and returns its names. */
    synchronized Set<String> forgetLost() {
        Set<String> lost = new HashSet<>();
        slots.forEach((name, slot) -> {
            if (slot.lost()) {
                lost.add(name);
            }
        });
        lost.forEach(this::remove);
        return lost;
    }

    synchronized void remove(String name) {
        replaced(slots.remove(name), null);
    }

    /**
     * Settles every slot, now that no code of the frame's blocks runs or can be called. Returns
     * false if one goes on needing its realm.
     */
    boolean settle() {
        if (!isUnsettled()) {
            return true;
        }
        for (Map.Entry<String, Slot> entry : unsettledSlots().entrySet()) {
            // Asked outside the lock, as above.
            Slot settled = settled(entry.getValue());
            if (settled == null) {
                return false;
            }
            replace(entry.getKey(), entry.getValue(), settled);
        }
        return true;
    }

    private static @Nullable Slot settled(Slot slot) {
        try {
            return slot.settled();
        } catch (LostRealmException e) {
            return new Slot.Lost(e, slot.author());
        }
    }

    private synchronized boolean isUnsettled() {
        return unsettled > 0;
    }

    private synchronized Map<String, Slot> unsettledSlots() {
        Map<String, Slot> found = new LinkedHashMap<>(slots);
        found.values().removeIf(slot -> !needsRealm(slot));
        return found;
    }

    private synchronized void replace(String name, Slot before, Slot now) {
        if (slots.replace(name, before, now)) {
            replaced(before, now);
        }
    }

    private void replaced(@Nullable Slot before, @Nullable Slot now) {
        version++;
        unsettled += (needsRealm(now) ? 1 : 0) - (needsRealm(before) ? 1 : 0);
    }

    private static boolean needsRealm(@Nullable Slot slot) {
        return slot instanceof Slot.OfGuest || slot instanceof Slot.Variable;
    }

    @Override
    public String toString() {
        return "SharedLocals" + names();
    }
}
