package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A block is the language: what a script means on its own it means as a block, but for what the
 * rules of the scope ask for.
 *
 * <p>With {@code -Dblockscope.fuzz=N} each snippet is tried in N variants and N times as many
 * programs are drawn; {@code -Dblockscope.seed=S} draws others.
 */
class LanguageDifferentialTest {
    private static final int FUZZ = Integer.getInteger("blockscope.fuzz", 1);
    private static final long SEED = Long.getLong("blockscope.seed", 25);
    private static final int PROGRAMS = 100;

    /** Without more being asked for, one snippet in so many is tried in a variant. */
    private static final int SHARE = 3;

    private static Languages languages;

    @BeforeAll
    static void open() {
        languages = new Languages();
    }

    @AfterAll
    static void close() {
        languages.close();
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void aScriptMeansTheSameAsABlock(Snippet snippet) {
        assertAgrees(compared(snippet, Variant.SCRIPT));
    }

    @ParameterizedTest
    @MethodSource("variants")
    void aVariantOfAScriptMeansTheSameAsABlock(Snippet snippet, Variant variant) {
        assertAgrees(compared(snippet, variant));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRandomProgramMeansTheSameAsABlock(long seed) {
        RandomProgram program = RandomProgram.of(new Random(seed));
        if (!languages.both(program.text()).agrees()) {
            Predicate<RandomProgram> differs = less -> !languages.both(less.text()).agrees();
            assertAgrees(languages.both(program.reduced(differs).text()));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.blockscope.KnownDifference#byDesign")
    void aDifferenceThatARuleAsksForIsThere(KnownDifference difference) {
        Comparison comparison = compared(difference.snippet(), difference.variant());
        assertThat(comparison.agrees()).as("%s agrees: %s", difference, comparison).isFalse();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("dev.blockscope.KnownDifference#open")
    void anOpenFaultIsStillThere(KnownDifference fault) {
        Comparison comparison = compared(fault.snippet(), fault.variant());
        assertThat(comparison.agrees())
                .as("%s is mended, move it to its chapter: %s", fault, comparison)
                .isFalse();
    }

    @Test
    void theCorpusIsAsLargeAsThatOfALanguage(TestReporter reporter) {
        reporter.publishEntry(Map.of("seed", String.valueOf(SEED), "fuzz", String.valueOf(FUZZ)));
        assertThat(snippets()).hasSizeGreaterThan(700);
        assertThat(Snippet.byName()).hasSameSizeAs(Snippet.ofAllChapters());
    }

    static List<Snippet> snippets() {
        List<Snippet> snippets = new ArrayList<>(Snippet.ofAllChapters());
        List<KnownDifference> known = knownDifferences();
        snippets.removeIf(
                snippet -> known.stream().anyMatch(one -> one.concerns(snippet, Variant.SCRIPT)));
        return snippets;
    }

    private static List<KnownDifference> knownDifferences() {
        List<KnownDifference> known = new ArrayList<>(KnownDifference.open());
        known.addAll(KnownDifference.byDesign());
        return known;
    }

    static Stream<Arguments> variants() {
        List<KnownDifference> known = knownDifferences();
        Random random = new Random(SEED);
        List<Snippet> snippets = new ArrayList<>(Snippet.ofAllChapters());
        Collections.shuffle(snippets, random);
        int tried = FUZZ > 1 ? snippets.size() : snippets.size() / SHARE;
        return snippets.subList(0, tried).stream()
                .flatMap(snippet ->
                        someVariants(random)
                                .filter(variant ->
                                        known.stream().noneMatch(k -> k.concerns(snippet, variant)))
                                .map(variant -> Arguments.of(snippet, variant)));
    }

    static LongStream seeds() {
        return new Random(SEED).longs((long) PROGRAMS * FUZZ);
    }

    private static Stream<Variant> someVariants(Random random) {
        List<Variant> variants = new ArrayList<>(List.of(Variant.values()));
        variants.remove(Variant.SCRIPT);
        Collections.shuffle(variants, random);
        return IntStream.range(0, Math.min(FUZZ, variants.size())).mapToObj(variants::get);
    }

    private static Comparison compared(Snippet snippet, Variant variant) {
        Outcome plain = languages.asScript(snippet.text());
        Random random = new Random(SEED ^ snippet.name().hashCode());
        return variant.of(snippet.text(), plain, languages, random);
    }

    private static void assertAgrees(Comparison comparison) {
        assertThat(comparison.agrees()).as("seed %d: %s", SEED, comparison).isTrue();
    }
}
