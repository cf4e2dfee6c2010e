package dev.blockscope;

import static com.google.common.base.Preconditions.checkArgument;

import dev.blockscope.truffle.LiveScope;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * A function literal in a script, written to be run as a block.
 *
 * @param source its text as an expression, and its place
 * @param frame the live frame of its line
 * @param arguments what its parameters are given at each run
 */
record Literal(BlockSource source, Frame frame, List<@Nullable Object> arguments) {
    private static final String NAME =
            "[\\p{javaUnicodeIdentifierStart}$_][\\p{javaUnicodeIdentifierPart}$]*";
    private static final String GAP = "(?:\\s|/\\*.*?\\*/|//[^\\n]*\\n)*";
    private static final Pattern ARROW = Pattern.compile("(?s)(?:\\(.*|" + NAME + GAP + "=>.*)");
    private static final Pattern FUNCTION = Pattern.compile("(?s)function\\b.*");
    private static final Pattern NO_CODE =
            Pattern.compile(
                    "(?s)//[^\\n]*|/\\*.*?\\*/|'(?:\\\\.|[^'\\\\])*'|\"(?:\\\\.|[^\"\\\\])*\"");
    private static final Pattern THIS = Pattern.compile("(?<![.$\\w])this\\b");

    /**
     * Finds a function in the call that guest code is in.
     *
     * @throws IllegalArgumentException if it is not a literal that can be run as a block
     * @throws IllegalStateException if no call that it is written in is under way on this thread
     */
    static Literal of(Value function, Home home, @Nullable Object[] arguments) {
        SourceSection section = sectionOf(function);
        String text = section.getCharacters().toString();
        checkArgument(
                Guest.typeName(function).equals("Function"),
                "the function at %s is async or a generator, and a block runs from its first line to its last; call it inside of () => { ... }",
                placeOf(section));
        boolean arrow = ARROW.matcher(text).matches();
        checkArgument(
                arrow || FUNCTION.matcher(text).matches(),
                "the function at %s is a method, a getter or a class; write () => { ... } in the call",
                placeOf(section));
        checkArgument(
                !isBound(function),
                "the function at %s was bound, and a block sees the names of its line; write () => { ... } in the call",
                placeOf(section));
        LiveScope variables =
                home.realm()
                        .guest()
                        .callWith(section.getSource().getName(), section.getCharIndex(), text);
        if (variables == null) {
            throw new IllegalStateException(
                    "the function at %s is not written in a call that is under way on this thread; write it as a literal in the call, and capture it before the host function returns"
                            .formatted(placeOf(section)));
        }
        checkArgument(
                !arrow || !variables.hasReceiver() || !usesThis(text),
                "the function at %s uses \"this\", which a block cannot have; put it into a variable above the call",
                placeOf(section));
        return new Literal(
                arrow ? sourceOf(section, text) : inParentheses(section, text),
                GuestFrame.of(home, variables),
                Collections.<@Nullable Object>unmodifiableList(
                        Arrays.<@Nullable Object>asList(arguments.clone())));
    }

    private static SourceSection sectionOf(Value function) {
        SourceSection section = function.getSourceLocation();
        checkArgument(
                section != null && section.isAvailable() && !section.getSource().isInternal(),
                "%s is not written in the script; write () => { ... } in the call",
                function);
        return section;
    }

    static boolean isBound(Value function) {
        return function.hasMember("name")
                && function.getMember("name").isString()
                && function.getMember("name").asString().startsWith("bound ");
    }

    private static boolean usesThis(String text) {
        return THIS.matcher(codeOf(text)).find();
    }

    /** Returns a text without its comments and strings, as far as one can tell them. */
    static String codeOf(String text) {
        return NO_CODE.matcher(text).replaceAll(" ");
    }

    private static BlockSource sourceOf(SourceSection section, String text) {
        return new BlockSource(
                BlockSource.JAVASCRIPT,
                text,
                section.getSource().getName(),
                section.getStartLine(),
                section.getStartColumn());
    }

    /** Without them it would be a declaration. In a call there is always room in front of it. */
    private static BlockSource inParentheses(SourceSection section, String text) {
        BlockSource source = sourceOf(section, text);
        return source.column() > 1
                ? new BlockSource(
                        source.language(),
                        "(" + text + ")",
                        source.file(),
                        source.line(),
                        source.column() - 1)
                : new BlockSource(
                        source.language(),
                        "(\n" + text + ")",
                        source.file(),
                        Math.max(1, source.line() - 1),
                        1);
    }

    private static String placeOf(SourceSection section) {
        return "%s:%d:%d"
                .formatted(
                        section.getSource().getName(),
                        section.getStartLine(),
                        section.getStartColumn());
    }
}
