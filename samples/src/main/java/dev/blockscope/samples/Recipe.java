package dev.blockscope.samples;

import dev.blockscope.BlockSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What samples on models share: a block that may be the user's own, and a picture at the end. */
abstract class Recipe extends Sample {
    private final String name;

    @Option(
            names = "--block",
            paramLabel = "FILE",
            description = "a block of your own, a file of JavaScript")
    private @Nullable Path file;

    @Option(
            names = "--picture",
            paramLabel = "FILE",
            description = "where the picture goes (default: the sample's name and .png, here)")
    private @Nullable Path picture;

    Recipe(String name) {
        super(name);
        this.name = name;
    }

    /** Returns the user's block, or the one that lies beside the sample under its name. */
    final BlockSource block() throws IOException {
        return file == null ? resource(name + ".js") : read(file);
    }

    /** Returns whether the block is the sample's own. */
    final boolean isOwnBlock() {
        return file == null;
    }

    private BlockSource read(Path path) {
        try {
            return BlockSource.javaScript(Files.readString(path), path.toString());
        } catch (IOException e) {
            throw wrong(
                    Files.exists(path)
                            ? "the block " + path + " cannot be read: " + e
                            : "there is no block " + path);
        }
    }

    /** Prints a table and draws it. */
    final void show(HeatMap.Table table) throws IOException {
        print("%s", table.text());
        print("");
        draw(List.of(table));
    }

    /** Returns labels for layers. */
    static List<String> layers(int count) {
        return IntStream.range(0, count).mapToObj(layer -> "layer " + layer).toList();
    }

    /** Returns labels for tokens; labels of a chart must differ. */
    static List<String> numbered(List<String> tokens) {
        return IntStream.range(0, tokens.size()).mapToObj(i -> i + " " + tokens.get(i)).toList();
    }

    /** Writes a picture to a file. */
    @FunctionalInterface
    interface Drawing {
        void write(Path file) throws IOException;
    }

    /** Draws tables side by side. */
    final void draw(List<HeatMap.Table> tables) throws IOException {
        draw(png -> HeatMap.write(png, tables));
    }

    /** Writes the picture and says where it is. */
    final void draw(Drawing drawing) throws IOException {
        Path png = picture == null ? Path.of(name + ".png") : picture;
        try {
            drawing.write(png);
        } catch (NoSuchFileException e) {
            throw new IOException("no picture: there is no folder for " + e.getFile(), e);
        } catch (IOException e) {
            throw new IOException("no picture: " + e.getMessage(), e);
        }
        print("picture: %s", png.toAbsolutePath());
    }
}
