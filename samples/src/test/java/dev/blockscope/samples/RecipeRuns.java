package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
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

    /** Checks that the picture has the size of one and shows something: text and shades. */
    final void assertShowsPicture() {
        try {
            BufferedImage image = ImageIO.read(picture().toFile());
            assertThat(image.getWidth()).isBetween(600, 3000);
            assertThat(image.getHeight()).isBetween(300, 1500);
            int[] pixels =
                    image.getRGB(
                            0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
            assertThat(Arrays.stream(pixels).distinct().limit(100).count())
                    .as("colours")
                    .isGreaterThan(30);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
