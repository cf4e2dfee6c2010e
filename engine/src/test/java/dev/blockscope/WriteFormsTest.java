package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every way to write a name against every rule that speaks of writing. */
@Tag("compiled")
class WriteFormsTest {
    /** Reads the name as a number: some forms bind a function that stands for 1. */
    private static final String READING = "+x";

    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    static Stream<WriteForm> forms() {
        return WriteForm.all();
    }

    static Stream<WriteForm> assignable() {
        return forms().filter(WriteForm::isAssignable);
    }

    static Stream<WriteForm> atOnce() {
        return forms().filter(form -> !form.isLate());
    }

    static Stream<WriteForm> late() {
        return forms().filter(WriteForm::isLate);
    }

    static Stream<WriteForm> unconditional() {
        return atOnce().filter(form -> !form.isConditional());
    }

    /** That a {@code with} has assigned the value a name had is not noticed. */
    static Stream<WriteForm> noticedAgain() {
        return unconditional().filter(form -> !form.name().equals("in with"));
    }

    /** A variable of a block can become no accessor. */
    static Stream<WriteForm> data() {
        return unconditional().filter(form -> !form.isAccessor());
    }

    /** What guest code makes an enumerable accessor is one until the run is over. */
    static Stream<WriteForm> unlisted() {
        return forms().filter(form -> !form.name().equals("__defineGetter__"));
    }

    /** A name that does not stand in the text as it is comes last. */
    static Stream<WriteForm> spelled() {
        return forms().filter(form -> !form.name().equals("with a unicode escape"));
    }

    private static Object value(String text, Frame frame) {
        return engine.capture(text, frame).evaluate().value();
    }

    @ParameterizedTest
    @MethodSource("atOnce")
    void bindsTheNameInOwnAndShared(WriteForm form) {
        Frame frame = frame();
        Block before = engine.capture(READING, frame);

        BlockResult result = engine.capture(form.text() + "\n; own = " + READING, frame).evaluate();

        assertThat(result.bindings()).containsKey("x").containsEntry("own", 1);
        assertThat(SharedLocals.of(frame).names()).contains("x");
        assertThat(before.evaluate().value()).as("a sibling captured before").isEqualTo(1);
        assertThat(value(READING, frame)).as("a sibling captured after").isEqualTo(1);
        assertThat(value("(() => +x)()", frame)).as("a sibling's function").isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("late")
    void bindsTheNameBeforeTheRunIsOver(WriteForm form) {
        Frame frame = frame();

        BlockResult result = engine.capture(form.text(), frame).evaluate();

        assertThat(result.bindings()).isEqualTo(map("x", 1));
        assertThat(value(READING, frame)).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("forms")
    void writesToTheFrameAtThePushAndOnce(WriteForm form) {
        List<String> puts = new ArrayList<>();
        Map<String, Object> locals =
                new LinkedHashMap<>() {
                    @Override
                    public Object put(String name, Object value) {
                        puts.add(name);
                        return super.put(name, value);
                    }
                };
        Map<String, Object> globals = map("w", 0, "y", 0);
        BlockResult result =
                engine.capture(form.text(), Frame.of(locals, Globals.of(globals))).evaluate();
        assertThat(puts).isEmpty();

        result.push();

        assertThat(puts).containsOnlyOnce("x").doesNotHaveDuplicates();
        assertThat(locals).containsKey("x");
        assertThat(globals).isEqualTo(map("w", 0, "y", 0));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void isSeenByNoStrangerAndByNoSiblingWithAnOwnName(WriteForm form) {
        Map<String, Object> locals = map();
        Frame frame = Frame.of(locals);
        locals.put("x", 5);
        Block owner = engine.capture(READING, frame);
        locals.remove("x");
        Block stranger = engine.capture("typeof x", frame());

        value(form.text(), frame);

        assertThat(owner.evaluate().value()).isEqualTo(5);
        assertThat(stranger.evaluate().value()).isEqualTo("undefined");
        assertThat(value("typeof x", frame())).isEqualTo("undefined");
    }

    @ParameterizedTest
    @MethodSource("noticedAgain")
    void doesTheSameInEachRun(WriteForm form) {
        Block block = engine.capture(form.text() + "\n; x2 = " + READING, frame());

        for (int run = 0; run < 3; run++) {
            assertThat(block.evaluate().bindings()).containsKey("x").containsEntry("x2", 1);
        }
    }

    @ParameterizedTest
    @MethodSource("data")
    void doesTheSameWhereTheNameIsKnown(WriteForm form) {
        Frame shared = frame();
        SharedLocals.of(shared).put("x", 5);
        Frame global = Frame.of(map(), Globals.of(map("x", 5)));

        for (Frame frame : List.of(frame("x", 5), shared, global)) {
            BlockResult result =
                    engine.capture(form.text() + "\n; own = " + READING, frame).evaluate();
            assertThat(result.bindings()).containsKey("x").containsEntry("own", 1);
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    void pushesNothingIfTheBlockFails(WriteForm form) {
        Map<String, Object> locals = map();
        Block block = engine.capture(form.text() + "\n; throw new Error('late')", Frame.of(locals));

        assertThatExceptionOfType(BlockException.class)
                .isThrownBy(block::run)
                .withMessage("Error: late")
                .satisfies(e -> {
                    if (!form.isLate()) {
                        assertThat(e.bindings()).extracting(BoundName::name).contains("x");
                    }
                });
        assertThat(locals).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("assignable")
    void bindsTheNameAndNotACopyForClosures(WriteForm form) {
        Frame frame = frame();
        value(form.text() + "\n; get = () => x; set = v => { x = v }; 0", frame);

        assertThat(value("set(7); [get(), x, globalThis.x].join()", frame)).isEqualTo("7,7,7");
        assertThat(value("x", frame)).isEqualTo(7);
    }

    @ParameterizedTest
    @MethodSource("atOnce")
    void agreesWithEveryWayToReadTheName(WriteForm form) {
        String read =
                "[x, globalThis.x, this.x, (0, eval)('x'), new Function('return x')(), Reflect.get(globalThis, 'x')].map(v => +v).concat('x' in globalThis, typeof x !== 'undefined').join()";

        BlockResult result = engine.capture(form.text() + "\n; all = " + read, frame()).evaluate();

        assertThat(result.bindings()).containsEntry("all", "1,1,1,1,1,1,true,true");
    }

    @ParameterizedTest
    @MethodSource("spelled")
    void showsTheNameInTheOrderOfTheText(WriteForm form) {
        Map<String, Object> bindings =
                engine.capture("first = 0; " + form.text() + "\n; last = 0", frame())
                        .evaluate()
                        .bindings();

        assertThat(bindings.keySet()).startsWith("first").endsWith("last").contains("x");
    }

    @ParameterizedTest
    @MethodSource("atOnce")
    void canBeDeletedIfItMadeTheNameByAssignment(WriteForm form) {
        Frame frame = frame();
        BlockResult result =
                engine.capture(
                                form.text() + "\n; [delete x, typeof x === 'undefined'].join()",
                                frame)
                        .evaluate();

        assertThat(result.value()).isEqualTo(form.deletable() ? "true,true" : "false,false");
        assertThat(result.bindings().containsKey("x")).isEqualTo(!form.deletable());
        assertThat(value("typeof x === 'undefined'", frame)).isEqualTo(form.deletable());
    }

    @ParameterizedTest
    @MethodSource("forms")
    void isStrictInStrictCode(WriteForm form) {
        Frame frame = frame();
        String text = "'use strict'; " + form.text();
        switch (form.strict()) {
            case "ok" -> {
                assertThat(engine.capture(text, frame).evaluate().bindings()).containsKey("x");
                assertThat(value(READING, frame)).isEqualTo(1);
            }
            case "private" -> {
                assertThat(engine.capture(text, frame).evaluate().bindings())
                        .doesNotContainKey("x");
                assertThat(value("typeof x", frame)).isEqualTo("undefined");
            }
            default -> {
                assertThatExceptionOfType(BlockException.class)
                        .isThrownBy(() -> engine.capture(text, frame).run())
                        .withMessageStartingWith(form.strict());
                assertThat(value("typeof x", frame)).isEqualTo("undefined");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("data")
    void worksForANameOfTheLanguageToo(WriteForm form) {
        Frame frame = frame();
        String text = form.textFor("Map");

        BlockResult result = engine.capture(text + "\n; own = +Map", frame).evaluate();

        assertThat(result.bindings()).containsKey("Map").containsEntry("own", 1);
        assertThat(value("+Map", frame)).isEqualTo(1);
        assertThat(value("typeof new Map().set", frame())).as("elsewhere").isEqualTo("function");
    }

    @ParameterizedTest
    @MethodSource("unlisted")
    void showsNothingToThoseWhoListTheGlobalObject(WriteForm form) {
        assertThat(
                        value(
                                form.text()
                                        + "\n; const found = []; for (const k in globalThis) found.push(k); [Object.keys(globalThis).includes('x'), found.includes('x')].join()",
                                frame()))
                .isEqualTo("false,false");
    }
}
