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
    double of(Map<String, Time> times);

    /** Returns the processor time of a benchmark that works on its own thread alone. */
    static Figure cpu(String benchmark) {
        return times -> times.getOrDefault(benchmark, Time.UNKNOWN).cpu();
    }

    /** Returns the time on the wall of a benchmark whose threads wait for each other. */
    static Figure wall(String benchmark) {
        return times -> times.getOrDefault(benchmark, Time.UNKNOWN).wall();
    }

    /** Returns what is beyond another figure: the time of a loop beyond that of the call. */
    default Figure beyond(Figure other) {
        return times -> of(times) - other.of(times);
    }

    /** Returns a figure of many as the figure of each. */
    default Figure each(int many) {
        return times -> of(times) / many;
    }

    /** Returns so many times this figure, and another one. */
    default Figure times(int many, Figure other) {
        return times -> many * of(times) + other.of(times);
    }

    /** Returns how much more two threads do than one, from the time that each takes for a piece. */
    static Figure gain(String one, String two) {
        return times -> 2 * wall(one).of(times) / wall(two).of(times);
    }
}
