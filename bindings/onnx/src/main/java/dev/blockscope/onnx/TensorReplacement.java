package dev.blockscope.onnx;

import dev.blockscope.interleave.HookException;
import dev.blockscope.interleave.Replacement;
import org.jspecify.annotations.Nullable;

/** Lets a tensor be replaced only by one of the same element type and shape. */
final class TensorReplacement implements Replacement {
    @Override
    public Tensor check(String point, @Nullable Object offered, @Nullable Object assigned) {
        if (!(offered instanceof Tensor current)) {
            throw new AssertionError("a model offers tensors only, not " + offered);
        }
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

    private static String describe(@Nullable Object assigned) {
        return switch (assigned) {
            case null -> "nothing";
            case Tensor given -> "%s %s".formatted(given.dtype(), given.layout());
            case Number number -> "the number " + number;
            default -> "a value of type " + assigned.getClass().getSimpleName();
        };
    }
}
