package dev.blockscope.wire;

import dev.blockscope.StopSignal;
import org.jspecify.annotations.Nullable;

/**
 * A computation of the host's that can be traced from elsewhere: what a worker {@linkplain
 * Vocabulary.Builder#computation knows} by a name, so that authors run it in step with their blocks
 * by a {@link RemoteComputation}. Used by many threads at once.
 *
 * {@snippet :
 * TraceHost pricing = new TraceHost() {
 *     public Object envoy() {
 *         return Envoy.of(points);
 *     }
 *
 *     public Traced<?> trace(TraceRequest request, StopSignal signal) {
 *         Computation<Double, RuntimeException> price = visits -> price(request.input(), visits);
 *         Trace<Double> trace = Interleaver.of(points).run(request.blocks(), price, signal);
 *         return new Traced<>(trace.result(), trace.blocks(), Optional.empty());
 *     }
 * };
 * }
 *
 * @since 0.1
 */
public interface TraceHost {
    /** Returns what blocks hold in their hand for the computation. */
    Object envoy();

    /**
     * Runs the computation once, in step with blocks that were captured here, on this thread.
     *
     * @param signal ends it when it is stopped
     * @return what it came to, with a result for each block of the request, in its order
     * @throws dev.blockscope.BlockException if a block fails
     * @throws Exception if the computation fails
     */
    Traced<?> trace(TraceRequest request, StopSignal signal) throws Exception;

    /** Describes the computation, as plain values that travel: by default its envoy as text. */
    default @Nullable Object describe() {
        return envoy().toString();
    }
}
