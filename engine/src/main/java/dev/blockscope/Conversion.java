package dev.blockscope;

import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The one table by which values cross between host and guest, for host code that hands out proxies
 * of its own.
 *
 * @since 0.1
 */
public final class Conversion {
    private Conversion() {}

    /** Returns what guest code is to see of a host value: data as data, functions as functions. */
    public static @Nullable Object toGuest(@Nullable Object value) {
        return HostToGuest.convert(value);
    }

    /**
     * Returns a plain value, such as the result of a block, as a value of a Java type: a whole
     * number as any number type that has it, a text as an enum constant of that name, a list as an
     * array, a function as a functional interface.
     *
     * @param type a primitive type stands for its values
     * @throws IllegalArgumentException if the type cannot hold the value without loss
     */
    public static @Nullable Object fit(@Nullable Object value, Class<?> type) {
        return PropertyType.of(type).fit(value);
    }

    /**
     * Returns an argument of the block that runs on this thread as plain Java.
     *
     * @throws IllegalStateException if no block runs on this thread
     */
    public static @Nullable Object toHost(Value value) {
        if (Run.current() == null) {
            throw new IllegalStateException("no block runs on this thread");
        }
        return GuestToHost.argument(value);
    }
}
