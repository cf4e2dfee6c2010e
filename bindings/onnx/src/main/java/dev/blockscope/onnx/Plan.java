package dev.blockscope.onnx;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;

/**
 * Where a trace of some blocks cuts the graph. What blocks only read needs no cut, because a
 * segment has it as a further output; what they edit needs one.
 *
 * <p>A plan begins from a {@linkplain Forecast forecast} and learns from what a run comes to. An
 * edit or a read that nobody foresaw arrives after the graph ran past it; the run then goes back to
 * the cut before, and the plan has a cut there from now on. So what a plan holds decides how fast a
 * run is, and what it makes by no more than the rounding of an operator that is kept apart because
 * a tensor within it has a name that may be read.
 *
 * <p>Safe for use by several threads.
 */
final class Plan {
    private final NavigableSet<Integer> cuts = new ConcurrentSkipListSet<>();
    private final Set<String> exposed;
    private final Set<String> reads = ConcurrentHashMap.newKeySet();
    private volatile boolean readsAreKnown;
    private volatile boolean stepwise;
    private boolean onlyByCutting;

    private Plan(Set<String> exposed, boolean stepwise) {
        this.exposed = Set.copyOf(exposed);
        this.stepwise = stepwise;
    }

    /** Returns a plan that cuts at each point that is waited for. */
    static Plan stepByStep() {
        return new Plan(Set.of(), true);
    }

    /**
     * Returns a plan that foresees that blocks wait for some points and edit some.
     *
     * @param points where the points are
     */
    static Plan of(ModulePoints points, Collection<String> awaited, Collection<String> edited) {
        List<Stop> stops = awaited.stream().map(point -> stop(points, point)).toList();
        Plan plan =
                new Plan(
                        stops.stream()
                                .flatMap(stop -> stop.offered().stream())
                                .collect(Collectors.toSet()),
                        false);
        edited.forEach(point -> plan.cutAt(stop(points, point).position()));
        return stops.stream().anyMatch(stop -> !Inline.reaches(stop)) ? plan.byCutting() : plan;
    }

    private static Stop stop(ModulePoints points, String point) {
        return requireNonNull(points.stop(point), point);
    }

    /** Notes that blocks may wait at points that are reached by cutting only. */
    Plan byCutting() {
        onlyByCutting = true;
        return this;
    }

    /** Returns whether blocks may wait at points that are reached by cutting only. */
    boolean isOnlyByCutting() {
        return onlyByCutting;
    }

    boolean isStepByStep() {
        return stepwise;
    }

    /** Cuts at each point from now on. */
    void goStepByStep() {
        stepwise = true;
    }

    /** Notes a cut that a run turned out to need. */
    void cutAt(int position) {
        cuts.add(position);
    }

    /** Returns the first cut at or after a position; {@code end} if there is none. */
    int cutFrom(int position, int end) {
        Integer cut = cuts.ceiling(position);
        return cut == null ? end : cut;
    }

    /** Returns the tensors that a segment has as further outputs, if it makes them. */
    Set<String> exposed() {
        return exposed;
    }

    /** Notes that a block was shown a tensor. */
    void noteRead(String tensor) {
        reads.add(tensor);
    }

    /** Notes that a run has come to its end, so that the reads of the next are known. */
    void noteEnd() {
        readsAreKnown = true;
    }

    /** Returns whether a tensor is worth keeping when the graph runs past it. */
    boolean expectsRead(String tensor) {
        return !readsAreKnown || reads.contains(tensor);
    }
}
