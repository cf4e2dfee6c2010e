package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Streams;
import dev.blockscope.script.ScriptReader;
import dev.blockscope.truffle.GuestAccess;
import dev.blockscope.truffle.TextNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds what is read of plain scripts against what the language tells of them: for all JavaScript
 * in our tests, for programs drawn from a grammar, and for what comes of both by chance, most of
 * which does not parse. {@code -Dfuzz.inputs} says how many of the latter, {@code -Dfuzz.seed}
 * which.
 */
@Timeout(1_200)
final class ScriptReaderTest {
    private static final int INPUTS = Integer.getInteger("fuzz.inputs", 20_000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_261_130);
    private static final String NO_NAME = new JavaScript().noName();

    /** What is in quotes in a Java source, be it JavaScript or not. */
    private static final Pattern QUOTED =
            Pattern.compile(
                    "\"\"\"\\s*\\n(?<block>.*?)\"\"\"|\"(?<line>(?:[^\"\\\\\\n]|\\\\.)+)\"",
                    Pattern.DOTALL);

    private static final Pattern TOKEN =
            Pattern.compile(
                    "[\\w$]+|\\s+|\"[^\"\\n]*\"|'[^'\\n]*'|[-+*/%&|^<>=!?.]{2,3}|.",
                    Pattern.DOTALL);

    private static Engine engine;
    private static Context context;
    private static GuestAccess guest;

    @BeforeAll
    static void open() {
        engine = Installation.engineOf(BlockSource.JAVASCRIPT);
        guest = Installation.guestOf(engine);
        context = Context.newBuilder(BlockSource.JAVASCRIPT).engine(engine).build();
        context.initialize(BlockSource.JAVASCRIPT);
        context.enter();
        told(new JavaScript().primer());
    }

    @AfterAll
    static void close() {
        context.leave();
        context.close();
        engine.close();
    }

    /** Returns what the language tells, or null if the text does not parse. */
    private static @Nullable TextNames told(String text) {
        try {
            return guest.namesOf(BlockSource.JAVASCRIPT, "f.js", text, NO_NAME);
        } catch (Exception e) {
            return null;
        }
    }

    /** Holds one text against the language. Returns whether it is plain. */
    private static boolean isPlain(String text) {
        TextNames read = ScriptReader.namesOf(text);
        if (read != null) {
            assertThat(read).as(text).isEqualTo(told(text));
        }
        return read != null;
    }

    @Test
    void whatIsReadIsWhatTheLanguageTells() throws IOException {
        assertThat(texts().stream().filter(ScriptReaderTest::isPlain).count()).isGreaterThan(2_000);
    }

    @Test
    void changedByChanceTheyAreReadAsTheLanguageDoesOrNotAtAll() throws IOException {
        Random random = new Random(SEED);
        List<List<String>> texts = new ArrayList<>();
        for (String text : texts()) {
            if (text.length() < 400 && ScriptReader.namesOf(text) != null) {
                texts.add(TOKEN.matcher(text).results().map(MatchResult::group).toList());
            }
        }
        int plain = 0;
        for (int i = 0; i < INPUTS; i++) {
            plain += isPlain(changed(texts, random)) ? 1 : 0;
        }
        assertThat(plain).isGreaterThan(INPUTS / 5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x = 1",
                "(x) + (1)",
                "x({ x }).x = 1",
                "for (var n = 1;;) f()",
                "for (let i = 0, n = xs.length; i < n; i++) { s += xs[i] }",
                "function rounded(x) { return Math.round(x * 100) / 100 }\ntotal = rounded(price)",
                "const f = (a, b) => `${a} of ${b}`; out = xs.map(x => f(x, xs.length))",
                "let a = 1; ++a; b = (--b) + ++o.p",
                "let a = 1\nlet b = a ?? 2\nc = a?.b?.(c)?.[d]",
                "do x-- ; while (x > 0) y = { x, z: [...xs], 'w': new F(x).p }",
            })
    void usualTextsArePlain(String text) {
        assertThat(isPlain(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/x/.test(y)",
                "eval('x')",
                "let x; let x",
                "let x; { var x }",
                "return 1",
                "break",
                "'use strict'; x = 1",
                "f() = 1",
                "const p = 1; p = x = 2",
                "-x ** 2",
                "a ?? b || c",
                "new line.p[0] = 1",
                "if (x) let y = 1",
                "if (x) function f() {}",
                "await x",
                "x <!-- y",
                "\\u0078 = 1",
                "é = 1",
                "010",
                "1_000",
                "label: for (;;) break label",
                "() => { x = 1 }",
            })
    void whatIsRareOrWrongIsLeftToTheLanguage(String text) {
        assertThat(ScriptReader.namesOf(text)).isNull();
    }

    @Test
    void neitherDepthNorLengthIsTooMuch() {
        for (String deep : List.of("(", "[", "{", "-", "!", "f(", "x => ", "`${", "if (x) ")) {
            assertThat(ScriptReader.namesOf(deep.repeat(100_000))).isNull();
        }
        assertThat(ScriptReader.namesOf("x = x + 1;\n".repeat(100_000))).isNotNull();
        assertThat(ScriptReader.namesOf("x" + " + x".repeat(100_000))).isNotNull();
    }

    /** Returns a text with some of its tokens taken away, doubled or put elsewhere. */
    private static String changed(List<List<String>> texts, Random random) {
        List<String> tokens = new ArrayList<>(any(texts, random));
        for (int changes = 1 + random.nextInt(3); changes > 0 && !tokens.isEmpty(); changes--) {
            int place = random.nextInt(tokens.size());
            switch (random.nextInt(6)) {
                case 0 -> tokens.remove(place);
                case 1 -> tokens.add(place, any(tokens, random));
                case 2 -> tokens.set(place, any(tokens, random));
                case 3 -> tokens.add(place, any(any(texts, random), random));
                case 4 -> tokens.set(place, any(any(texts, random), random));
                default -> tokens.addAll(place, any(texts, random));
            }
        }
        return String.join("", tokens);
    }

    private static <T> T any(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    private static List<String> texts() throws IOException {
        Random random = new Random(SEED);
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
            return Streams.concat(
                            sources.stream().flatMap(ScriptReaderTest::quotedIn),
                            Stream.generate(() -> RandomProgram.of(random).text()).limit(1_000))
                    .filter(text -> !text.contains(NO_NAME))
                    .distinct()
                    .toList();
        }
    }

    private static Stream<String> quotedIn(Path file) {
        return QUOTED.matcher(read(file))
                .results()
                .map(found -> {
                    String block = found.group("block");
                    return block == null ? found.group("line") : block.stripIndent();
                })
                // Those that show how Java writes what no keyboard has.
                .filter(text -> !text.contains("\\u"))
                .map(String::translateEscapes);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
