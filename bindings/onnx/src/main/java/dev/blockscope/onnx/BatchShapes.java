package dev.blockscope.onnx;

import static java.util.Objects.requireNonNull;

import dev.blockscope.interleave.RowRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the rows of a batch are in the tensors of a run: inputs of one row each, put together and
 * filled up with zeros to the size of the longest.
 */
final class BatchShapes {
    /** What every exporter calls the input that is 0 where a row is filled up. */
    static final String MASK = "attention_mask";

    private final OpenSizes open;
    private final List<Map<String, Tensor>> inputs;
    private final List<Map<String, Long>> sizes;
    private final Map<String, Long> largest = new LinkedHashMap<>();

    /**
     * Puts inputs together.
     *
     * @throws IllegalArgumentException if the model takes no batches, or an input has not one row
     */
    BatchShapes(OpenSizes open, List<Map<String, Tensor>> inputs) {
        this.open = open;
        this.inputs = inputs;
        if (!open.hasRows()) {
            throw new IllegalArgumentException(
                    "the model takes no batches: its inputs are %s, expected an open first dimension of each"
                            .formatted(open.inputs()));
        }
        this.sizes = inputs.stream().map(open::of).toList();
        for (int i = 0; i < inputs.size(); i++) {
            requireOneRow(i);
            sizes.get(i).forEach((name, size) -> largest.merge(name, size, Math::max));
        }
        largest.put(open.rows(), (long) inputs.size());
    }

    private void requireOneRow(int i) {
        long rows = sizes.get(i).getOrDefault(open.rows(), 1L);
        if (rows != 1) {
            throw new IllegalArgumentException(
                    "input %d of the batch has %d rows, expected 1; add its rows as inputs of their own"
                            .formatted(i, rows));
        }
    }

    /** Returns the inputs in one, each row filled up. */
    Map<String, Tensor> together() {
        Map<String, Tensor> together = new LinkedHashMap<>();
        for (TensorSpec spec : open.inputs()) {
            long[] shape =
                    spec.shape().stream().mapToLong(d -> OpenSizes.size(d, largest)).toArray();
            Tensor whole = Tensor.zeros(spec.dtype(), shape);
            for (int i = 0; i < inputs.size(); i++) {
                RowRange row = new RowRange(i, i + 1, inputs.size());
                Tensor own = requireNonNull(inputs.get(i).get(spec.name()));
                own(spec, whole, row).orElseThrow().copy_(own);
            }
            together.put(spec.name(), whole);
        }
        return together;
    }

    /** Returns whether a row is shorter than another. */
    boolean isFilledUp() {
        return sizes.stream()
                .flatMap(own -> own.entrySet().stream())
                .filter(size -> !size.getKey().equals(open.rows()))
                .anyMatch(size -> size.getValue() < largest.getOrDefault(size.getKey(), 0L));
    }

    /**
     * Returns a view of some rows of a tensor, as long as the longest of them; absent if the tensor
     * has no rows.
     */
    Optional<Tensor> own(TensorSpec spec, Tensor whole, RowRange rows) {
        boolean found = false;
        Tensor own = whole;
        for (int d = 0; d < spec.shape().size(); d++) {
            Dimension dimension = spec.shape().get(d);
            if (dimension.name().equals(open.rows())) {
                own = own.slice(d, rows.from(), rows.to());
                found = true;
            }
        }
        Tensor cut = cut(spec, own, rows);
        return found ? Optional.of(cut) : Optional.empty();
    }

    /** Returns a view of a tensor without what only rows of others have. */
    Tensor cut(TensorSpec spec, Tensor whole, RowRange rows) {
        Map<String, Long> longest = longest(rows);
        Tensor own = whole;
        for (int d = 0; d < spec.shape().size(); d++) {
            Dimension dimension = spec.shape().get(d);
            if (!dimension.isFixed()
                    && !dimension.name().isEmpty()
                    && !dimension.name().equals(open.rows())) {
                own = own.slice(d, 0, OpenSizes.size(dimension, longest));
            }
        }
        return own;
    }

    private Map<String, Long> longest(RowRange rows) {
        Map<String, Long> longest = new LinkedHashMap<>();
        sizes.subList(rows.from(), rows.to())
                .forEach(own -> own.forEach((name, size) -> longest.merge(name, size, Math::max)));
        return longest;
    }

    /** Returns the outputs of each input, without what the others filled up. */
    List<Map<String, Tensor>> apart(Map<String, TensorSpec> specs, Map<String, Tensor> outputs) {
        List<Map<String, Tensor>> apart = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            RowRange row = new RowRange(i, i + 1, inputs.size());
            Map<String, Tensor> own = new LinkedHashMap<>();
            outputs.forEach((name, whole) -> {
                TensorSpec spec = requireNonNull(specs.get(name));
                own.put(name, own(spec, whole, row).orElseGet(() -> cut(spec, whole, row)).clone());
            });
            apart.add(own);
        }
        return apart;
    }
}
