package dev.blockscope.onnx;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.FrameCode;
import dev.blockscope.FunctionSource;
import dev.blockscope.Globals;
import dev.blockscope.GuestFunction;
import dev.blockscope.HostPart;
import dev.blockscope.OutputLine;
import dev.blockscope.Traceback;
import dev.blockscope.interleave.Batch;
import dev.blockscope.interleave.Session;
import dev.blockscope.interleave.Trace;
import dev.blockscope.wire.RemoteTrace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Frames with a model in their locals, and what becomes of traces in them: all that a user can see,
 * as text. The model is here or elsewhere, and nobody should see a difference.
 */
abstract class TraceWorld {
    /** The sentence of the model's tests. */
    static final Map<String, Tensor> IOI = RealModel.TINY_IOI.inputs();

    /** Another one. */
    static final Map<String, Tensor> SHORTER =
            Map.of("input_ids", Tensor.of(new long[] {1, 22, 17, 40, 36}, 1, 5));

    private final BlockEngine engine;
    private final Object envoy;
    private final Map<String, Map<String, @Nullable Object>> locals = new LinkedHashMap<>();
    private final Map<String, Frame> frames = new LinkedHashMap<>();
    private final List<String> seen = new ArrayList<>();

    TraceWorld(BlockEngine engine, Object envoy) {
        this.engine = engine;
        this.envoy = envoy;
    }

    /** Runs one trace, and returns its outputs. */
    abstract Map<String, Tensor> trace(Map<String, Tensor> inputs, Block... blocks)
            throws Exception;

    /** Runs a batch, and returns the outputs of each input. */
    abstract List<Map<String, Tensor>> trace(Batch<Map<String, Tensor>> batch) throws Exception;

    /** Runs a session of traces with the same inputs, each of some blocks. */
    abstract void session(List<Block> edits, Map<String, Tensor> inputs, List<List<Block>> traces)
            throws Exception;

    /** Returns the variables of a frame. */
    Map<String, @Nullable Object> locals(String frame) {
        return locals.computeIfAbsent(
                frame,
                _ -> {
                    Map<String, @Nullable Object> variables = new LinkedHashMap<>();
                    variables.put("model", envoy);
                    return variables;
                });
    }

    Frame frame(String name) {
        return frames.computeIfAbsent(
                name,
                _ ->
                        Frame.of(
                                locals(name),
                                Globals.of(Map.of("factor", 2, "step", 0.5)),
                                new FrameCode(name + ".js", 10, name)));
    }

    /** Captures a block that stands in a file of the frame's name, from line 10 on. */
    Block block(String frame, String text) {
        BlockSource source = BlockSource.javaScript(text, frame + ".js").startingAt(10, 3);
        return engine.capture(source, frame(frame)).withOutput(line -> said(frame, line));
    }

    private void said(String frame, OutputLine line) {
        seen.add("%s said %s at %d".formatted(frame, line.text(), line.line()));
    }

    void see(Object what) {
        seen.add(render(what));
    }

    /** Returns everything that can be seen: what was said and told, and the variables of frames. */
    List<String> seen(TraceScenario scenario) {
        try {
            scenario.play(this);
        } catch (BlockException e) {
            seen.add(render(e));
        } catch (Exception e) {
            seen.add(e.getClass().getName() + " " + e.getMessage());
        }
        locals.forEach((frame, variables) -> seen.add(frame + " " + render(variables)));
        frames.forEach((name, frame) -> seen.add(name + " shares " + sharedOf(frame)));
        return seen;
    }

    private Object sharedOf(Frame frame) {
        return engine.capture("typeof kept + typeof x + typeof seen", frame).evaluate().value();
    }

    private static String render(BlockException e) {
        List<Traceback.Entry> users =
                e.traceback().entries().stream().filter(Traceback.Entry::guest).toList();
        Throwable cause = e.getCause();
        return String.join(
                "\n",
                e.kind() + " " + e.getMessage(),
                users.toString(),
                e.bindings().toString(),
                Arrays.toString(e.getStackTrace()),
                cause == null ? "" : cause.getClass() + " " + cause.getMessage());
    }

    @SuppressWarnings("ReferenceEquality") // an envoy is itself and no other
    private String render(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case Object it when it == envoy -> "the model";
            case Tensor tensor -> tensor + " " + sum(tensor);
            case HostPart part when part.place() instanceof List<?> place -> "part " + place;
            case GuestFunction _, FunctionSource _ -> "a function";
            case Set<?> set -> set.stream().map(this::render).toList() + " set";
            case List<?> list -> list.stream().map(this::render).toList().toString();
            case Map<?, ?> map -> {
                Map<Object, String> rendered = new LinkedHashMap<>();
                map.forEach((key, inner) -> rendered.put(key, render(inner)));
                yield rendered.toString();
            }
            default -> value.getClass().getSimpleName() + " " + value;
        };
    }

    /** The text of a tensor shows some elements; this depends on the bits of all. */
    private static int sum(Tensor tensor) {
        return tensor.clone().storage().bytes().hashCode();
    }

    /** With a model that is here. */
    static final class Here extends TraceWorld {
        private final OnnxModel model;

        Here(OnnxModel model, BlockEngine engine) {
            super(engine, model.envoy());
            this.model = model;
        }

        @Override
        Map<String, Tensor> trace(Map<String, Tensor> inputs, Block... blocks) {
            Trace<Map<String, Tensor>> trace = model.trace(inputs, blocks);
            return trace.stopped().isPresent() ? Map.of() : trace.result();
        }

        @Override
        List<Map<String, Tensor>> trace(Batch<Map<String, Tensor>> batch) {
            return model.trace(batch).result();
        }

        @Override
        void session(List<Block> edits, Map<String, Tensor> inputs, List<List<Block>> traces) {
            Session.run(() -> {
                for (List<Block> trace : traces) {
                    List<Block> all = new ArrayList<>(edits);
                    all.addAll(trace);
                    model.trace(inputs, all.toArray(Block[]::new));
                }
                return null;
            });
        }
    }

    /** With a model that is elsewhere. */
    static final class Elsewhere extends TraceWorld {
        private final RemoteModel model;

        Elsewhere(RemoteModel model, BlockEngine engine) {
            super(engine, model.envoy());
            this.model = model.withOutputs();
        }

        @Override
        Map<String, Tensor> trace(Map<String, Tensor> inputs, Block... blocks) throws Exception {
            Map<String, Tensor> outputs = done(model.trace(inputs, blocks)).result();
            return outputs == null ? Map.of() : outputs;
        }

        @Override
        List<Map<String, Tensor>> trace(Batch<Map<String, Tensor>> batch) throws Exception {
            return done(model.trace(batch)).result();
        }

        @Override
        void session(List<Block> edits, Map<String, Tensor> inputs, List<List<Block>> traces)
                throws Exception {
            RemoteSession session = model.session();
            edits.forEach(session::edit);
            traces.forEach(trace -> session.trace(inputs, trace.toArray(Block[]::new)));
            done(session.submit());
        }

        private static <T> T done(RemoteTrace<T> trace) throws Exception {
            try {
                return trace.future().get(60, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw (Exception) e.getCause();
            }
        }
    }
}
