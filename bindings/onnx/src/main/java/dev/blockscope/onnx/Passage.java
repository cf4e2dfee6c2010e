package dev.blockscope.onnx;

import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/** Which hook points a run has come by: those that somebody waited for, and those between. */
final class Passage {
    private final ModulePoints points;
    private final List<Stop> stops;
    private final RawTensors tensors;

    /** The points of modules that have been visited, by their place in the order. */
    private final BitSet visited = new BitSet();

    private final BitSet visitedByName = new BitSet();

    /** How many points, as they come, were passed. */
    private int passed;

    private int passedByName;

    /** Takes numbers of tensors. */
    @FunctionalInterface
    interface Numbers {
        /** Takes those from one to before another. */
        void take(int from, int to);
    }

    /** Begins before the first of all points. */
    Passage(ModulePoints points) {
        this.points = points;
        this.stops = points.inOrder();
        this.tensors = points.tensors();
    }

    /** Notes a point that is visited because somebody waits for it. */
    void visit(Stop stop) {
        if (stop.hasName()) {
            visitedByName.set(stop.number());
        } else {
            visited.set(points.place(stop));
        }
    }

    boolean hasVisited(Stop stop) {
        return stop.hasName() ? visitedByName.get(stop.number()) : visited.get(points.place(stop));
    }

    /**
     * Hands over the tensors before a position that nobody has waited for by their names. They are
     * as many as nodes, so that each of them costs next to nothing.
     *
     * @param leftOut which of them do not come, by their numbers
     */
    void passNamedBefore(int position, IntPredicate leftOut, Numbers unawaited) {
        int from = passedByName;
        passedByName = Math.max(from, tensors.countBefore(position));
        for (int i = from; i < passedByName; i++) {
            if (visitedByName.get(i) || leftOut.test(i)) {
                unawaited.take(from, i);
                from = i + 1;
            }
        }
        unawaited.take(from, passedByName);
    }

    /** Hands over, in their order, the points before a position that nobody has waited for. */
    void passAllBefore(int position, Consumer<Stop> unawaited) {
        while (passed < stops.size() && stops.get(passed).position() < position) {
            Stop stop = stops.get(passed);
            if (!visited.get(passed++)) {
                unawaited.accept(stop);
            }
        }
    }
}
