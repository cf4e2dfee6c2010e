package dev.blockscope.script;

import static java.util.Objects.requireNonNull;

import dev.blockscope.truffle.TextNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a reader of a script notes on its way, and what comes of it once all is declared. */
final class NameNotes {
    private final int length;

    // What is noted on the way.
    private final List<Use> uses = new ArrayList<>();
    private Braces braces = Braces.ofText();
    private final Set<String> lexical = new HashSet<>();
    private final Set<String> variables = new HashSet<>();
    private final Set<String> functions = new HashSet<>();
    private final Set<String> touched = new HashSet<>();
    private final Set<String> movable = new HashSet<>();
    private int lastStatement = Integer.MAX_VALUE;
    private boolean functionDeclared;
    private boolean closures;
    private boolean calls;
    private boolean mutation;

    // What comes of the uses.
    private final Map<String, Integer> read = new HashMap<>();
    private final Set<String> readFree = new HashSet<>();
    private final Set<String> readInFunctions = new HashSet<>();
    private final Set<String> written = new HashSet<>();
    private final Map<String, Integer> assigned = new HashMap<>();
    private final Set<String> sure = new HashSet<>();
    private final Map<Integer, String> freeAssignments = new HashMap<>();
    private final Map<Integer, String> variableAssignments = new HashMap<>();
    private final Map<String, Integer> last = new HashMap<>();
    private final Set<String> capturedFree = new HashSet<>();

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
            lexical.add(name);
        }
    }

    void variable(String name) throws NotPlainException {
        braces.declareVariable(name);
        if (braces.isOfText()) {
            variables.add(name);
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
        functionDeclared = true;
        variable(name);
        if (braces.isOfText()) {
            functions.add(name);
        }
    }

    void enterBraces() {
        braces = braces.inner();
    }

    void enterFunction() {
        closures = true;
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
        calls = true;
    }

    void mutation() {
        mutation = true;
    }

    /** Notes that a property is assigned, of whatever object. */
    void property(String name) {
        mutation = true;
        touched.add(name);
        if (!braces.isOfText()) {
            movable.add(name);
        }
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
            if (use.write) {
                // An assignment that fails is made something else of.
                NotPlainException.unless(home == null || home.give(use.name));
                written(use, home == null, inFunction);
            } else {
                read(use, home == null, inFunction);
            }
        }
        Set<String> settled = new HashSet<>(written);
        settled.removeIf(name -> readFree.contains(name) && !isAssignedBeforeRead(name));
        return new TextNames(
                lexical,
                variables,
                functions,
                Set.of(),
                inherited(),
                readFree,
                written,
                settled,
                sure,
                movable,
                Set.of(),
                unsure(),
                last,
                lastStatement,
                touched,
                captured(),
                closures,
                calls,
                mutation,
                false,
                false);
    }

    private void read(Use use, boolean free, boolean inFunction) {
        read.merge(use.name, use.start, Math::min);
        if (inFunction) {
            readInFunctions.add(use.name);
        }
        if (free) {
            readFree.add(use.name);
        }
        if (free && inFunction) {
            capturedFree.add(use.name);
        }
    }

    private void written(Use use, boolean free, boolean inFunction) {
        String name = use.name;
        touched.add(name);
        last.merge(name, length - use.start, Math::min);
        if (inFunction) {
            movable.add(name);
        } else if (!use.passed) {
            assigned.merge(name, use.end, Math::min);
            sure.add(name);
        }
        if (free) {
            written.add(name);
            freeAssignments.put(length - use.start, name);
        } else if (!inFunction) {
            variableAssignments.put(length - use.start, name);
        }
        if (free && inFunction) {
            capturedFree.add(name);
        }
    }

    private Map<Integer, String> unsure() {
        Map<Integer, String> unsure = new HashMap<>(variableAssignments);
        unsure.values().removeIf(lexical::contains);
        unsure.putAll(freeAssignments);
        unsure.values().removeIf(sure::contains);
        return unsure;
    }

    private Set<String> captured() {
        Set<String> captured = new HashSet<>(readInFunctions);
        captured.addAll(movable);
        captured.removeIf(name -> !variables.contains(name) && !lexical.contains(name));
        captured.addAll(capturedFree);
        return captured;
    }

    private Set<String> inherited() {
        Set<String> inherited = new HashSet<>(variables);
        inherited.removeAll(functions);
        inherited.removeIf(name -> !read.containsKey(name) || isAssignedBeforeRead(name));
        return inherited;
    }

    private boolean isAssignedBeforeRead(String name) {
        Integer assignment = assigned.get(name);
        return assignment != null
                && assignment <= read.getOrDefault(name, Integer.MAX_VALUE)
                && !(functionDeclared && readInFunctions.contains(name));
    }
}
