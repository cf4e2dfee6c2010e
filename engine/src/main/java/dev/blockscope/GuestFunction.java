package dev.blockscope;

import static com.google.common.base.Preconditions.checkArgument;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * A function that a block made, in the host's hands. It sees the names its block saw, and it can be
 * called, from any thread, until the engine closes; calls wait for the block that runs in its
 * frame.
 *
 * @since 0.1
 */
public final class GuestFunction {
    private static final MethodHandle CALL = callHandle();

    private final Value function;
    private final Home home;

    GuestFunction(Value function, Home home) {
        this.function = function;
        this.home = home;
    }

    /**
     * Calls the function.
     *
     * @param arguments its arguments; host values are converted as a block's names are
     * @return what it returns, as plain Java; of a promise what it comes to, unless the call is
     *     made in the middle of a block of the same frame
     * @throws BlockException if the function throws
     * @throws IllegalStateException if the engine was closed
     */
    public @Nullable Object call(@Nullable Object... arguments) {
        return HostCall.of(home, this::toString, function::execute, arguments);
    }

    Value value() {
        return function;
    }

    Home home() {
        return home;
    }

    /** Returns the function as an object, whose members are methods. */
    GuestObject object() {
        return new GuestObject(function, home);
    }

    /**
     * Returns the function as an object of a functional interface. What it throws is what {@link
     * #call} throws, and what it returns must be of the type that the interface's method returns.
     *
     * @throws IllegalArgumentException if {@code type} is not a functional interface that is public
     *     in an exported package
     */
    public <T> T as(Class<T> type) {
        return MethodHandleProxies.asInterfaceInstance(
                type, CALL.bindTo(this).asVarargsCollector(Object[].class));
    }

    /**
     * Finds the function as a literal in the call that guest code of this thread is in.
     *
     * @throws IllegalArgumentException if it is not a literal that {@code engine} can capture
     * @throws IllegalStateException if no such call is under way
     */
    Literal literal(BlockEngine engine, @Nullable Object[] arguments) {
        Realm realm = home.realm();
        realm.requireUsable(this::toString);
        Run run = Run.current();
        if (run == null || !run.isInGuest() || run.home().realm() != realm) {
            throw new IllegalStateException(
                    "no script that could have written this %s calls the host on this thread; capture it inside the host function that the script passes it to"
                            .formatted(this));
        }
        checkArgument(realm.engine() == engine, "the %s belongs to another engine", this);
        return Literal.of(function, run.acting(), arguments);
    }

    /** Returns the function for guest code: itself in its own realm, a way to call it elsewhere. */
    Object guest() {
        return Realm.entered() == home.realm()
                ? function
                : (ProxyExecutable)
                        arguments ->
                                HostToGuest.convert(
                                        call(
                                                Arrays.stream(arguments)
                                                        .map(GuestToHost::argument)
                                                        .toArray()));
    }

    private static MethodHandle callHandle() {
        try {
            MethodType type = MethodType.methodType(Object.class, Object[].class);
            return MethodHandles.lookup().findVirtual(GuestFunction.class, "call", type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a method of this class was not found", e);
        }
    }

    @Override
    public String toString() {
        return "function of block " + home.block();
    }
}
