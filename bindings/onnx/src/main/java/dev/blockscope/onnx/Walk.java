package dev.blockscope.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import dev.blockscope.interleave.Visits;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * One run of a model in step with its visits: it runs up to the next hook point that somebody waits
 * for, offers the tensor there, and goes on with what comes back.
 *
 * <p>A tensor is copied into Java's memory only where it is offered, and back only if it was
 * changed or replaced.
 */
final class Walk implements AutoCloseable {
    private final ModelFacts model;
    private final Segments segments;
    private final NativeTensors values;
    private final TensorReplacement replacement = new TensorReplacement();
    private final Set<String> visited = new HashSet<>();
    private final Map<String, Tensor> offered = new HashMap<>();
    private int position;

    Walk(ModelFacts model, Segments segments, NativeLedger ledger) {
        this.model = model;
        this.segments = segments;
        this.values = new NativeTensors(ledger);
    }

    /** Gives the model its inputs; they are copied, so that a block cannot change them. */
    void begin(Map<String, Tensor> inputs) {
        inputs.forEach(this::put);
    }

    /** Runs on from one awaited hook point to the next, then to the end. */
    void run(Visits visits) {
        Optional<String> next = next(visits);
        while (next.isPresent()) {
            String point = next.get();
            advance(visits, place(point).position());
            visit(visits, point, place(point).tensor());
            next = next(visits);
        }
        advance(visits, model.flow().nodes().size());
    }

    /** Returns the values at the place where the run is. */
    NativeTensors values() {
        return values;
    }

    /** The earliest awaited point that has not passed. */
    private Optional<String> next(Visits visits) {
        return visits.awaited().stream()
                .filter(model.points().places()::containsKey)
                .filter(point -> place(point).position() >= position && !visited.contains(point))
                .min(Comparator.comparingInt(point -> place(point).position()));
    }

    private void visit(Visits visits, String point, String tensor) {
        visited.add(point);
        Tensor current = offered.computeIfAbsent(tensor, name -> values.copy(name, dtype(name)));
        int changes = current.storage().changes();
        Tensor answer = replacement.check(point, current, visits.visit(point, current));
        if (answer != current || answer.storage().changes() != changes) {
            put(tensor, answer);
            offered.put(tensor, answer);
        }
    }

    private void advance(Visits visits, int to) {
        if (to > position) {
            pass(visits, to);
            run(position, to);
            position = to;
            offered.clear();
            dropUnread();
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

    private void run(int from, int to) {
        try {
            Optional<SegmentLease> lease = segments.lease(from, to);
            if (lease.isPresent()) {
                run(lease.get());
            }
        } catch (OrtException e) {
            throw failed("nodes %d to %d".formatted(from, to - 1), e);
        }
    }

    private void run(SegmentLease lease) throws OrtException {
        try (lease) {
            Map<String, OnnxTensor> inputs = new LinkedHashMap<>();
            lease.segment().inputs().forEach(name -> inputs.put(name, values.get(name)));
            // The result is not closed as a whole: each of its values lives as long as it is
            // needed.
            values.takeAll(lease.session().run(inputs));
        }
    }

    private void put(String name, Tensor value) {
        try {
            values.put(name, value);
        } catch (OrtException e) {
            throw failed("the hand-over of \"" + name + "\"", e);
        }
    }

    private OnnxRunException failed(String part, OrtException cause) {
        return new OnnxRunException(part + " of \"" + model.file().path() + "\"", cause);
    }

    /**
     * A value just made stays for the visits that may come; then nobody needs it unless it is read.
     */
    private void dropUnread() {
        for (String name : values.names()) {
            if (model.flow().madeAt(name) != position && !model.flow().isReadFrom(name, position)) {
                values.drop(name);
            }
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
        values.close();
    }
}
