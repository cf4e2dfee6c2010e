package dev.blockscope;

import com.google.common.collect.Sets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a block is to run, beyond what it says itself. A block begins with its engine's settings.
 *
 * @param pushable the names it may push; null stands for all
 * @param limits how much a run may take
 * @param output what hears what it says
 * @param debug whether tracebacks keep entries that are not the user's
 */
record RunSettings(
        @Nullable Set<String> pushable, Limits limits, OutputListener output, boolean debug) {
    /** The settings of an engine that was told nothing. */
    static final RunSettings DEFAULT =
            new RunSettings(null, Limits.NONE, LoggedOutput.INSTANCE, false);

    /** Returns these settings with the names that may be pushed narrowed to {@code names}. */
    RunSettings pushingOnly(Set<String> names) {
        return new RunSettings(
                pushable == null ? names : Sets.intersection(pushable, names).immutableCopy(),
                limits,
                output,
                debug);
    }

    /** Returns these settings with other limits. */
    RunSettings within(Limits other) {
        return new RunSettings(pushable, other, output, debug);
    }

    /** Returns these settings with another listener for what is said. */
    RunSettings saying(OutputListener listener) {
        return new RunSettings(pushable, limits, listener, debug);
    }

    /** Returns these settings with tracebacks that keep everything, or not. */
    RunSettings debugging(boolean everything) {
        return new RunSettings(pushable, limits, output, everything);
    }

    /** Returns what of a run's bindings is pushed. */
    Map<String, @Nullable Object> pushed(Map<String, @Nullable Object> bindings) {
        if (pushable == null) {
            return bindings;
        }
        Map<String, @Nullable Object> allowed = new LinkedHashMap<>(bindings);
        allowed.keySet().retainAll(pushable);
        return allowed;
    }
}
