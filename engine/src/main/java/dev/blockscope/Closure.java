package dev.blockscope;

import dev.blockscope.truffle.FunctionVariables;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * What a function sees from where it was written: the variables around it, and behind them the
 * scope of the block that made it.
 *
 * @param variables those of the code around it
 * @param maker the home of the block
 * @param bound the names that the function uses and does not declare, and that have a value
 * @param undefined the same that are declared and have none
 * @param written those of them that the function assigns
 */
record Closure(
        FunctionVariables variables,
        Home maker,
        List<String> bound,
        List<String> undefined,
        List<String> written) {
    /** A text that no variable holds unless it was put there. */
    private static final String MARK = "blockscope: whose variable is this?";

    /**
     * Looks around a function.
     *
     * @throws FunctionSourceException if there is no telling what it sees
     */
    static Closure of(Value function, FunctionText text, Home maker) {
        Realm realm = maker.realm();
        Analysis analysis = realm.engine().analysisOf(text.program(List.of()));
        if (analysis.callsEval()) {
            throw refused("it calls eval, which may use any name; write the names out");
        }
        FunctionVariables variables = FunctionSources.variablesAround(function, realm);
        List<String> bound = new ArrayList<>();
        List<String> undefined = new ArrayList<>();
        for (String name : analysis.freeExcept(List.of(text.name()))) {
            if (realm.entered(() -> variables.isUninitialized(name))) {
                throw refused(
                        "it uses %s, whose declaration has not been reached; send it later"
                                .formatted(name));
            }
            if (isBuiltin(name, variables, realm)) {
                continue;
            }
            if (realm.entered(() -> variables.isUndefined(name))) {
                undefined.add(name);
            } else if (variables.declares(name) || maker.scope().containsKey(name)) {
                bound.add(name);
            }
        }
        requireItself(function, text.name(), variables, realm);
        List<String> written = bound.stream().filter(analysis::writes).toList();
        return new Closure(variables, maker, bound, undefined, written);
    }

    /** Whether a name is a parameter in which a block keeps what its language has. */
    private static boolean isBuiltin(String name, FunctionVariables variables, Realm realm) {
        Value builtin = variables.declares(name) ? realm.builtin(name) : null;
        Object held = builtin == null ? null : realm.entered(() -> variables.read(name));
        return held != null && realm.asValue(held).equals(builtin);
    }

    /** The program's function knows itself by its name, and nothing else. */
    private static void requireItself(
            Value function, String name, FunctionVariables variables, Realm realm) {
        Object known = name.isEmpty() ? null : realm.entered(() -> variables.read(name));
        if (known != null && !realm.asValue(known).equals(function)) {
            throw refused(
                    "%s is the name of something else around it; give the function a name of its own"
                            .formatted(name));
        }
    }

    /** Returns the names that a program of the function has to declare. */
    List<String> names() {
        List<String> names = new ArrayList<>(bound);
        names.addAll(undefined);
        return names;
    }

    /** Returns what a name holds, with functions as their sources. */
    @Nullable Object read(String name, FunctionSources sources) {
        Object raw = variables.declares(name) ? realm().entered(() -> variables.read(name)) : null;
        if (raw != null) {
            return sources.plain(realm().asValue(raw), maker);
        }
        Binding binding = sources.plainIn(maker.scope(), name);
        return binding == null ? null : binding.value();
    }

    private Realm realm() {
        return maker.realm();
    }

    /**
     * Checks that no variable is one of both functions and assigned by one of them.
     *
     * @throws FunctionSourceException if one is
     */
    void requireUnsharedWith(Closure other) {
        for (String name : names()) {
            boolean assigned = written.contains(name) || other.written.contains(name);
            if (assigned && other.names().contains(name) && isSame(name, other)) {
                throw shared(name, "other functions see");
            }
        }
    }

    /**
     * Checks that a block does not see a variable that the function assigns.
     *
     * @param reads the names that the block reads
     * @throws FunctionSourceException if it does
     */
    void requireUnseenBy(Scope scope, Set<String> reads) {
        for (String name : written) {
            Slot seen = reads.contains(name) ? scope.slot(name) : null;
            boolean same =
                    seen instanceof Slot.Variable variable
                            && variable.home().realm().equals(realm())
                            && marked(name, () -> variable.now());
            if (same || (seen instanceof Slot.OfGuest && !variables.declares(name))) {
                throw shared(name, "the block sees");
            }
        }
    }

    private boolean isSame(String name, Closure other) {
        if (!other.realm().equals(realm())) {
            return false;
        }
        if (variables.declares(name) && other.variables.declares(name)) {
            return marked(
                    name,
                    () -> {
                        Object there = other.variables.read(name);
                        return there == null ? null : realm().asValue(there);
                    });
        }
        return !variables.declares(name) && !other.variables.declares(name);
    }

    /** Whether another view of a variable shows what is put into this one for a moment. */
    private boolean marked(String name, View view) {
        return realm().entered(() -> {
            Object before = variables.read(name);
            if (before == null || !variables.write(name, MARK)) {
                return false;
            }
            try {
                Value there = view.now();
                return there != null && there.isString() && there.asString().equals(MARK);
            } finally {
                variables.write(name, before);
            }
        });
    }

    private static FunctionSourceException shared(String name, String who) {
        return refused(
                "it assigns %s, a variable that %s too, and there would be two of it; keep the value in an object: const state = { %s: ... }"
                        .formatted(name, who, name));
    }

    private static FunctionSourceException refused(String reason) {
        return new FunctionSourceException("", reason);
    }

    @FunctionalInterface
    private interface View {
        @Nullable Value now();
    }
}
