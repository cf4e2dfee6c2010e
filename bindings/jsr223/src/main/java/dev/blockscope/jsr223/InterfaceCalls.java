package dev.blockscope.jsr223;

import static com.google.common.base.Preconditions.checkArgument;

import dev.blockscope.Conversion;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Calls of a Java interface that scripts implement, each method by something of its name. */
abstract class InterfaceCalls implements InvocationHandler {
    private static final Object[] NOTHING = {};

    /** Whether there is something to call under a name. */
    abstract boolean has(String name);

    /**
     * Calls what there is under a name.
     *
     * @throws NoSuchMethodException if there is nothing, any more
     */
    abstract @Nullable Object call(String name, @Nullable Object[] arguments)
            throws NoSuchMethodException;

    /**
     * Returns an object of the interface, or null if one of its open methods has nothing to call.
     *
     * @throws IllegalArgumentException if {@code type} is null or no interface
     */
    <T> @Nullable T as(@Nullable Class<T> type) {
        checkArgument(
                type != null && type.isInterface(),
                "what is given is %s, expected an interface",
                type);
        boolean complete =
                Arrays.stream(type.getMethods())
                        .filter(method -> Modifier.isAbstract(method.getModifiers()))
                        .filter(method -> !isOfObject(method))
                        .allMatch(method -> has(method.getName()));
        return complete
                ? type.cast(
                        Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this))
                : null;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
            throws Throwable {
        @Nullable Object[] arguments = given == null ? NOTHING : given;
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments);
        }
        if (method.isDefault() && !has(method.getName())) {
            return ofInterface(proxy, method, arguments);
        }
        Class<?> type = method.getReturnType();
        Object result;
        try {
            result = call(method.getName(), arguments);
        } catch (NoSuchMethodException e) {
            throw new UnsupportedOperationException(
                    "%s calls \"%s\", which the scripts do not have any more"
                            .formatted(method, method.getName()),
                    e);
        }
        try {
            return type == void.class ? null : Conversion.fit(result, type);
        } catch (IllegalArgumentException e) {
            throw new ClassCastException(
                    "what \"%s\" returned is not what %s returns: %s"
                            .formatted(method.getName(), method, e.getMessage()));
        }
    }

    private static @Nullable Object ofInterface(
            Object proxy, Method method, @Nullable Object[] arguments) throws Throwable {
        try {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        } catch (IllegalAccessException e) {
            throw new UnsupportedOperationException(
                    "%s cannot be called, for its interface is not public in a package that is exported; make it so, or let the script implement the method"
                            .formatted(method),
                    e);
        }
    }

    @SuppressWarnings("ReferenceEquality") // such an object is equal to itself alone
    private Object ofObject(Object proxy, Method method, @Nullable Object[] arguments) {
        return switch (method.getName()) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default ->
                    "%s implemented by %s"
                            .formatted(proxy.getClass().getInterfaces()[0].getName(), this);
        };
    }

    /** An interface may repeat what every object has. */
    private static boolean isOfObject(Method method) {
        try {
            Object.class.getMethod(method.getName(), method.getParameterTypes());
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }
}
