package dev.blockscope;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text that comes to something else as a block than as a plain script.
 *
 * @param why the rule that asks for it, such as {@code S17}, or {@code open} for a fault
 * @param variant the variant in which it does
 * @param snippet the text, of the list itself or of a chapter
 */
record KnownDifference(String why, Variant variant, Snippet snippet) {
    private static final Pattern TITLE = Pattern.compile("[\\w-]+/(S\\d+|open) (\\w+): (.*)");

    /** Returns the differences that rules ask for. */
    static List<KnownDifference> byDesign() {
        return in(Snippet.CORPUS.resolve("by-design.txt"));
    }

    /** Returns the differences that are faults, not mended so far. */
    static List<KnownDifference> open() {
        return in(Snippet.CORPUS.resolve("open.txt"));
    }

    /** Whether it is about this text in this variant. */
    boolean concerns(Snippet other, Variant otherVariant) {
        return variant == otherVariant && snippet.name().equals(other.name());
    }

    private static List<KnownDifference> in(Path file) {
        Map<String, Snippet> chapters = Snippet.byName();
        return Snippet.in(file).stream().map(entry -> of(entry, chapters)).toList();
    }

    private static KnownDifference of(Snippet entry, Map<String, Snippet> chapters) {
        Matcher title = TITLE.matcher(entry.name());
        if (!title.matches()) {
            throw new IllegalArgumentException(
                    "the title is \"%s\", expected a rule, a variant, a colon and a name"
                            .formatted(entry.name()));
        }
        Variant variant = Variant.named(title.group(2));
        if (!entry.text().isEmpty()) {
            return new KnownDifference(
                    title.group(1), variant, new Snippet(title.group(3), entry.text()));
        }
        Snippet snippet = chapters.get(title.group(3));
        if (snippet == null) {
            throw new IllegalArgumentException("no chapter has \"%s\"".formatted(title.group(3)));
        }
        return new KnownDifference(title.group(1), variant, snippet);
    }

    @Override
    public String toString() {
        return "%s %s: %s".formatted(why, variant, snippet);
    }
}
