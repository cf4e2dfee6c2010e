package dev.blockscope.script;

import static dev.blockscope.script.NotPlainException.unless;

import dev.blockscope.script.NameNotes.Mark;

/**
 * Reads statements. Those of loops and branches are places that control may pass by, and so is what
 * stands in braces that declare something.
 */
final class Statements {
    private final ScriptReader script;
    private final Tokens tokens;
    private final NameNotes notes;

    /** How many loops of the same body are around. */
    private int loops;

    private boolean inFunction;

    Statements(ScriptReader script) {
        this.script = script;
        this.tokens = script.tokens;
        this.notes = script.notes;
    }

    /**
     * Reads a statement or a declaration of a list.
     *
     * @param ofBody whether it is the list of a whole body, where functions are declared; in braces
     *     they are variables in ways of their own. A body may begin with words that change the
     *     meaning of all of it.
     */
    void listed(boolean ofBody) throws NotPlainException {
        unless(!ofBody || tokens.kind() != Tokens.Kind.STRING);
        if (ofBody && tokens.isName("function")) {
            script.functions.declaration();
        } else if (tokens.isName("let") || tokens.isName("const")) {
            declaration();
        } else {
            statement();
        }
    }

    /** Reads what stands in the braces of a function. */
    void body() throws NotPlainException {
        int loopsAround = loops;
        boolean around = inFunction;
        loops = 0;
        inFunction = true;
        tokens.take("{");
        while (!tokens.is("}")) {
            listed(true);
        }
        tokens.next();
        loops = loopsAround;
        inFunction = around;
    }

    private void statement() throws NotPlainException {
        script.deeper();
        switch (tokens.value()) {
            case "{" -> block();
            case ";" -> tokens.next();
            case "var" -> declaration();
            case "if" -> branch();
            case "for" -> forLoop();
            case "while" -> whileLoop();
            case "do" -> doLoop();
            case "break", "continue" -> jump();
            case "return" -> returned();
            case "throw" -> thrown();
            default -> {
                // As a statement of a branch or in braces.
                unless(!tokens.isName("function"));
                notes.statement(tokens.start());
                script.expressions.whole();
                end();
            }
        }
        script.shallower();
    }

    private void block() throws NotPlainException {
        Mark mark = notes.mark();
        notes.enterBraces();
        int statements = 0;
        tokens.next();
        while (!tokens.is("}")) {
            listed(false);
            statements++;
        }
        tokens.next();
        if (notes.leaveBraces()) {
            // A single declaration in braces is made something else of.
            unless(statements > 1);
            notes.passedBy(mark);
        }
    }

    private void declaration() throws NotPlainException {
        String kind = tokens.value();
        int start = tokens.start();
        tokens.next();
        declarators(kind, start);
        end();
    }

    /**
     * Reads the names of a declaration, with their values.
     *
     * @param start where the declaration begins, and with it each of its assignments
     */
    private void declarators(String kind, int start) throws NotPlainException {
        do {
            String name = declared(kind);
            if (tokens.taken("=")) {
                notes.statement(start);
                script.expressions.single();
                notes.write(name, start, tokens.endOfLast());
            } else {
                unless(!kind.equals("const"));
            }
        } while (tokens.taken(","));
    }

    private String declared(String kind) throws NotPlainException {
        String name = tokens.identifier();
        switch (kind) {
            case "var" -> notes.variable(name);
            case "const" -> notes.constant(name);
            default -> notes.lexical(name);
        }
        return name;
    }

    private void branch() throws NotPlainException {
        notes.statement(tokens.start());
        Mark mark = notes.mark();
        tokens.next();
        condition();
        statement();
        if (tokens.isName("else")) {
            tokens.next();
            statement();
        }
        notes.passedBy(mark);
    }

    private void condition() throws NotPlainException {
        tokens.take("(");
        script.expressions.whole();
        tokens.take(")");
    }

    private void whileLoop() throws NotPlainException {
        Mark mark = notes.mark();
        tokens.next();
        condition();
        turn();
        notes.passedBy(mark);
    }

    private void doLoop() throws NotPlainException {
        Mark mark = notes.mark();
        tokens.next();
        turn();
        unless(tokens.isName("while"));
        tokens.next();
        condition();
        tokens.taken(";");
        notes.passedBy(mark);
    }

    private void turn() throws NotPlainException {
        loops++;
        statement();
        loops--;
    }

    private void forLoop() throws NotPlainException {
        int start = tokens.start();
        notes.enterBraces();
        Mark mark = notes.mark();
        tokens.next();
        tokens.take("(");
        boolean declares = tokens.isName("let") || tokens.isName("const") || tokens.isName("var");
        if (declares && goesOver()) {
            overHead(start);
        } else {
            mark = countingHead(mark, declares);
        }
        tokens.take(")");
        turn();
        notes.passedBy(mark);
        notes.leaveBraces();
    }

    /** Whether the head that begins here goes over something, as opposed to counting. */
    private boolean goesOver() throws NotPlainException {
        int start = tokens.start();
        tokens.next();
        tokens.next();
        boolean over = tokens.isName("of") || tokens.isName("in");
        tokens.goTo(start);
        return over;
    }

    private void overHead(int loop) throws NotPlainException {
        String kind = tokens.value();
        tokens.next();
        int start = tokens.start();
        String name = declared(kind);
        boolean in = tokens.isName("in");
        tokens.next();
        if (in) {
            script.expressions.whole();
        } else {
            script.expressions.single();
        }
        notes.write(name, kind.equals("var") ? start : loop, tokens.endOfLast());
    }

    /** Reads the three parts of a head. Returns from where on control may pass by. */
    private Mark countingHead(Mark before, boolean declares) throws NotPlainException {
        Mark mark = before;
        if (declares) {
            String kind = tokens.value();
            int start = tokens.start();
            tokens.next();
            notes.beginLoop();
            script.expressions.inHead(() -> declarators(kind, start));
            mark = kind.equals("var") ? notes.mark() : before;
        } else if (!tokens.is(";")) {
            notes.statement(tokens.start());
            script.expressions.inHead(script.expressions::whole);
            mark = notes.mark();
        }
        tokens.take(";");
        if (!tokens.is(";")) {
            script.expressions.whole();
        }
        tokens.take(";");
        if (!tokens.is(")")) {
            script.expressions.whole();
        }
        return mark;
    }

    private void jump() throws NotPlainException {
        unless(loops > 0);
        tokens.next();
        end();
    }

    private void returned() throws NotPlainException {
        unless(inFunction);
        tokens.next();
        if (!isEnd()) {
            script.expressions.whole();
        }
        end();
    }

    private void thrown() throws NotPlainException {
        notes.statement(tokens.start());
        tokens.next();
        unless(!tokens.onNewLine());
        Mark mark = notes.mark();
        script.expressions.whole();
        notes.passedBy(mark);
        end();
    }

    private boolean isEnd() {
        return tokens.is(";")
                || tokens.is("}")
                || tokens.onNewLine()
                || tokens.kind() == Tokens.Kind.END;
    }

    private void end() throws NotPlainException {
        unless(isEnd());
        tokens.taken(";");
    }
}
