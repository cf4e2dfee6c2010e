package dev.blockscope.onnx;

import java.util.Comparator;
import java.util.Optional;

/**
 * A place of a run where a hook point offers something.
 *
 * @param point the hook point
 * @param position how many nodes ran before
 * @param scope the scope of the module
 * @param entry the entry into the module; absent if it is its output
 * @param tensor what the module makes
 */
record Stop(String point, int position, String scope, Optional<ModuleEntry> entry, String tensor) {
    /**
     * As a run comes to them. At one position what a module made comes before the entry into the
     * next; a module inside another ends before it and is entered after it.
     */
    static final Comparator<Stop> ORDER =
            Comparator.comparingInt(Stop::position)
                    .thenComparing(stop -> stop.entry().isPresent())
                    .thenComparingInt(
                            stop -> stop.entry().isPresent() ? stop.depth() : -stop.depth());

    private int depth() {
        return (int) scope.chars().filter(c -> c == '/').count();
    }

    /** Returns whether it does not come when a module is left out. */
    boolean isLeftOutWith(String skipped) {
        boolean isItsOutput = entry.isEmpty() && scope.equals(skipped);
        return Scopes.isInside(scope, skipped) && !isItsOutput;
    }
}
