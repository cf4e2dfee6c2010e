package dev.blockscope.onnx;

import static com.google.common.base.Preconditions.checkArgument;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import dev.blockscope.interleave.Visits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs a model in one piece, with a hook after everything that a module makes: nothing is cut, and
 * an edit is done in place. The session is built at the first run.
 */
final class Inline implements AutoCloseable {
    private final ModelFacts model;
    private final SessionSettings settings;
    private final NativeLedger ledger;
    private final List<String> hooked = new ArrayList<>();
    private final List<List<Stop>> stops = new ArrayList<>();
    private @Nullable SharedSession session;
    private boolean closed;

    /**
     * Prepares for runs.
     *
     * @throws IllegalArgumentException if a module makes something else than float32
     */
    Inline(ModelFacts model, SessionSettings settings, NativeLedger ledger) {
        this.model = model;
        this.settings = settings;
        this.ledger = ledger;
        Map<String, List<Stop>> byTensor = new LinkedHashMap<>();
        for (Stop stop : model.points().inOrder()) {
            if (reaches(stop)) {
                requireFloats(model, stop);
                byTensor.computeIfAbsent(stop.tensors().getFirst(), _ -> new ArrayList<>())
                        .add(stop);
            }
        }
        byTensor.forEach((tensor, points) -> {
            hooked.add(tensor);
            stops.add(Collections.unmodifiableList(points));
        });
    }

    /** Returns whether a hook is at a point: at the output of a module that has one. */
    static boolean reaches(Stop stop) {
        return stop.entry().isEmpty() && !stop.hasName() && stop.tensors().size() == 1;
    }

    private static void requireFloats(ModelFacts model, Stop stop) {
        TensorSpec spec = model.types().get(stop.tensors().getFirst());
        checkArgument(
                spec != null && spec.dtype() == DType.FLOAT32,
                "blocks are called inline at tensors of float32, and \"%s\" is %s; open the model without inline(true)",
                stop.point(),
                spec == null ? "of an unknown type" : spec.type());
    }

    /**
     * Runs in step with visits.
     *
     * @param term how long the tensors are good that the run offers
     * @return the values at the end, which the caller closes
     */
    NativeTensors run(Map<String, Tensor> inputs, Visits visits, Term term) {
        return run(inputs, new InlineRun(model, stops, visits, term, false));
    }

    /**
     * Runs in step with visits, and no further than to the last point that somebody waits for.
     *
     * @param term how long the tensors are good that the run offers
     */
    void probe(Map<String, Tensor> inputs, Visits visits, Term term) {
        InlineRun run = new InlineRun(model, stops, visits, term, true);
        if (run.isAwaited(0)) {
            run(inputs, run).close();
        }
    }

    private NativeTensors run(Map<String, Tensor> inputs, InlineRun run) {
        NativeTensors made = new NativeTensors(ledger);
        try (NativeTensors given = new NativeTensors(ledger)) {
            Map<String, OnnxTensor> fed = new LinkedHashMap<>();
            for (Map.Entry<String, Tensor> input : inputs.entrySet()) {
                given.put(input.getKey(), input.getValue());
                fed.put(input.getKey(), given.get(input.getKey()));
            }
            SharedSession entered = enter();
            HookOperator.Listener before = HookOperator.listen(run);
            try {
                made.takeAll(entered.session().run(fed));
            } finally {
                HookOperator.listen(before);
                entered.leave();
            }
            // It may have failed without memory to tell the runtime so.
            run.rethrow();
            run.end();
            return made;
        } catch (OrtException e) {
            if (run.isOver()) {
                return made;
            }
            made.close();
            run.rethrow();
            throw new OnnxRunException("the model \"" + model.file().path() + "\" inline", e);
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private synchronized SharedSession enter() throws OrtException {
        if (closed) {
            throw new IllegalStateException("the model \"" + model.file().path() + "\" is closed");
        }
        if (session == null) {
            byte[] bytes = new SegmentWriter(model.file()).writeHooked(hooked);
            session = new SharedSession(settings.openHooked(bytes), ledger);
        }
        session.enter();
        return session;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (session != null) {
            session.retire();
            session = null;
        }
    }
}
