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
 */
record RunSettings(@Nullable Set<String> pushable) {
    /** The settings of an engine that was told nothing. */
    static final RunSettings DEFAULT = new RunSettings(null);

    /** Returns these settings with the names that may be pushed narrowed to {@code names}. */
    RunSettings pushingOnly(Set<String> names) {
        return new RunSettings(
                pushable == null ? names : Sets.intersection(pushable, names).immutableCopy());
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
