package dev.blockscope;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One text of the corpus.
 *
 * @param name its chapter and its title there
 * @param text the text
 */
record Snippet(String name, String text) {
    static final Path CORPUS = Path.of("../src/corpus");
    private static final String HEADER = "//// ";

    /** Returns the snippets of all chapters. */
    static List<Snippet> ofAllChapters() {
        try (Stream<Path> files = Files.list(CORPUS.resolve("chapters"))) {
            return files.sorted().flatMap(file -> in(file).stream()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the snippets of all chapters by name. */
    static Map<String, Snippet> byName() {
        return ofAllChapters().stream().collect(toMap(Snippet::name, identity()));
    }

    /** Returns the snippets of a file, in their order. */
    static List<Snippet> in(Path file) {
        List<Snippet> snippets = new ArrayList<>();
        String chapter = file.getFileName().toString().replaceFirst("\\.txt$", "");
        String title = null;
        StringBuilder text = new StringBuilder();
        for (String line : linesOf(file)) {
            if (!line.startsWith(HEADER)) {
                text.append(line).append('\n');
                continue;
            }
            if (title != null) {
                snippets.add(new Snippet(chapter + "/" + title, text.toString().stripTrailing()));
            }
            title = line.substring(HEADER.length()).strip();
            text.setLength(0);
        }
        if (title != null) {
            snippets.add(new Snippet(chapter + "/" + title, text.toString().stripTrailing()));
        }
        return snippets;
    }

    private static List<String> linesOf(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
