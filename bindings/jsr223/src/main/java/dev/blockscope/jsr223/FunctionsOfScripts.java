package dev.blockscope.jsr223;

import dev.blockscope.GuestFunction;
import org.jspecify.annotations.Nullable;

/** The functions that scripts have bound in an engine's context, as they are when called. */
final class FunctionsOfScripts extends InterfaceCalls {
    private final BlockScriptEngine engine;

    FunctionsOfScripts(BlockScriptEngine engine) {
        this.engine = engine;
    }

    @Override
    boolean has(String name) {
        return engine.function(name) != null;
    }

    @Override
    @Nullable Object call(String name, @Nullable Object[] arguments) throws NoSuchMethodException {
        GuestFunction function = engine.function(name);
        if (function == null) {
            throw new NoSuchMethodException("no function \"%s\" in the bindings".formatted(name));
        }
        return function.call(arguments);
    }

    @Override
    public String toString() {
        return "functions of scripts";
    }
}
