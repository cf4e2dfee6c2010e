package dev.blockscope.onnx;

import static java.util.Objects.requireNonNull;

import dev.blockscope.interleave.Entry;
import dev.blockscope.interleave.HookModule;
import dev.blockscope.interleave.HookPoint;
import dev.blockscope.interleave.Visits;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The visits of a batch, which tell its rows what each of them offers. */
final class BatchVisits implements Visits {
    private final Visits visits;
    private final BatchRows rows;
    private final Function<String, List<String>> tensors;

    /**
     * Wraps visits.
     *
     * @param tensors the tensors that a point offers
     */
    BatchVisits(Visits visits, BatchRows rows, Function<String, List<String>> tensors) {
        this.visits = visits;
        this.rows = rows;
        this.tensors = tensors;
    }

    @Override
    public Set<String> awaited() {
        return visits.awaited();
    }

    @Override
    public boolean isAwaited(HookPoint<?> point) {
        return visits.isAwaited(point);
    }

    @Override
    public <T extends @Nullable Object> T visit(HookPoint<T> point, T value) {
        return at(point.path(), () -> visits.visit(point, value));
    }

    @Override
    public @Nullable Object visit(String point, @Nullable Object value) {
        return at(point, () -> visits.visit(point, value));
    }

    @Override
    public void passNamed(int from, int to) {
        visits.passNamed(from, to);
    }

    @Override
    public <T extends @Nullable Object> Entry<T> enter(HookModule<T> module, List<?> inputs) {
        return at(module.inputs().path(), () -> requireNonNull(visits.enter(module, inputs)));
    }

    private <T extends @Nullable Object> T at(String point, Supplier<T> visit) {
        rows.begin(point, tensors.apply(point));
        T answer = visit.get();
        rows.end();
        return answer;
    }
}
