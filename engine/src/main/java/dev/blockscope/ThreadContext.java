package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * What belongs to the caller's thread and is to be there on the threads that run its blocks too.
 *
 * <pre>{@code
 * BlockEngine.builder().threadContext(ThreadContext.mdc().and(ThreadContext.of(USER)))
 * }</pre>
 *
 * @since 0.1
 */
@FunctionalInterface
public interface ThreadContext {
    /**
     * Called on the caller's thread: takes what is there now.
     *
     * @param task what is to run on another thread
     * @return the same task, which when run sees what was taken, and leaves its thread as it was
     */
    Runnable carry(Runnable task);

    /** Returns the context that carries this and then another one. */
    default ThreadContext and(ThreadContext other) {
        requireNonNull(other, "other");
        return task -> carry(other.carry(task));
    }

    /** Returns a context that carries nothing. */
    static ThreadContext none() {
        return task -> task;
    }

    /** Returns the context of log lines: the {@link MDC} of SLF4J. Engines carry it by default. */
    static ThreadContext mdc() {
        return task -> {
            Map<String, String> ofCaller = MDC.getCopyOfContextMap();
            // Of a caller without any too: the thread may have one of somebody else's.
            return () -> withMdc(ofCaller, task);
        };
    }

    /** Returns a context of one thread-local variable; a value of null is carried as none. */
    static <T> ThreadContext of(ThreadLocal<T> variable) {
        requireNonNull(variable, "variable");
        return task -> {
            T ofCaller = variable.get();
            return () -> with(variable, ofCaller, task);
        };
    }

    /** Returns a context of one scoped value, which is bound on the other thread if it was here. */
    static <T> ThreadContext of(ScopedValue<T> value) {
        requireNonNull(value, "value");
        return task -> {
            if (!value.isBound()) {
                return task;
            }
            ScopedValue.Carrier binding = ScopedValue.where(value, value.get());
            return () -> binding.run(task);
        };
    }

    private static void withMdc(@Nullable Map<String, String> ofCaller, Runnable task) {
        Map<String, String> before = MDC.getCopyOfContextMap();
        setMdc(ofCaller);
        try {
            task.run();
        } finally {
            setMdc(before);
        }
    }

    private static void setMdc(@Nullable Map<String, String> values) {
        if (values == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(values);
        }
    }

    private static <T> void with(ThreadLocal<T> variable, @Nullable T ofCaller, Runnable task) {
        T before = variable.get();
        set(variable, ofCaller);
        try {
            task.run();
        } finally {
            set(variable, before);
        }
    }

    private static <T> void set(ThreadLocal<T> variable, @Nullable T value) {
        if (value == null) {
            variable.remove();
        } else {
            variable.set(value);
        }
    }
}
