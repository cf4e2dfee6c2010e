package dev.blockscope;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes bindings into a map, all or none. */
final class MapPush {
    private static final Deque<Runnable> NOTHING = new ArrayDeque<>(0);

    private final Map<String, @Nullable Object> locals;
    private final int names;
    private final Deque<Runnable> undo;

    private MapPush(Map<String, @Nullable Object> locals, int names) {
        this.locals = locals;
        this.names = names;
        this.undo = names == 1 ? NOTHING : new ArrayDeque<>(names);
    }

    /**
     * Puts every binding, or none.
     *
     * @throws PushException if the map refuses a name
     */
    static void into(
            Map<String, @Nullable Object> locals,
            Map<String, ? extends @Nullable Object> bindings) {
        if (!bindings.isEmpty()) {
            MapPush push = new MapPush(locals, bindings.size());
            bindings.forEach(push::put);
        }
    }

    private void put(String name, @Nullable Object value) {
        try {
            if (names == 1) {
                // Nothing was written before it that could have to be restored.
                locals.put(name, value);
                return;
            }
            boolean known = locals.containsKey(name);
            Object before = locals.get(name);
            locals.put(name, value);
            undo.push(known ? () -> locals.put(name, before) : () -> locals.remove(name));
        } catch (RuntimeException refusal) {
            PushException failure = new PushException(name, refusal);
            restore(failure);
            throw failure;
        } catch (Error e) {
            restore(e);
            throw e;
        }
    }

    private void restore(Throwable failure) {
        for (Runnable step : undo) {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                failure.addSuppressed(e);
            }
        }
    }
}
