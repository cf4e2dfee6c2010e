package dev.blockscope.bench;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs benchmarks and prints what they compare as a table: two figures of one run can be compared
 * where two figures of two machines cannot.
 *
 * <p>The time of a benchmark is the processor time of its thread in the middle one of many
 * iterations. Where threads wait for each other, it is the time on the wall in the fastest one. See
 * {@link Time}.
 */
public final class Ratios {
    private Ratios() {}

    /** Runs the benchmarks that JMH's own arguments choose; without any, all and the heap's. */
    public static void main(String[] args)
            throws CommandLineOptionException, RunnerException, IOException {
        CommandLineOptions options = new CommandLineOptions(args);
        if (options.shouldHelp()) {
            options.showHelp();
            return;
        }
        Runner runner =
                new Runner(new OptionsBuilder().parent(options).addProfiler(CpuTime.class).build());
        if (options.shouldList()) {
            runner.list();
            return;
        }
        Map<String, Time> times = times(runner.run());
        System.out.println();
        System.out.println(Row.HEADER);
        Measure.ALL.stream()
                .map(measure -> measure.row(times))
                .flatMap(Optional::stream)
                .map(Row::line)
                .forEach(System.out::println);
        if (options.getIncludes().isEmpty()) {
            Heap.rows(Heap.FRAMES).map(Row::line).forEach(System.out::println);
        }
    }

    private static Map<String, Time> times(Collection<RunResult> results) {
        Map<String, Time> times = new HashMap<>();
        for (RunResult result : results) {
            times.put(nameOf(result), Time.of(result));
        }
        return times;
    }

    /** Returns the name of a benchmark without its package. */
    private static String nameOf(RunResult result) {
        String benchmark = result.getParams().getBenchmark();
        int method = benchmark.lastIndexOf('.');
        return benchmark.substring(benchmark.lastIndexOf('.', method - 1) + 1);
    }
}
