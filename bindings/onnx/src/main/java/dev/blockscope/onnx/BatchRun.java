package dev.blockscope.onnx;

import dev.blockscope.StopSignal;
import dev.blockscope.interleave.Batch;
import dev.blockscope.interleave.HookPoints;
import dev.blockscope.interleave.Interleaver;
import dev.blockscope.interleave.Trace;
import dev.blockscope.interleave.Visits;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Runs a model once for all inputs of a batch, each block in step with the rows of its own. */
final class BatchRun {
    private final ModelFacts facts;
    private final ShapeScan scan;
    private final HookPoints hooks;
    private final boolean causal;

    /**
     * Prepares for runs.
     *
     * @param causal whether a position of the model depends only on those before it
     */
    BatchRun(ModelFacts facts, ShapeScan scan, HookPoints hooks, boolean causal) {
        this.facts = facts;
        this.scan = scan;
        this.hooks = hooks;
        this.causal = causal;
    }

    /**
     * Runs a batch.
     *
     * @param model runs the model in step with any visits
     * @param signal cancels the trace when it is stopped
     * @return the outputs of each input, as if it had run alone
     */
    Trace<List<Map<String, Tensor>>> run(
            Batch<Map<String, Tensor>> batch,
            BiFunction<Map<String, Tensor>, Visits, Map<String, Tensor>> model,
            StopSignal signal) {
        batch.inputs().forEach(input -> ModelInputs.check(facts.inputs(), input));
        BatchShapes shapes = new BatchShapes(new OpenSizes(facts.inputs()), batch.inputs());
        requireMask(shapes);
        BatchRows rows = new BatchRows(shapes, scan.specs());
        return Interleaver.builder(hooks)
                .replacement(new TensorReplacement(facts))
                .rows(rows)
                .build()
                .run(
                        batch,
                        (visits, _) -> {
                            Visits inRows = new BatchVisits(visits, rows, this::tensors);
                            return shapes.apart(
                                    scan.specs(), model.apply(shapes.together(), inRows));
                        },
                        signal);
    }

    private List<String> tensors(String point) {
        Stop stop = facts.points().stop(point);
        return stop == null ? List.of() : stop.offered();
    }

    /** A model that sees how rows are filled up, and cannot be told to look away, answers wrong. */
    private void requireMask(BatchShapes shapes) {
        boolean masked =
                facts.inputs().stream().anyMatch(input -> input.name().equals(BatchShapes.MASK));
        if (shapes.isFilledUp() && !masked && !causal) {
            throw new IllegalArgumentException(
                    "the inputs of the batch differ in size, and the model has no input \"%s\" to fill the shorter ones up with; batch inputs of one size, or open the model with causal(true) if a position depends only on those before it"
                            .formatted(BatchShapes.MASK));
        }
    }
}
