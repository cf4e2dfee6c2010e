package dev.blockscope;

import dev.blockscope.truffle.FunctionVariables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * Takes functions of blocks apart into {@linkplain FunctionSource sources}, so that they can be
 * made anew in another engine. What several functions of one such object hold, be it a value or a
 * function, is one object in all of them.
 *
 * <p>A variable that a function assigns and others see too cannot be held by each of them, so it is
 * refused. Not safe for use by several threads.
 *
 * @since 0.1
 */
public final class FunctionSources {
    /** How far functions may close over functions that close over functions. */
    private static final int DEEPEST = 100;

    private final Map<Value, FunctionSource> known = new HashMap<>();
    private final Map<Realm, Map<Value, Object>> done = new HashMap<>();
    private final List<Closure> closures = new ArrayList<>();

    /** By which name of a block each closure was come upon. */
    private final IdentityHashMap<Closure, String> origins = new IdentityHashMap<>();

    private final List<Reader> readers = new ArrayList<>();
    private int depth;

    /** Creates one that has seen no functions yet. */
    public FunctionSources() {}

    /**
     * Returns the names that a block reads with their values, wherever its scope has them, as plain
     * Java that needs no engine. A host value is itself, with what functions it may hold.
     *
     * @throws FunctionSourceException if a function cannot be taken apart; its path begins with the
     *     name
     * @throws IllegalStateException if a value lives in an engine that is closed
     */
    public Map<String, @Nullable Object> valuesOf(Block block) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        readsOf(block).forEach(read -> values.put(read.name(), read.value()));
        return values;
    }

    /**
     * Returns the same in the order of the text, with the part of the scope that has each name. Of
     * several blocks none may see a variable that a function of another one assigns.
     *
     * @throws FunctionSourceException if a function cannot be taken apart; its path begins with the
     *     name
     * @throws IllegalStateException if a value lives in an engine that is closed
     */
    public List<ReadValue> readsOf(Block block) {
        block.frame().begin(block);
        Reader reader = new Reader(block.newScope(), block.reads());
        readers.add(reader);
        List<ReadValue> values = new ArrayList<>();
        int before = closures.size();
        for (String name : reader.names()) {
            int known = closures.size();
            try {
                read(name, reader.scope()).ifPresent(values::add);
            } catch (FunctionSourceException e) {
                throw e.in(name);
            }
            closures.subList(known, closures.size()).forEach(closure -> origins.put(closure, name));
        }
        requireUnseen(closures.subList(before, closures.size()), readers);
        requireUnseen(closures.subList(0, before), List.of(reader));
        return values;
    }

    private Optional<ReadValue> read(String name, Scope scope) {
        Slot slot = scope.slot(name);
        if (slot == null) {
            return scope.globals()
                    .find(name)
                    .map(it -> new ReadValue(name, ReadValue.Tier.GLOBAL, it.value()));
        }
        ReadValue.Tier tier = scope.isOwn(name) ? ReadValue.Tier.OWN : ReadValue.Tier.SHARED;
        return Optional.of(new ReadValue(name, tier, plain(slot)));
    }

    private void requireUnseen(List<Closure> some, List<Reader> by) {
        for (Closure closure : some) {
            try {
                by.forEach(reader -> closure.requireUnseenBy(reader.scope(), reader.names()));
            } catch (FunctionSourceException e) {
                throw e.in(origins.getOrDefault(closure, ""));
            }
        }
    }

    /** A block that was asked for its values. */
    private record Reader(Scope scope, Set<String> names) {}

    /**
     * Returns the source of a function: the same one each time.
     *
     * @throws FunctionSourceException if the function cannot be taken apart
     * @throws IllegalStateException if its engine is closed
     */
    public FunctionSource of(GuestFunction function) {
        return of(function.value(), function.home(), "");
    }

    /** Returns the source of a function that was found inside of a value. */
    FunctionSource of(Value function, Home home, String path) {
        home.realm().requireUsable(() -> "function of block " + home.block());
        try {
            return home.limited(() -> of(function, home, !path.isEmpty()));
        } catch (FunctionSourceException e) {
            throw e.in(path);
        }
    }

    private FunctionSource of(Value function, Home home, boolean inside) {
        FunctionSource found = known.get(function);
        if (found != null) {
            return found;
        }
        if (++depth > DEEPEST) {
            throw new FunctionSourceException(
                    "",
                    "functions close over each other more than %d levels deep".formatted(DEEPEST));
        }
        FunctionText text = FunctionText.of(function);
        if (inside) {
            text.requireNoReceiver();
        }
        Home maker = home.realm().makerOf(function);
        Closure closure = Closure.of(function, text, maker == null ? home : maker);
        closures.forEach(closure::requireUnsharedWith);
        closures.add(closure);
        Map<String, @Nullable Object> variables = new LinkedHashMap<>();
        FunctionSource source = new FunctionSource(text.program(closure.names()), variables);
        known.put(function, source);
        closure.bound().forEach(name -> variables.put(name, closedOver(closure, name)));
        depth--;
        return source;
    }

    private @Nullable Object closedOver(Closure closure, String name) {
        try {
            return closure.read(name, this);
        } catch (FunctionSourceException e) {
            throw e.in(" closing over " + name);
        }
    }

    private @Nullable Object plain(Slot slot) {
        return switch (slot) {
            case Slot.OfGuest(Value value, Home home) -> plain(value, home);
            case Slot.Variable variable -> plain(variable.now(), variable.home());
            case Slot.OfHost _, Slot.OfPrimitive _, Slot.Unbound _, Slot.Lost _ ->
                    slot.host() instanceof GuestFunction function ? of(function) : slot.host();
        };
    }

    @Nullable Object plain(Value value, Home home) {
        home.realm().requireUsable(() -> "a value of block " + home.block());
        return home.limited(() ->
                GuestToHost.convert(
                        value,
                        home,
                        this,
                        done.computeIfAbsent(home.realm(), _ -> new HashMap<>())));
    }

    /** Returns what a scope has for a name, or null if it has nothing. */
    @Nullable Binding plainIn(Scope scope, String name) {
        Slot slot = scope.slot(name);
        return slot == null ? scope.globals().find(name).orElse(null) : new Binding(plain(slot));
    }

    /** Asks a function for the variables around it. */
    static FunctionVariables variablesAround(Value function, Realm realm) {
        FunctionVariables variables = realm.guest().variablesAround();
        realm.asValue(variables).executeVoid(function);
        return variables;
    }
}
