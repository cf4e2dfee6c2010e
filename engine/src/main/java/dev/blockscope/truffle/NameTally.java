package dev.blockscope.truffle;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Adds up what a text does with names, whoever finds it out, and tells what comes of it. Places are
 * counted from the text's end, where it matters that they stay what they are if white space is put
 * before the text.
 */
public final class NameTally {
    private final Set<String> lexical = new HashSet<>();
    private final Set<String> variables = new HashSet<>();
    private final Set<String> written = new HashSet<>();

    /** Names that stand in the list of declarations, as opposed to being a function's own name. */
    private final Set<String> listedVariables = new HashSet<>();

    private final Set<String> functionsInBraces = new HashSet<>();
    private final Set<String> functionsOfTop = new HashSet<>();

    /** For each name read, free or declared, the position of its first read. */
    private final Map<String, Integer> read = new HashMap<>();

    private final Set<String> readFree = new HashSet<>();

    /** For each name that a statement of the top level assigns, the first such statement's end. */
    private final Map<String, Integer> assigned = new HashMap<>();

    /** Names that the top level assigns whenever it runs to its end. */
    private final Set<String> sure = new HashSet<>();

    /** The same of the function that is the whole text, if the text is one. */
    private final Set<String> sureIfCalled = new HashSet<>();

    /** Where free names are assigned. */
    private final Map<Integer, String> freeAssignments = new HashMap<>();

    /** Where the body assigns variables, its own or those of its braces. */
    private final Map<Integer, String> variableAssignments = new HashMap<>();

    /** Where each name is assigned last. */
    private final Map<String, Integer> lastAssignments = new HashMap<>();

    private int lastStatement = Integer.MAX_VALUE;

    private final Set<String> readInFunctions = new HashSet<>();
    private final Set<String> writtenInFunctions = new HashSet<>();
    private final Set<String> touched = new HashSet<>();
    private final Set<String> capturedFree = new HashSet<>();
    private boolean hasFunctionDeclaration;
    private boolean closures;
    private boolean calls;
    private boolean mutation;
    private boolean directEval;

    /** Notes a name that the text's own body declares, by {@code var} or otherwise. */
    public void declares(String name, boolean variable) {
        (variable ? variables : lexical).add(name);
        if (variable) {
            listedVariables.add(name);
        }
    }

    /**
     * Notes the name of a function that the text's own body declares.
     *
     * @param variable whether it becomes a variable of the body
     * @param inBraces whether it stands in braces, a branch or a case
     */
    public void declaresFunction(String name, boolean variable, boolean inBraces) {
        (variable ? variables : lexical).add(name);
        (inBraces ? functionsInBraces : functionsOfTop).add(name);
    }

    /** Notes that any code of the text declares a function, which can be called above its line. */
    public void hasFunctionDeclaration() {
        hasFunctionDeclaration = true;
    }

    /**
     * Notes that a name is read.
     *
     * @param start its position from the text's beginning
     * @param free whether it is none of the text's own
     */
    public void reads(String name, int start, boolean free, boolean inFunction) {
        read.merge(name, start, Math::min);
        if (inFunction) {
            readInFunctions.add(name);
        }
        if (free) {
            readFree.add(name);
            captures(name, inFunction);
        }
    }

    /** Notes that something of a name is assigned: a variable, or a property of any object. */
    public void touches(String name, boolean inFunction) {
        touched.add(name);
        if (inFunction) {
            writtenInFunctions.add(name);
        }
    }

    /**
     * Notes that a name is assigned.
     *
     * @param fromEnd where the assignment begins
     * @param free whether it is none of the text's own
     */
    public void assigns(String name, int fromEnd, boolean free, boolean inFunction) {
        touches(name, inFunction);
        lastAssignments.merge(name, fromEnd, Math::min);
        if (free) {
            written.add(name);
            freeAssignments.put(fromEnd, name);
            captures(name, inFunction);
        } else if (!inFunction) {
            variableAssignments.put(fromEnd, name);
        }
    }

    private void captures(String name, boolean inFunction) {
        if (inFunction) {
            capturedFree.add(name);
        }
    }

    /** Notes that the top level comes by an assignment, up to its end from the text's beginning. */
    public void assignsOnItsWay(String name, int end) {
        assigned.merge(name, end, Math::min);
    }

    /** Notes that a name is assigned whenever the text runs to its end. */
    public void assignsSurely(String name) {
        sure.add(name);
    }

    /** Notes the same of a call of the function that the text is. */
    public void assignsSurelyIfCalled(String name) {
        sureIfCalled.add(name);
    }

    /** Notes a statement that the top level comes by. */
    public void statement(int fromEnd) {
        lastStatement = Math.min(lastStatement, fromEnd);
    }

    /** Notes that the text holds a function. */
    public void closure() {
        closures = true;
    }

    /** Notes that the text calls something. */
    public void call() {
        calls = true;
    }

    /** Notes that the text may change an object. */
    public void mutation() {
        mutation = true;
    }

    /** Notes that the text calls {@code eval} directly. */
    public void directEval() {
        directEval = true;
    }

    /** Returns what all that comes to. */
    public TextNames names() {
        Set<String> settled = new HashSet<>(written);
        settled.removeIf(name -> readFree.contains(name) && !isAssignedBeforeRead(name));
        return new TextNames(
                lexical,
                variables,
                functionsOfTop,
                hoisted(),
                inherited(),
                readFree,
                written,
                settled,
                sure,
                writtenInFunctions,
                sureIfCalled,
                unsure(),
                lastAssignments,
                lastStatement,
                touched,
                captured(),
                closures,
                calls,
                mutation,
                directEval,
                false);
    }

    /** Of a variable whose name braces declare too, it is not told which one is meant. */
    private Map<Integer, String> unsure() {
        Map<Integer, String> unsure = new HashMap<>(variableAssignments);
        unsure.values().removeIf(lexical::contains);
        unsure.putAll(freeAssignments);
        unsure.values().removeIf(sure::contains);
        return unsure;
    }

    /** Of a name that the body declares too, it is not told which variable is meant. */
    private Set<String> captured() {
        Set<String> captured = new HashSet<>(readInFunctions);
        captured.addAll(writtenInFunctions);
        captured.removeIf(name -> !variables.contains(name) && !lexical.contains(name));
        captured.addAll(capturedFree);
        return captured;
    }

    private Set<String> inherited() {
        Set<String> inherited = new HashSet<>(variables);
        inherited.removeAll(functionsOfTop);
        if (!directEval) {
            inherited.removeIf(name -> !read.containsKey(name) || isAssignedBeforeRead(name));
        }
        return inherited;
    }

    private Set<String> hoisted() {
        Set<String> hoisted = new HashSet<>(listedVariables);
        hoisted.retainAll(lexical);
        hoisted.retainAll(functionsInBraces);
        hoisted.removeAll(functionsOfTop);
        return hoisted;
    }

    /**
     * Whether the first thing the text does with a name is to assign it, on its way down the top
     * level. A declared function can be called above the line it stands on, other code cannot.
     */
    private boolean isAssignedBeforeRead(String name) {
        Integer assignment = assigned.get(name);
        return assignment != null
                && assignment <= read.getOrDefault(name, Integer.MAX_VALUE)
                && !(hasFunctionDeclaration && readInFunctions.contains(name));
    }
}
