package dev.blockscope.onnx;

import dev.blockscope.interleave.Visits;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * One run of a model in step with its visits: it goes from one awaited hook point to the next,
 * offers the tensor there, and goes on with what comes back.
 *
 * <p>A tensor is copied into Java's memory only where it is offered, and back only if it was
 * changed or replaced.
 */
final class Walk implements AutoCloseable {
    private final ModelFacts model;
    private final Course course;
    private final TensorReplacement replacement = new TensorReplacement();
    private final Set<String> visited = new HashSet<>();
    private final Map<String, Tensor> offered = new HashMap<>();
    private int position;

    Walk(ModelFacts model, Segments segments, NativeLedger ledger, Plan plan) {
        this.model = model;
        this.course = new Course(model, segments, ledger, plan);
    }

    /** Gives the model its inputs; they are copied, so that a block cannot change them. */
    void begin(Map<String, Tensor> inputs) {
        inputs.forEach(course::put);
    }

    /** Runs on from one awaited hook point to the next, as long as somebody waits for one. */
    void runWhileAwaited(Visits visits) {
        Optional<String> next = next(visits);
        while (next.isPresent()) {
            String point = next.get();
            advance(visits, place(point).position());
            visit(visits, point, place(point).tensor());
            next = next(visits);
        }
    }

    /** Runs on to the end and returns the values that are there. */
    NativeTensors finish(Visits visits) {
        int end = model.flow().nodes().size();
        NativeTensors values = course.finish();
        pass(visits, end + 1);
        return values;
    }

    /** The earliest awaited point that has not passed. */
    private Optional<String> next(Visits visits) {
        return visits.awaited().stream()
                .filter(model.points().places()::containsKey)
                .filter(point -> place(point).position() >= position && !visited.contains(point))
                .min(Comparator.comparingInt(point -> place(point).position()));
    }

    private void advance(Visits visits, int to) {
        if (to > position) {
            pass(visits, to);
            position = to;
            offered.clear();
        }
    }

    /** Visits, without a value, the points that nobody waited for: whoever asks now is too late. */
    private void pass(Visits visits, int to) {
        model.points()
                .places()
                .forEach((point, place) -> {
                    if (place.position() < to && visited.add(point)) {
                        visits.visit(point, null);
                    }
                });
    }

    private void visit(Visits visits, String point, String tensor) {
        visited.add(point);
        Tensor current =
                offered.computeIfAbsent(tensor, name -> course.copy(name, position, dtype(name)));
        int changes = current.storage().changes();
        Tensor answer = replacement.check(point, current, visits.visit(point, current));
        if (answer != current || answer.storage().changes() != changes) {
            course.settleAt(position);
            course.put(tensor, answer);
            offered.put(tensor, answer);
        }
    }

    private ModulePoints.Place place(String point) {
        return Objects.requireNonNull(model.points().places().get(point));
    }

    private DType dtype(String name) {
        TensorSpec spec = model.types().get(name);
        if (spec == null) {
            throw new IllegalStateException("the element type of \"" + name + "\" is not known");
        }
        return spec.dtype();
    }

    /** Closes whatever native memory the run still holds. */
    @Override
    public void close() {
        course.close();
    }
}
