package dev.blockscope.samples;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every Java example of the README and the site compiles, runs, and comes to what its comments say:
 * {@code x; // => 12} is a check. A value of several lines goes on in comments below it.
 */
class DocumentedExamplesTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```java\\n(.*?)^```$");
    private static final Pattern CHECK = Pattern.compile("(?m)^(.*); // => (.*)$");

    /** A comment right below a check is the next line of the value. */
    private static final Pattern MORE_OF_CHECK = Pattern.compile("(?m)(; // => .*)\n// (.*)$");

    private static final String BREAK = "¶";

    private static final String IMPORTS =
            Stream.of(
                            "dev.blockscope.*",
                            "dev.blockscope.interleave.*",
                            "dev.blockscope.jsr223.*",
                            "dev.blockscope.onnx.*",
                            "dev.blockscope.pekko.*",
                            "dev.blockscope.wire.*",
                            "java.net.Socket",
                            "java.io.BufferedReader",
                            "java.io.IOException",
                            "java.io.StringReader",
                            "java.io.StringWriter",
                            "java.nio.file.*",
                            "java.time.Clock",
                            "java.util.*",
                            "java.util.concurrent.Callable",
                            "java.util.concurrent.CompletableFuture",
                            "java.util.function.*",
                            "javax.script.*")
                    .map("import %s;"::formatted)
                    .collect(joining("\n"));

    @TempDir private static Path folder;

    /** One run of the compiler takes for all of them what it takes for a few. */
    @BeforeAll
    static void compile() throws IOException {
        compile(examples().toList());
    }

    static Stream<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        try (Stream<Path> pages = Files.list(ROOT.resolve("src/site"))) {
            for (Path page :
                    Stream.concat(Stream.of(ROOT.resolve("README.md")), pages).sorted().toList()) {
                if (page.toString().endsWith(".md")) {
                    examples.addAll(examplesOf(page));
                }
            }
        }
        return examples.stream();
    }

    private static List<Example> examplesOf(Path page) throws IOException {
        String name = page.getFileName().toString();
        String text = Files.readString(page);
        List<Example> examples = new ArrayList<>();
        for (MatchResult found : EXAMPLE.matcher(text).results().toList()) {
            long line = text.substring(0, found.start()).lines().count() + 2;
            examples.add(new Example(name + ":" + line, found.group(1)));
        }
        return examples;
    }

    @Test
    void thereAreExamples() throws IOException {
        assertThat(examples()).hasSizeGreaterThan(6);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void comesToWhatItSays(Example example) throws Exception {
        ExampleWorld.checks();
        URL[] classes = {folder.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader())) {
            loader.loadClass(example.className()).getMethod("run").invoke(null);
            // An example that was to fail, and did not, leaves its checks out.
            assertThat(ExampleWorld.checks())
                    .isGreaterThanOrEqualTo((int) CHECK.matcher(example.code()).results().count());
        }
    }

    /** What a user of another script engine is told to change is the name, and nothing else. */
    @Test
    void theSampleOfJavaxScriptRunsByTheNameOfTheOtherEngineToo() throws Exception {
        Example sample = examplesOf(ROOT.resolve("src/site/jsr223.md")).getFirst();
        String theirs = sample.code().replace("\"blockscope\"", "\"graal.js\"");

        assertThat(theirs).isNotEqualTo(sample.code());
        Example other = new Example(sample.place() + " by the other name", theirs);
        compile(List.of(other));
        comesToWhatItSays(other);
    }

    /** Turns statements that end in a check into calls of {@link ExampleWorld#check}. */
    private static String withChecks(String written) {
        String code = written;
        while (MORE_OF_CHECK.matcher(code).find()) {
            code = MORE_OF_CHECK.matcher(code).replaceAll("$1" + BREAK + "$2");
        }
        StringBuilder checked = new StringBuilder();
        StringBuilder statement = new StringBuilder();
        for (String line : code.split("\n", -1)) {
            var check = CHECK.matcher(line);
            if (check.matches()) {
                checked.append("check(")
                        .append(statement)
                        .append(check.group(1))
                        .append(", \"\"\"\n")
                        .append(check.group(2).replace("\\", "\\\\").replace(BREAK, "\n"))
                        .append("\"\"\");\n");
                statement.setLength(0);
                continue;
            }
            statement.append(line).append('\n');
            if (line.isBlank() || line.matches(".*[;{}]\\s*(//.*)?")) {
                checked.append(statement);
                statement.setLength(0);
            }
        }
        return checked.append(statement).toString();
    }

    private static void compile(List<Example> examples) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Example example : examples) {
            Path file = folder.resolve(example.className() + ".java");
            sources.add(Files.writeString(file, example.source()));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
            boolean compiled =
                    compiler.getTask(
                                    messages,
                                    files,
                                    null,
                                    options,
                                    null,
                                    files.getJavaFileObjectsFromPaths(sources))
                            .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
    }

    /** An example and the page and line it stands on. */
    record Example(String place, String code) {
        String className() {
            return "At_" + place.replaceAll("\\W", "_");
        }

        String source() {
            return """
            %s
            @SuppressWarnings("unused")
            public final class %s extends %s {
                public static void run() throws Exception {
            %s
                }
            }
            """
                    .formatted(
                            IMPORTS, className(), ExampleWorld.class.getName(), withChecks(code));
        }

        @Override
        public String toString() {
            return place;
        }
    }
}
