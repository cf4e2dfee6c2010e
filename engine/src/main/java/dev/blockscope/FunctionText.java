package dev.blockscope;

import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;

/**
 * The text of a JavaScript function, which becomes a program whose value is the function. Its lines
 * and columns stay what they were.
 */
final class FunctionText {
    private static final Pattern NAMED =
            Pattern.compile(
                    "(?s)(?:async\\s+)?function\\b\\s*\\*?\\s*([\\p{L}\\p{Nl}$_][\\w$]*)?.*");
    private static final Pattern METHOD =
            Pattern.compile("(?s)(?:async\\s+)?\\*?\\s*([\\p{L}\\p{Nl}$_][\\w$]*)\\s*\\(.*");
    private static final Pattern ARROW =
            Pattern.compile("(?s)(?:async\\b\\s*)?(?:[\\p{L}\\p{Nl}$_][\\w$]*\\s*=>|\\().*");
    private static final Pattern STRICT =
            Pattern.compile("(?s)(?:\\s|//[^\\n]*\\n|/\\*.*?\\*/)*(['\"])use strict\\1.*");
    private static final Pattern BEYOND = Pattern.compile("\\bsuper\\b|(?<![\\w$])#[\\w$]");
    private static final Pattern OF_CALLER =
            Pattern.compile("(?<![.$\\w])(?:this|arguments|new\\s*\\.\\s*target)\\b");

    private static final Pattern IDENTIFIER = Pattern.compile("[\\p{L}\\p{Nl}$_][\\w$]*");

    private final SourceSection section;
    private final String text;
    private final String code;
    private final boolean arrow;

    /** What the function calls itself, or an empty text. */
    private final String called;

    private FunctionText(SourceSection section, Value function) {
        this.section = section;
        this.text = section.getCharacters().toString();
        this.code = Literal.codeOf(text);
        this.arrow = ARROW.matcher(code).matches();
        Value name = function.getMember("name");
        this.called = name != null && name.isString() ? name.asString() : "";
    }

    /**
     * Returns the text of a function.
     *
     * @throws FunctionSourceException if the function is more than its text tells
     */
    static FunctionText of(Value function) {
        SourceSection section = function.getSourceLocation();
        if (section == null || !section.isAvailable() || section.getSource().isInternal()) {
            throw refused(
                    "it is not written in a text, but built in or a proxy; wrap it: x => f(x)");
        }
        if (Literal.isBound(function)) {
            throw refused("it was bound; write an arrow function instead of bind");
        }
        FunctionText text = new FunctionText(section, function);
        text.requireWhole(function);
        return text;
    }

    private void requireWhole(Value function) {
        if (text.startsWith("class") && function.canInstantiate()) {
            throw refused(
                    "it is a class; write it inside of the block, or in a function that makes its objects");
        }
        if (BEYOND.matcher(suspect()).find()) {
            throw refused("it uses super or private members of its class; write it as a function");
        }
        if (arrow && OF_CALLER.matcher(suspect()).find()) {
            throw refused(
                    "it is an arrow function that uses this or arguments of the code around it; put what it needs into a variable");
        }
        String type = section.getSource().getMimeType();
        if (type != null && type.contains("module")) {
            throw refused("it belongs to a module; import the module in the block");
        }
        Value prototype = function.getMember("prototype");
        boolean bare = prototype == null || prototype.getMemberKeys().isEmpty();
        if (!bare || !function.getMemberKeys().isEmpty()) {
            throw refused(
                    "it has properties of its own, which would be lost; put them into an object");
        }
        if (!isStrict() && textAround().contains("use strict")) {
            throw refused(
                    "it may stand in strict code inside of its text; write \"use strict\" into it, or at the text's beginning");
        }
    }

    /** Objects travel as data, whose functions are called without a receiver. */
    void requireNoReceiver() {
        if (!arrow
                && OF_CALLER
                        .matcher(suspect())
                        .results()
                        .anyMatch(it -> it.group().equals("this"))) {
            throw refused(
                    "it is called on an object and uses this, and objects travel as data; write a function that takes the object, and give it a name of its own");
        }
    }

    /** Where a regular expression may hide a quote, one cannot tell strings from code. */
    private String suspect() {
        return code.indexOf('/') < 0 ? code : text;
    }

    private boolean isStrict() {
        return STRICT.matcher(section.getSource().getCharacters()).matches();
    }

    private String textAround() {
        Source source = section.getSource();
        return source.getCharacters().subSequence(0, section.getCharIndex()).toString()
                + source.getCharacters().subSequence(section.getCharEndIndex(), source.getLength());
    }

    /** Returns the name that a {@code function} has in its own text, or an empty text. */
    String name() {
        Matcher named = NAMED.matcher(code);
        return !arrow && named.matches() && named.group(1) != null ? named.group(1) : "";
    }

    /** Returns the program, which also declares variables. */
    BlockSource program(Collection<String> variables) {
        String strict = isStrict() ? "'use strict';" : "";
        String declared = variables.isEmpty() ? "" : "\nvar " + String.join(", ", variables);
        String name = name();
        if (!name.isEmpty()) {
            // At the very beginning of a text there is no room, and only declarations stand there.
            return hasRoom(1)
                    ? placed(strict + "(", ")" + declared)
                    : placed(strict, "\n" + name + declared);
        }
        if (arrow || NAMED.matcher(code).matches()) {
            String known = "({" + called + ":";
            if (IDENTIFIER.matcher(called).matches() && hasRoom(strict.length() + known.length())) {
                return placed(strict + known, "})." + called + declared);
            }
            return hasRoom(strict.length() + 1)
                    ? placed(strict + "(", ")" + declared)
                    : placed(strict, declared);
        }
        Matcher method = METHOD.matcher(code);
        if (!method.matches()) {
            throw refused("it is a method without a plain name; write it as a function");
        }
        return placed(strict + "({", "})." + method.group(1) + declared);
    }

    /** Whether something fits in front of the text without moving it. */
    private boolean hasRoom(int characters) {
        return section.getStartLine() > 1 || section.getStartColumn() > characters;
    }

    private BlockSource placed(String prefix, String suffix) {
        int line = section.getStartLine();
        int column = section.getStartColumn();
        String file = section.getSource().getName();
        String language = section.getSource().getLanguage();
        if (column > prefix.length()) {
            return new BlockSource(
                    language, prefix + text + suffix, file, line, column - prefix.length());
        }
        if (line == 1) {
            throw refused("there is no room in front of it; put it on a line of its own");
        }
        return new BlockSource(
                language,
                prefix + "\n" + " ".repeat(column - 1) + text + suffix,
                file,
                line - 1,
                1);
    }

    private static FunctionSourceException refused(String reason) {
        return new FunctionSourceException("", reason);
    }
}
