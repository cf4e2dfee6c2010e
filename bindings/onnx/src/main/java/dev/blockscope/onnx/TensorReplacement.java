package dev.blockscope.onnx;

import dev.blockscope.interleave.HookException;
import dev.blockscope.interleave.Replacement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets a tensor be replaced only by one of the same element type and shape. */
final class TensorReplacement implements Replacement {
    private final ModelFacts model;

    TensorReplacement(ModelFacts model) {
        this.model = model;
    }

    @Override
    public Object check(String point, @Nullable Object offered, @Nullable Object assigned) {
        if (offered instanceof List<?> inputs) {
            return check(point, inputs, assigned);
        }
        if (offered instanceof Tensor current) {
            return check(point, current, assigned);
        }
        throw new AssertionError("a model offers tensors only, not " + offered);
    }

    /** Checks what is assigned to the output of a module. */
    Tensor check(String point, Tensor current, @Nullable Object assigned) {
        if (assigned instanceof Tensor given
                && given.dtype() == current.dtype()
                && given.layout().hasShape(current.layout())) {
            return given;
        }
        throw HookException.wrongValue(
                point,
                "expected a tensor %s %s, given %s"
                        .formatted(current.dtype(), current.layout(), describe(assigned)));
    }

    /** Checks what is assigned to the inputs or the outputs of a module, all at once. */
    List<Tensor> check(String point, List<?> offered, @Nullable Object assigned) {
        if (!(assigned instanceof List<?> given) || given.size() != offered.size()) {
            throw HookException.wrongValue(
                    point,
                    "expected a list of %d tensors, given %s"
                            .formatted(offered.size(), describe(assigned)));
        }
        List<Tensor> checked = new ArrayList<>();
        for (int i = 0; i < offered.size(); i++) {
            checked.add(check(point + "[" + i + "]", (Tensor) offered.get(i), given.get(i)));
        }
        return checked;
    }

    /** Checks what is given in place of running a module, as far as its type is known before. */
    @Override
    public Object checkSkip(String point, @Nullable Object output) {
        Stop stop = model.points().stop(point);
        if (stop == null) {
            throw new AssertionError("\"" + point + "\" is no output of the model");
        }
        List<String> made = stop.tensors();
        if (made.size() == 1) {
            return checkGiven(point, made.getFirst(), output);
        }
        if (!(output instanceof List<?> given) || given.size() != made.size()) {
            throw HookException.wrongValue(
                    point,
                    "expected %d tensors, for %s, given %s"
                            .formatted(made.size(), made, describe(output)));
        }
        List<Tensor> checked = new ArrayList<>();
        for (int i = 0; i < made.size(); i++) {
            checked.add(checkGiven(point + "[" + i + "]", made.get(i), given.get(i)));
        }
        return checked;
    }

    /** Checks what is given in place of running a module, a tensor for each of its outputs. */
    List<Tensor> checkSkip(ModuleEntry module, String point, @Nullable Object output) {
        Object checked = checkSkip(point, output);
        List<Tensor> tensors = new ArrayList<>();
        (module.hasSeveralOutputs() ? (List<?>) checked : List.of(checked))
                .forEach(tensor -> tensors.add((Tensor) tensor));
        return tensors;
    }

    private Tensor checkGiven(String point, String tensor, @Nullable Object output) {
        TensorSpec spec = model.types().get(tensor);
        if (spec == null) {
            throw new AssertionError("\"" + tensor + "\" is no tensor of the model");
        }
        if (output instanceof Tensor given && fits(given, spec)) {
            return given;
        }
        throw HookException.wrongValue(
                point, "expected a tensor %s, given %s".formatted(spec.type(), describe(output)));
    }

    private static boolean fits(Tensor given, TensorSpec spec) {
        if (given.dtype() != spec.dtype()) {
            return false;
        }
        if (spec.shape().isEmpty()) {
            return true;
        }
        boolean fits = given.dim() == spec.shape().size();
        for (int d = 0; fits && d < given.dim(); d++) {
            Dimension dimension = spec.shape().get(d);
            fits = !dimension.isFixed() || dimension.size() == given.shape()[d];
        }
        return fits;
    }

    private static String describe(@Nullable Object assigned) {
        return switch (assigned) {
            case null -> "nothing";
            case Tensor given -> "%s %s".formatted(given.dtype(), given.layout());
            case Number number -> "the number " + number;
            case List<?> list -> "a list of " + list.size();
            default -> "a value of type " + assigned.getClass().getSimpleName();
        };
    }
}
