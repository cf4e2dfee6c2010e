package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.frameOverGlobals;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which texts stay on their caller's thread though their time is limited: what is sure to end. */
@Timeout(120)
class StraightTextTest {
    private static final Limits SOON = Limits.builder().time(Duration.ofMillis(500)).build();

    /** What a text that stays takes at most, on a machine that has other work as well. */
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static boolean isStraight(String text) {
        JavaScript language = new JavaScript();
        Set<String> words = language.wordsOf(text).keySet();
        return !language.mayTouchGlobal(words) && language.endsByItself(text, words);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "total = price * quantity",
                "total = [price, quantity].join()",
                "['de', 'at'].includes(country) ? 0.2 : 0",
                "if (name.startsWith('x')) { total = 0 } else { total = Math.max(price, 1) }",
                "name.trim().toUpperCase() + '!'",
                "name.indexOf('x') > 2",
                "price.toFixed(2)",
                "Number(text) > 3 && String(price).at(0) === '1'",
                "name.length > 3 && name.slice(1, 2) == 'x'",
                "[parseInt(text), parseFloat(text), isNaN(price)]",
            })
    void mayStayThoughItCalls(String text) {
        assertThat(isStraight(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'x'.repeat(n)",
                "'x'.padEnd(n)",
                "name['rep' + 'eat'](n)",
                "const { repeat } = name; repeat(3)",
                "const { ['rep' + 'eat']: trim } = name; ({ trim }).trim(3)",
                "x = { a: 1, ['tr' + 'im']: print }; x.trim(3)",
                "const tax = x => x * 0.2; tax(price)",
                "function tax(x) { return tax(x) } tax(price)",
                "({ trim(x) { return this.trim(x) } }).trim(1)",
                "for (let i = 0; i < 3; i++) n = i",
                "a = [1, 2]; a = [a, a]; a = [a, a]",
                "[[1, 2], 3].join()",
                "a = [1]; a.length = 4294967295; a.join()",
                "name.replace('a', 'b')",
                "name.split('')",
                "[1].map(v => v)",
                "[3, 1].sort()",
                "new Date()",
                "`${name}`",
                "[...name]",
                "/(a+)+b/.test(name)",
                "eval('1')",
                "f(1)",
                "f.call(1)",
                "f.constructor('return this')()",
                "o.__proto__.trim(1)",
                "3n ** 10n",
                "/* [ */ o /**/[k].trim()",
                "o = { toString() { return o } }; o + ''",
                "o = { get x() { return 1 } }; o.x.trim()",
                "sum = a + b; sum.includes('x')",
                "x = [a, b, c, d, e, f, g, h, i, j].join()",
                "x = [1].join('').trim() + [2].join()",
                "a = [b]; c = a.join(a.join())",
            })
    void goesElsewhereIfSomethingLengthyMayCome(String text) {
        assertThat(isStraight(text)).isFalse();
    }

    /** A version of the language that brings more members must not slip through. */
    @Test
    void callsNoMemberThatIsNotKnownToBeQuick() {
        String all =
                """
                const members = o => o === null ? [] : [...Object.getOwnPropertyNames(o), ...members(Object.getPrototypeOf(o))];
                ['', 1, true, [], () => 1, function () {}, /a/, new Error(), Math, Number, String, Boolean].flatMap(members)
                """;
        List<String> members =
                ((List<?>) engine.capture(all, frame()).run().value())
                        .stream().map(String::valueOf).distinct().toList();

        assertThat(members).contains("repeat", "sort", "__proto__").hasSizeGreaterThan(150);
        assertThat(members)
                .filteredOn(member -> isStraight("x." + member + "(y)"))
                .containsExactlyInAnyOrder(
                        "at",
                        "charAt",
                        "charCodeAt",
                        "codePointAt",
                        "endsWith",
                        "includes",
                        "indexOf",
                        "join",
                        "lastIndexOf",
                        "slice",
                        "startsWith",
                        "substring",
                        "toFixed",
                        "toLowerCase",
                        "toPrecision",
                        "toUpperCase",
                        "trim",
                        "trimEnd",
                        "trimStart");
        assertThat(members)
                .filteredOn(member ->
                        isStraight("const { " + member + ": trim } = x; ({ trim }).trim(y)"))
                .doesNotContain("repeat", "padEnd", "sort", "map", "constructor", "apply", "raw");
    }

    /** The most that a text can make of the longest texts it may be given. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "s = t + t; s += s; s += s; s += s; s += s; a = [s, s, s, s, s, s, s, s, s]; r = a.join(s); r.trim().toUpperCase().length",
                "s = t + t; s += s; s += s; s += s; s += s; a = [s, s, s, s, s, s, s, s, s]; r = a.join(s); Number(r) * parseInt(r)",
                "s = t + t; s += s; s += s; s += s; s += s; a = [s, s, s, s, s, s, s, s, s]; r = a.join(s); x = r === a.toFixed || r < r.trim()",
                "a = [t, t, t, t, t, t, t, t, t]; a.includes(t) || t.indexOf(u) > 0 || t.lastIndexOf(u) > 0",
            })
    void isOverAtOnce(String text) {
        String longest = "1".repeat(1_000);
        Block block =
                engine.capture(text.replace(".length", ""), frame("t", longest, "u", longest + "1"))
                        .within(SOON);
        long began = System.nanoTime();

        block.run();

        assertThat(isStraight(text.replace(".length", ""))).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(AT_ONCE);
    }

    @Test
    void staysOnTheThreadOfItsCaller() {
        assertThat(stays("[x, 2].join()", frame("x", 1))).isTrue();
        assertThat(stays("Number(x) + Math.max(1, 2)", frame("x", "1"))).isTrue();
        assertThat(stays("x.trim()", frame("x", "y".repeat(2_000)))).isFalse();
        assertThat(stays("x.trim()", frame("x", List.of(1)))).isFalse();
        assertThat(stays("x.trim()", frame("x", (Supplier<Object>) () -> 1))).isFalse();
        assertThat(stays("x.trim()", frameOverGlobals("x", "y"))).isFalse();
    }

    /** What a name means is known only where the text runs. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "o = { trim: Array }; o.trim(4294967295).join()",
                "o = { trim: print }; o.trim(1)",
                "var Array; o = { trim: Array }; o.trim(1)",
                "o = { trim: JSON.stringify }; o.trim(1)",
                "o = { trim: loop }; o.trim(1)",
            })
    void goesElsewhereIfANameMayMeanSomethingLengthy(String text) {
        Frame frame = frame();
        engine.capture("loop = () => { for (;;); }; 0", frame).evaluate();

        assertThat(isStraight(text)).isTrue();
        assertThat(stays(text, frame)).isFalse();
    }

    private static boolean stays(String text, Frame frame) {
        Guarded guarded = new Guarded();
        var _ =
                catchThrowableOfType(
                        BlockException.class, () -> guarded.run(engine.capture(text, frame)));
        return !guarded.needed;
    }

    /** Runs a block as its own thread would, and tells whether it has to be guarded. */
    private static final class Guarded {
        private boolean needed;

        void run(Block block) {
            Tenancy tenancy = new Tenancy(engine);
            Realm realm = tenancy.begin(block.frame());
            try {
                Limits.obeying(
                        Allowance.unguarded(SOON, engine.guest(), block.source(), null),
                        allowance ->
                                realm.inTurn(
                                        allowance, () -> Run.of(block, realm, null, allowance)));
            } catch (GuardNeededException e) {
                needed = true;
            } finally {
                tenancy.end(block.frame(), realm);
            }
        }
    }
}
