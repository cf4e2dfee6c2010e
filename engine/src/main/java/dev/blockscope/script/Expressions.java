package dev.blockscope.script;

import static dev.blockscope.script.NotPlainException.unless;

import dev.blockscope.script.NameNotes.Mark;
import java.util.Map;
import java.util.Set;

/**
 * Reads expressions. What an operand is decides only later whether it is read, assigned or both, so
 * it is noted by whoever takes its value.
 */
final class Expressions {
    private static final Set<String> CONSTANTS =
            Set.of("true", "false", "null", "undefined", "this");

    private static final Set<String> ASSIGNMENTS =
            Set.of(
                    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>=",
                    "**=");

    private static final Set<String> UNARY = Set.of("!", "~", "+", "-", "typeof", "void");

    private static final int NULLISH = 1;
    private static final int AND = 3;

    /** How strongly each operator binds. */
    private static final Map<String, Integer> BINARY =
            Map.ofEntries(
                    Map.entry("??", NULLISH),
                    Map.entry("||", 2),
                    Map.entry("&&", AND),
                    Map.entry("|", 4),
                    Map.entry("^", 5),
                    Map.entry("&", 6),
                    Map.entry("==", 7),
                    Map.entry("!=", 7),
                    Map.entry("===", 7),
                    Map.entry("!==", 7),
                    Map.entry("<", 8),
                    Map.entry(">", 8),
                    Map.entry("<=", 8),
                    Map.entry(">=", 8),
                    Map.entry("instanceof", 8),
                    Map.entry("in", 8),
                    Map.entry("<<", 9),
                    Map.entry(">>", 9),
                    Map.entry(">>>", 9),
                    Map.entry("+", 10),
                    Map.entry("-", 10),
                    Map.entry("*", 11),
                    Map.entry("/", 11),
                    Map.entry("%", 11),
                    Map.entry("**", 12));

    private final ScriptReader script;
    private final Tokens tokens;
    private final NameNotes notes;

    /** Whether the first part of the head of a loop is read, where no {@code in} may stand. */
    private boolean inHead;

    private boolean nullish;
    private boolean logical;

    Expressions(ScriptReader script) {
        this.script = script;
        this.tokens = script.tokens;
        this.notes = script.notes;
    }

    /** What an expression is to whoever wants to assign it. */
    private enum Form {
        NAME,
        /** A name that can only be read. */
        READ,
        PROPERTY,
        ELEMENT,
        /** A name that was assigned just now. */
        ASSIGNED,
        VALUE
    }

    private record Operand(Form form, String name, int start) {
        static Operand value(int start) {
            return new Operand(Form.VALUE, "", start);
        }

        /** Returns what it is after an assignment. */
        Operand assigned() {
            return new Operand(form == Form.NAME ? Form.ASSIGNED : Form.VALUE, "", start);
        }

        void requireTarget() throws NotPlainException {
            unless(form == Form.NAME || form == Form.PROPERTY || form == Form.ELEMENT);
        }
    }

    /** Reads something. */
    interface Reading {
        void read() throws NotPlainException;
    }

    /** Reads something in the first part of the head of a loop. */
    void inHead(Reading reading) throws NotPlainException {
        inHead = true;
        reading.read();
        inHead = false;
    }

    /** Reads something in parentheses, or what stands for them. */
    private void apart(Reading reading) throws NotPlainException {
        boolean around = inHead;
        inHead = false;
        reading.read();
        inHead = around;
    }

    /** Reads an expression, commas included, and takes its value. */
    void whole() throws NotPlainException {
        value(expression());
    }

    /** Reads an expression up to a comma, and takes its value. */
    void single() throws NotPlainException {
        value(assignment());
    }

    private void value(Operand operand) {
        switch (operand.form) {
            case NAME, READ -> notes.read(operand.name, operand.start);
            case ELEMENT -> notes.mutation();
            default -> {}
        }
    }

    private Operand expression() throws NotPlainException {
        Operand first = assignment();
        if (!tokens.is(",")) {
            return first;
        }
        value(first);
        while (tokens.taken(",")) {
            single();
        }
        return Operand.value(first.start);
    }

    private Operand assignment() throws NotPlainException {
        int start = tokens.start();
        Operand result = Operand.value(start);
        script.deeper();
        if (script.functions.isArrow()) {
            script.functions.arrow();
        } else {
            Mark mark = notes.mark();
            result = conditional();
            if (tokens.kind() == Tokens.Kind.SIGN && ASSIGNMENTS.contains(tokens.value())) {
                assign(result, mark);
                result = result.assigned();
            }
        }
        script.shallower();
        return result;
    }

    private void assign(Operand target, Mark mark) throws NotPlainException {
        target.requireTarget();
        boolean compound = !tokens.is("=");
        tokens.next();
        if (target.form != Form.NAME) {
            notes.passedBy(mark);
        }
        Mark inner = notes.mark();
        if (compound) {
            value(target);
        }
        single();
        if (compound || target.form == Form.ELEMENT) {
            notes.passedBy(inner);
        }
        write(target);
    }

    private void write(Operand target) {
        switch (target.form) {
            case NAME -> notes.write(target.name, target.start, tokens.endOfLast());
            case PROPERTY -> notes.property(target.name);
            default -> notes.mutation();
        }
    }

    private Operand conditional() throws NotPlainException {
        Mark mark = notes.mark();
        Operand condition = operators();
        if (!tokens.is("?")) {
            return condition;
        }
        value(condition);
        tokens.next();
        apart(this::single);
        tokens.take(":");
        single();
        notes.passedBy(mark);
        return Operand.value(condition.start);
    }

    /** Of the three logical operators {@code ??} does not stand beside the others. */
    private Operand operators() throws NotPlainException {
        boolean nullishAround = nullish;
        boolean logicalAround = logical;
        nullish = false;
        logical = false;
        Operand result = binary(NULLISH);
        unless(!(nullish && logical));
        nullish = nullishAround;
        logical = logicalAround;
        return result;
    }

    private Operand binary(int weakest) throws NotPlainException {
        Mark mark = notes.mark();
        Operand left = unary();
        int strength = strength();
        boolean operates = strength >= weakest;
        while (strength >= weakest) {
            nullish |= strength == NULLISH;
            logical |= strength > NULLISH && strength <= AND;
            value(left);
            boolean toTheRight = tokens.is("**");
            tokens.next();
            value(binary(toTheRight ? strength : strength + 1));
            left = Operand.value(left.start);
            strength = strength();
        }
        if (operates) {
            notes.passedBy(mark);
        }
        return left;
    }

    private int strength() {
        boolean operator =
                tokens.kind() == Tokens.Kind.SIGN
                        || tokens.isName("instanceof")
                        || (tokens.isName("in") && !inHead);
        return operator ? BINARY.getOrDefault(tokens.value(), 0) : 0;
    }

    private Operand unary() throws NotPlainException {
        boolean word = tokens.kind() == Tokens.Kind.SIGN || tokens.kind() == Tokens.Kind.NAME;
        if (tokens.is("++") || tokens.is("--")) {
            return prefix();
        }
        if (!word || !UNARY.contains(tokens.value())) {
            return postfix();
        }
        int start = tokens.start();
        script.deeper();
        Mark mark = notes.mark();
        tokens.next();
        value(unary());
        notes.passedBy(mark);
        unless(!tokens.is("**"));
        script.shallower();
        return Operand.value(start);
    }

    private Operand prefix() throws NotPlainException {
        int start = tokens.start();
        tokens.next();
        Mark mark = notes.mark();
        Operand target = chain(primary(), mark);
        target.requireTarget();
        value(target);
        Operand whole = new Operand(target.form, target.name, start);
        write(whole);
        return whole.assigned();
    }

    private Operand postfix() throws NotPlainException {
        Mark mark = notes.mark();
        Operand target = chain(primary(), mark);
        if ((!tokens.is("++") && !tokens.is("--")) || tokens.onNewLine()) {
            return target;
        }
        target.requireTarget();
        value(target);
        tokens.next();
        write(target);
        return target.assigned();
    }

    /** Reads what follows an operand: properties, elements and arguments. */
    private Operand chain(Operand first, Mark mark) throws NotPlainException {
        Operand target = first;
        boolean linked = false;
        boolean optional = false;
        while (tokens.is(".") || tokens.is("?.") || tokens.is("(") || tokens.is("[")) {
            linked = true;
            value(target);
            boolean named = tokens.is(".");
            if (tokens.is("?.")) {
                optional = true;
                tokens.next();
                named = !tokens.is("(") && !tokens.is("[");
            } else if (named) {
                tokens.next();
            }
            Operand link = named ? property(first.start) : bracket(first.start);
            if (optional) {
                value(link);
                link = Operand.value(first.start);
            }
            target = link;
        }
        if (linked) {
            notes.passedBy(mark);
        }
        unless(tokens.kind() != Tokens.Kind.TEMPLATE);
        return target;
    }

    private Operand property(int start) throws NotPlainException {
        unless(tokens.kind() == Tokens.Kind.NAME);
        Operand property = new Operand(Form.PROPERTY, tokens.value(), start);
        tokens.next();
        return property;
    }

    private Operand bracket(int start) throws NotPlainException {
        if (tokens.is("(")) {
            arguments();
            notes.call();
            return Operand.value(start);
        }
        tokens.next();
        // A constant may be a property's name.
        unless(tokens.kind() != Tokens.Kind.STRING);
        apart(this::whole);
        tokens.take("]");
        return new Operand(Form.ELEMENT, "", start);
    }

    private void arguments() throws NotPlainException {
        tokens.take("(");
        items(")");
    }

    /** Reads values up to the sign that closes their list. */
    private void items(String close) throws NotPlainException {
        Mark mark = notes.mark();
        while (!tokens.is(close)) {
            tokens.taken("...");
            apart(this::single);
            if (!tokens.is(close)) {
                tokens.take(",");
            }
        }
        tokens.next();
        notes.passedBy(mark);
    }

    private Operand primary() throws NotPlainException {
        int start = tokens.start();
        switch (tokens.kind()) {
            case NAME -> {
                return word(start);
            }
            case NUMBER, STRING -> tokens.next();
            case TEMPLATE -> template();
            case SIGN, END -> {
                if (tokens.taken("(")) {
                    return enclosed(start);
                }
                if (tokens.taken("[")) {
                    items("]");
                } else {
                    tokens.take("{");
                    object();
                }
            }
        }
        return Operand.value(start);
    }

    private Operand word(int start) throws NotPlainException {
        String word = tokens.value();
        if (CONSTANTS.contains(word)) {
            tokens.next();
        } else if (word.equals("function")) {
            script.functions.expression();
        } else if (word.equals("new")) {
            creation();
        } else {
            Form form = ReservedWords.CONSTANTS.contains(word) ? Form.READ : Form.NAME;
            return new Operand(form, tokens.identifier(), start);
        }
        return Operand.value(start);
    }

    /** What is read or assigned in parentheses is told to begin with them. */
    private Operand enclosed(int start) throws NotPlainException {
        boolean around = inHead;
        inHead = false;
        Operand inner = expression();
        inHead = around;
        tokens.take(")");
        return switch (inner.form) {
            case NAME, READ -> new Operand(Form.READ, inner.name, start);
            case ASSIGNED -> {
                notes.enclosed(start);
                yield new Operand(Form.ASSIGNED, "", start);
            }
            default -> {
                value(inner);
                yield Operand.value(start);
            }
        };
    }

    private void creation() throws NotPlainException {
        Mark mark = notes.mark();
        tokens.next();
        int start = tokens.start();
        Operand type = new Operand(Form.NAME, tokens.identifier(), start);
        while (tokens.taken(".")) {
            value(type);
            type = property(start);
        }
        value(type);
        if (tokens.is("(")) {
            arguments();
        }
        // Without arguments, an element would be the type's and not the new object's.
        unless(!tokens.is("[") && !tokens.is("?."));
        notes.call();
        notes.passedBy(mark);
    }

    private void template() throws NotPlainException {
        Mark mark = notes.mark();
        while (!tokens.endsTemplate()) {
            tokens.next();
            apart(this::whole);
            unless(tokens.is("}"));
            tokens.template();
        }
        tokens.next();
        notes.passedBy(mark);
    }

    private void object() throws NotPlainException {
        Mark mark = notes.mark();
        while (!tokens.is("}")) {
            if (tokens.taken("...")) {
                apart(this::single);
            } else {
                member();
            }
            if (!tokens.is("}")) {
                tokens.take(",");
            }
        }
        tokens.next();
        notes.passedBy(mark);
    }

    private void member() throws NotPlainException {
        unless(tokens.kind() != Tokens.Kind.SIGN && tokens.kind() != Tokens.Kind.TEMPLATE);
        // It may be the object's prototype, of which there can be only one.
        unless(!tokens.isName("__proto__"));
        if (tokens.isFollowedBy(":")) {
            tokens.next();
            tokens.next();
            apart(this::single);
        } else {
            int start = tokens.start();
            notes.read(tokens.identifier(), start);
            unless(tokens.is(",") || tokens.is("}"));
        }
    }
}
