package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A captured block: its text, what a run of it comes to, and that no trick of the text matters. */
class BlockTest {
    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    /** Returns the text a table stands for: what would break its lines is written as a sign. */
    private static String readable(String row) {
        return row.replace('¶', '\n').replace('→', '\t').replace('␍', '\r').replace('␤', '\u2028');
    }

    @Nested
    class Value {
        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '"',
                textBlock =
                        """
                        expression            :: 1 + 1                                  :: 2
                        last statement        :: 1; 2; 3                                :: 3
                        comment behind        :: 1 + 1 // done                          :: 2
                        comment before        :: // note¶¶/* } */ var s = '}'; s        :: }
                        if                    :: if (true) { 5 } else { 6 }             :: 5
                        try                   :: try { 5 } finally { 6 }                :: 5
                        loop                  :: for (let i = 0; i < 3; i++) i * 10     :: 20
                        switch                :: switch (1) { case 1: 'one' }           :: one
                        braces                :: { 7 }                                  :: 7
                        before a declaration  :: 5; let x = 6                           :: 5
                        before a function     :: 5; function f() {}                     :: 5
                        assignment            :: x = 8                                  :: 8
                        semicolons            :: ;;9;;                                  :: 9
                        label                 :: a: { 4; break a }                      :: 4
                        no semicolons         :: let a = 1¶let b = 2¶a + b              :: 3
                        carriage returns      :: 1;␍¶2                                 :: 2
                        odd indentation       :: →→  1;¶→2                              :: 2
                        line separator        :: 1;␤ 2                               :: 2
                        html-like comment     :: 1 <!-- + 1¶                            :: 1
                        hashbang              :: #!/usr/bin/env js¶3                    :: 3
                        byte order mark       :: \uFEFF3                                :: 3
                        division              :: 6 / 2 / 3                              :: 1
                        regular expression    :: /}/.test('}') + ''                     :: true
                        brace in a template   :: `}${1}{`                               :: }1{
                        """)
        void isThatOfTheLastStatement(String form, String text, String expected) {
            Block block = engine.capture(readable(text), frame());

            assertThat(block.run().value()).hasToString(expected);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    " ",
                    "\n\n",
                    ";",
                    "  // only a comment",
                    "/* only */",
                    "let x = 1",
                    "function f() {}",
                    "class C {}",
                    "if (false) 1",
                    "undefined",
                    "null",
                    "void 0",
                    "var x",
                    "{}",
                    "'use strict'; undefined",
                    "x: for (;;) break x",
                    "debugger"
                })
        void isNullIfThereIsNone(String text) {
            assertThat(engine.capture(text, frame()).run().value()).isNull();
        }

        @Test
        void ofADirectiveIsItsText() {
            assertThat(engine.capture("'use strict'", frame()).run().value())
                    .isEqualTo("use strict");
        }
    }

    @Nested
    class Result {
        @Test
        void carriesValueAndBindings() {
            BlockResult result = engine.capture("total = price * 2", frame("price", 3)).evaluate();

            assertThat(result.value()).isEqualTo(6);
            assertThat(result.bindings()).isEqualTo(map("total", 6));
        }

        @Test
        void cannotBeChanged() {
            BlockResult result = engine.capture("x = 1", frame()).evaluate();

            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> result.bindings().put("y", 1));
        }

        @Test
        void ofARunIsPushedAlready() {
            Map<String, Object> locals = map();

            BlockResult result = engine.capture("x = 1", Frame.of(locals)).run();

            assertThat(locals).isEqualTo(result.bindings()).isEqualTo(map("x", 1));
        }

        @Test
        void showsValueAndBindingsAsText() {
            assertThat(engine.capture("x = 1; 'v'", frame()).evaluate().toString())
                    .contains("v")
                    .contains("x=1");
        }
    }

    /** What a block may write back to its frame, where that is not everything it assigns. */
    @Nested
    class PushOnly {
        private final Map<String, Object> locals = map("a", 0, "b", 0);
        private final Frame frame = Frame.of(locals);
        private final Block block =
                engine.capture("a = 1; b = 2; globalThis['my-name'] = 3; c = 4", frame);

        @Test
        void limitsWhatARunPushes() {
            block.pushOnly("a", "c").run();

            assertThat(locals).isEqualTo(map("a", 1, "b", 0, "c", 4));
        }

        @Test
        void limitsALaterPushToo() {
            BlockResult result = block.pushOnly("b").evaluate();

            result.push();

            assertThat(locals).isEqualTo(map("a", 0, "b", 2));
        }

        @Test
        void keepsTheOrderOfTheBlock() {
            block.pushOnly("c", "my-name", "a").run();

            assertThat(locals).isEqualTo(map("a", 1, "b", 0, "my-name", 3, "c", 4));
        }

        @Test
        void takesNamesThatAreNoVariables() {
            block.pushOnly("my-name", "class", "").run();

            assertThat(locals).isEqualTo(map("a", 0, "b", 0, "my-name", 3));
        }

        @Test
        void doesNotPushANameThatWasNotAssigned() {
            engine.capture("if (a > 5) a = 1; b", frame).pushOnly("a", "b", "z").run();

            assertThat(locals).isEqualTo(map("a", 0, "b", 0));
        }

        @Test
        void ofNoNamesPushesNothing() {
            block.pushOnly().run();

            assertThat(locals).isEqualTo(map("a", 0, "b", 0));
        }

        @Test
        void pushesNull() {
            engine.capture("a = null; b = null", frame).pushOnly("a").run();

            assertThat(locals).isEqualTo(map("a", null, "b", 0));
        }

        @Test
        void keepsTheOtherNamesInTheResultAndInTheSharedLocals() {
            BlockResult result = block.pushOnly("a").run();

            assertThat(result.bindings()).isEqualTo(map("a", 1, "b", 2, "my-name", 3, "c", 4));
            assertThat(engine.capture("c", frame).evaluate().value()).isEqualTo(4);
        }

        @Test
        void leavesTheBlockItWasAskedOfAsItWas() {
            Block limited = block.pushOnly("a");

            block.run();

            assertThat(locals).isEqualTo(map("a", 1, "b", 2, "my-name", 3, "c", 4));
            assertThat(limited.source()).isEqualTo(block.source());
            assertThat(limited.frame()).isSameAs(frame);
            assertThat(limited.snapshot()).isSameAs(block.snapshot());
        }

        @Test
        void ofALimitedBlockIsNarrower() {
            block.pushOnly("a", "b").pushOnly("b", "c").run();

            assertThat(locals).isEqualTo(map("a", 0, "b", 2));
        }

        @Test
        void keepsANameThatTheFrameRefusesFromFailingThePush() {
            Map<String, Object> locals = new ConcurrentHashMap<>(Map.of("a", 0));
            Block nulls = engine.capture("a = 1; b = null", Frame.of(locals));

            assertThatExceptionOfType(PushException.class).isThrownBy(nulls::run);
            nulls.pushOnly("a").run();

            assertThat(locals).isEqualTo(Map.of("a", 1));
        }

        @Test
        void needsNames() {
            assertThatNullPointerException().isThrownBy(() -> block.pushOnly("a", null));
        }
    }

    @Test
    void aBlockTellsItsSourceItsFrameAndItsSnapshot() {
        Frame frame = frame("x", 1, "y", null);
        BlockSource source = BlockSource.javaScript("x", "rules.js").startingAt(40, 3);

        Block block = engine.capture(source, frame);

        assertThat(block.source()).isEqualTo(source);
        assertThat(block.frame()).isSameAs(frame);
        assertThat(block.snapshot()).isEqualTo(map("x", 1, "y", null));
        assertThat(block).hasToString("Block[rules.js:40:3]");
    }

    @Test
    void capturingRunsNothing() {
        List<Object> seen = new ArrayList<>();

        engine.capture("seen.push(1)", frame("seen", seen));

        assertThat(seen).isEmpty();
    }

    @Test
    void aBlockMayRunItself() {
        Map<String, Object> locals = map("depth", 0);
        Frame frame = Frame.of(locals);
        List<Block> self = new ArrayList<>();
        locals.put("again", (Runnable) () -> self.getFirst().evaluate());
        List<Object> seen = new ArrayList<>();
        locals.put("seen", seen);
        self.add(
                engine.capture(
                        "let mine = seen.length; seen.push(mine); if (mine < 3) again(); seen.push(mine)",
                        frame));

        self.getFirst().run();

        assertThat(seen).isEqualTo(List.of(0, 1, 2, 3, 3, 2, 1, 0));
    }

    @Test
    void aBlockMayRunAnotherBlockOfItsFrame() {
        Map<String, Object> locals = map();
        Frame frame = Frame.of(locals);
        Block inner = engine.capture("inner = 2; 'a' + s", frame("s", "b"));
        Block sibling = engine.capture("own = 3; outer + 1", frame);
        locals.put("run", (Callable<Object>) () -> inner.run().value());
        locals.put("beside", (Callable<Object>) () -> sibling.evaluate().value());

        Object value =
                engine.capture("outer = 1; [run(), beside(), typeof inner, own].join()", frame)
                        .evaluate()
                        .value();

        assertThat(value).isEqualTo("ab,2,undefined,3");
    }

    @Test
    void aBlockMayCaptureAnother() {
        Frame frame =
                frame(
                        "capture",
                        (java.util.function.Function<String, Object>)
                                text -> engine.capture(text, Frame.empty()).run().value());

        assertThat(
                        engine.capture("capture('1 + 1') + capture('[1, 2].length')", frame)
                                .run()
                                .value())
                .isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({
        "Boolean.FALSE, false",
        "zero, false",
        "nothing, false",
        "empty, false",
        "list, true",
        "one, true",
        "text, true",
        "map, true"
    })
    void conditionsAreDecidedByTheRealValues(String name, boolean truthy) {
        Frame frame =
                frame(
                        "Boolean",
                        Map.of("FALSE", false),
                        "zero",
                        0L,
                        "nothing",
                        null,
                        "empty",
                        "",
                        "list",
                        List.of(),
                        "one",
                        1,
                        "text",
                        "0",
                        "map",
                        Map.of());

        assertThat(engine.capture(name + " ? true : false", frame).run().value()).isEqualTo(truthy);
    }

    @Test
    void aBranchIsTakenByTheRealValues() {
        List<Object> acted = new ArrayList<>();
        Frame frame =
                frame(
                        "p",
                        0.2,
                        "threshold",
                        0.5,
                        "act",
                        (java.util.function.Consumer<Object>) acted::add);

        engine.capture("p < threshold ? act(p) : 'skip'", frame).run();

        assertThat(acted).containsExactly(0.2);
    }

    @Test
    void aLongBlockRuns() {
        String text = "x += 1;\n".repeat(20_000) + "x";

        assertThat(engine.capture("let x = 0;\n" + text, frame()).run().value()).isEqualTo(20_000);
    }

    @Nested
    class Source {
        @Test
        void startsAtLineOneColumnOne() {
            assertThat(BlockSource.javaScript("1", "a.js"))
                    .isEqualTo(new BlockSource("js", "1", "a.js", 1, 1))
                    .hasToString("a.js:1:1");
        }

        @Test
        void canStandElsewhere() {
            assertThat(BlockSource.javaScript("1", "a.js").startingAt(40, 3))
                    .isEqualTo(new BlockSource("js", "1", "a.js", 40, 3));
        }

        @Test
        void refusesPlacesThatAreNone() {
            BlockSource source = BlockSource.javaScript("1", "a.js");

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> source.startingAt(0, 1))
                    .withMessageContaining("line is 0");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> source.startingAt(1, -3))
                    .withMessageContaining("column is -3");
        }

        @Test
        void needsItsParts() {
            assertThatNullPointerException().isThrownBy(() -> BlockSource.javaScript(null, "a.js"));
            assertThatNullPointerException().isThrownBy(() -> BlockSource.javaScript("1", null));
        }

        @Test
        void farDownAFileIsFine() {
            BlockSource source = BlockSource.javaScript("1 + 1", "big.js").startingAt(100_000, 200);

            assertThat(engine.capture(source, frame()).run().value()).isEqualTo(2);
        }
    }
}
