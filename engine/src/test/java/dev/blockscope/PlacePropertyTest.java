package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Wherever in a file a block stands, an error in it points at that place of the file. */
class PlacePropertyTest {
    private static final String FILE = "steer.js";
    private static BlockEngine engine;

    @BeforeContainer
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterContainer
    static void close() {
        engine.close();
    }

    /** Harmless text that may stand before the fault. */
    @Provide
    Arbitrary<String> prefix() {
        return Arbitraries.of(
                        "1;",
                        " ",
                        "\t",
                        "\n",
                        "\r\n",
                        "// note\n",
                        "/* a\nb */",
                        "`x\ny`;",
                        "'\uD83D\uDE00';",
                        "let q = 1;\n",
                        "\n\n",
                        "{ }",
                        "'}';")
                .list()
                .ofMaxSize(6)
                .map(parts -> String.join("", parts))
                .filter(text -> text.indexOf("let q") == text.lastIndexOf("let q"));
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void anErrorOfTheRunPointsAtItsPlaceInTheFile(
            @ForAll("prefix") String prefix,
            @ForAll @IntRange(min = 1, max = 500) int line,
            @ForAll @IntRange(min = 1, max = 60) int column) {
        BlockSource source =
                BlockSource.javaScript(prefix + "nope()", FILE).startingAt(line, column);
        Block block = engine.capture(source, frame());

        BlockException e = catchThrowableOfType(BlockException.class, block::run);

        assertPlace(e, prefix, line, column);
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void anErrorOfTheCapturePointsAtItsPlaceInTheFile(
            @ForAll("prefix") String prefix,
            @ForAll @IntRange(min = 1, max = 500) int line,
            @ForAll @IntRange(min = 1, max = 60) int column) {
        BlockSource source = BlockSource.javaScript(prefix + ")", FILE).startingAt(line, column);
        Frame frame = frame();

        BlockException e =
                catchThrowableOfType(BlockException.class, () -> engine.capture(source, frame));

        assertPlace(e, prefix, line, column);
    }

    private static void assertPlace(BlockException e, String prefix, int line, int column) {
        int breaks = (int) prefix.chars().filter(c -> c == '\n').count();
        int onLastLine = prefix.length() - (prefix.lastIndexOf('\n') + 1);
        Traceback.Entry entry = e.traceback().innermost();

        assertThat(entry.file()).isEqualTo(FILE);
        assertThat(entry.line()).isEqualTo(line + breaks);
        assertThat(entry.column()).isEqualTo(breaks == 0 ? column + onLastLine : onLastLine + 1);
    }
}
