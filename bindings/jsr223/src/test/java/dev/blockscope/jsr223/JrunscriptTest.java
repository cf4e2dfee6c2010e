package dev.blockscope.jsr223;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JDK's own tool for scripts, from the class path, as a process. */
final class JrunscriptTest {
    @TempDir private Path folder;

    @Test
    void evaluatesAFileWithArguments() throws Exception {
        Path script = folder.resolve("a.js");
        Files.writeString(
                script,
                "let n = arguments.length\nfunction f() { return n }\nprint(f(), arguments[1])\n");
        Outcome outcome = run("", "-f", script.toString(), "one", "two");
        assertThat(outcome.said()).contains("2 two\n");
        assertThat(outcome.status()).isZero();
    }

    @Test
    void tellsTheLineOfAnError() throws Exception {
        Path script = Files.writeString(folder.resolve("b.js"), "let a = 1\n  nope()\n");
        Outcome outcome = run("", "-f", script.toString());
        assertThat(outcome.said())
                .contains("ReferenceError: nope is not defined")
                .contains("b.js at line number 2 at column number 3");
        assertThat(outcome.status()).isNotZero();
    }

    @Test
    void goesOnFromLineToLineAtThePrompt() throws Exception {
        Outcome outcome =
                run("let x = 20\nfunction g() { return x + 1 }\nx = 41\ng()\nnope()\nx\n");
        assertThat(outcome.said()).contains("blockscope> 42\n", "nope is not defined", "> 41\n");
    }

    private Outcome run(String input, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "jrunscript")
                                        .toString(),
                                "-J--enable-native-access=ALL-UNNAMED",
                                "-J--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                classPath(),
                                "-l",
                                "blockscope"));
        command.addAll(List.of(arguments));
        Path said = folder.resolve("said");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        try (var in = process.outputWriter(UTF_8)) {
            in.write(input);
        }
        boolean ended = process.waitFor(3, MINUTES);
        process.destroyForcibly();
        assertThat(ended).as("jrunscript ends").isTrue();
        return new Outcome(process.exitValue(), Files.readString(said));
    }

    /** What this test itself runs with, wherever it stands. */
    private static String classPath() {
        return Stream.of("java.class.path", "jdk.module.path")
                .map(System::getProperty)
                .filter(Objects::nonNull)
                .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
                .distinct()
                .collect(joining(File.pathSeparator));
    }

    private record Outcome(int status, String said) {}
}
