package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.blockscope.Traceback.Entry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
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

        @Test
        void leavesAColumnOutThatIsUnknown() {
            assertThat(traceback(guest("a.js", 3, 0, "f", "nope")).render())
                    .doesNotContain(":0")
                    .contains("at f (a.js:3)");
        }
    }
}
