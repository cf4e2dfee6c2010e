package dev.blockscope.interleave;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.StopSignal;
import dev.blockscope.ThreadLease;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

/** The threads of one trace's blocks, leased from their engines before the first block runs. */
final class TraceThreads implements AutoCloseable {
    private final IdentityHashMap<BlockEngine, ThreadLease> leases = new IdentityHashMap<>();

    private TraceThreads() {}

    /**
     * Leases a thread for each block.
     *
     * @param signal cancels the trace; the close of an engine that has blocks in it does, too
     * @throws IllegalStateException if an engine does not have as many, and the wait for them might
     *     not end
     * @throws CancellationException if this thread is interrupted while it waits for them
     */
    static TraceThreads of(List<Block> blocks, StopSignal signal) {
        Map<BlockEngine, Integer> counts = new LinkedHashMap<>();
        blocks.forEach(block -> counts.merge(block.engine(), 1, Integer::sum));
        TraceThreads threads = new TraceThreads();
        try {
            // In one order everywhere, so that two traces never hold what the other waits for.
            for (BlockEngine engine :
                    counts.keySet().stream()
                            .sorted(Comparator.comparingInt(System::identityHashCode))
                            .toList()) {
                threads.leases.put(engine, engine.lease(counts.getOrDefault(engine, 0)));
                engine.stopAtClose(signal);
            }
            return threads;
        } catch (InterruptedException e) {
            threads.close();
            Thread.currentThread().interrupt();
            throw new CancellationException(
                    "the thread that runs the computation was interrupted while it waited for threads");
        } catch (RuntimeException e) {
            threads.close();
            throw e;
        }
    }

    ThreadLease of(BlockEngine engine) {
        ThreadLease lease = leases.get(engine);
        if (lease == null) {
            throw new AssertionError("no threads were leased for a block's engine");
        }
        return lease;
    }

    @Override
    public void close() {
        leases.values().forEach(ThreadLease::close);
    }
}
