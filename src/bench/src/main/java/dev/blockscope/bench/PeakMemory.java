package dev.blockscope.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The most memory that a process held, as Linux counts it. It counts for a process as a whole, so
 * each contender has one of its own.
 */
final class PeakMemory {
    static final String BARE = "bare";
    static final String HOOKED = "hooked";

    /** What the line begins with in which a process tells its peak. */
    static final String MARK = "peak memory in KiB: ";

    private PeakMemory() {}

    /** Returns the row of 24 hooks against none. */
    static Row row() throws IOException, InterruptedException {
        long hooked = of(HOOKED);
        long bare = of(BARE);
        return new Row(
                "MiniLM: peak memory of a process with 24 edits, against the bare model's",
                Models.mebibytes(hooked),
                Models.mebibytes(bare),
                hooked / (double) bare,
                1.6,
                false);
    }

    /** Runs a contender in a JVM like this one. */
    private static long of(String contender) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(JvmProcess.command(Models.class, contender))
                        .redirectErrorStream(true)
                        .start();
        List<String> said;
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            said = lines.lines().toList();
        }
        int status = process.waitFor();
        return said.stream()
                .filter(line -> line.startsWith(MARK))
                .map(line -> Long.parseLong(line.substring(MARK.length())))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException(
                                "the process \"%s\" ended with %d and said: %s"
                                        .formatted(contender, status, String.join("\n", said))));
    }

    /** Returns the peak of this process so far, in KiB. */
    static long ofThisProcess() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/self/status has no VmHWM"));
    }
}
