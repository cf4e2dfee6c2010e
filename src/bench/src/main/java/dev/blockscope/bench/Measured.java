package dev.blockscope.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How everything here is measured: guest code is compiled while the benchmark waits for it, so that
 * on a busy machine, too, the warm-up ends with compiled code; many short iterations follow, of
 * which {@link Ratios} takes the middle or the fastest. The heap is small and touched beforehand:
 * where memory is given to a machine page by page, the first touch of a page costs more than what
 * is measured.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 40, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "-Xms1g",
            "-Xmx1g",
            "-Xmn256m",
            "-XX:+AlwaysPreTouch",
            "-Dpolyglot.engine.AllowExperimentalOptions=true",
            "-Dpolyglot.engine.BackgroundCompilation=false"
        })
public abstract class Measured {
    Measured() {}
}
