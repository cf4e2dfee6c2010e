package dev.blockscope.truffle;

import java.util.Map;
import java.util.Set;

/**
 * The names a text uses, found by parsing it and not by running it.
 *
 * @param lexical names declared by {@code let}, {@code const} or {@code class} in the text's own
 *     body, at its top level or in braces
 * @param variables names declared as variables or as functions in the text's own body
 * @param functions those of {@code variables} that are functions declared outside of braces, so
 *     that nothing of the text sees what they were outside
 * @param hoisted those of {@code variables} that are functions declared in braces: the language
 *     makes them variables of the body unless a parameter has the name
 * @param inherited those of {@code variables} that code of the text may read before the text has
 *     assigned them: what they were outside shows
 * @param read free names that are read
 * @param written free names that are assigned
 * @param settled those of {@code written} that no code of the text can read before the text has
 *     assigned them
 * @param sure names that a run assigns if it ends well, among free names and variables
 * @param movable names that functions of the text assign, be they theirs or those of the body
 * @param sureIfCalled names that a call assigns if it ends well, where the text is one function
 * @param unsure the places at which other free names and variables are assigned, each as its
 *     distance from the text's end, with the name
 * @param last where each name that is assigned is so for the last time, free or a variable of any
 *     code, as the distance from the text's end
 * @param lastStatement where the last statement stands that the top level comes by, as the distance
 *     from the text's end; larger than the text if there is none
 * @param touched names that any code of the text assigns, in whatever form and of whatever object
 * @param captured names that functions of the text read or assign and do not declare, as far as one
 *     can tell
 * @param closures whether the text holds functions, which may outlive its run
 * @param calls whether the text calls anything
 * @param mutation whether the text may change an object: it writes a property, or reads one whose
 *     name is computed
 * @param directEval whether the text calls {@code eval} directly, so that the lists are incomplete
 * @param awaits whether the text's own top level waits, so that it runs as a function that can
 */
public record TextNames(
        Set<String> lexical,
        Set<String> variables,
        Set<String> functions,
        Set<String> hoisted,
        Set<String> inherited,
        Set<String> read,
        Set<String> written,
        Set<String> settled,
        Set<String> sure,
        Set<String> movable,
        Set<String> sureIfCalled,
        Map<Integer, String> unsure,
        Map<String, Integer> last,
        int lastStatement,
        Set<String> touched,
        Set<String> captured,
        boolean closures,
        boolean calls,
        boolean mutation,
        boolean directEval,
        boolean awaits) {
    /** Says of a text that it may do anything, and of none of its names what it does with it. */
    public static final TextNames UNKNOWN =
            new TextNames(
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Set.of(),
                    Map.of(),
                    Map.of(),
                    Integer.MAX_VALUE,
                    Set.of(),
                    Set.of(),
                    true,
                    true,
                    true,
                    false,
                    false);

    /** Copies the sets. */
    public TextNames {
        lexical = Set.copyOf(lexical);
        variables = Set.copyOf(variables);
        functions = Set.copyOf(functions);
        hoisted = Set.copyOf(hoisted);
        inherited = Set.copyOf(inherited);
        read = Set.copyOf(read);
        written = Set.copyOf(written);
        settled = Set.copyOf(settled);
        sure = Set.copyOf(sure);
        movable = Set.copyOf(movable);
        sureIfCalled = Set.copyOf(sureIfCalled);
        unsure = Map.copyOf(unsure);
        last = Map.copyOf(last);
        touched = Set.copyOf(touched);
        captured = Set.copyOf(captured);
    }

    /** Returns the same names of a text whose top level waits. */
    public TextNames awaiting() {
        return new TextNames(
                lexical,
                variables,
                functions,
                hoisted,
                inherited,
                read,
                written,
                settled,
                sure,
                movable,
                sureIfCalled,
                unsure,
                last,
                lastStatement,
                touched,
                captured,
                closures,
                calls,
                mutation,
                directEval,
                true);
    }
}
