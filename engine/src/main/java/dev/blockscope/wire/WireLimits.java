package dev.blockscope.wire;

import dev.blockscope.Limits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Limits as a map of those that are set. */
@SuppressWarnings("ImmutableEnumChecker") // functions without a state
enum WireLimits {
    TIME(
            "timeNanos",
            limits -> limits.time().map(Duration::toNanos).orElse(Long.MAX_VALUE),
            (limits, most) -> limits.time(Duration.ofNanos(most))),
    STATEMENTS("statements", Limits::statements, Limits.Builder::statements),
    RECURSION("recursion", Limits::recursion, Limits.Builder::recursion),
    ALLOCATED_BYTES("allocatedBytes", Limits::allocatedBytes, Limits.Builder::allocatedBytes),
    OUTPUT_BYTES("outputBytes", Limits::outputBytes, Limits.Builder::outputBytes),
    RESULT_SIZE("resultSize", Limits::resultSize, Limits.Builder::resultSize),
    RESULT_DEPTH("resultDepth", Limits::resultDepth, Limits.Builder::resultDepth);

    private final String name;
    private final ToLongFunction<Limits> get;
    private final BiFunction<Limits.Builder, Long, Limits.Builder> set;

    WireLimits(
            String name,
            ToLongFunction<Limits> get,
            BiFunction<Limits.Builder, Long, Limits.Builder> set) {
        this.name = name;
        this.get = get;
        this.set = set;
    }

    static Map<String, Long> toPlain(Limits limits) {
        Map<String, Long> plain = new LinkedHashMap<>();
        for (WireLimits limit : values()) {
            long most = limit.get.applyAsLong(limits);
            if (most != Long.MAX_VALUE) {
                plain.put(limit.name, most);
            }
        }
        return plain;
    }

    static Limits ofPlain(Map<String, @Nullable Object> plain) {
        Limits.Builder limits = Limits.builder();
        for (Map.Entry<String, @Nullable Object> limit : plain.entrySet()) {
            long most = positive(limit.getKey(), limit.getValue());
            limits = named(limit.getKey()).set.apply(limits, most);
        }
        return limits.build();
    }

    /** Returns limits of which each is the stricter one of two. */
    static Limits strictest(Limits one, Limits other) {
        Limits.Builder limits = Limits.builder();
        for (WireLimits limit : values()) {
            long most = Math.min(limit.get.applyAsLong(one), limit.get.applyAsLong(other));
            if (most != Long.MAX_VALUE) {
                limits = limit.set.apply(limits, most);
            }
        }
        return limits.build();
    }

    /** A limit that is not known here must not be taken for none. */
    private static WireLimits named(String name) {
        for (WireLimits limit : values()) {
            if (limit.name.equals(name)) {
                return limit;
            }
        }
        throw new EnvelopeException("there is no limit named \"%s\"".formatted(name));
    }

    private static long positive(String name, @Nullable Object most) {
        if (most instanceof Integer || most instanceof Long) {
            long value = ((Number) most).longValue();
            if (value > 0) {
                return value;
            }
        }
        throw new EnvelopeException(
                "the limit \"%s\" is %s, expected a positive whole number".formatted(name, most));
    }
}
