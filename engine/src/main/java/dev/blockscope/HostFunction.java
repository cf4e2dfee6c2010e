package dev.blockscope;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * A lambda, or another object of one functional interface, as a function of the guest. What it
 * throws passes through the block untouched.
 */
final class HostFunction implements ProxyExecutable, FixedView {
    private static final ClassValue<Optional<MethodHandle>> FUNCTIONS =
            new ClassValue<>() {
                @Override
                protected Optional<MethodHandle> computeValue(Class<?> type) {
                    return functionOf(type);
                }
            };

    private final Object host;
    private final MethodHandle handle;

    private HostFunction(Object host, MethodHandle handle) {
        this.host = host;
        this.handle = handle;
    }

    /** Returns the object as a function, or null if it is not one. */
    static @Nullable HostFunction of(Object host) {
        return FUNCTIONS.get(host.getClass()).map(it -> new HostFunction(host, it)).orElse(null);
    }

    @Override
    public Object host() {
        return host;
    }

    @Override
    public @Nullable Object execute(Value... given) {
        requireGoingOn(Run.current());
        MethodType type = handle.type();
        int expected = type.parameterCount() - 1;
        List<@Nullable Object> arguments = new ArrayList<>(expected + 1);
        arguments.add(host);
        for (int i = 0; i < expected; i++) {
            // As in the guest language, what is missing is null and what is too much is dropped.
            Class<?> parameter = type.parameterType(i + 1);
            arguments.add(i < given.length ? coerce(given[i], parameter) : missing(i, parameter));
        }
        @Nullable Object result;
        try {
            result = HostToGuest.convert(handle.invokeWithArguments(arguments));
        } catch (Throwable e) {
            Run run = Run.current();
            requireGoingOn(run);
            PolyglotException own = run == null ? null : run.ownErrorOf(e);
            throw own == null ? new CallbackException(e) : own;
        }
        Run run = Run.current();
        requireGoingOn(run);
        if (run != null) {
            // The host may have bound names that the block shares.
            run.renew();
        }
        return result;
    }

    @Override
    public String toString() {
        return HostView.nameOf(host);
    }

    /**
     * A block that is on its way out does not do anything more to the host, and does not go on with
     * what the host came to.
     */
    private static void requireGoingOn(@Nullable Run run) {
        if (run != null && run.isToEnd()) {
            run.endHere();
            throw new CallbackException(new CancellationException("the block was stopped"));
        }
    }

    /**
     * Returns a guest value as a value of a Java type.
     *
     * @throws IllegalArgumentException if the type cannot hold it without loss
     */
    static @Nullable Object coerce(Value value, Class<?> type) {
        if (type.isPrimitive()) {
            try {
                return value.as(type);
            } catch (ClassCastException | NullPointerException e) {
                return PropertyType.of(type).fit(GuestToHost.argument(value));
            }
        }
        if (type == Value.class) {
            return value;
        }
        Object plain = GuestToHost.argument(value);
        return type.isInstance(plain) ? plain : PropertyType.of(type).fit(plain);
    }

    private static @Nullable Object missing(int index, Class<?> parameter) {
        if (parameter.isPrimitive()) {
            throw new IllegalArgumentException(
                    "argument %d is missing, a %s is expected"
                            .formatted(index + 1, parameter.getName()));
        }
        return null;
    }

    /**
     * A lambda, or a class that says it is a function; Java's own classes are something else first.
     */
    private static Optional<MethodHandle> functionOf(Class<?> type) {
        if (!type.isHidden() && type.getPackageName().startsWith("java.")) {
            return Optional.empty();
        }
        List<Method> found = new ArrayList<>();
        for (Class<?> part = type; part != null; part = part.getSuperclass()) {
            for (Class<?> contract : part.getInterfaces()) {
                if (type.isHidden() || contract.isAnnotationPresent(FunctionalInterface.class)) {
                    singleMethodOf(contract).ifPresent(found::add);
                }
            }
        }
        return found.size() == 1 ? handleOf(found.getFirst()) : Optional.empty();
    }

    private static Optional<Method> singleMethodOf(Class<?> contract) {
        List<Method> open = new ArrayList<>();
        for (Method method : contract.getMethods()) {
            if (Modifier.isAbstract(method.getModifiers()) && !isOfObject(method)) {
                open.add(method);
            }
        }
        return open.size() == 1 ? Optional.of(open.getFirst()) : Optional.empty();
    }

    private static boolean isOfObject(Method method) {
        try {
            Object.class.getMethod(method.getName(), method.getParameterTypes());
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static Optional<MethodHandle> handleOf(Method method) {
        try {
            method.trySetAccessible();
            return Optional.of(MethodHandles.lookup().unreflect(method));
        } catch (IllegalAccessException e) {
            // An interface that is closed to us cannot be called; the object stays opaque.
            return Optional.empty();
        }
    }
}
