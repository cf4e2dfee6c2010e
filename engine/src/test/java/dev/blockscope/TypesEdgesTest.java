package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of TypesTest that the engine does not pass yet. */
class TypesEdgesTest {
    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    record Point(int x, int y) {}

    private static @Nullable Object value(String text, Object... namesAndValues) {
        return engine.capture(text, frame(namesAndValues)).evaluate().value();
    }

    private static BlockException failure(String text, Object... namesAndValues) {
        Block block = engine.capture(text, frame(namesAndValues));
        BlockException e = catchThrowableOfType(BlockException.class, block::run);
        assertThat(e).as("the block fails").isNotNull();
        return e;
    }

    static Stream<Arguments> in() {
        return Stream.of(
                arguments(Long.MIN_VALUE, "v", Long.MIN_VALUE),
                arguments(1L << 60, "v", 1L << 60),
                arguments(
                        Instant.ofEpochMilli(1000),
                        "[v instanceof Date, v.getTime()].join()",
                        "true,1000"),
                arguments(List.of(1), "typeof v[5]", "undefined"),
                arguments(new int[] {1}, "typeof v[5]", "undefined"),
                arguments(Map.of(1, "a"), "[v[1], Object.keys(v).join()].join()", "a,1"));
    }

    @ParameterizedTest
    @MethodSource("in")
    void isSeenAsData(Object given, String text, Object expected) {
        assertThat(value(text, "v", given)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " :: ",
            quoteCharacter = '"',
            textBlock =
                    """
                    ({ rows: [0, { get a() { throw new Error('no') } }] })        :: .rows[1].a
                    x = { a: { get b() { throw new Error('no') } } }; 0           :: x.a.b
                    const y = [{ get b() { throw new Error('no') } }]; 0          :: y[0].b
                    """)
    void isAnErrorThatNamesThePath(String text, String path) {
        assertThat(failure("1;\n" + text).getMessage()).contains(path).contains("no");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "let v = 1; for (let i = 0; i < 100000; i++) v = [v]; v",
                "let v = {}; for (let i = 0; i < 100000; i++) v = { v }; v",
                "let v = 1; for (let i = 0; i < 100000; i++) v = new Map([['v', v]]); v"
            })
    void nestingWithoutEndIsAnErrorAndNoOverflow(String text) {
        assertThat(failure(text)).hasMessageContaining("nested");
    }

    @ParameterizedTest
    @CsvSource({"new TypeError('m'), TypeError: m", "new RangeError('m'), RangeError: m"})
    void errorsAreText(String text, String expected) {
        assertThat(value(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"new Proxy([1], {})", "[new Proxy([1], {})][0]"})
    void aProxyOfAnArrayIsAList(String text) {
        assertThat(value(text)).isEqualTo(List.of(1));
    }

    static Stream<Arguments> lost() {
        return Stream.of(
                arguments("v.length = 0", List.of(0)),
                arguments("delete v.x", new Point(1, 2)),
                arguments("delete v.a", Map.of("a", 1)));
    }

    @ParameterizedTest
    @MethodSource("lost")
    void writesThatWouldBeLostAreErrors(String text, Object given) {
        BlockException e = failure("1;\n" + text, "v", given);

        assertThat(e.kind()).isEqualTo(BlockException.Kind.RUNTIME);
        assertThat(e.traceback().innermost().line()).isEqualTo(2);
    }
}
