package dev.blockscope.bench;

import java.util.Map;

/** A figure of one run of the benchmarks, put together from their times. */
@FunctionalInterface
interface Figure {
    /**
     * Returns the figure.
     *
     * @param times microseconds by the name of the benchmark, such as {@code
     *     "CaptureBenchmark.capture"}
     * @return the figure, or NaN if a time it needs is missing
     */
    double of(Map<String, Double> times);

    /** Returns the time of a benchmark. */
    static Figure time(String benchmark) {
        return times -> times.getOrDefault(benchmark, Double.NaN);
    }

    /** Returns what is beyond another figure: the time of a loop beyond that of the call. */
    default Figure beyond(Figure other) {
        return times -> of(times) - other.of(times);
    }

    /** Returns how much more two threads do than one, from the time that each takes for a piece. */
    static Figure gain(String one, String two) {
        return times -> 2 * time(one).of(times) / time(two).of(times);
    }
}
