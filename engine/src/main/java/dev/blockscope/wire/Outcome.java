package dev.blockscope.wire;

import dev.blockscope.BlockResult;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a run elsewhere came to. */
sealed interface Outcome {
    /** The block ended well. */
    record Result(@Nullable Object value, Map<String, @Nullable Object> bindings)
            implements Outcome {}

    /** Traces ended well. */
    record Traces(List<OfTrace> traces) implements Outcome {}

    /**
     * What one trace came to.
     *
     * @param result what the computation returned, if that was asked for
     * @param stopped who stopped it, or null
     */
    record OfTrace(@Nullable Object result, @Nullable String stopped, List<Result> blocks) {}

    /** The block failed, or the computation that it ran in. */
    record Failure(Throwable exception) implements Outcome {}

    /** The block was not run, or what it came to could not be sent. */
    record Refusal(String reason) implements Outcome {}

    /** The block ended, and what it came to is more than is sent. */
    record TooLarge(String reason) implements Outcome {}

    /** The parts of an outcome as bytes, of which each has one of these or two. */
    Set<String> PARTS = Set.of("value", "bindings", "traces", "failure", "refused", "tooLarge");

    /**
     * Writes a result.
     *
     * @throws UnsendableException if a value of it cannot travel
     */
    static byte[] of(BlockResult result, Vocabulary vocabulary) {
        return EnvelopeFormat.write(
                vocabulary,
                3,
                (out, values) -> {
                    EnvelopeFormat.writeVariables("bindings", result.bindings(), out, values);
                    out.writeFieldName("value");
                    values.write(result.value(), ValuePath.of("the result"));
                });
    }

    static byte[] of(Throwable failure, Vocabulary vocabulary) {
        return EnvelopeFormat.write(
                vocabulary,
                2,
                (out, values) -> {
                    out.writeFieldName("failure");
                    values.write(
                            new WireFailure(vocabulary).toPlain(failure),
                            ValuePath.of("the failure"));
                });
    }

    static byte[] refusal(String reason) {
        return reason("refused", reason);
    }

    /**
     * Writes what stands for an outcome of so many bytes, if no more than {@code most} are sent.
     */
    static byte[] tooLarge(byte[] outcome, int most, Vocabulary vocabulary) {
        String what = largest(outcome, vocabulary);
        return tooLarge(
                "what the block came to is %d bytes, and no more than %d are sent%s; assign less, or raise what is sent"
                        .formatted(outcome.length, most, what));
    }

    static byte[] tooLarge(String reason) {
        return reason("tooLarge", reason);
    }

    private static byte[] reason(String part, String reason) {
        return EnvelopeFormat.write(
                Vocabulary.EMPTY,
                2,
                (out, values) -> {
                    out.writeFieldName(part);
                    values.write(reason, ValuePath.of("the reason"));
                });
    }

    private static String largest(byte[] outcome, Vocabulary vocabulary) {
        String largest = "";
        long most = -1;
        for (Map.Entry<String, @Nullable Object> part : partsOf(read(outcome, vocabulary))) {
            long size = sizeOf(part.getValue(), vocabulary);
            if (size >= most) {
                largest = part.getKey();
                most = size;
            }
        }
        return largest.isEmpty() ? "" : ", of which %s is %d".formatted(largest, most);
    }

    /** Returns what an outcome is made of, by the names that a user knows it by. */
    private static List<Map.Entry<String, @Nullable Object>> partsOf(Outcome outcome) {
        List<Map.Entry<String, @Nullable Object>> parts = new ArrayList<>();
        switch (outcome) {
            case Result result -> addParts(result, parts);
            case Traces(var traces) ->
                    traces.forEach(trace -> {
                        parts.add(
                                new SimpleEntry<>("the result of the computation", trace.result()));
                        trace.blocks().forEach(block -> addParts(block, parts));
                    });
            case Failure _, Refusal _, TooLarge _ -> {}
        }
        return parts;
    }

    private static void addParts(Result result, List<Map.Entry<String, @Nullable Object>> parts) {
        parts.add(new SimpleEntry<>("its value", result.value()));
        result.bindings()
                .forEach((name, value) -> parts.add(new SimpleEntry<>("'" + name + "'", value)));
    }

    private static long sizeOf(@Nullable Object value, Vocabulary vocabulary) {
        return EnvelopeFormat.measure(
                vocabulary,
                2,
                (out, values) -> {
                    out.writeFieldName("value");
                    values.write(value, ValuePath.of("value"));
                });
    }

    /**
     * Reads an outcome.
     *
     * @throws EnvelopeException if the bytes are none
     */
    static Outcome read(byte[] bytes, Vocabulary vocabulary) {
        Parts parts = EnvelopeFormat.parts(bytes, vocabulary, PARTS);
        if (parts.has("refused")) {
            return new Refusal(parts.text("refused"));
        }
        if (parts.has("tooLarge")) {
            return new TooLarge(parts.text("tooLarge"));
        }
        if (parts.has("failure")) {
            return new Failure(new WireFailure(vocabulary).ofPlain(parts.inner("failure")));
        }
        return parts.has("traces") ? TraceOutcome.of(parts) : result(parts);
    }

    /** Reads what one block came to. */
    static Result result(Parts parts) {
        return new Result(parts.get("value"), parts.map("bindings"));
    }
}
