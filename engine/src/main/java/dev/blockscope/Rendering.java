package dev.blockscope;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNullElse;

import java.io.Console;
import java.util.Map;

/**
 * How a {@link Traceback} is shown.
 *
 * @param coloured whether the parts are told apart by colours, as the escape sequences of terminals
 * @param width how many cells a line of source may take; a longer one is cut around the column. A
 *     cell is what a Latin letter takes, and a Chinese one takes two
 * @since 0.1
 */
public record Rendering(boolean coloured, int width) {
    /** For logs, files and messages: no colour, lines of at most 120 cells. */
    public static final Rendering PLAIN = new Rendering(false, 120);

    private static final int NARROWEST = 20;
    private static final int USUAL = 80;

    /**
     * Checks the width.
     *
     * @throws IllegalArgumentException if {@code width} is below 20
     */
    public Rendering {
        checkArgument(
                width >= NARROWEST,
                "a width of %s cells shows nothing; it must be at least %s",
                width,
                NARROWEST);
    }

    /**
     * Returns what suits the terminal that the process runs on: colours, unless the environment has
     * a {@code NO_COLOR} that is not empty or a {@code TERM} that is {@code dumb}, and the width
     * that {@code COLUMNS} says, or 80 cells. Without a terminal it is {@link #PLAIN}.
     *
     * <p>Java cannot tell a terminal from a file if only one of its streams is redirected: then
     * there is no terminal. {@link #terminal(boolean)} is for who knows better.
     */
    @SuppressWarnings("SystemConsoleNull") // JDK 25 returns null again if there is no terminal
    public static Rendering terminal() {
        Console console = System.console();
        return terminal(console != null && console.isTerminal());
    }

    /** Returns what suits a terminal, if the text goes to one, and else {@link #PLAIN}. */
    public static Rendering terminal(boolean present) {
        return present ? of(System.getenv()) : PLAIN;
    }

    /** Returns what suits a terminal in an environment. */
    static Rendering of(Map<String, String> environment) {
        boolean coloured =
                environment.getOrDefault("NO_COLOR", "").isEmpty()
                        && !environment.getOrDefault("TERM", "").equals("dumb");
        return new Rendering(coloured, widthOf(environment));
    }

    /** What a shell says of its width is not always a number, and not always sensible. */
    private static int widthOf(Map<String, String> environment) {
        String columns = requireNonNullElse(environment.get("COLUMNS"), "");
        return columns.matches("[0-9]{2,4}")
                ? Math.max(NARROWEST, Integer.parseInt(columns))
                : USUAL;
    }
}
