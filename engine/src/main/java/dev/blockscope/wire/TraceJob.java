package dev.blockscope.wire;

import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.FrameCode;
import dev.blockscope.FunctionSourceException;
import dev.blockscope.FunctionSources;
import dev.blockscope.Globals;
import dev.blockscope.Limits;
import dev.blockscope.ReadValue;
import dev.blockscope.SharedLocals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Traces of one computation that travel together, with their blocks and the frames that these
 * share. What blocks of a frame share there, they share here, and a value that several hold is one
 * value.
 *
 * @param computation the name by which the worker knows the computation
 * @param frames the frames of the blocks
 * @param blocks the blocks of all traces, each once
 * @param traces the traces, in the order in which they run
 */
record TraceJob(
        String computation, List<OfFrame> frames, List<OfBlock> blocks, List<OfTrace> traces) {
    static final Set<String> NAMES = Set.of("computation", "frames", "blocks", "traces");

    private static final Set<String> OF_FRAME = Set.of("code", "shared", "globals");
    private static final Set<String> OF_BLOCK =
            Set.of("language", "origin", "text", "frame", "values", "limits");
    private static final Set<String> OF_TRACE = Set.of("input", "invokes", "result");

    /** Values stand in a map in a map in a list, and inputs in one list more. */
    private static final int DEPTH = 4;

    /**
     * A frame, without its locals.
     *
     * @param shared what its blocks read of what they share
     * @param globals what its blocks read of its globals
     */
    record OfFrame(
            FrameCode code,
            Map<String, @Nullable Object> shared,
            Map<String, @Nullable Object> globals) {}

    /**
     * A block.
     *
     * @param frame the position of its frame
     * @param values what it reads of its snapshot
     */
    record OfBlock(
            BlockSource source, int frame, Map<String, @Nullable Object> values, Limits limits) {}

    /** A trace. */
    record OfTrace(@Nullable Object input, List<OfInvoke> invokes, boolean wantsResult) {}

    /**
     * A block's part in a trace.
     *
     * @param block the position of the block
     */
    record OfInvoke(int block, List<? extends @Nullable Object> inputs) {}

    /**
     * Takes traces apart.
     *
     * @throws UnsendableException if a function cannot travel, naming the variable
     */
    static TraceJob of(String computation, List<TraceRequest> requests) {
        return new Taking().job(computation, requests);
    }

    /** Returns the blocks of traces, each once, in the order of their positions. */
    static List<Block> blocksOf(List<TraceRequest> requests) {
        return requests.stream().flatMap(request -> request.blocks().stream()).distinct().toList();
    }

    /**
     * Returns the job as bytes.
     *
     * @throws UnsendableException if a value cannot travel, naming the variable
     */
    byte[] toBytes(Vocabulary vocabulary) {
        return EnvelopeFormat.write(
                vocabulary,
                1 + NAMES.size(),
                DEPTH,
                (out, values) -> {
                    out.writeStringField("computation", computation);
                    writeFrames(out, values);
                    writeBlocks(out, values);
                    writeTraces(out, values);
                });
    }

    private void writeFrames(CBORGenerator out, ValueWriter values) throws IOException {
        out.writeFieldName("frames");
        out.writeStartArray(frames, frames.size());
        for (OfFrame frame : frames) {
            out.writeStartObject(frame, OF_FRAME.size());
            out.writeFieldName("code");
            EnvelopeFormat.writeCode(frame.code(), out);
            EnvelopeFormat.writeVariables("shared", frame.shared(), out, values);
            EnvelopeFormat.writeVariables("globals", frame.globals(), out, values);
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void writeBlocks(CBORGenerator out, ValueWriter values) throws IOException {
        out.writeFieldName("blocks");
        out.writeStartArray(blocks, blocks.size());
        for (OfBlock block : blocks) {
            out.writeStartObject(block, OF_BLOCK.size());
            out.writeNumberField("frame", block.frame());
            EnvelopeFormat.writeSource(block.source(), out, values);
            EnvelopeFormat.writeVariables("values", block.values(), out, values);
            EnvelopeFormat.writeLimits(block.limits(), out, values);
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void writeTraces(CBORGenerator out, ValueWriter values) throws IOException {
        out.writeFieldName("traces");
        out.writeStartArray(traces, traces.size());
        for (OfTrace trace : traces) {
            out.writeStartObject(trace, OF_TRACE.size());
            out.writeFieldName("input");
            values.write(trace.input(), ValuePath.of("input"));
            out.writeBooleanField("result", trace.wantsResult());
            out.writeFieldName("invokes");
            out.writeStartArray(trace, trace.invokes().size());
            for (OfInvoke invoke : trace.invokes()) {
                writeInvoke(invoke, out, values);
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void writeInvoke(OfInvoke invoke, CBORGenerator out, ValueWriter values)
            throws IOException {
        out.writeStartArray(invoke, 1 + invoke.inputs().size());
        out.writeNumber(invoke.block());
        ValuePath inputs = ValuePath.of("inputs");
        for (int i = 0; i < invoke.inputs().size(); i++) {
            values.write(invoke.inputs().get(i), inputs.at(i));
        }
        out.writeEndArray();
    }

    /**
     * Makes a job of what was read.
     *
     * @throws EnvelopeException if it is none
     */
    static TraceJob of(Parts parts) {
        List<OfFrame> frames = new ArrayList<>();
        parts.each("frames", OF_FRAME).forEach(frame -> frames.add(frame(frame)));
        List<OfBlock> blocks = new ArrayList<>();
        parts.each("blocks", OF_BLOCK).forEach(block -> blocks.add(block(block, frames.size())));
        List<OfTrace> traces = new ArrayList<>();
        parts.each("traces", OF_TRACE).forEach(trace -> traces.add(trace(trace, blocks.size())));
        return new TraceJob(parts.text("computation"), frames, blocks, traces);
    }

    private static OfFrame frame(Parts parts) {
        return new OfFrame(
                EnvelopeFormat.code(parts.row("code", 3)),
                parts.map("shared"),
                parts.map("globals"));
    }

    private static OfBlock block(Parts parts, int frames) {
        return new OfBlock(
                EnvelopeFormat.source(parts),
                position("frame", parts.get("frame"), frames),
                parts.map("values"),
                WireLimits.ofPlain(parts.map("limits")));
    }

    private static OfTrace trace(Parts parts, int blocks) {
        List<OfInvoke> invokes = new ArrayList<>();
        for (Object invoke : parts.list("invokes")) {
            List<?> row = parts.list("invokes", invoke);
            if (row.isEmpty()) {
                throw new EnvelopeException(
                        "an invoke is a list of the position of its block and its own inputs");
            }
            int block = position("invokes", row.getFirst(), blocks);
            invokes.add(new OfInvoke(block, row.subList(1, row.size())));
        }
        return new OfTrace(parts.get("input"), invokes, parts.truth("result"));
    }

    private static int position(String part, @Nullable Object read, int size) {
        if (read instanceof Integer position && position >= 0 && position < size) {
            return position;
        }
        throw new EnvelopeException(
                "the part \"%s\" has the position %s, and there are %d"
                        .formatted(part, Parts.shown(read), size));
    }

    /**
     * Captures the blocks here, those of one frame in one frame.
     *
     * @param limits what each may take at most, whatever it allows itself
     * @throws dev.blockscope.BlockException if a text does not parse
     * @throws IllegalArgumentException if the engine does not have the language
     */
    List<Block> capture(BlockEngine engine, Limits limits) {
        List<Frame> here = frames.stream().map(TraceJob::frameOf).toList();
        return blocks.stream()
                .map(block ->
                        engine.capture(block.source(), here.get(block.frame()), block.values())
                                .within(WireLimits.strictest(block.limits(), limits)))
                .toList();
    }

    private static Frame frameOf(OfFrame frame) {
        Frame here = Frame.of(new LinkedHashMap<>(), Globals.of(frame.globals()), frame.code());
        frame.shared().forEach(SharedLocals.of(here)::put);
        return here;
    }

    /** Returns a trace as it is asked of a computation here. */
    TraceRequest request(OfTrace trace, List<Block> captured) {
        return new TraceRequest(
                trace.input(),
                trace.invokes().stream()
                        .map(invoke ->
                                new TraceRequest.Invoke(
                                        captured.get(invoke.block()), invoke.inputs()))
                        .toList(),
                trace.wantsResult());
    }

    /** Traces that are being taken apart. */
    private static final class Taking {
        private final FunctionSources functions = new FunctionSources();
        private final IdentityHashMap<Frame, Integer> positions = new IdentityHashMap<>();
        private final List<OfFrame> frames = new ArrayList<>();

        TraceJob job(String computation, List<TraceRequest> requests) {
            List<Block> blocks = blocksOf(requests);
            List<OfBlock> taken = blocks.stream().map(this::block).toList();
            List<OfTrace> traces = new ArrayList<>();
            for (TraceRequest request : requests) {
                List<OfInvoke> invokes = new ArrayList<>();
                for (TraceRequest.Invoke invoke : request.invokes()) {
                    invokes.add(new OfInvoke(blocks.indexOf(invoke.block()), invoke.inputs()));
                }
                traces.add(new OfTrace(request.input(), invokes, request.wantsResult()));
            }
            return new TraceJob(computation, frames, taken, traces);
        }

        private OfBlock block(Block block) {
            UnsendableException.requireSendable(block);
            int position = positions.computeIfAbsent(block.frame(), this::add);
            OfFrame frame = frames.get(position);
            Map<String, @Nullable Object> own = new LinkedHashMap<>();
            try {
                for (ReadValue read : functions.readsOf(block)) {
                    Map<String, @Nullable Object> tier =
                            switch (read.tier()) {
                                case OWN -> own;
                                case SHARED -> frame.shared();
                                case GLOBAL -> frame.globals();
                            };
                    tier.put(read.name(), read.value());
                }
            } catch (FunctionSourceException e) {
                throw new UnsendableException(e);
            }
            return new OfBlock(block.source(), position, own, block.limits());
        }

        private int add(Frame frame) {
            frames.add(new OfFrame(frame.code(), new LinkedHashMap<>(), new LinkedHashMap<>()));
            return frames.size() - 1;
        }
    }
}
