package dev.blockscope;

import org.jspecify.annotations.Nullable;

/** The variables of one frame as a push sees them: one by one, by name. */
interface Locals {
    /** What {@link #valueOf} answers for a name that is not bound. */
    Object ABSENT =
            new Object() {
                @Override
                public String toString() {
                    return "absent";
                }
            };

    /**
     * Returns a value as the variable will take it. It is asked for every name of a push before the
     * first one is written, so that what can be refused is refused in time.
     *
     * @throws RuntimeException if the variable does not take the value, saying why
     */
    default @Nullable Object accepted(String name, @Nullable Object value) {
        return value;
    }

    /** Returns the value a name has now, as {@link #set} takes it, or {@link #ABSENT}. */
    @Nullable Object valueOf(String name);

    /** Binds a name to a value that was accepted. */
    void set(String name, @Nullable Object value);

    /** Unbinds a name that was absent before this push, to undo its binding. */
    void unset(String name);
}
