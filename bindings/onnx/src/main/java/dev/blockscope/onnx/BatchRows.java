package dev.blockscope.onnx;

import static java.util.Objects.requireNonNull;

import dev.blockscope.interleave.HookException;
import dev.blockscope.interleave.RowRange;
import dev.blockscope.interleave.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a batch offers at a hook point into the rows of its blocks. Used by one run, whose
 * computation says at each visit {@linkplain #begin which tensors} come.
 */
final class BatchRows implements Rows {
    private final BatchShapes shapes;
    private final Map<String, TensorSpec> specs;
    private final List<Lent> lent = new ArrayList<>();
    private String point = "";
    private List<String> tensors = List.of();

    /** A copy of what has no rows, so that a block that changes it is found out. */
    private record Lent(Tensor copy, Tensor as) {
        boolean isChanged() {
            return !hasSameBytes(copy, as);
        }
    }

    BatchRows(BatchShapes shapes, Map<String, TensorSpec> specs) {
        this.shapes = shapes;
        this.specs = specs;
    }

    /** Notes which tensors a point offers, in their order. */
    void begin(String visited, List<String> offered) {
        point = visited;
        tensors = offered;
    }

    /**
     * Ends a visit.
     *
     * @throws HookException if a block has changed what has no rows
     */
    void end() {
        boolean changed = lent.stream().anyMatch(Lent::isChanged);
        lent.clear();
        if (changed) {
            throw HookException.wrongValue(
                    point,
                    "a block with inputs of its own has changed it in place, but it has no row for"
                            + " each input; only a block without input can change it");
        }
    }

    @Override
    public @Nullable Object of(@Nullable Object whole, RowRange rows) {
        if (whole instanceof List<?> list) {
            List<Object> own = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                own.add(of((Tensor) requireNonNull(list.get(i)), spec(i), rows));
            }
            return own;
        }
        return whole instanceof Tensor tensor ? of(tensor, spec(0), rows) : whole;
    }

    private Tensor of(Tensor whole, TensorSpec spec, RowRange rows) {
        return shapes.own(spec, whole, rows)
                .orElseGet(() -> {
                    Tensor part = shapes.cut(spec, whole, rows);
                    Lent copy = new Lent(part.clone().lent(part.loan()), part);
                    lent.add(copy);
                    return copy.copy();
                });
    }

    @Override
    public Object replaced(@Nullable Object whole, RowRange rows, @Nullable Object part) {
        if (whole instanceof List<?> list && part instanceof List<?> parts) {
            List<Object> all = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                Tensor of = (Tensor) requireNonNull(list.get(i));
                Tensor by = (Tensor) requireNonNull(parts.get(i));
                all.add(isUnchanged(of, spec(i), rows, by) ? of : replaced(of, spec(i), rows, by));
            }
            return all;
        }
        return replaced(
                (Tensor) requireNonNull(whole), spec(0), rows, (Tensor) requireNonNull(part));
    }

    /** One input of a module may be replaced and the others not, which may have no rows. */
    private boolean isUnchanged(Tensor whole, TensorSpec spec, RowRange rows, Tensor part) {
        Tensor own = shapes.own(spec, whole, rows).orElseGet(() -> shapes.cut(spec, whole, rows));
        return own.layout().hasShape(part.layout()) && hasSameBytes(own, part);
    }

    private static boolean hasSameBytes(Tensor one, Tensor other) {
        return one.clone().storage().bytes().equals(other.clone().storage().bytes());
    }

    private Tensor replaced(Tensor whole, TensorSpec spec, RowRange rows, Tensor part) {
        // A copy: a block that keeps the rows it has read does not see them replaced.
        Tensor all = whole.clone().lent(whole.loan());
        shapes.own(spec, all, rows)
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "it has no row for each input; only a block without input can replace it"))
                .copy_(part);
        return all;
    }

    private TensorSpec spec(int i) {
        return requireNonNull(specs.get(tensors.get(i)), "every tensor of the model was scanned");
    }
}
