package dev.blockscope.bench;

import static java.util.Objects.requireNonNull;

import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.ListStatistics;

/**
 * What one operation of a benchmark takes, in microseconds.
 *
 * @param cpu processor time, of the middle iteration: others who use the machine move it little, in
 *     either direction
 * @param wall time on the wall, of the fastest iteration: others can only make one slower
 */
record Time(double cpu, double wall) {
    /** The time of a benchmark that was not run. */
    static final Time UNKNOWN = new Time(Double.NaN, Double.NaN);

    static Time of(RunResult result) {
        ListStatistics cpu = new ListStatistics();
        result.getBenchmarkResults()
                .forEach(fork ->
                        fork.getIterationResults().forEach(each -> cpu.addValue(cpu(each))));
        return new Time(cpu.getPercentile(50), result.getPrimaryResult().getStatistics().getMin());
    }

    private static double cpu(IterationResult iteration) {
        return requireNonNull(iteration.getSecondaryResults().get(CpuTime.LABEL)).getScore();
    }
}
