package dev.blockscope.script;

import java.util.Set;

/** The words of JavaScript that cannot be names everywhere, in whatever mode it is read. */
public final class ReservedWords {
    /** All of them, and {@code undefined}, which the language reads as a constant. */
    public static final Set<String> ALL =
            Set.of(
                    "await",
                    "break",
                    "case",
                    "catch",
                    "class",
                    "const",
                    "continue",
                    "debugger",
                    "default",
                    "delete",
                    "do",
                    "else",
                    "enum",
                    "export",
                    "extends",
                    "false",
                    "finally",
                    "for",
                    "function",
                    "if",
                    "implements",
                    "import",
                    "in",
                    "instanceof",
                    "interface",
                    "let",
                    "new",
                    "null",
                    "package",
                    "private",
                    "protected",
                    "public",
                    "return",
                    "static",
                    "super",
                    "switch",
                    "this",
                    "throw",
                    "true",
                    "try",
                    "typeof",
                    "undefined",
                    "var",
                    "void",
                    "while",
                    "with",
                    "yield");

    /** Own properties of every global object: names like others, but nobody can assign them. */
    public static final Set<String> CONSTANTS = Set.of("NaN", "Infinity");

    private ReservedWords() {}
}
