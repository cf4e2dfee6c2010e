package dev.blockscope.samples;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Runs recipes as a shell would, with their pictures in a folder of the test. */
abstract class RecipeRuns {
    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Returns the exit status. */
    final int run(Recipe recipe, String... arguments) {
        String[] all =
                Stream.concat(
                                Stream.of("--picture", picture().toString()),
                                Arrays.stream(arguments))
                        .toArray(String[]::new);
        return recipe.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
    }

    final String out() {
        return out.toString();
    }

    final String err() {
        return err.toString();
    }

    final Path picture() {
        return folder.resolve("picture.png");
    }

    /** Writes a block of the user's own and returns where it is. */
    final String write(String block) throws Exception {
        return Files.writeString(folder.resolve("my.js"), block).toString();
    }

    /** Returns the numbers of the printed lines that begin with a label. */
    final List<Double> row(String label) {
        return out().lines()
                .filter(line -> line.startsWith(label))
                .flatMap(
                        line -> Arrays.stream(line.substring(label.length()).strip().split("\\s+")))
                .map(Double::valueOf)
                .toList();
    }
}
