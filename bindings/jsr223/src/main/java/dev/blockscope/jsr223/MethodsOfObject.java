package dev.blockscope.jsr223;

import dev.blockscope.BlockEngine;
import org.jspecify.annotations.Nullable;

/** The methods of an object that a script has handed out. */
final class MethodsOfObject extends InterfaceCalls {
    private final BlockEngine engine;
    private final Object object;

    MethodsOfObject(BlockEngine engine, Object object) {
        this.engine = engine;
        this.object = object;
    }

    @Override
    boolean has(String name) {
        return engine.hasMethod(object, name);
    }

    @Override
    @Nullable Object call(String name, @Nullable Object[] arguments) throws NoSuchMethodException {
        return engine.invoke(object, name, arguments);
    }

    @Override
    public String toString() {
        return "an object of a script";
    }
}
