package dev.blockscope.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * Runs benchmarks and prints each one's time as a multiple of the method named {@code baseline} in
 * its class: two figures of one run can be compared where two figures of two machines cannot.
 */
public final class Ratios {

    private static final String BASELINE = "baseline";

    private Ratios() {}

    /** Runs the benchmarks that JMH's own arguments choose. */
    public static void main(String[] args)
            throws CommandLineOptionException, RunnerException, IOException {
        CommandLineOptions options = new CommandLineOptions(args);
        if (options.shouldHelp()) {
            options.showHelp();
            return;
        }
        Runner runner = new Runner(options);
        if (options.shouldList()) {
            runner.list();
            return;
        }
        System.out.println();
        ratios(runner.run()).forEach(System.out::println);
    }

    private static List<String> ratios(Collection<RunResult> results) {
        List<String> lines = new ArrayList<>();
        for (RunResult baseline : results) {
            if (!methodOf(baseline).equals(BASELINE)) {
                continue;
            }
            for (RunResult result : results) {
                if (!methodOf(result).equals(BASELINE)
                        && classOf(result).equals(classOf(baseline))) {
                    lines.add(ratio(result, baseline));
                }
            }
        }
        return lines;
    }

    private static String ratio(RunResult result, RunResult baseline) {
        double time = median(result);
        double baselineTime = median(baseline);
        return String.format(
                Locale.ROOT,
                "%s.%s: %.2f times the baseline (medians %.3f and %.3f %s)",
                classOf(result),
                methodOf(result),
                time / baselineTime,
                time,
                baselineTime,
                result.getPrimaryResult().getScoreUnit());
    }

    /** The middle iteration: one that a busy machine disturbed does not move it. */
    private static double median(RunResult result) {
        return result.getPrimaryResult().getStatistics().getPercentile(50);
    }

    private static String classOf(RunResult result) {
        String benchmark = result.getParams().getBenchmark();
        String type = benchmark.substring(0, benchmark.lastIndexOf('.'));
        return type.substring(type.lastIndexOf('.') + 1);
    }

    private static String methodOf(RunResult result) {
        String benchmark = result.getParams().getBenchmark();
        return benchmark.substring(benchmark.lastIndexOf('.') + 1);
    }
}
