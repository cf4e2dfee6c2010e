package dev.blockscope.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import dev.blockscope.Block;
import dev.blockscope.Lending;
import dev.blockscope.StopSignal;
import dev.blockscope.interleave.Batch;
import dev.blockscope.interleave.Envoy;
import dev.blockscope.interleave.HookPoints;
import dev.blockscope.interleave.Interleaver;
import dev.blockscope.interleave.Trace;
import dev.blockscope.interleave.Visits;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A model from an ONNX file, which runs as a whole or in step with blocks.
 *
 * <pre>{@code
 * try (OnnxModel model = OnnxModel.open(Path.of("all-minilm-l6-v2.onnx"))) {
 *     Map<String, Object> locals = new HashMap<>(Map.of("model", model.envoy()));
 *     Block block = engine.capture(
 *             "hidden = model.encoder.layer[3].output; model.encoder.layer[3].output = hidden.mul(2)",
 *             Frame.of(locals));
 *     Map<String, Tensor> outputs = model.trace(inputs, block).result();
 *     Tensor hidden = (Tensor) locals.get("hidden");
 * }
 * }</pre>
 *
 * <p>Every module has the hook points {@code <path>.output}, or {@code <path>.outputs} if it makes
 * several tensors, {@code <path>.inputs} and, for the first of them, {@code <path>.input}; a block
 * can {@code skip} it, see {@link #modules}. What is assigned to an input that module alone reads.
 * Every tensor is a hook point by the name it has in the file, {@code
 * model.tensor('/encoder/layer.3/Add_output_0').output}, see {@link #tensors}; what is assigned to
 * it everybody reads from there on. Where blocks change a tensor the graph is cut, and the pieces
 * run one after the other; what they only look at is one more output of the piece it is in. Whether
 * a block may change something shows in its text; if it does so unforeseen, the run goes back to
 * that point, and later runs cut there. So a result never depends on what was expected, and without
 * an edit it is the same as that of the whole model, to the last bit; unless somebody reads, or may
 * read, a tensor by its name from within what ONNX Runtime makes one operator of: that operator
 * then stays apart, which may round otherwise. Weights stay in the file, which must not change
 * while the model is open.
 *
 * <p>Safe for use by several threads. After {@link #close} a run is an {@link
 * IllegalStateException}, and so is what remains of a run that is under way; descriptions stay.
 *
 * @since 0.1
 */
public final class OnnxModel implements AutoCloseable {
    private final ModelFacts facts;
    private final SessionSettings settings;
    private final Interleaver interleaver;
    private final Envoy envoy;
    private final Segments segments;
    private final Plans plans;
    private final NativeLedger ledger = new NativeLedger();
    private final ShapeScan scan;
    private final BatchRun batches;
    private final @Nullable Inline inline;
    private @Nullable SharedSession whole;
    private boolean closed;

    private OnnxModel(
            ModelFacts facts,
            SessionSettings settings,
            long segmentMemory,
            boolean causal,
            boolean inline) {
        this.facts = facts;
        boolean hasHooks = inline && !facts.points().places().isEmpty();
        this.inline = hasHooks ? new Inline(facts, settings, ledger) : null;
        this.settings = settings;
        this.plans = new Plans(facts.points());
        this.scan = new ShapeScan(facts, settings, ledger);
        HookPoints hooks = facts.points().hooks();
        this.batches = new BatchRun(facts, scan, hooks, causal);
        this.interleaver =
                Interleaver.builder(hooks).replacement(new TensorReplacement(facts)).build();
        this.envoy = Envoy.of(hooks);
        long limit = segmentMemory < 0 ? 4 * facts.weightBytes() + (64L << 20) : segmentMemory;
        this.segments = new Segments(facts, settings, ledger, limit);
    }

    /**
     * Opens a model with the defaults of {@link #builder}.
     *
     * @throws OnnxFileException if the file is missing, damaged, or no model that ONNX Runtime
     *     accepts
     * @since 0.1
     */
    public static OnnxModel open(Path file) throws OnnxFileException {
        return builder().open(file);
    }

    /**
     * Returns a builder with the defaults: one thread, no spinning, and room for segments that
     * stand for four times the model's weights and 64 MiB.
     *
     * @since 0.1
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the file, as an absolute path.
     *
     * @since 0.1
     */
    public Path file() {
        return facts.file().path();
    }

    /**
     * Returns what the model takes, in the file's order.
     *
     * @since 0.1
     */
    public List<TensorSpec> inputs() {
        return facts.inputs();
    }

    /**
     * Returns what the model makes, in the file's order.
     *
     * @since 0.1
     */
    public List<TensorSpec> outputs() {
        return facts.outputs();
    }

    /**
     * Returns the modules of the model.
     *
     * @since 0.1
     */
    public ModuleTree modules() {
        return facts.modules();
    }

    /**
     * Returns how many parameters the model has.
     *
     * @since 0.1
     */
    public long parameters() {
        return facts.file().graph().initializers().values().stream()
                .mapToLong(Initializer::parameters)
                .sum();
    }

    /**
     * Returns every tensor that the model makes or takes in a run, in the order they are made:
     * those of modules and those that belong to none, such as the probabilities of an attention.
     * Constants are not among them, and neither is what lies inside the branches of an {@code If}
     * or the body of a {@code Loop}.
     *
     * @since 0.1
     */
    public List<TensorSpec> tensors() {
        return facts.tensors().all();
    }

    /**
     * Returns a tensor by the name it has in the file. A block reaches it by {@code
     * model.tensor(name).output}.
     *
     * @throws IllegalArgumentException if there is none, with the nearest names; or if it is inside
     *     an {@code If} or a {@code Loop}, with the node; or if it is a constant
     * @since 0.1
     */
    public TensorSpec tensor(String name) {
        return facts.tensors().find(name);
    }

    /**
     * Returns what blocks hold in their hands for this model: {@code model.encoder.layer[3].output}
     * waits for that tensor, assigning to it replaces the tensor.
     *
     * @since 0.1
     */
    public Envoy envoy() {
        return envoy;
    }

    /**
     * Returns what the cache of segments has done so far.
     *
     * @since 0.1
     */
    public SegmentStatistics statistics() {
        return segments.statistics();
    }

    /**
     * Runs the whole model at once, without blocks.
     *
     * @param inputs a tensor for each of {@link #inputs}, by name; they must not change meanwhile
     * @return a tensor for each of {@link #outputs}, by name
     * @throws IllegalArgumentException if an input is missing, unknown or does not fit
     * @throws IllegalStateException if the model is closed
     * @throws OnnxRunException if ONNX Runtime fails
     * @since 0.1
     */
    public Map<String, Tensor> run(Map<String, Tensor> inputs) {
        ModelInputs.check(facts.inputs(), inputs);
        try (NativeTensors values = new NativeTensors(ledger)) {
            SharedSession session = whole();
            try {
                Map<String, OnnxTensor> fed = new LinkedHashMap<>();
                for (Map.Entry<String, Tensor> input : inputs.entrySet()) {
                    values.lend(input.getKey(), input.getValue());
                    fed.put(input.getKey(), values.get(input.getKey()));
                }
                values.takeAll(session.session().run(fed));
            } finally {
                session.leave();
            }
            return results(values);
        } catch (OrtException e) {
            throw new OnnxRunException("the model \"" + file() + "\"", e);
        }
    }

    /**
     * Runs the model in step with blocks.
     *
     * @param inputs a tensor for each of {@link #inputs}, by name; they are copied
     * @param blocks the blocks that look in, in definition order; what they assign is pushed at the
     *     end
     * @return a tensor for each of {@link #outputs}, by name, and what the blocks came to
     * @throws IllegalArgumentException if an input is missing, unknown or does not fit
     * @throws IllegalStateException if the model is closed
     * @throws OnnxRunException if ONNX Runtime fails
     * @throws dev.blockscope.BlockException if a block fails; nothing is pushed then
     * @since 0.1
     */
    public Trace<Map<String, Tensor>> trace(Map<String, Tensor> inputs, Block... blocks) {
        return trace(inputs, List.of(blocks), new StopSignal());
    }

    /** Runs the model in step with blocks, until a signal cancels the trace. */
    Trace<Map<String, Tensor>> trace(
            Map<String, Tensor> inputs, List<Block> blocks, StopSignal signal) {
        requireOpen();
        ModelInputs.check(facts.inputs(), inputs);
        Plan plan = plans.of(blocks);
        return interleaver.run(
                blocks, visits -> runInStep(inputs, visits, plan, lending()), signal);
    }

    /**
     * Runs the model in step with blocks, and no further than they ask: when none waits for a point
     * any more, what is left of the model does not run. A block that looks at an early layer takes
     * a fraction of a whole run.
     *
     * @param inputs a tensor for each of {@link #inputs}, by name; they are copied
     * @param blocks the blocks that look in, in definition order; what they assign is pushed at the
     *     end
     * @return what the blocks came to; the trace has no result but null
     * @throws IllegalArgumentException if an input is missing, unknown or does not fit
     * @throws IllegalStateException if the model is closed
     * @throws OnnxRunException if ONNX Runtime fails
     * @throws dev.blockscope.BlockException if a block fails; nothing is pushed then
     * @since 0.1
     */
    public Trace<@Nullable Void> probe(Map<String, Tensor> inputs, Block... blocks) {
        requireOpen();
        ModelInputs.check(facts.inputs(), inputs);
        boolean byCutting = plans.of(List.of(blocks)).isOnlyByCutting();
        return interleaver.run(
                List.of(blocks),
                visits -> {
                    if (inline != null && !byCutting) {
                        inline.probe(inputs, visits, lending());
                        return null;
                    }
                    Plan plan = Plan.stepByStep();
                    try (Walk walk = new Walk(facts, segments, ledger, plan, lending())) {
                        walk.begin(inputs);
                        walk.runWhileAwaited(visits);
                        return null;
                    }
                });
    }

    /** Runs the model in step with any visits, with a cut wherever one is awaited. */
    Map<String, Tensor> runInStep(Map<String, Tensor> inputs, Visits visits) {
        return runInStep(inputs, visits, Plan.stepByStep());
    }

    /** Runs the model in step with any visits, which may keep the tensors that they see. */
    Map<String, Tensor> runInStep(Map<String, Tensor> inputs, Visits visits, Plan plan) {
        return runInStep(inputs, visits, plan, new Term(ledger.buffers()));
    }

    /**
     * Runs the model once for several inputs, in step with blocks that each see and edit the rows
     * of their own, cut to the size they would have alone; a block without input sees all rows.
     *
     * <pre>{@code
     * model.trace(new Batch<Map<String, Tensor>>()
     *         .add(reader, tokenizer.encode("one sentence"))
     *         .add(writer, tokenizer.encode("and a longer one")));
     * }</pre>
     *
     * <p>Inputs that are shorter than others are filled up with zeros, {@code attention_mask} too.
     * Each input then comes to what it comes to alone, but for the rounding of the last bits; not
     * so with weights that are quantised dynamically, where all rows of a run share one scale. A
     * tensor that has no row for each input, such as the embeddings of positions, can be read by
     * every block and changed by one without input.
     *
     * <p>The first batch of a model runs it as {@link #scan} does.
     *
     * @param batch inputs of one row each; they are copied
     * @return the outputs of each input, in their order, and what the blocks came to
     * @throws IllegalArgumentException if an input does not fit or has several rows, if the model
     *     takes no batches, or if inputs differ in size and the model has neither an {@code
     *     attention_mask} nor is {@linkplain Builder#causal causal}
     * @throws IllegalStateException if the model is closed
     * @throws OnnxRunException if ONNX Runtime fails
     * @throws dev.blockscope.BlockException if a block fails; nothing is pushed then
     * @since 0.1
     */
    public Trace<List<Map<String, Tensor>>> trace(Batch<Map<String, Tensor>> batch) {
        return trace(batch, new StopSignal());
    }

    /** Runs the model once for several inputs, until a signal cancels the trace. */
    Trace<List<Map<String, Tensor>>> trace(Batch<Map<String, Tensor>> batch, StopSignal signal) {
        requireOpen();
        Plan plan = plans.of(batch.blocks());
        return batches.run(
                batch, (inputs, visits) -> runInStep(inputs, visits, plan, lending()), signal);
    }

    /**
     * Runs the model and keeps what modules make, after the blocks that look in there have had
     * their turn.
     *
     * <pre>{@code
     * Cached clean = model.cache(inputs, List.of("embeddings", "encoder.layer.*"));
     * Tensor third = clean.of("encoder.layer.3");
     * }</pre>
     *
     * @param inputs a tensor for each of {@link #inputs}, by name; they are copied
     * @param modules modules, hook points, or tensors by the names they have in the file; a {@code
     *     *} stands for any one part of a path or name
     * @param blocks blocks that look in, in definition order
     * @throws IllegalArgumentException if there is no such module or tensor, with the nearest
     *     names, or an input does not fit
     * @throws IllegalStateException if the model is closed
     * @throws OnnxRunException if ONNX Runtime fails
     * @throws dev.blockscope.BlockException if a block fails; nothing is pushed then
     * @since 0.1
     */
    public Cached cache(Map<String, Tensor> inputs, List<String> modules, Block... blocks) {
        requireOpen();
        ModelInputs.check(facts.inputs(), inputs);
        Set<String> points =
                Recording.points(facts.points().places().keySet(), facts.tensors(), modules);
        Plan plan = plans.of(List.of(blocks), points);
        AtomicReference<Map<String, Tensor>> kept = new AtomicReference<>(Map.of());
        Trace<Map<String, Tensor>> trace =
                interleaver.run(
                        List.of(blocks),
                        visits -> {
                            Recording recording = new Recording(visits, points);
                            kept.set(recording.kept());
                            return runInStep(inputs, recording, plan, lending());
                        });
        return new Cached(kept.get(), trace);
    }

    /**
     * Returns the element type and shape that each module makes, by the path of its hook point.
     * Where a dimension follows the size of an input it has its name, or a sum of names; open
     * dimensions of inputs without a name are called {@code rows} if they are the first, otherwise
     * {@code input.1} and so on. It stays nameless if it follows otherwise.
     *
     * <p>The first call runs the model on a few inputs of the smallest size, all zeros, because
     * ONNX Runtime does not infer shapes that are computed. It takes about as long as opening it.
     *
     * @throws IllegalStateException if the model is closed
     * @throws OnnxRunException if the model cannot be run on zeros
     * @since 0.1
     */
    public Map<String, TensorSpec> scan() {
        requireOpen();
        Map<String, TensorSpec> made = new LinkedHashMap<>();
        facts.points()
                .places()
                .forEach((point, place) -> {
                    TensorSpec spec = scan.specs().get(place.tensor());
                    if (spec != null) {
                        made.put(point, spec);
                    }
                });
        return Collections.unmodifiableMap(made);
    }

    /**
     * Returns the element type and shape of a tensor by the name it has in the file, as {@link
     * #scan()} does for what modules make.
     *
     * @throws IllegalArgumentException as for {@link #tensor}
     * @throws IllegalStateException if the model is closed
     * @throws OnnxRunException if the model cannot be run on zeros
     * @since 0.1
     */
    public TensorSpec scan(String tensor) {
        requireOpen();
        TensorSpec known = tensor(tensor);
        return scan.specs().getOrDefault(tensor, known);
    }

    /** Runs a computation that runs the model, once or several times, in step with blocks. */
    <R> Trace<R> inStep(
            List<Block> blocks, Function<UnaryOperator<Map<String, Tensor>>, R> computation) {
        requireOpen();
        Plan plan = plans.of(blocks);
        return interleaver.run(
                blocks,
                visits -> computation.apply(inputs -> runInStep(inputs, visits, plan, lending())));
    }

    /** Returns how long a run in step lends tensors to the blocks of the trace on this thread. */
    private Term lending() {
        Term term = new Term(ledger.buffers());
        Lending.atEnd(term::end);
        Lending.onceUnused(term::giveBack);
        return term;
    }

    /**
     * Runs the model in step with any visits.
     *
     * @param term how long the tensors are theirs that they see
     */
    private Map<String, Tensor> runInStep(
            Map<String, Tensor> inputs, Visits visits, Plan plan, Term term) {
        if (inline != null && !plan.isOnlyByCutting()) {
            try (NativeTensors values = inline.run(inputs, visits, term)) {
                return results(values);
            }
        }
        try (Walk walk = new Walk(facts, segments, ledger, plan, term)) {
            walk.begin(inputs);
            walk.runWhileAwaited(visits);
            return results(walk.finish(visits));
        }
    }

    private Map<String, Tensor> results(NativeTensors values) {
        Map<String, Tensor> results = new LinkedHashMap<>();
        facts.outputs()
                .forEach(out -> results.put(out.name(), values.copy(out.name(), out.dtype())));
        return results;
    }

    private synchronized void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the model \"" + file() + "\" is closed");
        }
    }

    private synchronized SharedSession whole() throws OrtException {
        requireOpen();
        if (whole == null) {
            whole = new SharedSession(settings.openWhole(), ledger);
        }
        whole.enter();
        return whole;
    }

    /** Returns where the hook points are. */
    Map<String, ModulePoints.Place> points() {
        return facts.points().places();
    }

    /** Returns what is known of the hook points. */
    ModulePoints hooks() {
        return facts.points();
    }

    NativeLedger ledger() {
        return ledger;
    }

    /**
     * Frees the native memory. Closing a second time does nothing.
     *
     * @since 0.1
     */
    @Override
    public synchronized void close() {
        closed = true;
        segments.close();
        ledger.buffers().close();
        if (inline != null) {
            inline.close();
        }
        if (whole != null) {
            whole.retire();
            whole = null;
        }
    }

    /**
     * Returns the file's name, inputs, outputs, what became of segments, and modules, one a line.
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("OnnxModel ").append(file().getFileName());
        inputs().forEach(input -> text.append("\n  in   ").append(input));
        outputs().forEach(output -> text.append("\n  out  ").append(output));
        text.append("\n  segments  ").append(statistics());
        String tree = TreeText.of(modules(), facts.types());
        return text.append('\n').append(tree.indent(2).stripTrailing()).toString();
    }

    /**
     * Sets how a model is run, then opens it. Not safe for use by several threads.
     *
     * @since 0.1
     */
    public static final class Builder {
        private int threads = 1;
        private boolean spinning;
        private long segmentMemory = -1;
        private boolean causal;
        private boolean inline;

        private Builder() {}

        /**
         * Sets how many threads work on one operation; 1 by default.
         *
         * @throws IllegalArgumentException if it is less than 1
         * @since 0.1
         */
        public Builder threads(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("threads is " + count + ", expected at least 1");
            }
            threads = count;
            return this;
        }

        /**
         * Sets whether threads wait for work by spinning, which answers faster and costs a core
         * each; off by default.
         *
         * @since 0.1
         */
        public Builder spinning(boolean spin) {
            spinning = spin;
            return this;
        }

        /**
         * Sets how many bytes of weights the kept segments may stand for. A segment may hold a
         * repacked copy of the weights it reads; the segments of one trace together stand for the
         * model's weights once. By default four times the model's weights and 64 MiB.
         *
         * @throws IllegalArgumentException if it is negative
         * @since 0.1
         */
        public Builder segmentMemory(long bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException("segmentMemory is " + bytes + " bytes");
            }
            segmentMemory = bytes;
            return this;
        }

        /**
         * Sets whether a position of the model depends only on the positions before it, as in a
         * language model that goes on with a text; off by default. Inputs of such a model can be
         * {@linkplain OnnxModel#trace(Batch) batched} without an {@code attention_mask}.
         *
         * @since 0.1
         */
        public Builder causal(boolean only) {
            causal = only;
            return this;
        }

        /**
         * Sets whether blocks are called from inside the run of the model, by an operator that ONNX
         * Runtime calls after everything that a module makes; off by default. Nothing is cut then,
         * so that many edits cost little more than one. Values are the same.
         *
         * <p>It works on Linux on x86-64 with one thread and for modules that make float32; blocks
         * that wait at the entry into a module run as without it. It reaches into private members
         * of ONNX Runtime's Java API and calls native code without a safety net.
         *
         * @since 0.1
         */
        public Builder inline(boolean use) {
            inline = use;
            return this;
        }

        /**
         * Opens a model.
         *
         * @throws OnnxFileException if the file is missing, damaged, or no model that ONNX Runtime
         *     accepts
         * @throws IllegalArgumentException if blocks are to be called inline and there are several
         *     threads, or a module makes something else than float32
         * @since 0.1
         */
        public OnnxModel open(Path file) throws OnnxFileException {
            SessionSettings settings =
                    new SessionSettings(file.toAbsolutePath(), threads, spinning);
            if (inline && threads > 1) {
                throw new IllegalArgumentException(
                        "inline(true) is for one thread, and threads is " + threads);
            }
            ModelFacts facts = ModelFacts.of(settings);
            return new OnnxModel(facts, settings, segmentMemory, causal, inline);
        }
    }
}
