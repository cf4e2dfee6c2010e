package dev.blockscope.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Adds to each iteration the processor time that the benchmark's own threads took for one
 * operation. Unlike the time on the wall, it does not grow when others use the machine.
 */
public final class CpuTime implements InternalProfiler {
    /** What the result is called. */
    static final String LABEL = "cpu";

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private long before;

    /** Creates one; JMH does. */
    public CpuTime() {}

    @Override
    public String getDescription() {
        return "processor time of the benchmark's threads per operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = nanoseconds();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long operations = result.getMetadata().getAllOps();
        double each = (nanoseconds() - before) / 1e3 / operations;
        return List.of(new ScalarResult(LABEL, each, "us/op", AggregationPolicy.AVG));
    }

    private static long nanoseconds() {
        return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().contains("jmh-worker"))
                .mapToLong(thread -> Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId())))
                .sum();
    }
}
