package dev.blockscope.onnx;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Which hook points a run has come by: those that somebody waited for, and those between. */
final class Passage {
    private final List<Stop> stops;
    private final Set<String> visited = new HashSet<>();

    /** How many points, as they come, were passed. */
    private int passed;

    /** Begins before the first of all points, which come in this order. */
    Passage(List<Stop> stops) {
        this.stops = stops;
    }

    /** Notes a point that is visited because somebody waits for it. */
    void visit(Stop stop) {
        visited.add(stop.point());
    }

    boolean hasVisited(Stop stop) {
        return visited.contains(stop.point());
    }

    /** Hands over, in their order, the points before a position that nobody has waited for. */
    void passAllBefore(int position, Consumer<Stop> unawaited) {
        while (passed < stops.size() && stops.get(passed).position() < position) {
            Stop stop = stops.get(passed++);
            if (visited.add(stop.point())) {
                unawaited.accept(stop);
            }
        }
    }
}
