package dev.blockscope.wire;

import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import dev.blockscope.BlockResult;
import dev.blockscope.BlockSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What traces came to, as bytes: what their blocks assigned, and their results if asked for. */
final class TraceOutcome {
    private static final Set<String> OF_TRACE = Set.of("result", "stopped", "blocks");
    private static final Set<String> OF_BLOCK = Set.of("value", "bindings");

    /** Bindings stand in a map in a map in a list in a map in a list. */
    private static final int DEPTH = 5;

    private TraceOutcome() {}

    /** A trace that has ended, and what was asked of it. */
    record Ended(TraceRequest request, Traced<?> traced) {}

    /** What a block came to cannot travel: to be told at the block. */
    static final class UnsendableResult extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient BlockSource block;
        private final UnsendableException reason;

        private UnsendableResult(BlockSource block, UnsendableException reason) {
            super(reason);
            this.block = block;
            this.reason = reason;
        }

        BlockSource block() {
            return block;
        }

        UnsendableException reason() {
            return reason;
        }
    }

    /**
     * Writes what traces came to.
     *
     * @throws UnsendableResult if what a block came to cannot travel
     * @throws UnsendableException if the result of a computation cannot travel
     */
    static byte[] write(List<Ended> ended, Vocabulary vocabulary) {
        return EnvelopeFormat.write(
                vocabulary,
                2,
                DEPTH,
                (out, values) -> {
                    out.writeFieldName("traces");
                    out.writeStartArray(ended, ended.size());
                    for (Ended trace : ended) {
                        write(trace, out, values);
                    }
                    out.writeEndArray();
                });
    }

    private static void write(Ended trace, CBORGenerator out, ValueWriter values)
            throws IOException {
        Traced<?> traced = trace.traced();
        out.writeStartObject(trace, OF_TRACE.size());
        out.writeFieldName("blocks");
        out.writeStartArray(traced, traced.blocks().size());
        for (int i = 0; i < traced.blocks().size(); i++) {
            BlockSource block = trace.request().blocks().get(i).source();
            try {
                write(traced.blocks().get(i), out, values);
            } catch (UnsendableException e) {
                throw new UnsendableResult(block, e);
            }
        }
        out.writeEndArray();
        out.writeFieldName("result");
        values.write(
                trace.request().wantsResult() ? traced.result() : null,
                ValuePath.of("the result of the computation"));
        out.writeFieldName("stopped");
        values.write(traced.stopped().orElse(null), ValuePath.of("who stopped it"));
        out.writeEndObject();
    }

    private static void write(BlockResult result, CBORGenerator out, ValueWriter values)
            throws IOException {
        out.writeStartObject(result, OF_BLOCK.size());
        EnvelopeFormat.writeVariables("bindings", result.bindings(), out, values);
        out.writeFieldName("value");
        values.write(result.value(), ValuePath.of("the result"));
        out.writeEndObject();
    }

    /**
     * Makes of what was read what traces came to.
     *
     * @throws EnvelopeException if it is none
     */
    static Outcome.Traces of(Parts parts) {
        List<Outcome.OfTrace> traces = new ArrayList<>();
        for (Parts its : parts.each("traces", OF_TRACE)) {
            List<Outcome.Result> blocks = new ArrayList<>();
            its.each("blocks", OF_BLOCK).forEach(block -> blocks.add(Outcome.result(block)));
            traces.add(
                    new Outcome.OfTrace(
                            its.get("result"),
                            its.get("stopped") == null ? null : its.text("stopped"),
                            blocks));
        }
        return new Outcome.Traces(traces);
    }
}
