package dev.blockscope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Programs that tests start in a JVM of their own, from the class path unless told otherwise. */
final class OwnJvm {
    private OwnJvm() {}

    /** Runs a program to its end, which must be a good one, and returns all that it wrote. */
    static List<String> run(Class<?> program, String... arguments) throws Exception {
        return runWithout("no such part", program, arguments);
    }

    /** The same where a part of what the tests run with is missing. */
    static List<String> runWithout(String part, Class<?> program, String... arguments)
            throws Exception {
        List<String> options =
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        path(place -> !place.contains(part)));
        return runWith(options, program, arguments);
    }

    /** The same where everything is found as some options of the JVM say. */
    static List<String> runWith(List<String> options, Class<?> program, String... arguments)
            throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.addAll(options);
        command.add(program.getName());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (Stream<String> lines = process.inputReader(UTF_8).lines()) {
            List<String> written = lines.toList();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as("%s", written).isZero();
            return written;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Returns the places of what the tests run with, from whichever path, that somebody wants. */
    static String path(Predicate<String> wanted) {
        Stream<String> paths =
                Stream.of("java.class.path", "jdk.module.path")
                        .map(path -> System.getProperty(path, ""))
                        .flatMap(path -> Stream.of(path.split(File.pathSeparator)));
        return Stream.concat(Stream.of(folderOfTests().toString()), paths)
                .filter(place -> !place.isEmpty() && wanted.test(place))
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns the folder of the tests' classes, which a module takes in without naming it. */
    static Path folderOfTests() {
        URI file = URI.create(OwnJvm.class.getResource("OwnJvm.class").toString());
        return Path.of(file).getParent().getParent().getParent();
    }
}
