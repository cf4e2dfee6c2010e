package dev.blockscope.wire;

import dev.blockscope.FunctionSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many values one is made of if what it refers to several times counts as often: what it costs
 * whoever goes through it and does not look for what is shared. A few bytes of references come to
 * more than any memory holds.
 */
final class Expanse {
    /** Of what holds itself, or is nested more deeply than values are. */
    static final long ENDLESS = Long.MAX_VALUE;

    /** What is more than can be counted. */
    private static final long MOST = ENDLESS - 1;

    private static final Measured NO_END = new Measured(ENDLESS, 0);

    /**
     * What is known of a value.
     *
     * @param height how many levels are in it
     */
    private record Measured(long size, int height) {}

    private final IdentityHashMap<Object, Measured> known = new IdentityHashMap<>();
    private final boolean countsBytes;

    private Expanse(boolean countsBytes) {
        this.countsBytes = countsBytes;
    }

    /** Returns the number of values, or {@link #ENDLESS}. */
    static long values(@Nullable Object value) {
        return new Expanse(false).measured(value, 0).size();
    }

    /** Returns the number of values and of the bytes in those, or {@link #ENDLESS}. */
    static long bytes(@Nullable Object value) {
        return new Expanse(true).measured(value, 0).size();
    }

    private Measured measured(@Nullable Object value, int depth) {
        if (value == null) {
            return new Measured(1, 0);
        }
        Collection<?> inner = innerOf(value);
        if (inner.isEmpty()) {
            return new Measured(countsBytes && value instanceof byte[] b ? 1 + b.length : 1, 0);
        }
        Measured before = known.get(value);
        if (before == null) {
            // If it is met inside of itself, that is what it is.
            known.put(value, NO_END);
            before = sum(inner, depth);
            known.put(value, before);
        }
        return depth + before.height() > Cbor.DEEPEST ? NO_END : before;
    }

    private Measured sum(Collection<?> inner, int depth) {
        long size = 1;
        int height = 0;
        for (Object each : inner) {
            Measured one = depth < Cbor.DEEPEST ? measured(each, depth + 1) : NO_END;
            if (one.size() == ENDLESS) {
                return NO_END;
            }
            size = one.size() > MOST - size ? MOST : size + one.size();
            height = Math.max(height, one.height() + 1);
        }
        return new Measured(size, height);
    }

    private static Collection<?> innerOf(Object value) {
        return switch (value) {
            case Map<?, ?> map -> map.values();
            case Collection<?> collection -> collection;
            case Object[] array -> Arrays.asList(array);
            case FunctionSource function -> function.variables().values();
            default -> List.of();
        };
    }
}
