package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of cases from practice names tests that exist. */
class CasesTest {
    private static final Path TABLE = Path.of("../src/corpus/cases.md");
    private static final Path TESTS = Path.of("src/test/java");
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

    @Test
    void everyCaseHasATestThatExists() throws IOException {
        List<String> rows = rows();
        Map<String, String> sources = sources();

        assertThat(rows).hasSizeGreaterThan(60);
        assertThat(rows).allMatch(row -> TEST.matcher(row).find());
        assertThat(String.join("\n", rows))
                .satisfies(table ->
                        assertThat(TEST.matcher(table).results())
                                .allSatisfy(test -> assertThatExists(test, sources)));
    }

    private static void assertThatExists(MatchResult test, Map<String, String> sources) {
        assertThat(sources).containsKey(test.group(1));
        assertThat(sources.get(test.group(1)))
                .as(test.group(1))
                .containsPattern("\\bvoid " + test.group(2) + "\\(");
    }

    private static List<String> rows() throws IOException {
        return Files.readAllLines(TABLE).stream()
                .filter(line -> line.matches("\\| [A-M].*"))
                .toList();
    }

    private static Map<String, String> sources() throws IOException {
        try (Stream<Path> files = Files.walk(TESTS)) {
            return files.filter(file -> file.toString().endsWith("Test.java"))
                    .collect(Collectors.toMap(CasesTest::name, CasesTest::text));
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
