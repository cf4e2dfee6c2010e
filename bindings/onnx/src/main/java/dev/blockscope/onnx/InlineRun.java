package dev.blockscope.onnx;

import dev.blockscope.interleave.Visits;
import java.lang.foreign.MemorySegment;
import java.util.AbstractList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One run of a model whose hooks call back, in step with its visits. */
final class InlineRun implements HookOperator.Listener {
    private final ModelFacts model;
    private final List<List<Stop>> stopsOfHooks;
    private final Visits visits;
    private final Term term;
    private final TensorReplacement replacement;
    private final Passage passage;
    private final boolean noFurther;
    private @Nullable Throwable failure;
    private boolean over;

    /**
     * Begins a run.
     *
     * @param stopsOfHooks the points of each hook, by its number
     * @param term how long the tensors are good that it offers
     * @param noFurther whether it ends when nobody waits for a point any more
     */
    InlineRun(
            ModelFacts model,
            List<List<Stop>> stopsOfHooks,
            Visits visits,
            Term term,
            boolean noFurther) {
        this.model = model;
        this.stopsOfHooks = stopsOfHooks;
        this.visits = visits;
        this.term = term;
        this.noFurther = noFurther;
        this.replacement = new TensorReplacement(model);
        this.passage = new Passage(model.points());
    }

    @Override
    public void pass(int hook, long[] shape, MemorySegment in, MemorySegment out) {
        if (failure != null) {
            throw new IllegalStateException("the run has failed at an earlier hook", failure);
        }
        List<Stop> stops = stopsOfHooks.get(hook);
        passAllBefore(stops.getFirst().position());
        Tensor current = null;
        boolean changed = false;
        for (Stop next = next(stops); next != null; next = next(stops)) {
            passage.visit(next);
            if (current == null) {
                current = term.at(next.point()).ofCopy(DType.FLOAT32, shape, in.asByteBuffer());
            }
            int changes = current.storage().changes();
            Tensor answer =
                    replacement.check(next.point(), current, visits.visit(next.point(), current));
            changed |= answer != current || answer.storage().changes() != changes;
            current = answer;
        }
        if (current == null || !changed) {
            out.copyFrom(in);
        } else {
            Tensor answer = current.whole();
            out.copyFrom(
                    MemorySegment.ofBuffer(answer.storage().bytes()).asSlice(0, out.byteSize()));
        }
        over = noFurther && !isAwaited(stops.getFirst().position());
        if (over) {
            throw new Enough();
        }
    }

    /** Returns whether somebody waits for a point from a position on that has not been visited. */
    boolean isAwaited(int position) {
        return visits.awaited().stream()
                .map(model.points()::stop)
                .anyMatch(stop ->
                        stop != null && stop.position() >= position && !passage.hasVisited(stop));
    }

    /** Returns whether it has ended because nobody waits any more. */
    boolean isOver() {
        return over;
    }

    /** Ends a run that has done what it was for, the only way there is out of the runtime. */
    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Enough() {
            super("nobody waits for a point any more", null, false, false);
        }
    }

    private @Nullable Stop next(List<Stop> stops) {
        Set<String> awaited = visits.awaited();
        for (Stop stop : stops) {
            if (awaited.contains(stop.point()) && !passage.hasVisited(stop)) {
                return stop;
            }
        }
        requireNoName(awaited);
        return null;
    }

    /**
     * A tensor that a block waits for by its name would be passed, which is not the block's fault.
     */
    private void requireNoName(Set<String> awaited) {
        awaited.stream()
                .filter(point -> model.tensors().stopOf(point) != null)
                .findFirst()
                .ifPresent(point -> {
                    throw notOffered(point, "model.tensor('/layer/Add_output_0').output");
                });
    }

    /** Visits, without a value, the points that nobody waited for. */
    private void passAllBefore(int position) {
        passage.passAllBefore(
                position,
                // A block that waits for any point at all goes on here, and does not ask for it.
                stop ->
                        visits.visit(
                                stop.point(),
                                Inline.reaches(stop) ? null : new NotHere(stop.point())));
        passage.passNamedBefore(position, _ -> false, visits::passNamed);
    }

    /** Ends the run: nothing comes any more. */
    void end() {
        requireNoName(visits.awaited());
        passAllBefore(model.flow().nodes().size() + 1);
    }

    private static IllegalStateException notOffered(String point, String form) {
        return new IllegalStateException(
                "\"%s\" is not offered inline, and the text did not show that it would be asked for; write it as a chain such as %s, or open the model without inline(true)"
                        .formatted(point, form));
    }

    /** The inputs of a module, which no hook is at: whoever asks for them is told. */
    private static final class NotHere extends AbstractList<Object> {
        private final String point;

        NotHere(String point) {
            this.point = point;
        }

        @Override
        public Object get(int index) {
            throw asked();
        }

        @Override
        public int size() {
            throw asked();
        }

        private IllegalStateException asked() {
            return notOffered(point, "model.layer[1].input");
        }
    }

    @Override
    public void failed(Throwable e) {
        if (failure == null && !over) {
            failure = e;
        }
    }

    /** Throws what ended the run, if something of ours did. */
    void rethrow() {
        switch (failure) {
            case null -> {}
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            default -> throw new AssertionError("visits throw unchecked exceptions only", failure);
        }
    }
}
