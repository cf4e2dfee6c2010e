package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.application.Application;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application may have the engine and GraalVM on either path, or one on each. That all are on
 * one path is what the tests themselves run with.
 */
final class ApplicationPathsTest {
    private static final Predicate<String> GRAALVM = path -> path.contains("/org/graalvm/");

    /** The other language of the tests, which an application does without. */
    private static final Predicate<String> PYTHON = path -> path.contains("/org/graalvm/python/");

    private static final Predicate<String> APPLICATION =
            path -> path.equals(OwnJvm.folderOfTests().toString());

    @Test
    void theEngineOnTheModulePathServesAnApplicationOnTheClassPath() throws Exception {
        assertWorks(
                List.of(
                        "--add-modules=dev.blockscope.engine",
                        "--enable-native-access=org.graalvm.truffle",
                        "--module-path",
                        OwnJvm.path(APPLICATION.negate()),
                        "-cp",
                        OwnJvm.path(APPLICATION)));
    }

    @Test
    void graalVmOnTheModulePathServesAnEngineOnTheClassPath() throws Exception {
        assertWorks(
                List.of(
                        "--add-modules=org.graalvm.polyglot",
                        "--enable-native-access=org.graalvm.truffle",
                        "--module-path",
                        OwnJvm.path(GRAALVM.and(PYTHON.negate())),
                        "-cp",
                        OwnJvm.path(GRAALVM.negate())));
    }

    @Test
    void anEngineWithoutItsServicesOnTheClassPathSaysWhatIsMissing(@TempDir Path stripped)
            throws Exception {
        Path engine =
                Path.of(
                        BlockEngine.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        copyWithoutServices(engine, stripped);
        String classPath =
                stripped
                        + File.pathSeparator
                        + OwnJvm.path(path -> !path.equals(engine.toString()));

        assertThat(OwnJvm.runWith(List.of("-cp", classPath), Application.class))
                .last()
                .asString()
                .startsWith("told: the \"blockscope\" instrument was not found")
                .contains("META-INF/services");
    }

    private static void assertWorks(List<String> paths) throws Exception {
        assertThat(OwnJvm.runWith(paths, Application.class))
                .endsWith(
                        "total 12",
                        "sibling 2",
                        "error block.js:2:3: ReferenceError: nope is not defined")
                .noneMatch(line -> line.startsWith("WARNING"));
    }

    private static void copyWithoutServices(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path relative = from.relativize(file);
                if (!relative.startsWith("META-INF")) {
                    Path copy = to.resolve(relative);
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                }
            }
        }
    }
}
