package dev.blockscope.onnx;

import dev.blockscope.NearestNames;
import dev.blockscope.interleave.Entry;
import dev.blockscope.interleave.HookModule;
import dev.blockscope.interleave.HookPoint;
import dev.blockscope.interleave.Visits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Keeps what a run offers at some points, after the blocks that wait there have had their turn. */
final class Recording implements Visits {
    private final Visits blocks;
    private final Set<String> missing;
    private final Map<String, Tensor> kept = new LinkedHashMap<>();

    /**
     * Records points.
     *
     * @param blocks who looks in besides
     */
    Recording(Visits blocks, Set<String> points) {
        this.blocks = blocks;
        this.missing = new HashSet<>(points);
    }

    /**
     * Returns the points that patterns mean.
     *
     * @param known the outputs of modules
     * @param tensors the tensors by their names
     * @param patterns points, modules for their outputs, tensors by their names, or any of these
     *     with {@code *} for any one part
     * @throws IllegalArgumentException if one means none, with the nearest names
     */
    static Set<String> points(Set<String> known, RawTensors tensors, List<String> patterns) {
        Set<String> points = new LinkedHashSet<>();
        for (String pattern : patterns) {
            List<String> meant = ofModules(known, pattern);
            if (meant.isEmpty()) {
                meant = ofTensors(tensors, pattern);
            }
            if (meant.isEmpty()) {
                List<String> nearest = new ArrayList<>(NearestNames.of(pattern, known));
                nearest.addAll(NearestNames.of(pattern, tensors.names()));
                throw new IllegalArgumentException(
                        "the model has neither a module \"%s\" with one output nor a tensor of that name; the nearest are %s"
                                .formatted(pattern, String.join(", ", nearest)));
            }
            points.addAll(meant);
        }
        return points;
    }

    private static List<String> ofModules(Set<String> known, String pattern) {
        String parts = Pattern.quote(pattern).replace("*", "\\E[^.]+\\Q");
        Predicate<String> meant = Pattern.compile(parts + "(\\.output)?").asMatchPredicate();
        return known.stream().filter(meant).toList();
    }

    /** The name itself may have a star. */
    private static List<String> ofTensors(RawTensors tensors, String pattern) {
        if (tensors.stopOf(pattern) != null) {
            return List.of(pattern);
        }
        if (tensors.names().contains(pattern)) {
            return List.of(RawTensors.point(pattern));
        }
        String parts = Pattern.quote(pattern).replace("*", "\\E[^./]+\\Q");
        Predicate<String> meant = Pattern.compile(parts).asMatchPredicate();
        return tensors.names().stream().filter(meant).map(RawTensors::point).toList();
    }

    /** Returns what has been kept, in the order in which it was made. */
    Map<String, Tensor> kept() {
        return Collections.unmodifiableMap(kept);
    }

    @Override
    public Set<String> awaited() {
        Set<String> awaited = new HashSet<>(blocks.awaited());
        awaited.addAll(missing);
        return awaited;
    }

    @Override
    public boolean isAwaited(HookPoint<?> point) {
        return missing.contains(point.path()) || blocks.isAwaited(point);
    }

    @Override
    public <T extends @Nullable Object> T visit(HookPoint<T> point, T value) {
        T answer = blocks.visit(point, value);
        keep(point.path(), answer);
        return answer;
    }

    @Override
    public @Nullable Object visit(String point, @Nullable Object value) {
        Object answer = blocks.visit(point, value);
        keep(point, answer);
        return answer;
    }

    private void keep(String point, @Nullable Object value) {
        if (value instanceof Tensor tensor && missing.remove(point)) {
            kept.put(point, tensor.clone());
        }
    }

    @Override
    public void passNamed(int from, int to) {
        blocks.passNamed(from, to);
    }

    @Override
    public <T extends @Nullable Object> Entry<T> enter(HookModule<T> module, List<?> inputs) {
        return blocks.enter(module, inputs);
    }
}
