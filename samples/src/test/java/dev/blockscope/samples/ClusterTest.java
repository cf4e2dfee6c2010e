package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Four processes on what may be a busy machine. */
@Timeout(300)
class ClusterTest extends RecipeRuns {
    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

    @Test
    void allTracesComeToAResultThoughAWorkerIsKilled() throws Exception {
        List<Path> before = clusters();
        assertThat(run(new Cluster(), "--traces", "24")).isEqualTo(0);
        assertThat(err()).isEmpty();
        assertThat(out())
                .containsPattern("gateway  door at http://127.0.0.1:\\d+\n")
                .contains(" time   queue  running  done  retried\n")
                .contains("the worker second is killed\n")
                .containsPattern("\n *[\\d.]+ +0 +0 +24 +[1-9]\\d*\n")
                .containsPattern(
                        "\n24 traces came to a result in [\\d.]+ s; [1-9]\\d* were begun again")
                .contains("of 10 traces that were run here as well, 0 came to something else");
        assertThat(picture()).isNotEmptyFile();
        assertNothingIsLeft(before);
    }

    /** The process is started as by a shell, in which Ctrl-C is not ignored. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aCtrlCEndsAllThatItStarted() throws Exception {
        List<Path> before = clusters();
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Cluster.class.getName(), "--spare", "--traces", "10000"));
        Process cluster =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader shown = cluster.inputReader()) {
            String line = shown.readLine();
            while (line != null && !line.startsWith(" time ")) {
                line = shown.readLine();
            }
            assertThat(line).as("the head of the table").isNotNull();
            List<ProcessHandle> nodes = cluster.descendants().toList();
            assertThat(nodes).hasSize(3);
            assertThat(
                            new ProcessBuilder("kill", "-INT", String.valueOf(cluster.pid()))
                                    .start()
                                    .waitFor())
                    .isZero();
            shown.transferTo(Writer.nullWriter());
            assertThat(cluster.waitFor()).isEqualTo(130);
            assertThat(nodes).noneMatch(ProcessHandle::isAlive);
        } finally {
            cluster.destroyForcibly();
        }
        assertNothingIsLeft(before);
    }

    private static void assertNothingIsLeft(List<Path> before) throws Exception {
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(clusters()).isEqualTo(before);
    }

    private static List<Path> clusters() throws Exception {
        try (Stream<Path> files = Files.list(TEMPORARY)) {
            return files.filter(file -> file.getFileName().toString().startsWith("blockscope-cl"))
                    .sorted()
                    .toList();
        }
    }
}
