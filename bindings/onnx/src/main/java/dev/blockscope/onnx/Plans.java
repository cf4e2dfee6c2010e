package dev.blockscope.onnx;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.blockscope.Block;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;

/**
 * The plans of the traces that a model has run, by the texts of their blocks and what is recorded
 * besides; the latest stay.
 */
final class Plans {
    private static final int MOST = 1_000;

    private final ModulePoints points;
    private final Cache<Key, Plan> known = CacheBuilder.newBuilder().maximumSize(MOST).build();

    private record Key(List<String> texts, Set<String> recorded) {}

    /** Prepares for traces of a model with these hook points. */
    Plans(ModulePoints points) {
        this.points = points;
    }

    /** Returns the plan of a trace with these blocks. */
    Plan of(Collection<Block> blocks) {
        return of(blocks, Set.of());
    }

    /** Returns the plan of a trace with these blocks that keeps what some points offer. */
    Plan of(Collection<Block> blocks, Set<String> recorded) {
        List<String> texts = blocks.stream().map(block -> block.source().text()).toList();
        try {
            return known.get(new Key(texts, recorded), () -> make(texts, recorded));
        } catch (ExecutionException e) {
            throw new AssertionError("making a plan throws no checked exception", e);
        }
    }

    private Plan make(List<String> texts, Set<String> recorded) {
        Forecast forecast = Forecast.of(texts, points.stops().keySet(), points.tensors().names());
        Set<String> awaited = new TreeSet<>(forecast.awaited());
        awaited.addAll(recorded);
        Plan plan = Plan.of(points, awaited, forecast.edited());
        return forecast.asksByName() ? plan.byCutting() : plan;
    }
}
