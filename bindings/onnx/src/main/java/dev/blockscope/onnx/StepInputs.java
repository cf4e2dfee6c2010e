package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * What a language model is given at each step of a generation. Without a cache that is the whole
 * text so far; with one it is what is new, and the keys and values that the model made of the text
 * before, by the names that exporters give them: {@code past_key_values.0.key} goes in what came
 * out as {@code present.0.key}.
 */
final class StepInputs {
    private static final String PAST = "past_key_values.";
    private static final String PRESENT = "present.";

    private final List<TensorSpec> specs;
    private final boolean cached;
    private final List<Long> text = new ArrayList<>();
    private final Map<String, Tensor> past = new HashMap<>();
    private int done;

    /**
     * Begins with a prompt.
     *
     * @param cached whether what the model made of the text before is kept
     */
    StepInputs(List<TensorSpec> specs, long[] prompt, boolean cached) {
        this.specs = specs;
        this.cached = cached;
        Arrays.stream(prompt).forEach(text::add);
    }

    /** Returns whether a model takes what it made of the text before. */
    static boolean hasCache(List<TensorSpec> inputs) {
        return inputs.stream().anyMatch(input -> input.name().startsWith(PAST));
    }

    /**
     * Returns the inputs of the next step.
     *
     * @throws IllegalArgumentException if the model takes something else
     */
    Map<String, Tensor> next() {
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        specs.forEach(spec -> inputs.put(spec.name(), input(spec)));
        return inputs;
    }

    private Tensor input(TensorSpec spec) {
        if (spec.name().startsWith(PAST)) {
            return past.getOrDefault(spec.name(), nothing(spec));
        }
        long[] values =
                switch (spec.name()) {
                    case "input_ids" ->
                            text.stream().skip(done).mapToLong(Long::longValue).toArray();
                    case "attention_mask" ->
                            LongStream.generate(() -> 1).limit(text.size()).toArray();
                    case "position_ids" -> LongStream.range(done, text.size()).toArray();
                    case "token_type_ids" -> new long[text.size() - done];
                    default ->
                            throw new IllegalArgumentException(
                                    "the model takes \"%s\"; a generator knows input_ids, attention_mask, position_ids, token_type_ids and past_key_values"
                                            .formatted(spec.name()));
                };
        return Tensor.of(values, 1, values.length).to(spec.dtype());
    }

    /** Returns a cache of no text: its open dimension, other than the rows, is 0. */
    private static Tensor nothing(TensorSpec spec) {
        long[] shape = spec.shape().stream().mapToLong(d -> d.isFixed() ? d.size() : 0).toArray();
        if (shape.length > 0) {
            shape[0] = 1;
        }
        return Tensor.zeros(spec.dtype(), shape);
    }

    /** Goes on with a token, and with what the model made of the text before it. */
    void add(long token, Map<String, Tensor> outputs) {
        if (cached) {
            done = text.size();
            specs.stream()
                    .map(TensorSpec::name)
                    .filter(name -> name.startsWith(PAST))
                    .forEach(name -> past.put(name, present(name, outputs)));
        }
        text.add(token);
    }

    private static Tensor present(String input, Map<String, Tensor> outputs) {
        String name = PRESENT + input.substring(PAST.length());
        return Objects.requireNonNull(
                outputs.get(name), () -> "the model makes no \"" + name + "\"");
    }
}
