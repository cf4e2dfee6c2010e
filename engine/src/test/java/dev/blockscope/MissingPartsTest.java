package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a part of GraalVM is missing, whoever makes an engine is told, and not the first user. */
class MissingPartsTest {
    @ParameterizedTest
    @CsvSource({
        "js-language-, the guest language \"js\" was not found; an engine needs",
        "truffle-api-, GraalVM does not work: No language and polyglot implementation was found",
        "regex-, GraalVM does not work: java.lang.IllegalStateException: No language for id regex"
    })
    void isToldWhenTheEngineIsMade(String jar, String told) throws Exception {
        assertThat(OwnJvm.runWithout("/" + jar, MakesAnEngine.class))
                .last()
                .asString()
                .startsWith("told: " + told)
                .contains("org.graalvm.polyglot:js-community")
                .endsWith("in one version");
    }

    /** Each of the parts says in a file which version it is. */
    @Test
    void versionsThatDoNotFitAreToldWhenTheEngineIsMade(@TempDir Path older) throws Exception {
        Path file = older.resolve("META-INF/graalvm/org.graalvm.truffle/version");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "24.1.2");
        String path = older + File.pathSeparator + OwnJvm.path(place -> true);

        assertThat(
                        OwnJvm.runWith(
                                List.of("--enable-native-access=ALL-UNNAMED", "-cp", path),
                                MakesAnEngine.class))
                .last()
                .asString()
                .startsWith("told: GraalVM does not work: Polyglot version compatibility")
                .contains("is not compatible to the used Truffle version '24.1.2'")
                .endsWith("in one version");
    }

    /** A program that says what the making of an engine fails with. */
    static final class MakesAnEngine {
        public static void main(String[] arguments) {
            try (BlockEngine engine = BlockEngine.create()) {
                System.out.println("made: " + engine.runtime());
            } catch (IllegalStateException e) {
                System.out.println("told: " + e.getMessage());
            }
        }
    }
}
