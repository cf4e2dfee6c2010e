package dev.blockscope;

import org.jspecify.annotations.Nullable;

/**
 * What a function keeps of the run that made it, where names that the function leaves to the global
 * object are looked up.
 *
 * <p>Guest code holds it, and through it the frame. In a realm whose builtins guest code has
 * changed that would be for good, since a builtin may lead to the function: there it forgets.
 */
final class Origin {
    private @Nullable Home home;

    Origin(Home home) {
        this.home = home;
    }

    /** Returns the run's home, or null if it was forgotten. */
    @Nullable Home home() {
        return home;
    }

    void forget() {
        home = null;
    }
}
