package dev.blockscope.onnx;

import dev.blockscope.interleave.Entry;
import dev.blockscope.interleave.HookModule;
import dev.blockscope.interleave.HookPoints;
import dev.blockscope.interleave.Visits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One run of a model in step with its visits: it goes from one awaited hook point to the next,
 * offers the tensors there, and goes on with what comes back.
 *
 * <p>A tensor is copied into Java's memory only where it is offered, and back only if it was
 * changed or replaced.
 */
final class Walk implements AutoCloseable {
    private final ModelFacts model;
    private final Course course;
    private final TensorReplacement replacement;
    private final Passage passage;
    private final List<ModuleEntry> skipped = new ArrayList<>();
    private final Map<String, Tensor> offered = new HashMap<>();

    /** What modules read in place of other tensors, by the names that the course gives it. */
    private final Map<String, Tensor> led = new HashMap<>();

    private final Term term;

    private int position;

    /**
     * Prepares a run.
     *
     * @param term how long the tensors are good that it offers
     */
    Walk(ModelFacts model, Segments segments, NativeLedger ledger, Plan plan, Term term) {
        this.model = model;
        this.term = term;
        this.course = new Course(model, segments, ledger, plan);
        this.replacement = new TensorReplacement(model);
        this.passage = new Passage(model.points());
    }

    /** Gives the model its inputs; they are copied, so that a block cannot change them. */
    void begin(Map<String, Tensor> inputs) {
        inputs.forEach(course::put);
    }

    /** Runs on from one awaited hook point to the next, as long as somebody waits for one. */
    void runWhileAwaited(Visits visits) {
        Optional<Stop> next = first(visits).or(() -> next(visits));
        while (next.isPresent()) {
            Stop stop = next.get();
            advance(visits, stop.position());
            passage.visit(stop);
            if (stop.entry().isPresent()) {
                enter(visits, stop.entry().get());
            } else {
                visit(visits, stop);
            }
            next = next(visits);
        }
    }

    /** What the model is given comes before all else, and is the first visit of a run. */
    private Optional<Stop> first(Visits visits) {
        return model.tensors().names().stream()
                .findFirst()
                .map(name -> model.points().hooks().point(RawTensors.point(name)))
                .filter(visits::isAwaited)
                .map(_ -> model.tensors().stop(0));
    }

    /** Runs on to the end and returns the values that are there. */
    NativeTensors finish(Visits visits) {
        NativeTensors values = course.finish();
        pass(visits, model.flow().nodes().size() + 1);
        return values;
    }

    /** The earliest awaited point that has not passed. */
    private Optional<Stop> next(Visits visits) {
        return visits.awaited().stream()
                .map(model.points()::stop)
                .filter(Objects::nonNull)
                .filter(stop ->
                        stop.position() >= position
                                && !passage.hasVisited(stop)
                                && !isLeftOut(stop))
                .min(Stop.ORDER);
    }

    private boolean isLeftOut(Stop stop) {
        for (ModuleEntry module : skipped) {
            if (stop.isLeftOutWith(module)) {
                return true;
            }
        }
        return false;
    }

    private void advance(Visits visits, int to) {
        if (to > position) {
            pass(visits, to);
            position = to;
            offered.clear();
        }
    }

    /** Visits, without a value, the points that nobody waited for: whoever asks now is too late. */
    private void pass(Visits visits, int to) {
        passage.passAllBefore(
                to,
                stop -> {
                    if (!isLeftOut(stop)) {
                        visits.visit(stop.point(), null);
                    }
                });
        passage.passNamedBefore(
                to,
                number -> !skipped.isEmpty() && isLeftOut(model.tensors().stop(number)),
                visits::passNamed);
    }

    private void visit(Visits visits, Stop stop) {
        if (stop.tensors().size() == 1) {
            visit(visits, stop.point(), stop.tensors().getFirst());
        } else {
            visitAll(visits, stop.point(), stop.tensors());
        }
    }

    private void visit(Visits visits, String point, String tensor) {
        Tensor current = offered(tensor, point);
        int changes = current.storage().changes();
        Tensor answer = replacement.check(point, current, visits.visit(point, current));
        if (answer != current || answer.storage().changes() != changes) {
            goOnWith(tensor, answer);
        }
    }

    /** Offers several tensors as a list of the block's own, which it can change in place. */
    private void visitAll(Visits visits, String point, List<String> tensors) {
        List<Tensor> current = new ArrayList<>();
        List<Integer> changes = new ArrayList<>();
        for (String tensor : tensors) {
            Tensor each = offered(tensor, point);
            current.add(each);
            changes.add(each.storage().changes());
        }
        Object answered = visits.visit(point, new ArrayList<>(current));
        List<Tensor> answers = replacement.check(point, current, answered);
        for (int i = 0; i < answers.size(); i++) {
            Tensor answer = answers.get(i);
            if (answer != current.get(i) || answer.storage().changes() != changes.get(i)) {
                goOnWith(tensors.get(i), answer);
            }
        }
    }

    /** Returns what the run has of a tensor, lent by the first point that offers it. */
    private Tensor offered(String tensor, String point) {
        return offered.computeIfAbsent(
                tensor, name -> course.lend(name, position, dtype(name), term.at(point)));
    }

    private void goOnWith(String tensor, Tensor answer) {
        course.settleAt(position);
        course.put(tensor, answer);
        offered.put(tensor, answer);
    }

    /** Offers copies: what a block changes at the entry into a module, that module alone reads. */
    private void enter(Visits visits, ModuleEntry entry) {
        List<Tensor> inputs = new ArrayList<>();
        List<Integer> changes = new ArrayList<>();
        for (String tensor : entry.tensors()) {
            Tensor input = input(entry, tensor, term.at(entry.point()));
            inputs.add(input);
            changes.add(input.storage().changes());
        }
        HookPoints hooks = model.points().hooks();
        HookModule<?> module =
                entry.hasSeveralOutputs()
                        ? hooks.module(entry.path(), List.class)
                        : hooks.module(entry.path(), Object.class);
        Entry<?> entered = visits.enter(module, inputs);
        if (entered.isSkipped()) {
            skipped.add(entry);
            String point = module.output().path();
            course.skip(entry, replacement.checkSkip(entry, point, entered.output()));
            return;
        }
        List<Tensor> answers = replacement.check(entry.point(), inputs, entered.inputs());
        for (int i = 0; i < inputs.size(); i++) {
            Tensor answer = answers.get(i);
            if (answer != inputs.get(i) || answer.storage().changes() != changes.get(i)) {
                ModuleReads.Input input = entry.inputs().get(i);
                course.lead(entry, input, answer);
                led.put(course.seenFrom(entry, input.tensor()), answer.clone());
            }
        }
    }

    private Tensor input(ModuleEntry entry, String tensor, Loan loan) {
        String name = course.seenFrom(entry, tensor);
        Tensor ledThere = led.get(name);
        return ledThere == null
                ? course.lend(name, position, dtype(tensor), loan)
                : ledThere.clone().lent(loan);
    }

    private DType dtype(String name) {
        TensorSpec spec = model.types().get(name);
        if (spec == null) {
            throw new IllegalStateException("the element type of \"" + name + "\" is not known");
        }
        return spec.dtype();
    }

    /** Closes whatever native memory the run still holds. */
    @Override
    public void close() {
        course.close();
    }
}
