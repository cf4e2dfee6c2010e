package dev.blockscope;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** A call by the host of what a block made: a function, or a method of an object. */
final class HostCall {
    private HostCall() {}

    /**
     * Calls guest code in its own realm, where names resolve as they did in its block.
     *
     * @param what names what is called, for the error of a closed engine
     * @param code takes the arguments as guest values
     * @throws BlockException if the code throws
     * @throws IllegalStateException if the engine was closed
     */
    static @Nullable Object of(
            Home home,
            Supplier<String> what,
            Function<Object[], Value> code,
            @Nullable Object[] arguments) {
        home.realm().requireUsable(what);
        return home.frame() instanceof NamespaceFrame frame && Run.current() == null
                ? frame.calling(home, () -> inTurn(home, code, arguments))
                : inTurn(home, code, arguments);
    }

    private static @Nullable Object inTurn(
            Home home, Function<Object[], Value> code, @Nullable Object[] arguments) {
        return home.limited(() -> {
            Object[] converted = Arrays.stream(arguments).map(HostToGuest::convert).toArray();
            try (Run call = Run.ofCall(home)) {
                return call.returned(code.apply(converted));
            } catch (PolyglotException e) {
                throw failed(e, home);
            } catch (ConversionException e) {
                Traceback.Entry whole = Tracebacks.entryOf(home.block());
                throw BlockException.of(e, home, whole, List.of());
            }
        });
    }

    /** The block that called the host may get its own error back. */
    private static BlockException failed(PolyglotException e, Home home) {
        Run caller = Run.current();
        boolean inside = caller != null && caller.home().realm().equals(home.realm());
        BlockException failure =
                inside
                        ? BlockException.ofInnerCall(e, home)
                        : BlockException.of(e, home, List.of());
        if (caller != null
                && inside
                && e.isGuestException()
                && failure.kind() == BlockException.Kind.RUNTIME) {
            caller.raised(failure, e);
        }
        return failure;
    }
}
