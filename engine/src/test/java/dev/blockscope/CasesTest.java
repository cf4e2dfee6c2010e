package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of cases and of the mechanism's points name tests that exist. */
class CasesTest {
    private static final Path CASES = Path.of("../src/corpus/cases.md");
    private static final Path MECHANISM = Path.of("../src/corpus/mechanism.md");
    private static final Path TESTS = Path.of("src/test/java");
    private static final Path BENCHMARKS = Path.of("../src/bench/src/main/java");
    private static final Path ENGINE = Path.of("src/main/java");

    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern CLASS = Pattern.compile("`(\\w+)`");

    /** How many points each part of the mechanism has. */
    private static final List<Integer> POINTS = List.of(5, 13, 4, 5, 8, 5, 12, 6, 7, 6);

    @Test
    void everyCaseHasATestThatExists() throws IOException {
        List<String> rows = rows(CASES, "\\| [A-M].*");

        assertThat(rows).hasSizeGreaterThan(60);
        assertThatTestsExist(rows);
    }

    @Test
    void everyPointOfTheMechanismHasATestThatExists() throws IOException {
        List<String> rows = rows(MECHANISM, "\\| \\d+\\.\\d+ .*");

        assertThat(rows).map(row -> cells(row).getFirst()).containsExactlyElementsOf(points());
        assertThatTestsExist(rows);
    }

    @Test
    void everyChangeOfTheMechanismIsMadeWhereItSaysOrRefusedWithAFigure() throws IOException {
        List<String> rows = rows(MECHANISM, "\\| \\d+ .*");
        Map<String, String> engine = sources(ENGINE);

        assertThat(rows)
                .map(row -> cells(row).getFirst())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 12).mapToObj(Integer::toString).toList());
        assertThat(rows)
                .allSatisfy(row -> {
                    assertThat(cells(row).get(2)).matches("made|refused: .*\\d.*");
                    assertThat(CLASS.matcher(cells(row).get(3)).results())
                            .isNotEmpty()
                            .allSatisfy(place -> assertThat(engine).containsKey(place.group(1)));
                });
        assertThatTestsExist(rows);
    }

    private static List<String> points() {
        return IntStream.range(0, POINTS.size())
                .boxed()
                .flatMap(part ->
                        IntStream.rangeClosed(1, POINTS.get(part))
                                .mapToObj(point -> (part + 1) + "." + point))
                .toList();
    }

    private static void assertThatTestsExist(List<String> rows) throws IOException {
        Map<String, String> sources = sources(TESTS);
        sources.putAll(sources(BENCHMARKS));

        assertThat(rows).allMatch(row -> TEST.matcher(row).find());
        assertThat(String.join("\n", rows))
                .satisfies(table ->
                        assertThat(TEST.matcher(table).results())
                                .allSatisfy(test -> assertThatExists(test, sources)));
    }

    /** A benchmark returns what it measured, a test nothing. */
    private static void assertThatExists(MatchResult test, Map<String, String> sources) {
        String kind = test.group(1).endsWith("Benchmark") ? "\\bpublic .*" : "\\bvoid ";

        assertThat(sources).containsKey(test.group(1));
        assertThat(sources.get(test.group(1)))
                .as(test.group(1))
                .containsPattern(kind + "\\b" + test.group(2) + "\\(");
    }

    private static List<String> rows(Path table, String pattern) throws IOException {
        return Files.readAllLines(table).stream().filter(line -> line.matches(pattern)).toList();
    }

    private static List<String> cells(String row) {
        return Stream.of(row.substring(1).split("\\|")).map(String::strip).toList();
    }

    /** Returns the text of each class, by its name. */
    private static Map<String, String> sources(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            Function<Path, String> name = file -> file.getFileName().toString();
            return files.filter(file -> name.apply(file).endsWith(".java"))
                    .filter(file -> !name.apply(file).equals("package-info.java"))
                    .filter(file -> !name.apply(file).equals("module-info.java"))
                    .collect(
                            Collectors.toMap(
                                    file -> name.apply(file).replace(".java", ""),
                                    CasesTest::text,
                                    (one, other) -> one + other));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
