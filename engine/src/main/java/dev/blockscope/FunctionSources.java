package dev.blockscope;

import dev.blockscope.truffle.FunctionVariables;
import java.util.ArrayList;
import java.util.HashMap;
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
        block.frame().begin(block);
        Scope scope = block.newScope();
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        Set<String> reads = block.reads();
        for (String name : reads) {
            Slot slot = scope.slot(name);
            int before = closures.size();
            try {
                if (slot != null) {
                    values.put(name, plain(slot));
                } else {
                    Optional<Binding> global = block.frame().globals().find(name);
                    global.ifPresent(binding -> values.put(name, binding.value()));
                }
                for (Closure closure : closures.subList(before, closures.size())) {
                    closure.requireUnseenBy(scope, reads);
                }
            } catch (FunctionSourceException e) {
                throw e.in(name);
            }
        }
        return values;
    }

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
