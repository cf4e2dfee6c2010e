package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SteerMinilmTest {

    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void steersAndChangesNothingButWhatTheBlockChanges() {
        assertThat(run()).isEqualTo(0);
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .startsWith("model    all-MiniLM-L6-v2")
                .contains("\nruntime  ")
                .contains("\ndifference without edits: 0.0 (")
                .containsPattern("\n    steered    \\[The engine makes .*, My car needs .*]\n")
                .doesNotContain("largest change of the table: 0.000");
        assertThat(folder.resolve("picture.png")).isNotEmptyFile();
    }

    @Test
    void anErrorInTheBlockEndsWithTheUsersOwnLines() throws Exception {
        Path block = write("mistake.js", "a = 1\nb = a.size.of\n");

        assertThat(run("--block", block.toString(), "one", "two")).isEqualTo(1);
        assertThat(err.toString())
                .contains("mistake.js:2:5", "TypeError", "b = a.size.of", "^")
                .doesNotContain("dev.blockscope.", "com.oracle", "org.graalvm");
    }

    @Test
    void aMissingBlockIsNamed() {
        assertThat(run("--block", "nowhere.js")).isEqualTo(2);
        assertThat(err.toString()).startsWith("steer-minilm: there is no block nowhere.js");
    }

    @Test
    void oneSentenceIsTooFew() {
        assertThat(run("alone")).isEqualTo(2);
        assertThat(err.toString()).contains("two or more");
    }

    private Path write(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }

    private int run(String... arguments) {
        String[] all =
                Stream.concat(
                                Stream.of("--picture", folder.resolve("picture.png").toString()),
                                Arrays.stream(arguments))
                        .toArray(String[]::new);
        return new SteerMinilm()
                .commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
    }
}
