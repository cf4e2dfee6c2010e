package dev.blockscope;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.blockscope.truffle.ParsedText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What was made of texts, so that it is made once: what each does with its names, and its programs.
 * What was not asked for the longest time is forgotten, so that an engine that sees ever new texts
 * holds no more of them than there is room for.
 */
final class ParsedTexts {
    /** What is kept of the shortest text takes as much room as so many characters of a long one. */
    private static final int LEAST = 500;

    /** Room for 2,000 short texts, or for one of a million characters. */
    private static final long ROOM = 2_000 * LEAST;

    /** With more segments each would have its part of the room only. */
    private final Cache<Key, Known> known =
            CacheBuilder.newBuilder()
                    .concurrencyLevel(1)
                    .maximumWeight(ROOM)
                    .<Key, Known>weigher((key, it) -> it.weight(key.text.length()))
                    .build();

    /** Returns what a text does with its names, wherever it stands. */
    Analysis analysis(BlockSource source, Supplier<Analysis> analyse) {
        return of(keyOf(source)).analysis(analyse);
    }

    /** Returns a text parsed with parameters. */
    Program program(BlockSource source, List<String> names, Supplier<Program> parse) {
        Key key = keyOf(source);
        Known text = of(key);
        Version version = new Version(source, List.copyOf(names));
        Program program = text.program(version, parse);
        if (text.hasGrown()) {
            // Put there once more it is weighed once more.
            known.put(key, text);
        }
        return program;
    }

    private static Key keyOf(BlockSource source) {
        return new Key(source.language(), source.text());
    }

    /** Asked to load, the cache would make a future of each new text for those who wait for it. */
    private Known of(Key key) {
        Known there = known.getIfPresent(key);
        if (there != null) {
            return there;
        }
        Known made = new Known();
        Known meanwhile = known.asMap().putIfAbsent(key, made);
        return meanwhile == null ? made : meanwhile;
    }

    /**
     * A parsed text.
     *
     * @param text as the machinery knows it
     * @param arguments the names of its arguments, in their order
     */
    record Program(ParsedText text, List<String> arguments) {}

    private record Key(String language, String text) {}

    /** A text at its place, with parameters. */
    private record Version(BlockSource source, List<String> parameters) {}

    /** What is known of one text. Who asks for what another thread makes waits for it. */
    private static final class Known {
        private final Map<Version, Program> programs = new HashMap<>(2);
        private @Nullable Analysis analysis;
        private int weighed = 1;

        synchronized Analysis analysis(Supplier<Analysis> analyse) {
            if (analysis == null) {
                analysis = analyse.get();
            }
            return analysis;
        }

        synchronized Program program(Version version, Supplier<Program> parse) {
            Program program = programs.get(version);
            if (program == null) {
                program = parse.get();
                programs.put(version, program);
            }
            return program;
        }

        synchronized boolean hasGrown() {
            return programs.size() > weighed;
        }

        synchronized int weight(int length) {
            weighed = Math.max(1, programs.size());
            return (int) Math.min(Integer.MAX_VALUE, weighed * (long) (LEAST + length));
        }
    }
}
