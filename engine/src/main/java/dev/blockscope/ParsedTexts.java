package dev.blockscope;

import static java.util.Objects.requireNonNullElse;

import com.google.common.base.Throwables;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.ExecutionError;
import com.google.common.util.concurrent.UncheckedExecutionException;
import dev.blockscope.truffle.ParsedText;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

/**
 * What was made of texts, so that it is made once: what each does with its names, and its programs.
 * What was not asked for the longest time is forgotten, so that an engine that sees ever new texts
 * holds no more of them than there is room for.
 */
final class ParsedTexts {
    /** What is kept of the shortest text takes as much room as so many characters of a long one. */
    private static final int LEAST = 500;

    /** Room for 10,000 short texts. */
    private static final long ANALYSES = 10_000 * LEAST;

    /** Room for 2,000 short programs, or for one of a million characters. */
    private static final long PROGRAMS = 2_000 * LEAST;

    private final Cache<Key, Analysis> analyses = cache(ANALYSES);
    private final Cache<Key, Program> programs = cache(PROGRAMS);

    private static <V> Cache<Key, V> cache(long room) {
        // With more segments each would have its part of the room only.
        return CacheBuilder.newBuilder()
                .concurrencyLevel(1)
                .maximumWeight(room)
                .<Key, V>weigher((key, value) -> LEAST + key.source.text().length())
                .build();
    }

    /** Returns what a text does with its names, wherever it stands. */
    Analysis analysis(BlockSource source, Callable<Analysis> analyse) {
        BlockSource anywhere = new BlockSource(source.language(), source.text(), "", 1, 1);
        return get(analyses, new Key(anywhere, List.of()), analyse);
    }

    /** Returns a text parsed with parameters. */
    Program program(BlockSource source, List<String> names, Callable<Program> parse) {
        return get(programs, new Key(source, List.copyOf(names)), parse);
    }

    /** Returns what is known, or made now; if others make it, it is waited for. */
    private static <V> V get(Cache<Key, V> cache, Key key, Callable<V> make) {
        try {
            return cache.get(key, make);
        } catch (UncheckedExecutionException | ExecutionError | ExecutionException e) {
            Throwables.throwIfUnchecked(requireNonNullElse(e.getCause(), e));
            throw new AssertionError("what is made of a text throws no checked exception", e);
        }
    }

    /**
     * A parsed text.
     *
     * @param text as the machinery knows it
     * @param arguments the names of its arguments, in their order
     */
    record Program(ParsedText text, List<String> arguments) {}

    private record Key(BlockSource source, List<String> names) {}
}
