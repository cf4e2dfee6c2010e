package dev.blockscope.interleave;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a computation calls while it runs, from the one thread that runs it. A visit that no block
 * waits for costs about as much as a few virtual calls, if its point was looked up before.
 *
 * <p>A visit lets the blocks that wait for it run, until they wait for something else or end. If a
 * block fails, stops the computation, or the trace is cancelled, the visit throws; the computation
 * should let that pass, and meets it again at each further visit.
 *
 * @since 0.1
 */
public interface Visits {
    /**
     * Returns the points whose next visit blocks wait for right now; it changes with each visit. A
     * computation that can do less when nobody waits asks this. A {@linkplain
     * HookPoints.Builder#named named} point is among them if a block asks for it by its name, and
     * not because a block waits for any point at all.
     */
    Set<String> awaited();

    /** Returns whether blocks wait for the next visit of a point. */
    boolean isAwaited(HookPoint<?> point);

    /**
     * Offers a value at a point to the blocks that wait for it.
     *
     * @return the value to go on with: {@code value} itself, unless a block replaced it
     * @throws IllegalArgumentException if it is a point of another computation
     * @throws dev.blockscope.BlockException if a block fails
     */
    <T extends @Nullable Object> T visit(HookPoint<T> point, T value);

    /**
     * Offers a value at the point of a path.
     *
     * @return the value to go on with
     * @throws IllegalArgumentException if there is no such point
     * @throws dev.blockscope.BlockException if a block fails
     */
    @Nullable Object visit(String point, @Nullable Object value);

    /**
     * Passes {@linkplain HookPoints.Builder#named named} points without a value: whoever asks for
     * this visit of one from now on is too late. Nobody waits for any of them.
     *
     * @param from the place of the first, among the names as they were declared
     * @param to the place after the last
     */
    void passNamed(int from, int to);

    /**
     * Offers the inputs of a module, which blocks may replace, and lets them skip the module. After
     * this the computation runs the module, unless it is skipped, and visits its output.
     *
     * @throws IllegalArgumentException if it is a module of another computation
     * @throws dev.blockscope.BlockException if a block fails
     */
    <T extends @Nullable Object> Entry<T> enter(HookModule<T> module, List<?> inputs);

    /**
     * Runs a module in step: offers its inputs, runs it unless a block skips it, and offers its
     * output.
     *
     * @return the output to go on with
     * @throws X if the module throws it
     */
    default <T extends @Nullable Object, X extends Exception> T module(
            HookModule<T> module, List<?> inputs, ModuleBody<? extends T, X> body) throws X {
        Entry<T> entry = enter(module, inputs);
        T output = entry.isSkipped() ? entry.output() : body.run(entry.inputs());
        return visit(module.output(), output);
    }
}
