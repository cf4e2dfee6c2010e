package dev.blockscope.onnx;

import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The sizes that a model leaves open, by name. The first dimension of each input counts its rows
 * and has one name for all; another open dimension without a name gets one of its own. A name like
 * {@code "past_length + length"} stands for a sum of open sizes.
 */
final class OpenSizes {
    private static final Splitter PLUS = Splitter.on('+').trimResults();
    private static final String ROWS = "rows";

    private final List<TensorSpec> inputs;
    private final String rows;

    OpenSizes(List<TensorSpec> inputs) {
        this.inputs = inputs.stream().map(OpenSizes::named).toList();
        this.rows =
                this.inputs.stream()
                        .filter(input -> !input.shape().isEmpty())
                        .map(input -> input.shape().getFirst())
                        .filter(first -> !first.isFixed())
                        .map(Dimension::name)
                        .findFirst()
                        .orElse(ROWS);
    }

    /** Returns the same input with a name for every open dimension. */
    private static TensorSpec named(TensorSpec input) {
        List<Dimension> shape = new ArrayList<>();
        for (int d = 0; d < input.shape().size(); d++) {
            Dimension dimension = input.shape().get(d);
            boolean nameless = !dimension.isFixed() && dimension.name().isEmpty();
            String name = d == 0 ? ROWS : input.name() + "." + d;
            shape.add(nameless ? new Dimension(name, -1) : dimension);
        }
        return new TensorSpec(input.name(), input.dtype(), shape);
    }

    /** Returns the inputs, every open dimension with its name. */
    List<TensorSpec> inputs() {
        return inputs;
    }

    /** Returns the name of the number of rows. */
    String rows() {
        return rows;
    }

    /** Returns whether each input has an open number of rows. */
    boolean hasRows() {
        return inputs.stream()
                .allMatch(input ->
                        !input.shape().isEmpty() && input.shape().getFirst().name().equals(rows));
    }

    /** Returns the names that are no sums of others. */
    Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        inputs.stream()
                .flatMap(input -> input.shape().stream())
                .filter(dimension -> !dimension.isFixed())
                .map(Dimension::name)
                .filter(name -> PLUS.splitToList(name).size() == 1)
                .forEach(names::add);
        return Collections.unmodifiableSet(names);
    }

    /** Returns the sizes that some inputs have. */
    Map<String, Long> of(Map<String, Tensor> given) {
        Map<String, Long> sizes = new LinkedHashMap<>();
        for (TensorSpec input : inputs) {
            Tensor tensor = Objects.requireNonNull(given.get(input.name()), input.name());
            for (int d = 0; d < input.shape().size(); d++) {
                if (!input.shape().get(d).isFixed()) {
                    sizes.put(input.shape().get(d).name(), tensor.shape()[d]);
                }
            }
        }
        return sizes;
    }

    /**
     * Returns the size of a dimension.
     *
     * @param sizes the open sizes by name; what is not among them is a number or a sum
     */
    static long size(Dimension dimension, Map<String, Long> sizes) {
        if (dimension.isFixed()) {
            return dimension.size();
        }
        Long whole = sizes.get(dimension.name());
        if (whole != null) {
            return whole;
        }
        long sum = 0;
        for (String term : PLUS.split(dimension.name())) {
            Long size = sizes.get(term);
            sum += size == null ? Long.parseLong(term) : size;
        }
        return sum;
    }
}
