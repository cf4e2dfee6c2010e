package dev.blockscope.truffle;

import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names a text uses, found by parsing it and not by running it.
 *
 * @param uses what the text does with each of its names
 * @param unsure the places at which free names and variables that are not {@link Use#SURE} are
 *     assigned, each as its distance from the text's end, with the name
 * @param lastStatement where the last statement stands that the top level comes by, as the distance
 *     from the text's end; larger than the text if there is none
 * @param closures whether the text holds functions, which may outlive its run
 * @param calls whether the text calls anything
 * @param mutation whether the text may change an object: it writes a property, or reads one whose
 *     name is computed
 * @param directEval whether the text calls {@code eval} directly, so that there may be more names
 * @param awaits whether the text's own top level waits, so that it runs as a function that can
 */
public record TextNames(
        Map<String, NameUse> uses,
        Map<Integer, String> unsure,
        int lastStatement,
        boolean closures,
        boolean calls,
        boolean mutation,
        boolean directEval,
        boolean awaits) {
    /** Says of a text that it may do anything, and of none of its names what it does with it. */
    public static final TextNames UNKNOWN =
            new TextNames(Map.of(), Map.of(), Integer.MAX_VALUE, true, true, true, false, false);

    /** What a text may do with a name. */
    public enum Use {
        /**
         * Its own body declares it by {@code let}, {@code const} or {@code class}, at its top level
         * or in braces.
         */
        LEXICAL,

        /** Its own body declares it as a variable or as a function. */
        VARIABLE,

        /**
         * A variable that is a function declared outside of braces, so that nothing of the text
         * sees what the name was outside.
         */
        FUNCTION,

        /**
         * A variable that is a function declared in braces: the language makes it a variable of the
         * body unless a parameter has the name.
         */
        HOISTED,

        /**
         * A variable that code of the text may read before the text has assigned it: what the name
         * was outside shows.
         */
        INHERITED,

        /** A free name that is read. */
        READ,

        /** A free name that is assigned. */
        WRITTEN,

        /** A written name that no code of the text can read before the text has assigned it. */
        SETTLED,

        /** A free name or variable that a run assigns if it ends well. */
        SURE,

        /** The same of a call, where the text is one function. */
        SURE_IF_CALLED,

        /** Functions of the text assign it, be it theirs or the body's. */
        MOVABLE,

        /** Any code of the text assigns it, in whatever form and of whatever object. */
        TOUCHED,

        /**
         * Functions of the text read or assign it and do not declare it, as far as one can tell.
         */
        CAPTURED
    }

    /**
     * What a text does with one name.
     *
     * @param kinds what it may do
     * @param last where it assigns the name for the last time, free or a variable of any code, as
     *     the distance from the text's end; {@link Integer#MAX_VALUE} if nowhere
     */
    public record NameUse(Set<Use> kinds, int last) {}

    /** Whether the text uses a name in a way. */
    public boolean is(String name, Use use) {
        NameUse known = uses.get(name);
        return known != null && known.kinds().contains(use);
    }

    /** Returns the names that the text uses in one way or another of these. */
    public Set<String> all(Use first, Use... others) {
        EnumSet<Use> wanted = EnumSet.of(first, others);
        Set<String> names = new HashSet<>();
        uses.forEach((name, use) -> {
            if (!Collections.disjoint(use.kinds(), wanted)) {
                names.add(name);
            }
        });
        return Collections.unmodifiableSet(names);
    }

    /** Returns where the text assigns a name last, from its end, or null if nowhere. */
    public @Nullable Integer lastAssignmentOf(String name) {
        NameUse known = uses.get(name);
        return known == null || known.last() == Integer.MAX_VALUE ? null : known.last();
    }

    /** Returns the same names of a text whose top level waits. */
    public TextNames awaiting() {
        return new TextNames(
                uses, unsure, lastStatement, closures, calls, mutation, directEval, true);
    }
}
