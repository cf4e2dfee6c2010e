package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
                .containsPattern("\n *[\\d.]+ +0 +0 +24 +\\d+\n")
                .containsPattern("\n24 traces came to a result in [\\d.]+ s; \\d+ were begun again")
                .contains("of 10 traces that were run here as well, 0 came to something else");
        assertThat(picture()).isNotEmptyFile();
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
