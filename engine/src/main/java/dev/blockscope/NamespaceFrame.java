package dev.blockscope;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.MapMaker;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * A frame whose blocks go on with one set of variables, as the lines at a prompt do. There is no
 * snapshot: a name is what the blocks have made of it, behind that what the map holds now, and then
 * what the globals answer.
 *
 * <p>The map and the blocks' variables are two places. Before a run what the host has put into the
 * map since goes into the variables, and after a run what has become of the variables goes into the
 * map.
 */
final class NamespaceFrame extends Frame {
    private final MapLocals variables;
    private final Globals globals;

    /** What stands in the map since a block's variables were last written there; also the lock. */
    private final Map<String, @Nullable Object> written = new LinkedHashMap<>();

    /** Names that functions of the blocks so far may look at, when any block calls them. */
    private final Set<String> captured = ConcurrentHashMap.newKeySet();

    /** The objects of which the host holds copies. */
    private final ConcurrentMap<Object, GuestObject> objects = new MapMaker().weakKeys().makeMap();

    /**
     * Names whose values could not be copied when last tried. To try again with each block would
     * have all of them pay for a value that takes longer than a block may.
     */
    private final Set<String> refused = ConcurrentHashMap.newKeySet();

    /** Whether those functions may look at any name. */
    private volatile boolean allCaptured;

    NamespaceFrame(Map<String, @Nullable Object> variables, Globals globals, FrameCode code) {
        super(code, SharedLocals.continued());
        this.variables = new MapLocals(requireNonNull(variables, "variables"));
        this.globals = behindVariables(requireNonNull(globals, "globals"));
    }

    @Override
    public Globals globals() {
        return globals;
    }

    @Override
    public Map<String, @Nullable Object> snapshot() {
        synchronized (written) {
            return new LinkedHashMap<>(variables.map());
        }
    }

    @Override
    Map<String, @Nullable Object> captured() {
        return new LinkedHashMap<>();
    }

    @Override
    public void push(Map<String, ? extends @Nullable Object> bindings) {
        synchronized (written) {
            Push.into(variables, bindings);
            written.putAll(bindings);
        }
        refused.removeAll(bindings.keySet());
    }

    @Override
    List<String> parametersAmong(List<String> names, Analysis text) {
        return names.stream().filter(name -> !isLive(text, name)).toList();
    }

    /**
     * Whether a free name must be asked for whenever code of the text comes by it: a function may
     * come by later, and functions of other texts may look at what this one assigns.
     */
    @Override
    boolean isLive(Analysis text, String name) {
        return !text.mayHold(name)
                && (text.mayCapture(name)
                        || ((allCaptured || captured.contains(name)) && text.mayTouch(name)));
    }

    @Override
    void begin(Block block) {
        Set<String> names = block.analysis().captured();
        if (names == null) {
            allCaptured = true;
        } else {
            captured.addAll(names);
        }
        takeIn();
    }

    @Override
    void ended(Block block, Set<String> pushed) {
        bringUpToDate(block.analysis().words(), pushed, block.engine());
    }

    @Override
    void failed(Block block, BlockException failure) {
        bringUpToDateAfter(failure, block.analysis().words(), block.engine());
    }

    /**
     * Does a call by the host of a function that a block made: it sees what the host has put into
     * the map, and the map shows what it has changed.
     */
    <T extends @Nullable Object> T calling(Home home, Supplier<T> call) {
        BlockEngine engine = home.realm().engine();
        Set<String> words = engine.wordsOf(home.block());
        takeIn();
        T result;
        try {
            result = call.get();
        } catch (RuntimeException e) {
            bringUpToDateAfter(e, words, engine);
            throw e;
        }
        bringUpToDate(words, Set.of(), engine);
        return result;
    }

    /** Keeps in mind of which object something is a copy, as long as the host holds the copy. */
    void keepObject(Map<String, @Nullable Object> copy, Value value, Home home) {
        if (GuestObject.mayHaveMethods(value, copy.values())) {
            GuestObject object = new GuestObject(value, home);
            objects.put(copy, object);
            home.realm().leaveSomething();
            home.realm().engine().keepObject(copy, object);
        }
    }

    /**
     * Takes over what the host has put into the map since, and forgets what it has removed. Of
     * variables that are gone with their guest context, what the map has is what there is.
     */
    private void takeIn() {
        Set<String> lost = shared().forgetLost();
        synchronized (written) {
            written.keySet().removeAll(lost);
        }
        for (Map.Entry<String, @Nullable Object> change : changesOfTheHost().entrySet()) {
            String name = change.getKey();
            Object value = change.getValue();
            Slot.Variable variable = shared().variable(name);
            if (!Locals.ABSENT.equals(value)
                    && variable != null
                    && variable.take(HostToGuest.convert(value))) {
                synchronized (written) {
                    written.put(name, value);
                }
            } else {
                // From now on it is the host's, and found in the map.
                shared().remove(name);
                synchronized (written) {
                    written.remove(name);
                }
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // another object is another value, be it equal
    private Map<String, @Nullable Object> changesOfTheHost() {
        Map<String, @Nullable Object> changes = new LinkedHashMap<>();
        synchronized (written) {
            written.forEach((name, value) -> {
                Object now = variables.valueOf(name);
                if (now != value) {
                    changes.put(name, now);
                }
            });
        }
        return changes;
    }

    /**
     * Writes what has become of the blocks' variables into the map. To look into an object takes a
     * copy of it, so that is done for those only that code with some words can have reached.
     *
     * @param upToDate names that were just written
     */
    private void bringUpToDate(Set<String> words, Set<String> upToDate, BlockEngine engine) {
        Set<String> names = shared().names();
        names.removeAll(upToDate);
        if (!names.isEmpty()) {
            push(changesOf(names, reachedBy(words, names, engine)));
        }
        removeExcept(shared().names());
    }

    /** The same after a failure, which must not be lost over another one. */
    private void bringUpToDateAfter(
            RuntimeException failure, Set<String> words, BlockEngine engine) {
        try {
            bringUpToDate(words, Set.of(), engine);
        } catch (LostRealmException e) {
            // The map stays as it is, and the next run goes on with that.
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private Map<String, @Nullable Object> changesOf(Set<String> names, Set<String> reached) {
        Map<String, @Nullable Object> changes = new LinkedHashMap<>();
        for (String name : names) {
            Object before = writtenAs(name);
            boolean asked = reached.contains(name) || !(isCopy(before) || refused.contains(name));
            Slot slot = asked ? shared().slot(name) : null;
            if (slot == null) {
                continue;
            }
            Object now;
            try {
                now = slot.host();
            } catch (ConversionException e) {
                // Whoever assigned it was told; what stands in the map is the last that could.
                refused.add(name);
                continue;
            } catch (BlockException e) {
                refused.add(name);
                throw e;
            }
            refused.remove(name);
            if (isCopy(now) || !Objects.equals(before, now)) {
                changes.put(name, now);
            }
        }
        return changes;
    }

    private @Nullable Object writtenAs(String name) {
        synchronized (written) {
            return written.getOrDefault(name, Locals.ABSENT);
        }
    }

    /** Whether a value of the host is a copy of the guest's, which may have changed since. */
    private static boolean isCopy(@Nullable Object value) {
        return value instanceof Map<?, ?>
                || value instanceof Collection<?>
                || (value != null && value.getClass().isArray());
    }

    /** Returns those of some names that code with these words can have come by, also by calls. */
    private Set<String> reachedBy(Set<String> words, Set<String> names, BlockEngine engine) {
        Set<String> reached = new HashSet<>();
        Deque<Set<String>> open = new ArrayDeque<>(List.of(words));
        while (!open.isEmpty()) {
            Set<String> known = open.pop();
            for (String name : names) {
                if (known.contains(name) && reached.add(name)) {
                    Slot slot = shared().slot(name);
                    BlockSource author = slot == null ? null : slot.author();
                    if (author != null) {
                        open.push(engine.wordsOf(author));
                    }
                }
            }
        }
        return reached;
    }

    /** Removes from the map what blocks have left there and deleted since. */
    @SuppressWarnings("ReferenceEquality") // what the host has put there stays
    private void removeExcept(Set<String> names) {
        synchronized (written) {
            written.entrySet()
                    .removeIf(entry -> {
                        boolean gone = !names.contains(entry.getKey());
                        if (gone && variables.valueOf(entry.getKey()) == entry.getValue()) {
                            variables.unset(entry.getKey());
                        }
                        return gone;
                    });
        }
    }

    private Globals behindVariables(Globals outer) {
        return new Globals() {
            @Override
            public Optional<Binding> find(String name) {
                Object value;
                synchronized (written) {
                    value = variables.valueOf(name);
                }
                return Locals.ABSENT.equals(value)
                        ? outer.find(name)
                        : Optional.of(new Binding(value));
            }

            @Override
            public Set<String> names() {
                Set<String> names = new HashSet<>(outer.names());
                names.addAll(snapshot().keySet());
                return names;
            }
        };
    }

    @Override
    public String toString() {
        return "Frame" + snapshot().keySet();
    }
}
