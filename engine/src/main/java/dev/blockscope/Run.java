package dev.blockscope;

import dev.blockscope.truffle.Harvest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * One run of a block in its realm, or one call of a function that a block made. The thread must
 * have the realm's turn.
 */
final class Run implements AutoCloseable {
    private static final ThreadLocal<@Nullable Run> CURRENT = new ThreadLocal<>();

    private final Home home;
    private final @Nullable Run outer;
    private volatile @Nullable Harvest harvest;
    private @Nullable Analysis analysis;
    private List<String> names = List.of();
    private @Nullable Object[] arguments = {};

    private Run(Home home) {
        this.home = home;
        this.outer = CURRENT.get();
        CURRENT.set(this);
    }

    /** Returns the innermost run that this thread is in, or null. */
    static @Nullable Run current() {
        return CURRENT.get();
    }

    /** Begins a call of a function that a block made: names resolve as they did in that block. */
    static Run ofCall(Home home) {
        return new Run(home);
    }

    /**
     * Runs a block once and takes what it bound, without pushing it.
     *
     * @throws BlockException if the block fails
     */
    static BlockResult of(Block block, Realm realm, StopSignal signal) {
        Scope scope = block.newScope();
        try (Run run = new Run(new Home(realm, scope, block.source()))) {
            signal.add(run);
            try {
                return run.execute(block, signal);
            } finally {
                signal.remove(run);
            }
        }
    }

    Home home() {
        return home;
    }

    @Nullable Object toHost(Value value) {
        return GuestToHost.convert(value, home);
    }

    /** Puts the names bound so far into the scope, for siblings that run while this one waits. */
    void share() {
        if (harvest != null) {
            harvest();
        }
    }

    /** Stops the run at the next place its guest code comes by. */
    void stop() {
        Harvest running = harvest;
        if (running != null) {
            home.realm().guest().stop(running);
        }
    }

    /** Returns the live variable of a name in this run's own frame, or null if it has none. */
    Slot.@Nullable Variable variable(String name) {
        Value variables = variablesWith(name);
        return variables == null ? null : new Slot.Variable(variables, name, home);
    }

    /** Assigns a variable of this run's own frame. Returns false if there is none of that name. */
    boolean write(String name, Value value) {
        Value variables = variablesWith(name);
        if (variables == null) {
            return false;
        }
        variables.putMember(name, value);
        return true;
    }

    @Override
    public void close() {
        home.scope().follow(null);
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }

    private BlockResult execute(Block block, StopSignal signal) {
        Realm realm = home.realm();
        analysis = block.analysis();
        Program program = prepare(block, realm);
        Harvest mine = new Harvest(program.text());
        harvest = mine;
        String stopped = signal.reason();
        if (stopped != null) {
            throw BlockException.ofStopped(stopped, null, home, List.of());
        }
        home.scope().follow(this);
        realm.guest().begin(mine);
        try {
            Value value = program.executable().execute(arguments);
            harvest();
            realm.sweepIf(block.analysis().mayTouchGlobal());
            return new BlockResult(block, toHost(value), assigned());
        } catch (PolyglotException e) {
            harvest();
            List<BoundName> bound = BoundName.allOf(home.scope());
            String reason = signal.reason();
            throw reason == null
                    ? BlockException.of(e, home, bound)
                    : BlockException.ofStopped(reason, e, home, bound);
        } catch (ConversionException e) {
            throw BlockException.of(e, home, BoundName.allOf(home.scope()));
        } finally {
            realm.guest().end(mine);
        }
    }

    /** Chooses the parameters of this run and their values. */
    private Program prepare(Block block, Realm realm) {
        Scope scope = home.scope();
        Map<String, @Nullable Object> given = new LinkedHashMap<>();
        block.parameters()
                .forEach(name -> given.put(name, HostToGuest.convert(block.snapshot().get(name))));
        for (String name : block.analysis().builtins()) {
            // A builtin is an own property of the global object and would win over the fallback.
            if (!given.containsKey(name)) {
                Binding binding = scope.findForGuest(name);
                if (binding != null) {
                    given.put(name, binding.value());
                } else if (block.analysis().writes(name)) {
                    given.put(name, realm.builtin(name));
                }
            }
        }
        Program program = realm.program(block.source(), List.copyOf(given.keySet()));
        names = program.names();
        arguments = names.stream().map(given::get).toArray();
        return program;
    }

    private void harvest() {
        Object raw = harvest == null ? null : harvest.scope();
        if (raw == null) {
            return;
        }
        Scope scope = home.scope();
        Value variables = home.realm().asValue(raw);
        for (String name : variables.getMemberKeys()) {
            if (name.equals("this") || name.equals(JavaScript.NO_NAME)) {
                continue;
            }
            Slot slot = new Slot.Variable(variables, name, home);
            Value value = variables.getMember(name);
            int parameter = names.indexOf(name);
            if (parameter >= 0) {
                if (!Guest.isSame(arguments[parameter], value)) {
                    scope.assign(name, slot);
                }
            } else if (Guest.isUndefined(value)) {
                scope.declare(name, slot);
            } else {
                scope.assign(name, slot);
            }
        }
    }

    private Map<String, @Nullable Object> assigned() {
        Scope scope = home.scope();
        Map<String, @Nullable Object> bindings = new LinkedHashMap<>();
        for (String name : scope.assigned()) {
            try {
                bindings.put(name, scope.get(name));
            } catch (ConversionException e) {
                throw e.in(name);
            }
        }
        return bindings;
    }

    private @Nullable Value variablesWith(String name) {
        if (harvest == null
                || analysis == null
                || (!names.contains(name) && !analysis.mayHold(name))) {
            return null;
        }
        Object raw = harvest.scope();
        Value variables = raw == null ? null : home.realm().asValue(raw);
        return variables != null && variables.hasMember(name) ? variables : null;
    }
}
