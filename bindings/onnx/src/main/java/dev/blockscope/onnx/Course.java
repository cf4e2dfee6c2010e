package dev.blockscope.onnx;

import static com.google.common.base.Preconditions.checkState;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The values of one run of a model, made segment by segment as its plan says. Everything that the
 * rest of the graph needs is there at one position, where the course is <i>settled</i>; looking
 * ahead, a segment from there has made what is behind it already. An edit behind the position where
 * the course is settled makes void what was made after it, and the course settles at the edit.
 */
final class Course implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Course.class);

    private final ModelFacts model;
    private final Segments segments;
    private final NativeLedger ledger;
    private final Plan plan;
    private final int end;
    private final NativeTensors values;
    private final NativeTensors ahead;
    private int settled;
    private int reached;

    /** Whether this run cuts at each point; it may come to that in its middle. */
    private boolean stepByStep;

    /** The graph, as modules and edges have been taken out of it so far. */
    private WiredGraph graph;

    /** Why a segment with further outputs did not run; null if none failed. */
    private @Nullable OrtException refusal;

    Course(ModelFacts model, Segments segments, NativeLedger ledger, Plan plan) {
        this.model = model;
        this.segments = segments;
        this.ledger = ledger;
        this.plan = plan;
        this.end = model.flow().nodes().size();
        this.values = new NativeTensors(ledger);
        this.ahead = new NativeTensors(ledger);
        this.graph = segments.wired(Wiring.NONE);
        this.stepByStep = plan.isStepByStep() || !model.flow().isRepeatable();
    }

    /** Sets a value where the course is settled. */
    void put(String name, Tensor value) {
        try {
            values.put(name, value);
        } catch (OrtException e) {
            throw failed("the hand-over of \"" + name + "\"", e);
        }
    }

    /** Returns a copy of a value at a position, after running as far as it takes. */
    Tensor copy(String name, int position, DType dtype) {
        return at(name, position).copy(name, dtype);
    }

    /** Returns a copy of a value at a position that is lent by a hook point. */
    Tensor lend(String name, int position, DType dtype, Loan loan) {
        return at(name, position).lend(name, dtype, loan);
    }

    /** Returns what holds a value at a position, after running as far as it takes. */
    private NativeTensors at(String name, int position) {
        plan.noteRead(name);
        if (values.has(name)) {
            return values;
        }
        if (position > reached) {
            settleWhereReached();
            if (!plan.exposed().contains(name)) {
                plan.cutAt(position);
            }
            runAheadFrom(position);
        } else if (!ahead.has(name)) {
            // The graph ran past it and nobody had foreseen that it would be asked for.
            goBackTo(position);
        }
        return ahead.has(name) ? ahead : values;
    }

    /** Returns the name under which a module reads a tensor. */
    String seenFrom(ModuleEntry module, String tensor) {
        return graph.wiring().seenFrom(module.scope(), tensor);
    }

    /** Has a module read another tensor where it reads one; for others that stays as it is. */
    void lead(ModuleEntry into, ModuleReads.Input input, Tensor value) {
        settleAt(into.position());
        try (NativeTensors converted = new NativeTensors(ledger)) {
            convert(input, value, converted);
            Wiring wiring = graph.wiring();
            for (String name : converted.names()) {
                String from = wiring.seenFrom(into.scope(), name);
                String to = from + " into " + into.path();
                wiring = wiring.with(new Wiring.Edge(into.scope(), from, to));
                values.move(to, converted, name);
            }
            graph = segments.wired(wiring);
        }
    }

    /** Makes of a value what the quantisers between it and a module make of it. */
    private void convert(ModuleReads.Input input, Tensor value, NativeTensors converted) {
        try {
            converted.put(input.tensor(), value);
            WiredGraph plain = segments.wired(Wiring.NONE);
            for (GraphNode quantiser : input.quantisers()) {
                int at = quantiser.index();
                Optional<SegmentLease> lease = segments.lease(plain, at, at + 1, Set.of());
                if (lease.isPresent()) {
                    run(lease.get(), converted, converted);
                }
            }
        } catch (OrtException e) {
            throw failed("the hand-over of \"" + input.tensor() + "\"", e);
        }
    }

    /** Leaves a module out and goes on with what is given for its outputs. */
    void skip(ModuleEntry module, List<Tensor> outputs) {
        settleAt(module.position());
        graph = segments.wired(graph.wiring().without(module));
        for (int i = 0; i < outputs.size(); i++) {
            put(module.outputs().get(i), outputs.get(i));
        }
    }

    /**
     * Has everything there at a position, and nothing after it.
     *
     * @throws IllegalStateException if values from before the position are gone already
     */
    void settleAt(int position) {
        checkState(
                position >= settled,
                "the run is settled at position %s and cannot go back to %s",
                settled,
                position);
        if (position < reached) {
            goBackTo(position);
        } else if (position > reached) {
            settleWhereReached();
            run(position);
        }
        settleWhereReached();
    }

    /** Runs to the end and returns the values there. */
    NativeTensors finish() {
        if (reached < end) {
            settleWhereReached();
            run(end);
        }
        settleWhereReached();
        if (refusal == null) {
            plan.noteEnd();
        } else {
            // It ran to the end after all, so that the further outputs were to blame.
            plan.goStepByStep();
            LOG.warn(
                    "{} does not run with hook points as further outputs; blocks with these texts run with a cut at each, which is slower: {}",
                    model.file().path(),
                    refusal.getMessage());
        }
        return values;
    }

    /** Makes void what was made after a position, and cuts there from now on. */
    private void goBackTo(int position) {
        plan.cutAt(position);
        ahead.dropAll();
        reached = settled;
        run(position);
    }

    /** Runs on from where the course is settled, over a position, to the cut that follows. */
    private void runAheadFrom(int position) {
        int to = stepByStep ? position : plan.cutFrom(position, end);
        if (to == position) {
            run(position);
            return;
        }
        try {
            tryRun(to);
        } catch (OrtException e) {
            refusal = e;
            stepByStep = true;
            run(position);
        }
    }

    private void run(int to) {
        try {
            tryRun(to);
        } catch (OrtException e) {
            throw failed("nodes %d to %d".formatted(settled, to - 1), e);
        }
    }

    private void tryRun(int to) throws OrtException {
        if (to > settled) {
            Set<String> exposed = stepByStep ? Set.of() : plan.exposed();
            Optional<SegmentLease> lease = segments.lease(graph, settled, to, exposed);
            if (lease.isPresent()) {
                run(lease.get(), values, ahead);
            }
        }
        reached = to;
    }

    private void run(SegmentLease lease, NativeTensors from, NativeTensors into)
            throws OrtException {
        try (lease) {
            Map<String, OnnxTensor> inputs = new LinkedHashMap<>();
            lease.segment().inputs().forEach(name -> inputs.put(name, from.get(name)));
            Set<String> wanted = new LinkedHashSet<>(lease.segment().outputs());
            lease.segment().exposed().stream().filter(plan::expectsRead).forEach(wanted::add);
            // The result is not closed as a whole: each of its values lives as long as it is
            // needed.
            if (!wanted.isEmpty()) {
                into.takeAll(lease.session().run(inputs, wanted));
            }
        }
    }

    /** Lets go of what lies behind the place that the last segment reached. */
    private void settleWhereReached() {
        if (reached > settled) {
            settled = reached;
            values.takeAll(ahead);
            for (String name : values.names()) {
                // A value just made stays for the visits that may come.
                if (graph.flow().madeAt(name) != settled
                        && !graph.flow().isReadFrom(name, settled)) {
                    values.drop(name);
                }
            }
        }
    }

    private OnnxRunException failed(String part, OrtException cause) {
        if (refusal != null) {
            cause.addSuppressed(refusal);
        }
        return new OnnxRunException(part + " of \"" + model.file().path() + "\"", cause);
    }

    /** Closes whatever native memory the run still holds. */
    @Override
    public void close() {
        values.close();
        ahead.close();
    }
}
