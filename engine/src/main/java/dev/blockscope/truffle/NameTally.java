package dev.blockscope.truffle;

import com.google.common.collect.Sets;
import dev.blockscope.truffle.TextNames.NameUse;
import dev.blockscope.truffle.TextNames.Use;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Adds up what a text does with names, whoever finds it out, and tells what comes of it. Places are
 * counted from the text's end, where it matters that they stay what they are if white space is put
 * before the text.
 */
public final class NameTally {
    private static final int NOWHERE = Integer.MAX_VALUE;

    private final Map<String, Notes> names = new HashMap<>();

    /** Where free names are assigned. */
    private final Map<Integer, String> freeAssignments = new HashMap<>();

    /** Where the body assigns variables, its own or those of its braces. */
    private final Map<Integer, String> variableAssignments = new HashMap<>();

    private int lastStatement = NOWHERE;
    private boolean hasFunctionDeclaration;
    private boolean closures;
    private boolean calls;
    private boolean mutation;
    private boolean directEval;

    /** What is noted of one name. */
    private static final class Notes {
        boolean lexical;
        boolean variable;

        /** Whether it stands in the list of declarations, as opposed to being a function's name. */
        boolean listed;

        boolean functionInBraces;
        boolean functionOfTop;

        /** Where it is read first, free or declared. */
        int read = NOWHERE;

        boolean readFree;
        boolean readInFunction;

        /** Where the first statement of the top level ends that assigns it. */
        int assigned = NOWHERE;

        boolean written;
        boolean writtenInFunction;
        boolean capturedFree;
        boolean touched;

        /** Whether the top level assigns it whenever it runs to its end. */
        boolean sure;

        /** The same of the function that is the whole text, if the text is one. */
        boolean sureIfCalled;

        /** Where it is assigned last. */
        int last = NOWHERE;
    }

    private Notes of(String name) {
        return names.computeIfAbsent(name, key -> new Notes());
    }

    /** Notes a name that the text's own body declares, by {@code var} or otherwise. */
    public void declares(String name, boolean variable) {
        Notes notes = of(name);
        notes.variable |= variable;
        notes.listed |= variable;
        notes.lexical |= !variable;
    }

    /**
     * Notes the name of a function that the text's own body declares.
     *
     * @param variable whether it becomes a variable of the body
     * @param inBraces whether it stands in braces, a branch or a case
     */
    public void declaresFunction(String name, boolean variable, boolean inBraces) {
        Notes notes = of(name);
        notes.variable |= variable;
        notes.lexical |= !variable;
        notes.functionInBraces |= inBraces;
        notes.functionOfTop |= !inBraces;
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
        Notes notes = of(name);
        notes.read = Math.min(notes.read, start);
        notes.readInFunction |= inFunction;
        notes.readFree |= free;
        notes.capturedFree |= free && inFunction;
    }

    /** Notes that something of a name is assigned: a variable, or a property of any object. */
    public void touches(String name, boolean inFunction) {
        touches(of(name), inFunction);
    }

    private static void touches(Notes notes, boolean inFunction) {
        notes.touched = true;
        notes.writtenInFunction |= inFunction;
    }

    /**
     * Notes that a name is assigned.
     *
     * @param fromEnd where the assignment begins
     * @param free whether it is none of the text's own
     */
    public void assigns(String name, int fromEnd, boolean free, boolean inFunction) {
        Notes notes = of(name);
        touches(notes, inFunction);
        notes.last = Math.min(notes.last, fromEnd);
        if (free) {
            notes.written = true;
            notes.capturedFree |= inFunction;
            freeAssignments.put(fromEnd, name);
        } else if (!inFunction) {
            variableAssignments.put(fromEnd, name);
        }
    }

    /** Notes that the top level comes by an assignment, up to its end from the text's beginning. */
    public void assignsOnItsWay(String name, int end) {
        Notes notes = of(name);
        notes.assigned = Math.min(notes.assigned, end);
    }

    /** Notes that a name is assigned whenever the text runs to its end. */
    public void assignsSurely(String name) {
        of(name).sure = true;
    }

    /** Notes the same of a call of the function that the text is. */
    public void assignsSurelyIfCalled(String name) {
        of(name).sureIfCalled = true;
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
        Map<String, NameUse> uses = HashMap.newHashMap(names.size());
        names.forEach((name, notes) -> {
            Set<Use> kinds = kinds(notes);
            if (!kinds.isEmpty()) {
                uses.put(name, new NameUse(kinds, notes.last));
            }
        });
        return new TextNames(
                Collections.unmodifiableMap(uses),
                Collections.unmodifiableMap(unsure()),
                lastStatement,
                closures,
                calls,
                mutation,
                directEval,
                false);
    }

    private Set<Use> kinds(Notes notes) {
        EnumSet<Use> kinds = EnumSet.noneOf(Use.class);
        add(kinds, Use.LEXICAL, notes.lexical);
        add(kinds, Use.VARIABLE, notes.variable);
        add(kinds, Use.FUNCTION, notes.functionOfTop);
        add(kinds, Use.HOISTED, isHoisted(notes));
        add(kinds, Use.INHERITED, isInherited(notes));
        add(kinds, Use.READ, notes.readFree);
        add(kinds, Use.WRITTEN, notes.written);
        add(kinds, Use.SETTLED, notes.written && (!notes.readFree || isAssignedBeforeRead(notes)));
        add(kinds, Use.SURE, notes.sure);
        add(kinds, Use.SURE_IF_CALLED, notes.sureIfCalled);
        add(kinds, Use.MOVABLE, notes.writtenInFunction);
        add(kinds, Use.TOUCHED, notes.touched);
        add(kinds, Use.CAPTURED, isCaptured(notes));
        return Sets.immutableEnumSet(kinds);
    }

    private static void add(EnumSet<Use> kinds, Use use, boolean is) {
        if (is) {
            kinds.add(use);
        }
    }

    private static boolean isHoisted(Notes notes) {
        return notes.listed && notes.lexical && notes.functionInBraces && !notes.functionOfTop;
    }

    private boolean isInherited(Notes notes) {
        boolean shows = directEval || (notes.read < NOWHERE && !isAssignedBeforeRead(notes));
        return notes.variable && !notes.functionOfTop && shows;
    }

    /** Of a name that the body declares too, it is not told which variable is meant. */
    private static boolean isCaptured(Notes notes) {
        boolean inFunction = notes.readInFunction || notes.writtenInFunction;
        return notes.capturedFree || (inFunction && (notes.variable || notes.lexical));
    }

    /**
     * Whether the first thing the text does with a name is to assign it, on its way down the top
     * level. A declared function can be called above the line it stands on, other code cannot.
     */
    private boolean isAssignedBeforeRead(Notes notes) {
        return notes.assigned < NOWHERE
                && notes.assigned <= notes.read
                && !(hasFunctionDeclaration && notes.readInFunction);
    }

    /** Of a variable whose name braces declare too, it is not told which one is meant. */
    private Map<Integer, String> unsure() {
        Map<Integer, String> unsure = new HashMap<>();
        variableAssignments.forEach((place, name) -> {
            Notes notes = of(name);
            if (!notes.lexical && !notes.sure) {
                unsure.put(place, name);
            }
        });
        freeAssignments.forEach((place, name) -> {
            if (of(name).sure) {
                unsure.remove(place);
            } else {
                unsure.put(place, name);
            }
        });
        return unsure;
    }
}
