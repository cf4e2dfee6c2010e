package dev.blockscope;

import dev.blockscope.truffle.TextNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * What a text tells about its names before it runs. One analysis serves all blocks of equal text.
 *
 * <p>A name that a text declares itself with {@code let}, {@code const} or {@code class} at its top
 * level shadows the snapshot's from the first character on, and cannot be a parameter as well. The
 * tags do not tell the top level from braces, so such a name is tried: a text that does not parse
 * with it as the one parameter declares it.
 */
final class Analysis {
    private final TextNames names;
    private final Set<String> words;
    private final boolean mayTouchGlobal;
    private final boolean allNamesCount;
    private final List<String> builtins;
    private final Predicate<String> parsesWith;
    private final Map<String, Boolean> canBeParameter = new ConcurrentHashMap<>();

    /**
     * Creates an analysis.
     *
     * @param builtins the names of the language's own globals
     * @param parsesWith whether the text parses with a name as its one parameter
     */
    Analysis(String text, TextNames names, Set<String> builtins, Predicate<String> parsesWith) {
        this.names = names;
        this.words = JavaScript.wordsOf(text);
        this.mayTouchGlobal = JavaScript.mayTouchGlobal(words) || text.contains("\\u");
        // Names inside a string given to eval, and escaped ones, are not seen among the words.
        this.allNamesCount = names.directEval() || text.contains("\\u");
        this.parsesWith = parsesWith;
        Set<String> free = new HashSet<>(names.read());
        free.addAll(names.written());
        free.retainAll(builtins);
        this.builtins = free.stream().sorted().toList();
    }

    /** Whether a run of the text may define names past the scope, on the global object itself. */
    boolean mayTouchGlobal() {
        return mayTouchGlobal;
    }

    /** Returns the builtins that the text uses by name, sorted. */
    List<String> builtins() {
        return builtins;
    }

    /** Whether the text assigns a free name. */
    boolean writes(String name) {
        return names.written().contains(name);
    }

    /** Whether the text's own body may hold a variable of this name while it runs. */
    boolean mayHold(String name) {
        return names.directEval()
                || names.lexical().contains(name)
                || names.variables().contains(name);
    }

    /** Returns those of a snapshot's names that the text takes as parameters, in their order. */
    List<String> parametersAmong(Collection<String> snapshot) {
        List<String> parameters = new ArrayList<>();
        for (String name : snapshot) {
            if ((allNamesCount || words.contains(name)) && canBeParameter(name)) {
                parameters.add(name);
            }
        }
        return parameters;
    }

    private boolean canBeParameter(String name) {
        if (!JavaScript.isVariableName(name)) {
            return false;
        }
        return !names.lexical().contains(name)
                || canBeParameter.computeIfAbsent(name, parsesWith::test);
    }
}
