package dev.blockscope.truffle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a text is parsed with.
 *
 * @param names the parameters in order; with none the text is an ordinary script
 * @param presets variables of the text's own that are to have a value before its body begins
 * @param untouched those of {@code names} that no code of the text assigns
 * @param watched places from the text's end at which it assigns the names given with them; a run
 *     notes which of the names it has come to assign
 * @param order the order in which a run tells its variables
 * @param awaits whether the text's top level waits, so that it is parsed as an async function
 * @param changingNames whether the text may have other variables at each run, as with direct eval
 * @param followsFunctions whether functions of the text may ask the global object for names, so
 *     that it must be known which run made them
 */
public record ParsePlan(
        List<String> names,
        List<String> presets,
        Set<String> untouched,
        Map<Integer, String> watched,
        Comparator<String> order,
        boolean awaits,
        boolean changingNames,
        boolean followsFunctions) {
    /** Copies the collections. */
    public ParsePlan {
        names = List.copyOf(names);
        presets = List.copyOf(presets);
        untouched = Set.copyOf(untouched);
        watched = Map.copyOf(watched);
    }

    /** Returns the plan for a text that is parsed to see whether it takes one parameter. */
    public static ParsePlan of(String name, boolean awaits) {
        return new ParsePlan(
                List.of(name),
                List.of(),
                Set.of(),
                Map.of(),
                Comparator.naturalOrder(),
                awaits,
                false,
                false);
    }

    /** Whether anything is noted of the text by which its nodes are found once they run. */
    boolean isNoted() {
        return awaits || followsFunctions || !watched.isEmpty();
    }

    /** Returns the names of a run's arguments: the parameters, and the presets behind them. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>(names);
        arguments.addAll(presets);
        return List.copyOf(arguments);
    }

    /** Returns the same plan for other parameters. */
    public ParsePlan withNames(List<String> others) {
        return new ParsePlan(
                others,
                presets,
                untouched,
                watched,
                order,
                awaits,
                changingNames,
                followsFunctions);
    }
}
