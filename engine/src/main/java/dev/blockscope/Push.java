package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes bindings into the locals of a frame, all or none, whatever kind of frame it is.
 *
 * <p>Every name is checked, and its present value read, before the first one is written. If a write
 * fails all the same, the names written before it get their values back, the last one first.
 */
final class Push {
    private final Locals locals;
    private final String[] names;
    private final @Nullable Object[] values;
    private final @Nullable Object[] before;
    private int prepared;
    private int written;

    private Push(Locals locals, int size) {
        this.locals = locals;
        this.names = new String[size];
        this.values = new Object[size];
        this.before = new Object[size];
    }

    /**
     * Writes every binding, or none.
     *
     * @throws PushException if the locals refuse a name
     */
    static void into(Locals locals, Map<String, ? extends @Nullable Object> bindings) {
        switch (bindings.size()) {
            case 0 -> {}
            case 1 -> bindings.forEach((name, value) -> one(locals, name, value));
            default -> {
                Push push = new Push(locals, bindings.size());
                bindings.forEach(push::prepare);
                push.write();
            }
        }
    }

    /** Nothing is written before a single name that would have to be restored. */
    private static void one(Locals locals, String name, @Nullable Object value) {
        requireNonNull(name, "name");
        try {
            locals.set(name, locals.accepted(name, value));
        } catch (RuntimeException refusal) {
            throw new PushException(name, refusal, Map.of());
        }
    }

    private void prepare(String name, @Nullable Object value) {
        requireNonNull(name, "name");
        try {
            values[prepared] = locals.accepted(name, value);
            before[prepared] = locals.valueOf(name);
        } catch (RuntimeException refusal) {
            throw new PushException(name, refusal, Map.of());
        }
        names[prepared++] = name;
    }

    private void write() {
        try {
            while (written < names.length) {
                locals.set(names[written], values[written]);
                written++;
            }
        } catch (RuntimeException refusal) {
            throw new PushException(names[written], refusal, restore());
        } catch (Error e) {
            restore().values().forEach(e::addSuppressed);
            throw e;
        }
    }

    /** Puts back what was written, and returns what could not be. */
    private Map<String, Throwable> restore() {
        Map<String, Throwable> failures = new LinkedHashMap<>();
        for (int i = written - 1; i >= 0; i--) {
            try {
                if (Locals.ABSENT.equals(before[i])) {
                    locals.unset(names[i]);
                } else {
                    locals.set(names[i], before[i]);
                }
            } catch (RuntimeException | Error e) {
                failures.put(names[i], e);
            }
        }
        return failures;
    }
}
