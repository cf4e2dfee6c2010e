package dev.blockscope;

import static java.util.Objects.requireNonNullElse;

import com.google.common.base.Suppliers;
import dev.blockscope.truffle.ParsePlan;
import dev.blockscope.truffle.TextNames;
import dev.blockscope.truffle.TextNames.Use;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a text tells about its names before it runs. One analysis serves all blocks of equal text.
 *
 * <p>A name that a text declares itself with {@code let}, {@code const} or {@code class} at its top
 * level shadows the snapshot's from the first character on, and cannot be a parameter as well. The
 * tags do not tell the top level from braces, so such a name is tried: a text that does not parse
 * with it as the one parameter declares it.
 */
final class Analysis {
    private final Dialect dialect;
    private final TextNames names;
    private final int length;
    private final boolean mayTouchGlobal;

    /** Whether it may make a string that names any variable, and read that. */
    private final boolean mayReadAny;

    private final boolean mayLeaveMarks;
    private final boolean tellsParameters;
    private final boolean allNamesCount;
    private final boolean hidesAssignments;

    /** Asked only where a run is limited. */
    private final Supplier<Boolean> endsByItself;

    private final Supplier<Set<String>> captured;
    private final Supplier<Set<String>> read;

    private final Predicate<String> parsesWith;
    private final Map<String, Boolean> canBeParameter = new ConcurrentHashMap<>();

    /** Every word of the text, and the place of its first appearance among them. */
    private final Map<String, Integer> words;

    /** Names that may show what they are outside, if only at first, in the order of the text. */
    private final List<String> free;

    /** Empty where the text could tell a parameter from a property of the global object. */
    private final List<String> settled;

    /**
     * Creates an analysis.
     *
     * @param parsesWith whether the text parses with a name as its one parameter
     */
    Analysis(Dialect dialect, String text, TextNames names, Predicate<String> parsesWith) {
        this.dialect = dialect;
        this.names = names;
        this.length = text.length();
        this.parsesWith = parsesWith;
        this.words = dialect.wordsOf(text);
        // Names inside a string given to eval, and escaped ones, are not seen among the names.
        this.allNamesCount = names.directEval() || dialect.hidesNames(text);
        this.hidesAssignments = names.directEval() || dialect.hidesAssignments(text);
        boolean hasDoor = dialect.mayTouchGlobal(words.keySet());
        this.mayTouchGlobal = allNamesCount || hasDoor;
        this.mayReadAny = names.directEval() || (hasDoor && allNamesCount);
        this.mayLeaveMarks =
                mayTouchGlobal || names.mutation() || dialect.mayMutate(words.keySet());
        this.endsByItself =
                Suppliers.memoize(
                        () -> !mayTouchGlobal && dialect.endsByItself(text, words.keySet()));
        this.captured = Suppliers.memoize(() -> names.all(Use.CAPTURED));
        this.read = Suppliers.memoize(() -> names.all(Use.READ));
        this.free = parametersAmong(names.all(Use.READ, Use.WRITTEN, Use.INHERITED));
        this.tellsParameters = mayTouchGlobal || dialect.tellsParameters(text, words.keySet());
        this.settled = tellsParameters ? List.of() : parametersAmong(names.all(Use.SETTLED));
    }

    /** Whether a run of the text may define names past the scope, on the global object itself. */
    boolean mayTouchGlobal() {
        return mayTouchGlobal;
    }

    /**
     * Whether a run of the text ends at once whatever it does, as long as it has only texts,
     * numbers, booleans and builtins to do it with.
     */
    boolean endsByItself() {
        return endsByItself.get();
    }

    /** Whether a run of the text may change what all texts of a realm share. */
    boolean mayLeaveMarks() {
        return mayLeaveMarks;
    }

    /** Whether a run of the text may call anything, be it by the way. */
    boolean mayCall() {
        return mayLeaveMarks || names.calls();
    }

    /** Whether functions of the text may read or assign a name that is not theirs. */
    boolean mayCapture(String name) {
        return names.directEval()
                || (names.closures() && (allNamesCount || names.is(name, Use.CAPTURED)));
    }

    /** Returns the names of which {@link #mayCapture} says so, or null if there is no telling. */
    @Nullable Set<String> captured() {
        if (names.directEval() || (names.closures() && allNamesCount)) {
            return null;
        }
        return names.closures() ? captured.get() : Set.of();
    }

    /** Whether code of the text may come by a variable of this name around it. */
    boolean mayName(String name) {
        return mayTouchGlobal || words.containsKey(name);
    }

    /** Whether the text makes functions. */
    boolean makesFunctions() {
        return names.closures();
    }

    /** Whether the text may assign a name. */
    boolean mayTouch(String name) {
        return hidesAssignments || names.is(name, Use.TOUCHED);
    }

    /** Returns every word of the text. */
    Set<String> words() {
        return words.keySet();
    }

    /** Whether functions of the text may assign a name, also when the text has run to its end. */
    boolean mayMoveLater(String name) {
        return names.directEval()
                || (names.closures() && (mayTouchGlobal || names.is(name, Use.MOVABLE)));
    }

    /** Whether the text could tell that a name is a parameter of it. */
    boolean tellsParameters() {
        return tellsParameters;
    }

    /**
     * Returns the names that may show what they are outside, without some, in the text's order:
     * those it uses without declaring them, and those it declares by {@code var} and may read
     * before it assigns them.
     */
    List<String> freeExcept(List<String> known) {
        if (free.isEmpty()) {
            return free;
        }
        List<String> others = new ArrayList<>(free);
        others.removeAll(known);
        return others;
    }

    /** Whether the text calls {@code eval} directly, and may have any name. */
    boolean callsEval() {
        return names.directEval();
    }

    /** Whether code of the text may assign a free name. */
    boolean writes(String name) {
        return names.is(name, Use.WRITTEN);
    }

    /** Returns the free names that the text reads. */
    Set<String> read() {
        return read.get();
    }

    /**
     * Returns the names that the text may read from outside itself, in its order; those that it may
     * come by otherwise are taken from some candidates.
     */
    Set<String> reads(String text, Set<String> candidates) {
        List<String> reads = new ArrayList<>(names.all(Use.READ, Use.INHERITED));
        reads.sort(inTextOrder());
        Set<String> all = new LinkedHashSet<>(reads);
        for (String name : mayTouchGlobal ? candidates : Set.<String>of()) {
            if (mayReadAny || mayName(text, name)) {
                all.add(name);
            }
        }
        return all;
    }

    private boolean mayName(String text, String name) {
        return words.containsKey(name) || isIn(text, name);
    }

    /** Whether a text has a name, which may be no identifier, with nothing of one next to it. */
    private static boolean isIn(String text, String name) {
        if (name.isEmpty()) {
            return true;
        }
        for (int at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
            int end = at + name.length();
            boolean begins = at == 0 || !Character.isUnicodeIdentifierPart(text.charAt(at - 1));
            if (begins
                    && (end == text.length()
                            || !Character.isUnicodeIdentifierPart(text.charAt(end)))) {
                return true;
            }
        }
        return false;
    }

    /** Returns where the text assigns a name last, from its end; its whole length if nowhere. */
    int lastAssignmentOf(String name) {
        return requireNonNullElse(names.lastAssignmentOf(name), length);
    }

    /** Returns where the last statement of the top level is, from the text's end. */
    int lastStatement() {
        return Math.min(names.lastStatement(), length);
    }

    /** Whether a run that ends well has assigned a name, be it the value it had. */
    boolean surelyAssigns(String name) {
        return names.is(name, Use.SURE);
    }

    /** Whether a call of the function that the text is has assigned a name, if it ends well. */
    boolean surelyAssignsIfCalled(String name) {
        return names.is(name, Use.SURE_IF_CALLED) && !words.containsKey("return");
    }

    /** Returns how to parse the text with some parameters. */
    ParsePlan planFor(List<String> parameters) {
        List<String> names = new ArrayList<>(parameters);
        List<String> presets = new ArrayList<>(parameters);
        names.removeIf(this::isHoisted);
        presets.removeAll(names);
        Set<String> untouched = new HashSet<>(names);
        untouched.removeIf(this::mayAssign);
        return new ParsePlan(
                names,
                presets,
                untouched,
                watched(parameters),
                inTextOrder(),
                this.names.awaits(),
                this.names.directEval(),
                followsFunctions(parameters));
    }

    /** Whether functions that a run makes may come to ask the global object for a name. */
    private boolean followsFunctions(List<String> parameters) {
        return mayTouchGlobal || (names.closures() && !parameters.containsAll(free));
    }

    /** Whether code of the text may give a parameter another value. */
    private boolean mayAssign(String parameter) {
        return tellsParameters
                || hidesAssignments
                || names.is(parameter, Use.TOUCHED)
                || names.is(parameter, Use.LEXICAL)
                || names.is(parameter, Use.VARIABLE);
    }

    /**
     * Returns the places at which a run has to note assignments, from the text's end, and the
     * names: those of parameters, whose value may be the one they had.
     */
    private Map<Integer, String> watched(Collection<String> parameters) {
        return Collections.disjoint(names.unsure().values(), parameters)
                ? Map.of()
                : names.unsure();
    }

    /** Whether the text's own body may hold a variable of this name while it runs. */
    boolean mayHold(String name) {
        return names.directEval() || names.is(name, Use.LEXICAL) || names.is(name, Use.VARIABLE);
    }

    /** Whether the text has a variable of its own of this name that cannot be a parameter. */
    boolean isHoisted(String name) {
        return names.is(name, Use.HOISTED);
    }

    /** Whether the text declares a name by {@code var}. */
    boolean declaresVariable(String name) {
        return names.is(name, Use.VARIABLE);
    }

    /** Orders names by their first appearance in the text; names that are not in it come last. */
    Comparator<String> inTextOrder() {
        return Comparator.comparingInt(name -> words.getOrDefault(name, Integer.MAX_VALUE));
    }

    /**
     * Returns the parameters of the text: those of a snapshot's names that it takes, in their
     * order, and the new names that it surely assigns before it reads them. As parameters the
     * latter cost nothing, where a write to the global object has to ask the scope.
     */
    List<String> parametersFor(Collection<String> snapshot) {
        Set<String> parameters = new LinkedHashSet<>();
        for (String name : snapshot) {
            if ((allNamesCount || words.containsKey(name))
                    && !names.is(name, Use.FUNCTION)
                    && canBeParameter(name)) {
                parameters.add(name);
            }
        }
        parameters.addAll(settled);
        return List.copyOf(parameters);
    }

    private List<String> parametersAmong(Set<String> candidates) {
        List<String> parameters = new ArrayList<>(candidates);
        parameters.removeIf(name -> !dialect.canBeParameter(name));
        parameters.sort(inTextOrder());
        return List.copyOf(parameters);
    }

    private boolean canBeParameter(String name) {
        if (!dialect.canBeParameter(name)) {
            return false;
        }
        return !names.is(name, Use.LEXICAL)
                || canBeParameter.computeIfAbsent(name, parsesWith::test);
    }
}
