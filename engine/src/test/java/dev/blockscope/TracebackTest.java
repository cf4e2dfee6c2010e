package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.blockscope.Traceback.Entry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A traceback as plain data: what is kept, what is dropped, and how it reads. */
class TracebackTest {
    private static final Entry INNER = guest("rules.js", 12, 5, "check", "    return nope(x)");
    private static final Entry OUTER = guest("rules.js", 20, 1, "", "check(1)");

    private static Entry guest(String file, int line, int column, String function, String source) {
        return new Entry(file, line, column, function, source, true);
    }

    private static Entry host(String function) {
        return new Entry("Some.java", 7, 0, function, "", false);
    }

    private static Traceback traceback(Entry... entries) {
        return new Traceback("Error: boom", List.of(entries));
    }

    @Nested
    class Data {
        @Test
        void keepsItsEntriesWhateverHappensToTheListItWasGiven() {
            List<Entry> entries = new ArrayList<>(List.of(INNER, OUTER));
            Traceback traceback = new Traceback("Error: boom", entries);

            entries.clear();

            assertThat(traceback.entries()).containsExactly(INNER, OUTER);
        }

        @Test
        void cannotBeChanged() {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> traceback(INNER).entries().add(OUTER));
        }

        @Test
        void equalsAnotherOfTheSameData() {
            assertThat(traceback(INNER, OUTER))
                    .isEqualTo(traceback(INNER, OUTER))
                    .hasSameHashCodeAs(traceback(INNER, OUTER))
                    .isNotEqualTo(traceback(OUTER, INNER));
        }

        @Test
        void survivesJavaSerialization() throws Exception {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(traceback(INNER, host("app.Service.call"), OUTER));
            }

            Object read;
            try (ObjectInputStream in =
                    new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                read = in.readObject();
            }

            assertThat(read).isEqualTo(traceback(INNER, host("app.Service.call"), OUTER));
        }

        @Test
        void needsItsParts() {
            assertThatNullPointerException().isThrownBy(() -> new Traceback(null, List.of()));
            assertThatNullPointerException().isThrownBy(() -> new Traceback("m", null));
            assertThatNullPointerException().isThrownBy(() -> guest(null, 1, 1, "", ""));
        }

        @Test
        void hasTheFirstGuestEntryAsItsInnermost() {
            assertThat(traceback(host("app.Service.call"), INNER, OUTER).innermost())
                    .isEqualTo(INNER);
        }

        @Test
        void withoutGuestEntriesHasNoInnermost() {
            assertThat(traceback(host("app.Service.call")).innermost()).isNull();
            assertThat(Traceback.empty("m").innermost()).isNull();
        }
    }

    @Nested
    class Filter {
        @Test
        void keepsWhatMatchesInOrder() {
            Entry third = guest("other.js", 1, 1, "", "x");

            assertThat(traceback(INNER, third, OUTER).filter(e -> e.file().equals("rules.js")))
                    .isEqualTo(traceback(INNER, OUTER));
        }

        @Test
        void leavesTheTracebackItWasAskedOfAsItIs() {
            Traceback traceback = traceback(INNER, OUTER);

            assertThat(traceback.filter(e -> false)).isEqualTo(traceback());
            assertThat(traceback).isEqualTo(traceback(INNER, OUTER));
        }

        @Test
        void ofNothingIsEmptyAndKeepsTheMessage() {
            assertThat(Traceback.empty("Error: boom").filter(e -> true))
                    .isEqualTo(Traceback.empty("Error: boom"));
        }

        @Test
        void whosePredicateThrowsLeavesTheTracebackAsItIs() {
            Traceback traceback = traceback(INNER, OUTER);

            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() ->
                            traceback.filter(e -> {
                                throw new IllegalStateException("broken filter");
                            }));
            assertThat(traceback).isEqualTo(traceback(INNER, OUTER));
        }
    }

    @Nested
    class Clean {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "dev.blockscope.Run.execute",
                    "dev.blockscope.Block.lambda$evaluate$0",
                    "dev.blockscope.interleave.Interleaver.visit",
                    "dev.blockscope.truffle.BlockInstrument.parse",
                    "dev.blockscope.truffle.ParsedText$Executable.execute",
                    "org.graalvm.polyglot.Value.execute",
                    "com.oracle.truffle.polyglot.PolyglotValueDispatch.execute",
                    "com.oracle.truffle.js.runtime.JSRuntime.call",
                    "java.lang.reflect.Method.invoke",
                    "java.lang.invoke.LambdaForms$MH.invoke",
                    "jdk.internal.reflect.DirectMethodHandleAccessor.invoke"
                })
        void dropsTheFramesOfLibraries(String function) {
            assertThat(traceback(INNER, host(function), OUTER).clean())
                    .isEqualTo(traceback(INNER, OUTER));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "app.Service.call",
                    "app.org.graalvm.Service.call",
                    "org.graalvmlike.Service.call",
                    "com.oracle.trufflehog.Service.call",
                    "com.oracle.jdbc.Driver.connect",
                    "dev.blockscopes.Service.call",
                    "dev.blockscope.rules.Service.call",
                    "dev.blockscope.interleaved.Service.call",
                    "java.util.ArrayList.forEach",
                    "java.lang.String.repeat",
                    "jdk.internals.Service.call",
                    "Service.call"
                })
        void keepsTheHostCodeThatABlockCalled(String function) {
            Traceback traceback = traceback(INNER, host(function), OUTER);

            assertThat(traceback.clean()).isEqualTo(traceback);
        }

        @Test
        void keepsTheHostCodeThatThrew() {
            Traceback traceback = traceback(host("app.Service.boom"), INNER);

            assertThat(traceback.clean()).isEqualTo(traceback);
        }

        @Test
        void dropsTheHostThatRanTheBlock() {
            assertThat(traceback(INNER, host("app.Main.main"), host("app.Main.run")).clean())
                    .isEqualTo(traceback(INNER));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"rules.js", "<eval>", "org.graalvm.js", "dev.blockscope.js", "lib/a.js"})
        void keepsGuestCodeInAnyFile(String file) {
            Traceback traceback = traceback(guest(file, 1, 1, "org.graalvm.f", ""), OUTER);

            assertThat(traceback.clean()).isEqualTo(traceback);
        }

        @Test
        void ofLibrariesAloneIsEmpty() {
            assertThat(traceback(host("org.graalvm.polyglot.Value.execute")).clean())
                    .isEqualTo(Traceback.empty("Error: boom"));
        }

        @Test
        void ofTheHostAloneIsEmpty() {
            assertThat(traceback(host("app.Main.main")).clean())
                    .isEqualTo(Traceback.empty("Error: boom"));
        }

        @Test
        void ofNothingIsEmpty() {
            assertThat(Traceback.empty("Error: boom").clean())
                    .isEqualTo(Traceback.empty("Error: boom"));
        }

        @Test
        void leavesTheTracebackItWasAskedOfAsItIs() {
            Traceback traceback =
                    traceback(INNER, host("org.graalvm.polyglot.Value.execute"), OUTER);

            traceback.clean();

            assertThat(traceback.entries()).hasSize(3);
        }

        @Test
        void twiceIsTheSameAsOnce() {
            Traceback once =
                    traceback(
                                    host("app.Service.boom"),
                                    INNER,
                                    host("java.lang.reflect.Method.invoke"))
                            .clean();

            assertThat(once.clean()).isEqualTo(once);
        }
    }

    @Nested
    class Render {
        @Test
        void showsThePlaceTheLineACaretAndTheEntries() {
            assertThat(traceback(INNER, OUTER).render())
                    .isEqualTo(
                            """
                            rules.js:12:5: Error: boom
                              12 |     return nope(x)
                                 |     ^
                                at check (rules.js:12:5)
                                at rules.js:20:1\
                            """);
        }

        @Test
        void withoutEntriesIsTheMessageAlone() {
            assertThat(Traceback.empty("Error: boom").render()).isEqualTo("Error: boom");
        }

        @Test
        void withHostCodeOnlyIsNeverMisleading() {
            assertThat(traceback(host("app.Service.call")).render()).startsWith("Error: boom");
        }

        @ParameterizedTest
        @CsvSource({"1, ^", "5, '    ^'", "9, '        ^'"})
        void putsTheCaretBelowTheColumn(int column, String expected) {
            Traceback traceback = traceback(guest("a.js", 3, column, "", "let a = nope"));

            assertThat(traceback.render().lines().toList().get(2)).isEqualTo("    | " + expected);
        }

        @Test
        void putsTheCaretBelowItsCharacterAtAnyTabWidth() {
            Traceback traceback = traceback(guest("a.js", 3, 3, "", "\t\tnope"));

            List<String> lines = traceback.render().lines().toList();
            assertThat(lines.get(1)).isEqualTo("  3 | \t\tnope");
            assertThat(lines.get(2)).isEqualTo("    | \t\t^");
        }

        @Test
        void countsPaddingAsTheUsersFileHasIt() {
            Traceback traceback = traceback(guest("a.js", 40, 21, "", " ".repeat(20) + "nope"));

            List<String> lines = traceback.render().lines().toList();
            assertThat(lines.get(2).indexOf('^')).isEqualTo(lines.get(1).indexOf("nope"));
        }

        @Test
        void keepsTheCaretOnTheLineIfTheColumnIsBeyondIt() {
            Traceback traceback = traceback(guest("a.js", 3, 99, "", "nope"));

            assertThat(traceback.render()).contains("  3 | nope\n    |     ^");
        }

        @ParameterizedTest
        @CsvSource({"0, nope", "3, ''", "3, '   '"})
        void leavesTheExcerptOutIfLineOrColumnAreUnknown(int column, String source) {
            Traceback traceback = traceback(guest("a.js", 3, column, "", source));

            assertThat(traceback.render()).doesNotContain("^").doesNotContain("|");
            assertThat(traceback.render()).startsWith("a.js:3").contains("Error: boom");
        }

        @Test
        void namesHostCodeByClassAndMethod() {
            assertThat(traceback(INNER, host("app.Service.call"), OUTER).render())
                    .contains("    at app.Service.call (Some.java:7)\n");
        }

        @Test
        void keepsPercentSignsAndBackslashesOfTheUser() {
            Traceback traceback =
                    new Traceback("Error: 100%n \\n", List.of(guest("50%.js", 1, 1, "", "a %s b")));

            assertThat(traceback.render())
                    .contains("50%.js:1:1: Error: 100%n \\n")
                    .contains("a %s b");
        }

        @Test
        void hasNoTrailingLineBreak() {
            assertThat(traceback(INNER, OUTER).render()).doesNotEndWith("\n").doesNotContain("\r");
        }

        @Test
        void keepsAMessageOfSeveralLines() {
            Traceback traceback = new Traceback("Error: first\nsecond", List.of(OUTER));

            assertThat(traceback.render()).startsWith("rules.js:20:1: Error: first\nsecond\n");
        }

        /** The caret stands below what takes the column, however wide what is before it is. */
        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                textBlock =
                        """
                        Latin                 :: abc nope           :: 4
                        Chinese               :: 合計 nope          :: 5
                        full-width Latin      :: ＡＢ nope          :: 5
                        half-width kana       :: ｱｲ nope            :: 3
                        Korean                :: 값 nope            :: 3
                        beyond the basics     :: 𠀀 nope            :: 3
                        accents apart         :: éé nope :: 3
                        an emoji              :: 😀 nope            :: 3
                        a family              :: 👨‍👩‍👧 nope          :: 3
                        a flag                :: 🇫🇷 nope            :: 3
                        an emoji by selector  :: ❤️ nope            :: 3
                        a skin                :: 👍🏽 nope            :: 3
                        Arabic                :: سلام nope          :: 5
                        """)
        void putsTheCaretBelowItsCharacterHoweverWideTheLineIs(
                String script, String line, int cells) {
            int column = line.indexOf("nope") + 1;
            Traceback traceback = traceback(guest("a.js", 3, column, "", line));

            List<String> lines = traceback.render().lines().toList();
            assertThat(lines.get(1)).isEqualTo("  3 | " + line);
            assertThat(lines.get(2)).isEqualTo("    | " + " ".repeat(cells) + "^");
        }

        @Test
        void putsTheCaretBelowACharacterThatTheColumnIsInTheMiddleOf() {
            Traceback traceback = traceback(guest("a.js", 3, 2, "", "\uD83D\uDE00 nope"));

            assertThat(traceback.render()).contains("    | ^");
        }

        @ParameterizedTest
        @CsvSource({"1", "300", "2500", "4999", "5000", "5001", "9000"})
        void cutsALongLineAroundTheColumn(int column) {
            String line = "x".repeat(column - 1) + "N" + "y".repeat(5000 - Math.min(5000, column));
            Traceback traceback = traceback(guest("a.js", 3, column, "", line));

            List<String> lines = traceback.render(new Rendering(false, 60)).lines().toList();
            assertThat(lines.get(1)).hasSizeLessThanOrEqualTo("  3 | ".length() + 60).contains("…");
            assertThat(lines.get(2).indexOf('^')).isEqualTo(lines.get(1).indexOf('N'));
            assertThat(traceback.innermost().sourceLine()).hasSize(500);
        }

        @Test
        void cutsALineOfWideCharactersByTheirCells() {
            String line = "値".repeat(200) + "N" + "段".repeat(200);
            Traceback traceback = traceback(guest("a.js", 3, 201, "", line));

            String shown = traceback.render(new Rendering(false, 40)).lines().toList().get(1);
            int wide = (int) shown.chars().filter(c -> c == '値' || c == '段').count();
            assertThat(shown).contains("N");
            assertThat(2 * wide + 3).isBetween(36, 40);
        }

        @ParameterizedTest
        @CsvSource({"0, ␀", "27, ␛", "127, ␡", "8238, \uFFFD", "55296, \uFFFD"})
        void showsControlsOfTheLineAsCharactersOfTheSameWidth(int control, String shown) {
            String line = "'" + (char) control + "'; nope";
            Traceback traceback = traceback(guest("a.js", 3, 6, "", line));

            List<String> lines = traceback.render().lines().toList();
            assertThat(lines.get(1)).isEqualTo("  3 | '" + shown + "'; nope");
            assertThat(lines.get(2)).isEqualTo("    |      ^");
        }

        @Test
        void obeysNoControlsOfNamesAndMessages() {
            Traceback traceback =
                    new Traceback(
                            "Error: a\u001b[2Jb\r\nc",
                            List.of(guest("a\nb\u202e.js", 1, 1, "f\u0007", "nope")));

            assertThat(traceback.render())
                    .startsWith("a\\nb\\u202e.js:1:1: Error: a\\u001b[2Jb\nc\n")
                    .contains("at f\\u0007 (");
        }

        @Test
        void pinsTheLineOfABlockBeforeThatOfCodeItMade() {
            Entry made = new Entry("<eval>", 1, 1, "", "nope", 1, Traceback.Code.GUEST);

            assertThat(traceback(made, OUTER).pinned()).isEqualTo(OUTER);
            assertThat(traceback(made, OUTER).innermost()).isEqualTo(made);
            assertThat(traceback(made).pinned()).isEqualTo(made);
            assertThat(traceback(made, OUTER).render())
                    .startsWith("rules.js:20:1: Error: boom\n  20 | check(1)\n")
                    .contains("    at <eval>:1:1\n    at rules.js:20:1");
        }

        @Test
        void ofAThousandEntriesShowsTheFirstAndTheLastTwentyAndSaysHowManyAreMissing() {
            List<Entry> entries =
                    IntStream.rangeClosed(1, 1000)
                            .mapToObj(i -> guest("a.js", i, 1, "f", "nope"))
                            .toList();

            Traceback traceback = new Traceback("Error: deep", entries);

            assertThat(traceback.entries()).hasSize(100);
            assertThat(traceback.gap()).isEqualTo(new Traceback.Gap(50, 900));
            List<String> lines = traceback.render().lines().skip(3).toList();
            assertThat(lines).hasSize(41);
            for (int i = 0; i < 20; i++) {
                assertThat(lines.get(i)).isEqualTo("    at f (a.js:" + (i + 1) + ":1)");
                assertThat(lines.get(21 + i)).isEqualTo("    at f (a.js:" + (981 + i) + ":1)");
            }
            assertThat(lines.get(20)).isEqualTo("    ... 960 more ...");
        }

        @Test
        void saysWhereEntriesAreMissingAlsoOfAFilteredTraceback() {
            List<Entry> entries =
                    IntStream.rangeClosed(1, 1000)
                            .mapToObj(i -> guest("a.js", i, 1, "f", "nope"))
                            .toList();

            Traceback some =
                    new Traceback("Error: deep", entries)
                            .filter(entry -> entry.line() == 2 || entry.line() == 999);

            assertThat(some.gap()).isEqualTo(new Traceback.Gap(1, 900));
            assertThat(some.render())
                    .endsWith("    at f (a.js:2:1)\n    ... 900 more ...\n    at f (a.js:999:1)");
        }

        @Test
        void coloursOnlyWhatATerminalIsSent() {
            String coloured = traceback(INNER, OUTER).render(new Rendering(true, 80));

            assertThat(coloured).contains("\u001b[31m").contains("\u001b[0m");
            assertThat(coloured.replaceAll("\u001b\\[\\d+m", ""))
                    .isEqualTo(traceback(INNER, OUTER).render());
        }

        @ParameterizedTest
        @CsvSource(
                nullValues = "-",
                value = {
                    "-, -, -, true, 80",
                    "-, -, 132, true, 132",
                    "1, -, -, false, 80",
                    "'', -, -, true, 80",
                    "-, dumb, -, false, 80",
                    "-, xterm-256color, 100, true, 100",
                    "-, -, 12, true, 20",
                    "-, -, wide, true, 80",
                    "-, -, 99999999999, true, 80"
                })
        void suitsTheTerminalThatTheEnvironmentTells(
                String noColor, String term, String columns, boolean coloured, int width) {
            Map<String, String> environment = new HashMap<>();
            environment.put("NO_COLOR", noColor);
            environment.put("TERM", term);
            environment.put("COLUMNS", columns);
            environment.values().removeIf(Objects::isNull);

            assertThat(Rendering.of(environment)).isEqualTo(new Rendering(coloured, width));
        }

        @Test
        void isPlainWithoutATerminal() {
            assertThat(Rendering.terminal(false)).isEqualTo(Rendering.PLAIN);
            assertThat(Rendering.PLAIN.coloured()).isFalse();
        }

        @Test
        void needsAWidth() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Rendering(false, 19))
                    .withMessageContaining("19")
                    .withMessageContaining("20");
        }

        @Test
        void indentsWhatFailedBesides() {
            Traceback root = Traceback.empty("root");
            Traceback besides =
                    new Traceback("two", "", List.of(), Traceback.Gap.NONE, root, List.of());
            Traceback traceback =
                    new Traceback("one", "", List.of(), Traceback.Gap.NONE, root, List.of(besides));

            assertThat(traceback.render())
                    .isEqualTo("one\n    also failed: two\n    caused by: root\ncaused by: root");
        }

        @Test
        void leavesAColumnOutThatIsUnknown() {
            assertThat(traceback(guest("a.js", 3, 0, "f", "nope")).render())
                    .doesNotContain(":0")
                    .contains("at f (a.js:3)");
        }
    }
}
