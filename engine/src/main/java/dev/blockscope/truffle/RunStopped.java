package dev.blockscope.truffle;

/**
 * Unwinds a run that was stopped. Guest code catches guest errors only, so no {@code catch} of its
 * own and no {@code finally} holds this up.
 */
public final class RunStopped extends Error {
    private static final long serialVersionUID = 1L;

    RunStopped() {
        super("the run was stopped", null, false, false);
    }
}
