package dev.blockscope.onnx;

import dev.blockscope.interleave.Entry;
import dev.blockscope.interleave.HookModule;
import dev.blockscope.interleave.HookPoint;
import dev.blockscope.interleave.Visits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What one block does to a run, in plain Java: it waits for its points one after the other. */
final class Script implements Visits {
    private final Deque<Step> steps = new ArrayDeque<>();
    private final List<String> visited = new ArrayList<>();

    private record Step(String point, UnaryOperator<@Nullable Object> answer) {}

    /** Waits for a point and goes on with what {@code answer} makes of its tensor. */
    Script at(String point, UnaryOperator<Tensor> answer) {
        steps.add(new Step(point, value -> answer.apply((Tensor) Objects.requireNonNull(value))));
        return this;
    }

    /** Waits for a point and only looks. */
    Script reading(String point) {
        return at(point, tensor -> tensor);
    }

    /** Waits for points and only looks. */
    static Script reading(List<String> points) {
        Script script = new Script();
        points.forEach(script::reading);
        return script;
    }

    /** Returns the points of a model as a run comes to them. */
    static List<String> inOrder(OnnxModel model) {
        return model.points().entrySet().stream()
                .sorted(Comparator.comparingInt(point -> point.getValue().position()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Waits for all points of a model, and returns what it will see there. */
    Map<String, Tensor> collecting(OnnxModel model) {
        Map<String, Tensor> seen = new LinkedHashMap<>();
        for (String point : inOrder(model)) {
            at(
                    point,
                    tensor -> {
                        seen.put(point, tensor.clone());
                        return tensor;
                    });
        }
        return seen;
    }

    List<String> visited() {
        return visited;
    }

    @Override
    public Set<String> awaited() {
        return steps.isEmpty() ? Set.of() : Set.of(steps.element().point());
    }

    @Override
    public boolean isAwaited(HookPoint<?> point) {
        return awaited().contains(point.path());
    }

    @Override
    @SuppressWarnings("unchecked") // the script answers a tensor with a tensor
    public <T extends @Nullable Object> T visit(HookPoint<T> point, T value) {
        return (T) visit(point.path(), value);
    }

    @Override
    public <T extends @Nullable Object> Entry<T> enter(HookModule<T> module, List<?> inputs) {
        throw new UnsupportedOperationException("a model offers outputs only");
    }

    @Override
    public void passNamed(int from, int to) {}

    @Override
    public @Nullable Object visit(String point, @Nullable Object value) {
        if (!awaited().contains(point)) {
            return value;
        }
        visited.add(point);
        return steps.remove().answer().apply(value);
    }
}
