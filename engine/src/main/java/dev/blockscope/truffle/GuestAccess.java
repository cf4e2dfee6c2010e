package dev.blockscope.truffle;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the engine asks of the guest machinery. Except for {@link #stop}, {@link #meter}, {@link
 * #metered} and {@link #onDelete}, a call needs a context entered on the calling thread.
 *
 * <p>Guest objects are handed over raw; {@code Context.asValue} makes them values of the host.
 */
public interface GuestAccess {
    /**
     * Parses a text whose top level sees names as its parameters.
     *
     * @param language the guest language's id
     * @param file the name that positions are reported under
     * @param text the user's text, as it is
     * @param plan the parameters, and what is known of the text
     * @return an executable guest object that takes one argument per name, one per preset and a
     *     {@link Harvest}
     * @throws Exception the language's own error if the text does not parse
     */
    ParsedText parse(String language, String file, String text, ParsePlan plan) throws Exception;

    /**
     * Parses a text as an ordinary script, and does no more with it.
     *
     * @throws Exception the language's own error if the text does not parse
     */
    void check(String language, String file, String text) throws Exception;

    /**
     * Lists the names a text uses, without running it.
     *
     * @param parameter a name that the text does not use; it is not listed
     * @throws Exception the language's own error if the text does not parse
     */
    TextNames namesOf(String language, String file, String text, String parameter) throws Exception;

    /**
     * Sets who is asked when guest code deletes a property of the global object by name, on the
     * thread that does: whether the name is gone, which guest code hears.
     */
    void onDelete(Predicate<String> listener);

    /**
     * Sets who is told when code given to {@code eval} begins, with its text, and when it has
     * ended, on the thread that runs it.
     */
    void onGlobalCode(Consumer<String> begins, Runnable ended);

    /**
     * Notes that code made from text may run from now on, which {@link #onDelete} and {@link
     * #onGlobalCode} are to tell of.
     */
    void expectGlobalCode();

    /**
     * Sets who is told, with its origin, of a function that another run made than the one that has
     * come to call it, on the thread that does. The functions of a text have an origin if its plan
     * says so: that of the {@link Harvest} of the run that made them.
     */
    void onForeignFunction(Consumer<Object> listener);

    /** Returns the origin of the innermost code on this thread, or null if it has none. */
    @Nullable Object originOfInnermostCode();

    /**
     * Has calls on this thread counted as those of a run that makes functions of some origin, until
     * told otherwise. Returns whose they were before, or null.
     *
     * @param context one that this thread is in the middle of, be it entered or not
     */
    @Nullable Object actAs(GuestContext context, @Nullable Object origin);

    /**
     * Sets who is told of modules, on the thread whose guest code imports them.
     *
     * @param begun when a module's code begins to run, or goes on after a wait
     * @param cut when that was ended from outside, and the module is neither loaded nor failed
     */
    void onModule(Runnable begun, Runnable cut);

    /** From now on texts may import modules, relative to their files. */
    void expectModules();

    /** Returns the context entered on this thread. */
    GuestContext here();

    /**
     * Tells a guest call once, for the sake of what this loads. Returns nothing that anybody needs
     * to know.
     */
    boolean rehearseCalls();

    /**
     * Returns the variables visible where guest code on this thread calls the host, or null if no
     * guest code does.
     */
    @Nullable LiveScope caller();

    /**
     * Returns the variables visible where a function is written, if that is in a call that is under
     * way on this thread, and null otherwise.
     *
     * @param file the name of the function's source
     * @param start the position of its first character
     * @param text its text
     */
    @Nullable LiveScope callWith(String file, int start, String text);

    /** Returns a question after the variables around a function, to be executed with it. */
    FunctionVariables variablesAround();

    /**
     * Returns the calls in users' texts that this thread is in, the innermost first.
     *
     * @param most how many of them are wanted
     */
    List<StoppedAt> calls(int most);

    /**
     * Ends guest work, wherever it is; guest code cannot catch it. The work ends with a {@link
     * RunStopped} in its thread. Work that has not begun is stopped when it does. May be called
     * from any thread, and more than once.
     */
    void stop(Stoppable work);

    /** Returns a meter of so many statements and so many calls within calls. */
    Meter meter(long statements, long depth);

    /**
     * Does something that calls guest code of a context that this thread has been in, which {@code
     * meter} counts.
     */
    <T extends @Nullable Object> T metered(GuestContext context, Meter meter, Supplier<T> action);

    /**
     * Does something that calls guest code, which {@code call} follows, on a thread that has been
     * in its context.
     */
    <T extends @Nullable Object> T following(GuestCall call, Supplier<T> action);

    /**
     * Asks this thread, which has come back to the guest, to stop a run that was stopped while it
     * was outside.
     */
    void stopAgain(Harvest harvest);

    /**
     * Leaves the context entered on this thread, lets {@code action} run and enters the context
     * again. In between other threads may enter it. The action must not use the context.
     */
    <T extends @Nullable Object> T outside(Supplier<T> action);
}
