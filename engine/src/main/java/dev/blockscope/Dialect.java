package dev.blockscope;

import dev.blockscope.truffle.GuestAccess;
import dev.blockscope.truffle.ParsePlan;
import dev.blockscope.truffle.ParsedText;
import dev.blockscope.truffle.TextNames;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * What the engine must know of one guest language beyond what any guest language tells: how names
 * look in a text, what becomes a binding of its top level, and how a fresh context falls back to a
 * scope.
 */
interface Dialect {
    /** Returns the language's id, such as {@code "js"}. */
    String id();

    /** Returns the options that every context of the language needs for blocks of a trust. */
    Map<String, String> options(Trust trust);

    /** Whether a text can take a name as its parameter; other names are left to the fallback. */
    boolean canBeParameter(String name);

    /**
     * Returns every word of a text that looks like a name, comments and strings included, in the
     * order in which they come, each with the number of those before it.
     */
    Map<String, Integer> wordsOf(String text);

    /** Returns a text in which everything occurs that tells of names. */
    String primer();

    /** Returns a text that comes to a function which calls its only argument. */
    String caller();

    /** Whether a text may use names that it does not have as they are. */
    boolean hidesNames(String text);

    /** Whether a text may assign names without the language's tags telling. */
    boolean hidesAssignments(String text);

    /** Whether a text with these words may define something past the scope. */
    boolean mayTouchGlobal(Set<String> words);

    /** Whether a text with these words may change an object by calling something. */
    boolean mayMutate(Set<String> words);

    /** Whether a text can tell a parameter from a name that it made by assigning it. */
    boolean tellsParameters(String text, Set<String> words);

    /**
     * Whether a text certainly ends at once if its names hold only texts, numbers, booleans and
     * builtins that nobody has changed.
     */
    boolean endsByItself(String text, Set<String> words);

    /** Whether such a text can do nothing lengthy with a builtin of this name. */
    default boolean isQuick(String builtin) {
        return false;
    }

    /** Whether what a text was parsed to can run in each context of its engine. */
    default boolean sharesPrograms() {
        return false;
    }

    /** Returns a parameter that no text has, for a text that would have none. */
    String noName();

    /**
     * Returns the text behind as much white space as puts every character on its own line and
     * column, so that the guest reports the user's positions without being told.
     */
    default String placed(BlockSource source) {
        return source.line() == 1 && source.column() == 1
                ? source.text()
                : "\n".repeat(source.line() - 1) + " ".repeat(source.column() - 1) + source.text();
    }

    /**
     * Lists the names of a text, without running it.
     *
     * @throws Exception the language's own error if the text does not parse
     */
    TextNames namesOf(GuestAccess guest, BlockSource source) throws Exception;

    /**
     * Lists the names of a text without asking the language, which takes far longer; returns null
     * if only the language can tell, or if the text does not parse.
     */
    default @Nullable TextNames plainNamesOf(String text) {
        return null;
    }

    /**
     * Makes a fresh context fall back to the scope of the block that runs.
     *
     * @param names what the guest may ask of the block's names
     */
    Fallback install(Context context, GuestAccess guest, Names names);

    /**
     * What guest code asks of the names of the block that runs; each takes a name first.
     *
     * @param find answers the name's value in the scope, or {@link Fallback#absent}
     * @param put takes a value too and binds it in the scope; answers false if it is a constant
     * @param remove removes a name that was made by assignment; answers false if there is one of
     *     another kind
     * @param declares answers whether the text declares the name as a property of the global object
     * @param holds answers whether the name is a variable of the block, be it one that the block
     *     was given
     */
    record Names(
            ProxyExecutable find,
            ProxyExecutable put,
            ProxyExecutable remove,
            ProxyExecutable declares,
            ProxyExecutable holds) {}

    /**
     * Returns what a value is to the host.
     *
     * @param builtins finds the language's own globals of the value's context, or null
     */
    Kind kindOf(Value value, Function<String, @Nullable Value> builtins);

    /** Whether the message of an error says that the stack has overflowed. */
    boolean isOverflow(String message);

    /** Whether the message of an error says that something would be larger than it can be. */
    boolean isTooLarge(String message);

    /**
     * Returns how large that can be, in units of its own; 0 if the language does not say.
     *
     * @param message one that says that something would be too large
     */
    default long largest(String message) {
        return 0;
    }

    /**
     * Returns the message of a syntax error without the place that the language puts into it.
     *
     * @param line the line that it is about
     */
    String syntaxMessage(String message, String line);

    /**
     * Returns the message of an error of a run without what the language says of its own workings.
     */
    default String runMessage(String message) {
        return message;
    }

    /**
     * Returns where a text is wrong that was parsed while a block ran, if the message of the error
     * tells; null if it does not.
     */
    default @Nullable Misparse misparseIn(String message) {
        return null;
    }

    /**
     * A place in a text that does not parse.
     *
     * @param file how the text was asked for
     * @param line the line, 1-based
     * @param column the column, 1-based
     * @param sourceLine the whole line
     */
    record Misparse(String file, int line, int column, String sourceLine) {}

    /** Returns a line of a text as it is placed, by its number there. */
    default String lineOf(BlockSource source, int line) {
        return placed(source).lines().skip(line - 1L).findFirst().orElse("");
    }

    /** Returns the member of an error that holds its cause. */
    String causeMember();

    /** Returns the member of an error of errors that holds them. */
    String errorsMember();

    /**
     * Whether a value that was thrown is an error of the language, whose message tells all.
     *
     * @param builtins finds the language's own globals of the value's context, or null
     */
    default boolean isError(Value thrown, Function<String, @Nullable Value> builtins) {
        return true;
    }

    /** Whether the language tells which members of an object guest code answers for. */
    default boolean tellsGetters() {
        return false;
    }

    /** Whether guest code runs if anything is read of a value, whatever it is. */
    default boolean runsCodeIfRead(Value value) {
        return false;
    }

    /**
     * Whether a call is of code that nobody wrote, such as the constructor of a class that has
     * none.
     *
     * @param function its name
     * @param text the text of its place
     */
    default boolean isUnwritten(String function, CharSequence text) {
        return false;
    }

    /** Whether a source of this name was made of a string while a block ran. */
    default boolean isMade(String source) {
        return false;
    }

    /**
     * Returns the guest's lines of an error, the innermost first, for a language whose frames do
     * not have their places; null if they do.
     *
     * @param block the block that failed, if it is known
     */
    default @Nullable List<Traceback.Entry> linesOf(
            PolyglotException e, @Nullable BlockSource block) {
        return null;
    }

    /** What a value of a type that only the language knows is to the host. */
    enum Kind {
        BIG_INTEGER,
        BYTES,
        INTS,
        LONGS,
        FLOATS,
        DOUBLES,
        SET,
        /** It has no plain form, and is shown as the language shows it. */
        TEXT,
        /** It may be an array and not show it. */
        PROXY,
        /** An object that stands for a value without being it; it tells which. */
        BOXED,
        /** A date that is none: one that is shows as a point in time. */
        NO_DATE,
        /** A view of bytes that shows no bytes itself. */
        BYTE_VIEW,
        /** A value that is to come, or has come. */
        PROMISE,
        /** What polyglot interop tells of it is all there is. */
        PLAIN
    }

    /** The dialect's part of one realm. What the guest holds of it must not hold the realm. */
    interface Fallback {
        /** Returns what stands for a name that no tier binds. */
        Value absent();

        /** Returns a value as it is in the language's variables: its own text, its own numbers. */
        Value imported(@Nullable Object value);

        /**
         * Returns one of the language's own globals, or {@link #absent} if it has none so named.
         */
        Value builtin(String name);

        /**
         * Moves what guest code defined past the scope into it. Returns whether the context can go
         * on being used.
         *
         * @param over whether the run that defined it is over; until then, what is declared and has
         *     no value stays where it is
         */
        boolean sweep(boolean over);

        /**
         * Whether all that every text of the context can reach is as it was when the context was
         * fresh, so that texts of another frame may run in it.
         */
        boolean isAsNew();

        /** Returns the context's promises, or null if the language has none. */
        default @Nullable GuestPromises promises() {
            return null;
        }

        /**
         * Lets code that is about to run on the global object's own level find the scope's names
         * declared there, until the next {@link #sweep}.
         */
        default void lendTo(String text) {}

        /**
         * Parses a text whose top level sees names as its parameters, for the context entered on
         * this thread.
         *
         * @throws Exception the language's own error if the text does not parse
         */
        ParsedText parse(BlockSource source, ParsePlan plan) throws Exception;
    }
}
