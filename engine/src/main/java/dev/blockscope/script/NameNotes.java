package dev.blockscope.script;

import static java.util.Objects.requireNonNull;

import dev.blockscope.truffle.NameTally;
import dev.blockscope.truffle.TextNames;
import java.util.ArrayList;
import java.util.List;

/** What a reader of a script notes on its way, and what comes of it once all is declared. */
final class NameNotes {
    private final int length;

    private final NameTally tally = new NameTally();
    private final List<Use> uses = new ArrayList<>();
    private Braces braces = Braces.ofText();
    private int lastStatement = Integer.MAX_VALUE;

    NameNotes(int length) {
        this.length = length;
    }

    /** How a name is used. */
    private static final class Use {
        final String name;
        final Braces braces;
        final boolean write;
        final int end;
        int start;
        boolean passed;

        Use(String name, Braces braces, boolean write, int start, int end) {
            this.name = name;
            this.braces = braces;
            this.write = write;
            this.start = start;
            this.end = end;
        }
    }

    void read(String name, int start) {
        uses.add(new Use(name, braces, false, start, start));
    }

    /** Notes an assignment, which stands from {@code start} to {@code end}. */
    void write(String name, int start, int end) {
        uses.add(new Use(name, braces, true, start, end));
    }

    /** Notes that what was noted last stands in parentheses that begin at a place. */
    void enclosed(int start) {
        uses.getLast().start = start;
    }

    /** A place in the notes, for {@link #passedBy}. */
    record Mark(int uses, int lastStatement) {}

    Mark mark() {
        return new Mark(uses.size(), lastStatement);
    }

    /** Notes that control may pass by all that was noted since a mark. */
    void passedBy(Mark mark) {
        uses.subList(mark.uses, uses.size()).forEach(use -> use.passed = true);
        lastStatement = mark.lastStatement;
    }

    void lexical(String name) throws NotPlainException {
        braces.declareLexical(name);
        if (braces.isOfText()) {
            tally.declares(name, false);
        }
    }

    void variable(String name) throws NotPlainException {
        braces.declareVariable(name);
        if (braces.isOfText()) {
            tally.declares(name, true);
        }
    }

    /** Notes the name of a function that is an expression, which nobody can assign. */
    void ownName(String name) throws NotPlainException {
        variable(name);
        braces.declareConstant(name);
        braces.give(name);
    }

    void constant(String name) throws NotPlainException {
        lexical(name);
        braces.declareConstant(name);
    }

    /** Notes the name of a function that is declared in a body. */
    void function(String name) throws NotPlainException {
        tally.hasFunctionDeclaration();
        braces.declareVariable(name);
        if (braces.isOfText()) {
            tally.declaresFunction(name, true, false);
        }
    }

    void enterBraces() {
        braces = braces.inner();
    }

    void enterFunction() {
        tally.closure();
        braces = braces.function();
    }

    /** Returns whether what is left declares something of its own besides variables. */
    boolean leaveBraces() {
        boolean declares = braces.hasLexical();
        braces = requireNonNull(braces.outer());
        return declares;
    }

    /** Says that what is declared next is made anew in each turn of a loop. */
    void beginLoop() {
        braces.beginLoop();
    }

    /** Whether a name is declared in the innermost braces themselves. */
    boolean declaresHere(String name) {
        return braces.declaresHere(name);
    }

    void call() {
        tally.call();
    }

    void mutation() {
        tally.mutation();
    }

    /** Notes that a property is assigned, of whatever object. */
    void property(String name) {
        tally.mutation();
        tally.touches(name, !braces.isOfText());
    }

    void statement(int start) {
        if (braces.isOfText()) {
            lastStatement = length - start;
        }
    }

    TextNames names() throws NotPlainException {
        for (Use use : uses) {
            Braces home = use.braces.find(use.name);
            boolean inFunction = !use.braces.isOfText();
            // What a function keeps of one turn is made anew in ways of the language's own.
            NotPlainException.unless(!(inFunction && home != null && home.renews(use.name)));
            boolean free = home == null;
            if (use.write) {
                // An assignment that fails is made something else of.
                NotPlainException.unless(home == null || home.give(use.name));
                assigned(use, free, inFunction);
            } else {
                tally.reads(use.name, use.start, free, inFunction);
            }
        }
        tally.statement(lastStatement);
        return tally.names();
    }

    private void assigned(Use use, boolean free, boolean inFunction) {
        tally.assigns(use.name, length - use.start, free, inFunction);
        if (!inFunction && !use.passed) {
            tally.assignsOnItsWay(use.name, use.end);
            tally.assignsSurely(use.name);
        }
    }
}
