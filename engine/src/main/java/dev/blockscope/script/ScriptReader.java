package dev.blockscope.script;

import dev.blockscope.truffle.TextNames;
import org.jspecify.annotations.Nullable;

/**
 * Reads a script by the grammar of ECMAScript, as far as it is plain, and notes what it does with
 * names. A text is either read like the language reads it, to the last character, or not at all.
 */
public final class ScriptReader {
    /** Deeper texts are left to the language, which knows how far it can go. */
    private static final int DEEPEST = 100;

    final Tokens tokens;
    final NameNotes notes;
    final Expressions expressions;
    final Statements statements;
    final Functions functions;
    private int depth;

    private ScriptReader(String text) throws NotPlainException {
        tokens = new Tokens(text);
        notes = new NameNotes(text.length());
        expressions = new Expressions(this);
        statements = new Statements(this);
        functions = new Functions(this);
    }

    /** Returns the names of a text, or null if the text is not plain. */
    public static @Nullable TextNames namesOf(String text) {
        try {
            ScriptReader script = new ScriptReader(text);
            while (script.tokens.kind() != Tokens.Kind.END) {
                script.statements.listed(true);
            }
            return script.notes.names();
        } catch (NotPlainException e) {
            return null;
        }
    }

    /** Begins what may stand in itself; {@link #shallower} ends it. */
    void deeper() throws NotPlainException {
        depth++;
        NotPlainException.unless(depth < DEEPEST);
    }

    void shallower() {
        depth--;
    }
}
