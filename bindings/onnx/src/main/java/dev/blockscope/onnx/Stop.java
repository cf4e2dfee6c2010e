package dev.blockscope.onnx;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A place of a run where a hook point offers something.
 *
 * @param point the hook point
 * @param position how many nodes ran before
 * @param scope the scope of the module, or of the node that makes a tensor with a name
 * @param entry the entry into the module; absent if it is its output
 * @param tensors what the module makes
 * @param number the number of a tensor that is reached by its name; {@link #OF_MODULE} for others
 */
record Stop(
        String point,
        int position,
        String scope,
        Optional<ModuleEntry> entry,
        List<String> tensors,
        int number) {
    static final int OF_MODULE = -1;

    /**
     * As a run comes to them. At one position a tensor comes by its name before it does as a
     * module's output, and what a module made comes before the entry into the next; a module inside
     * another ends before it and is entered after it.
     */
    static final Comparator<Stop> ORDER =
            Comparator.comparingInt(Stop::position)
                    .thenComparing(stop -> stop.entry().isPresent())
                    .thenComparing(stop -> !stop.hasName())
                    .thenComparingInt(
                            stop -> stop.entry().isPresent() ? stop.depth() : -stop.depth());

    Stop {
        tensors = List.copyOf(tensors);
    }

    private int depth() {
        return (int) scope.chars().filter(c -> c == '/').count();
    }

    /** Returns whether it is that of a tensor by its name, and of no module. */
    boolean hasName() {
        return number != OF_MODULE;
    }

    /** Returns the names of the tensors that the point offers. */
    List<String> offered() {
        return entry.map(ModuleEntry::tensors).orElse(tensors);
    }

    /** Returns whether it does not come when a module is left out. */
    boolean isLeftOutWith(ModuleEntry skipped) {
        boolean isGiven =
                hasName()
                        ? skipped.outputs().containsAll(tensors)
                        : entry.isEmpty() && scope.equals(skipped.scope());
        return Scopes.isInside(scope, skipped.scope()) && !isGiven;
    }
}
