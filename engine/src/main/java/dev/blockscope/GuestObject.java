package dev.blockscope;

import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The object of a block of which the host holds a copy.
 *
 * @param value the object itself
 * @param home where its methods are called
 */
record GuestObject(Value value, Home home) {
    /** Whether there may be something to call: what is data only need not be kept. */
    static boolean mayHaveMethods(Value value, Iterable<?> members) {
        boolean empty = true;
        for (Object member : members) {
            if (member instanceof GuestFunction) {
                return true;
            }
            empty = false;
        }
        // What the language brings along, such as Math, lists nothing of what it has.
        Value type = value.getMetaObject();
        return empty || (type != null && !type.getMetaSimpleName().equals("Object"));
    }

    /** Whether there is a method of this name. */
    boolean has(String method) {
        return Boolean.TRUE.equals(
                HostCall.of(
                        home,
                        this::toString,
                        _ -> home.realm().asValue(value.canInvokeMember(method)),
                        new Object[0]));
    }

    /**
     * Calls a method.
     *
     * @throws NoSuchMethodException if the object has none of that name
     */
    @Nullable Object invoke(String method, @Nullable Object[] arguments)
            throws NoSuchMethodException {
        if (!has(method)) {
            throw new NoSuchMethodException("the %s has no method \"%s\"".formatted(this, method));
        }
        return HostCall.of(
                home,
                this::toString,
                converted -> value.invokeMember(method, converted),
                arguments);
    }

    @Override
    public String toString() {
        return "object of block " + home.block();
    }
}
