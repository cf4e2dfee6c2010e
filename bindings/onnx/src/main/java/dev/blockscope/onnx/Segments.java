package dev.blockscope.onnx;

import ai.onnxruntime.OrtException;
import com.google.common.base.Equivalence;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheStats;
import com.google.common.cache.RemovalNotification;
import com.google.common.primitives.Ints;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a model that are ready to run: built when first asked for, kept up to a limit.
 *
 * <p>The limit is in bytes of weights, not in segments: the runtime repacks weights for speed, so a
 * session may hold a copy of those its segment reads.
 */
final class Segments implements AutoCloseable {
    /** How many wirings are remembered; to make one anew takes a few milliseconds. */
    private static final int MOST_WIRINGS = 64;

    /** Of how many cuts it is remembered what a segment between them is asked for. */
    private static final int MOST_CUTS = 4_096;

    /** What a session costs besides its weights, an estimate. */
    private static final int SESSION_KIBIBYTES = 256;

    private final ModelFacts model;
    private final SessionSettings settings;
    private final Cache<Wiring, WiredGraph> wired =
            CacheBuilder.newBuilder().maximumSize(MOST_WIRINGS).build();
    private final Cache<Wish, Cut> cuts = CacheBuilder.newBuilder().maximumSize(MOST_CUTS).build();
    private final NativeLedger ledger;
    private final Cache<Cut, Ready> cache;
    private long builds;
    private boolean closed;

    /** The two positions a segment lies between, its further outputs and how it is wired. */
    private record Cut(int from, int to, Set<String> exposed, Wiring wiring) {}

    /**
     * What a run asks for: of the further outputs, a segment makes only some. A plan has one set of
     * them, which is known by its identity: to look at all its names takes longer than all else.
     */
    private record Wish(
            int from, int to, Equivalence.Wrapper<Set<String>> exposed, Wiring wiring) {}

    /** A segment with its session; one in which nothing is to do has none. */
    private record Ready(Segment segment, @Nullable SharedSession session) {
        int weight() {
            return Ints.saturatedCast((segment.weightBytes() >> 10) + SESSION_KIBIBYTES);
        }

        void retire() {
            if (session != null) {
                session.retire();
            }
        }
    }

    /**
     * Prepares an empty cache.
     *
     * @param limit how many bytes of weights the segments may stand for
     */
    Segments(ModelFacts model, SessionSettings settings, NativeLedger ledger, long limit) {
        this.model = model;
        this.settings = settings;
        this.ledger = ledger;
        this.cache =
                CacheBuilder.newBuilder()
                        .concurrencyLevel(1)
                        .maximumWeight(limit >> 10)
                        .weigher((Cut _, Ready ready) -> ready.weight())
                        .removalListener(Segments::retire)
                        .recordStats()
                        .build();
    }

    private static void retire(RemovalNotification<Cut, Ready> gone) {
        Objects.requireNonNull(gone.getValue()).retire();
    }

    /**
     * Returns the model's graph with a wiring.
     *
     * @throws dev.blockscope.interleave.HookException if it cannot be wired so
     */
    WiredGraph wired(Wiring wiring) {
        WiredGraph known = wired.getIfPresent(wiring);
        if (known == null) {
            known = WiredGraph.of(model, wiring);
            wired.put(wiring, known);
        }
        return known;
    }

    /**
     * Returns the segment between two positions, ready to run; empty if nothing is to do there.
     *
     * @param graph the graph as the run has it
     * @param exposed what it has as further outputs, if it makes it
     * @throws OrtException if the runtime refuses to build it
     * @throws IllegalStateException if the model is closed
     */
    synchronized Optional<SegmentLease> lease(
            WiredGraph graph, int from, int to, Set<String> exposed) throws OrtException {
        if (closed) {
            throw new IllegalStateException("the model \"" + model.file().path() + "\" is closed");
        }
        Cut cut = cut(graph, from, to, exposed);
        Ready held = cache.getIfPresent(cut);
        Ready ready = held == null ? build(graph, cut) : held;
        Optional<SegmentLease> lease =
                Optional.ofNullable(ready.session())
                        .map(session -> SegmentLease.enter(ready.segment(), session));
        if (held == null) {
            // After the lease: a segment that is larger than the limit is evicted at once.
            cache.put(cut, ready);
        }
        return lease;
    }

    private Cut cut(WiredGraph graph, int from, int to, Set<String> exposed) {
        Wish wish = new Wish(from, to, Equivalence.identity().wrap(exposed), graph.wiring());
        Cut known = cuts.getIfPresent(wish);
        if (known == null) {
            Set<String> further = graph.partition().exposable(from, to, exposed);
            known = new Cut(from, to, further, graph.wiring());
            cuts.put(wish, known);
        }
        return known;
    }

    private Ready build(WiredGraph graph, Cut cut) throws OrtException {
        Segment segment = graph.partition().between(cut.from(), cut.to(), cut.exposed());
        if (segment.outputs().isEmpty() && segment.exposed().isEmpty()) {
            return new Ready(segment, null);
        }
        byte[] bytes = new SegmentWriter(model.file()).write(segment, graph.types());
        builds++;
        return new Ready(segment, new SharedSession(settings.openSegment(bytes), ledger));
    }

    synchronized SegmentStatistics statistics() {
        CacheStats stats = cache.stats();
        return new SegmentStatistics(stats.hitCount(), builds, stats.evictionCount(), cache.size());
    }

    /** Gives all segments up; runs that are under way end their current segment. */
    @Override
    public synchronized void close() {
        closed = true;
        cache.invalidateAll();
    }
}
