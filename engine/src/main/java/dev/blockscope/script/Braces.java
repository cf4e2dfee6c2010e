package dev.blockscope.script;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What declares names for what stands in it: the whole text, a function, or braces. */
final class Braces {
    private final @Nullable Braces outer;
    private final boolean body;
    private boolean loop;
    private final Set<String> lexical = new HashSet<>();

    private final Set<String> constants = new HashSet<>();

    /** The constants that have their value. */
    private final Set<String> given = new HashSet<>();

    /** Only those of a body; braces have none. */
    private final Set<String> variables = new HashSet<>();

    private Braces(@Nullable Braces outer, boolean body) {
        this.outer = outer;
        this.body = body;
    }

    static Braces ofText() {
        return new Braces(null, true);
    }

    Braces inner() {
        return new Braces(this, false);
    }

    Braces function() {
        return new Braces(this, true);
    }

    @Nullable Braces outer() {
        return outer;
    }

    /** Whether these are braces of the text's own body and not of a function's. */
    boolean isOfText() {
        return outer == null || (!body && outer.isOfText());
    }

    /** Says that each turn of a loop has what is declared here anew. */
    void beginLoop() {
        loop = true;
    }

    void declareLexical(String name) throws NotPlainException {
        NotPlainException.unless(!variables.contains(name) && lexical.add(name));
    }

    /** A variable belongs to the whole body, past all braces that do not declare the name. */
    void declareVariable(String name) throws NotPlainException {
        NotPlainException.unless(!lexical.contains(name));
        variables.add(name);
        if (!body && outer != null) {
            outer.declareVariable(name);
        }
    }

    void declareConstant(String name) {
        constants.add(name);
    }

    /**
     * Gives a value to a name declared here. Returns false if that is more than a constant takes.
     */
    boolean give(String name) {
        return !constants.contains(name) || given.add(name);
    }

    boolean hasLexical() {
        return !lexical.isEmpty();
    }

    /** Whether these very braces declare a name. */
    boolean declaresHere(String name) {
        return lexical.contains(name) || variables.contains(name);
    }

    /** Returns what declares a name here, or null if it is none of the text's. */
    @Nullable Braces find(String name) {
        if (lexical.contains(name) || (body && variables.contains(name))) {
            return this;
        }
        return outer == null ? null : outer.find(name);
    }

    /** Whether a name declared here is another one in each turn of a loop. */
    boolean renews(String name) {
        return loop && lexical.contains(name);
    }
}
