package dev.blockscope.script;

import static dev.blockscope.script.NotPlainException.unless;

/** Reads functions: a parameter is a name alone, and there is nothing that waits or yields. */
final class Functions {
    private final ScriptReader script;
    private final Tokens tokens;
    private final NameNotes notes;

    Functions(ScriptReader script) {
        this.script = script;
        this.tokens = script.tokens;
        this.notes = script.notes;
    }

    void declaration() throws NotPlainException {
        int start = tokens.start();
        tokens.next();
        String name = tokens.identifier();
        notes.function(name);
        parametersAndBody();
        notes.write(name, start, tokens.endOfLast());
        requireMoreThan(start);
    }

    void expression() throws NotPlainException {
        int start = tokens.start();
        tokens.next();
        notes.enterFunction();
        if (!tokens.is("(")) {
            notes.ownName(tokens.identifier());
        }
        parametersAndBody();
        notes.leaveBraces();
        requireMoreThan(start);
    }

    private void parametersAndBody() throws NotPlainException {
        notes.enterFunction();
        tokens.take("(");
        parameters();
        script.statements.body();
        notes.leaveBraces();
    }

    /** Whether a function with an arrow begins here; any other parenthesis is an expression. */
    boolean isArrow() throws NotPlainException {
        if (tokens.kind() == Tokens.Kind.NAME) {
            return tokens.isFollowedBy("=>");
        }
        if (!tokens.is("(")) {
            return false;
        }
        int start = tokens.start();
        tokens.next();
        while (tokens.kind() == Tokens.Kind.NAME) {
            tokens.next();
            tokens.taken(",");
        }
        boolean arrow = tokens.is(")") && tokens.isFollowedBy("=>");
        tokens.goTo(start);
        return arrow;
    }

    void arrow() throws NotPlainException {
        int start = tokens.start();
        notes.enterFunction();
        if (tokens.taken("(")) {
            parameters();
        } else {
            parameter();
        }
        unless(!tokens.onNewLine());
        tokens.take("=>");
        if (tokens.is("{")) {
            script.statements.body();
        } else {
            script.expressions.single();
        }
        notes.leaveBraces();
        requireMoreThan(start);
    }

    private void parameters() throws NotPlainException {
        while (!tokens.is(")")) {
            parameter();
            if (!tokens.is(")")) {
                tokens.take(",");
            }
        }
        tokens.next();
    }

    private void parameter() throws NotPlainException {
        String name = tokens.identifier();
        unless(!notes.declaresHere(name));
        notes.variable(name);
    }

    /** A text that is one function is to be told of what a call of it does. */
    private void requireMoreThan(int start) throws NotPlainException {
        unless(!tokens.isAllFrom(start));
    }
}
