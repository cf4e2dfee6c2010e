package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.graalvm.polyglot.HostAccess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The one table of types: what comes out of a block and what goes in. */
class TypesTest {
    private static final Map<String, Object> LOCALS = new LinkedHashMap<>();
    private static final Map<String, Object> GLOBALS = new LinkedHashMap<>();
    private static final BigInteger MAX_UNSIGNED_LONG =
            BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
    private static final Frame FRAME = Frame.of(LOCALS, Globals.of(GLOBALS));

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

    record Line(Point from, List<Point> through) {}

    enum Color {
        RED,
        GREEN
    }

    @FunctionalInterface
    interface Sum {
        long of(int[] numbers, Color color);
    }

    /** A class that exports nothing. */
    public static class Bean {
        private int x = 1;

        public int getX() {
            return x;
        }

        public void setX(int x) {
            this.x = x;
        }
    }

    /** A class that exports something. */
    public static class Counter {
        @HostAccess.Export public int count = 1;
        public int hidden = 1;

        @HostAccess.Export
        @SuppressWarnings("ReferenceEquality") // it is what is asked
        public boolean isSame(Bean one, Object other) {
            return one == other;
        }

        @HostAccess.Export
        public List<Point> points() {
            return List.of(new Point(1, 2));
        }

        @HostAccess.Export
        public void fail() {
            throw new IllegalStateException("refused");
        }
    }

    private static @Nullable Object value(String text, Object... namesAndValues) {
        return engine.capture(text, blank(namesAndValues)).evaluate().value();
    }

    /** Returns the one frame of all rows, emptied: a frame for each would take its time. */
    private static Frame blank(Object... namesAndValues) {
        LOCALS.clear();
        LOCALS.putAll(map(namesAndValues));
        GLOBALS.clear();
        SharedLocals.of(FRAME).clear();
        return FRAME;
    }

    private static BlockException failure(String text, Object... namesAndValues) {
        Block block = engine.capture(text, blank(namesAndValues));
        BlockException e = catchThrowableOfType(BlockException.class, block::run);
        assertThat(e).as("the block fails").isNotNull();
        return e;
    }

    private static Arguments row(String text, @Nullable Object expected) {
        return arguments(text, expected);
    }

    @Nested
    class Out {
        static Stream<Arguments> table() {
            return Stream.of(
                    row("null", null),
                    row("undefined", null),
                    row("true", true),
                    row("0", 0),
                    row("5.0", 5),
                    row("10 / 2", 5),
                    row("-0", -0.0),
                    row("2147483647", 2147483647),
                    row("-2147483648", -2147483648),
                    row("2147483648", 2147483648L),
                    row("-2147483649", -2147483649L),
                    row("1710000000001", 1710000000001L),
                    row("2 ** 53 - 1", 9007199254740991L),
                    row("-(2 ** 53 - 1)", -9007199254740991L),
                    row("2 ** 53", 9007199254740992.0),
                    row("1e300", 1e300),
                    row("0.5", 0.5),
                    row("0.1 + 0.2", 0.30000000000000004),
                    row("5e-324", Double.MIN_VALUE),
                    row("NaN", Double.NaN),
                    row("Infinity", Double.POSITIVE_INFINITY),
                    row("-1 / 0", Double.NEGATIVE_INFINITY),
                    row("5n", BigInteger.valueOf(5)),
                    row("-5n", BigInteger.valueOf(-5)),
                    row("2n ** 31n", BigInteger.TWO.pow(31)),
                    row("2n ** 63n", BigInteger.TWO.pow(63)),
                    row("2n ** 64n", BigInteger.TWO.pow(64)),
                    row("2n ** 64n + 1n", BigInteger.TWO.pow(64).add(BigInteger.ONE)),
                    row("''", ""),
                    row("'a' + 'b'.repeat(3)", "abbb"),
                    row("`a${1}`", "a1"),
                    row("'\\uD83D\\uDE00'", "\uD83D\uDE00"),
                    row("'\\uD800'", "\uD800"),
                    row("'a\\0b'", "a\0b"),
                    row("new Date(0)", Instant.EPOCH),
                    row("new Date(1234567890123)", Instant.ofEpochMilli(1234567890123L)),
                    row("[]", List.of()),
                    row("[1, 'a', null, undefined]", Arrays.asList(1, "a", null, null)),
                    row("[1, , 3]", Arrays.asList(1, null, 3)),
                    row("[[1], [[2]]]", List.of(List.of(1), List.of(List.of(2)))),
                    row("({})", Map.of()),
                    row("({ b: 1, a: { c: null } })", map("b", 1, "a", map("c", null))),
                    row("({ ref: 52000000007 })", map("ref", 52000000007L)),
                    row("({ d: [new Date(0)] })", map("d", List.of(Instant.EPOCH))),
                    row("({ a: 5n })", map("a", BigInteger.valueOf(5))),
                    row("({ 2: 'b', 1: 'a' })", map("1", "a", "2", "b")),
                    row("({ [Symbol('s')]: 1, a: 2 })", map("a", 2)),
                    row("({ get a() { return 3 } })", map("a", 3)),
                    row(
                            "Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } })",
                            map("own", 2)),
                    row("Object.create(null)", Map.of()),
                    row("new (class { a = 1; #p = 2; m() {} })", map("a", 1)),
                    row("new Proxy({ a: 1 }, {})", map("a", 1)),
                    row("new Proxy([1], {})", List.of(1)),
                    row("Object.freeze([1])", List.of(1)),
                    row("(function () { return arguments })(1, 2)", List.of(1, 2)),
                    row("new Map([['a', 1], [2, { b: 3 }]])", mapOf("a", 1, 2, map("b", 3))),
                    row("new Set([1, 'a', 1])", new LinkedHashSet<>(List.of(1, "a"))),
                    row("new Map()", Map.of()),
                    row("new Set()", Set.of()),
                    row("new Uint8Array([1, 223])", new byte[] {1, -33}),
                    row("new Uint8ClampedArray([1, 223])", new byte[] {1, -33}),
                    row("new Int8Array([1, -33])", new byte[] {1, -33}),
                    row("new Uint8Array([1, 2, 3, 4]).subarray(1, 3)", new byte[] {2, 3}),
                    row("new Uint8Array([1, 223]).buffer", new byte[] {1, -33}),
                    row("new Uint8Array(0)", new byte[] {}),
                    row("new Int16Array([1, -2])", new int[] {1, -2}),
                    row("new Int32Array([1, -2])", new int[] {1, -2}),
                    row("new Uint32Array([4294967295])", new long[] {4294967295L}),
                    row("new BigInt64Array([-5n])", new long[] {-5}),
                    row("new Float32Array([0.5, -0])", new float[] {0.5f, -0.0f}),
                    row("new Float64Array([0.1, NaN])", new double[] {0.1, Double.NaN}),
                    row("new Uint16Array([65535])", new int[] {65535}),
                    row("new BigUint64Array([2n ** 64n - 1n])", List.of(MAX_UNSIGNED_LONG)),
                    row("new Float16Array([0.5])", new float[] {0.5f}),
                    row("new DataView(new Uint8Array([1, 2, 200]).buffer, 1)", new byte[] {2, -56}),
                    row("new DataView(new ArrayBuffer(0))", new byte[] {}),
                    row("new SharedArrayBuffer(1)", new byte[] {0}),
                    row("new Number(1)", 1),
                    row("new String('a')", "a"),
                    row("new Boolean(false)", false),
                    row("Object(1n)", BigInteger.ONE),
                    row("Object(Symbol('s'))", "Symbol(s)"),
                    row("new (class extends Uint8Array {})([200])", new byte[] {-56}),
                    row("new (class extends Set {})([1])", Set.of(1)),
                    row("new (class extends Date {})(0)", Instant.EPOCH),
                    row("new (class extends RegExp {})('a')", "/a/"),
                    row("new (class Set { a = 1 })()", map("a", 1)),
                    row("new (class Promise { a = 1 })()", map("a", 1)),
                    row("new (class WeakMap { a = 1 })()", map("a", 1)),
                    row("({ next() {} }) && ({ next: 1 })", map("next", 1)),
                    row("new Set([[1], [1]])", Set.of(List.of(1))),
                    row("({ bytes: [new Uint8Array([200])] }).bytes[0]", new byte[] {-56}));
        }

        @ParameterizedTest
        @MethodSource("table")
        void isPlainJava(String text, @Nullable Object expected) {
            assertThat(value(text)).isEqualTo(expected);
        }

        @ParameterizedTest
        @MethodSource("table")
        void isTheSameInsideACollectionAndInABinding(String text, @Nullable Object expected) {
            BlockResult result = engine.capture("const v = " + text + "; [v]", blank()).evaluate();

            assertThat(((List<?>) result.value()).getFirst()).isEqualTo(expected);
            assertThat(result.bindings().get("v")).isEqualTo(expected);
        }

        @ParameterizedTest
        @MethodSource("table")
        void isTheSameWhenAFunctionReturnsIt(String text, @Nullable Object expected) {
            GuestFunction f = (GuestFunction) value("() => (" + text + ")");

            assertThat(f.call()).isEqualTo(expected);
        }

        @ParameterizedTest
        @MethodSource("table")
        void isTheSameWhenTheHostIsCalledWithIt(String text, @Nullable Object expected) {
            List<Object> seen = new ArrayList<>();

            value("take(" + text + ")", "take", (Consumer<Object>) seen::add);

            assertThat(seen.getFirst()).isEqualTo(expected);
        }

        @ParameterizedTest
        @MethodSource("table")
        void isSerializable(String text, @Nullable Object expected) throws Exception {
            try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
                out.writeObject(value(text));
            }
        }

        @ParameterizedTest
        @CsvSource({
            "Symbol('s'), Symbol(s)",
            "/a+/g, /a+/g",
            "[1].values(), Array Iterator{}",
            "(function* () {})(), Generator{}",
            "new Error('m'), Error: m",
            "new TypeError('m'), TypeError: m",
            "new RangeError('m'), RangeError: m"
        })
        void isTextWhereJavaHasNoForm(String text, String expected) {
            assertThat(value(text)).isEqualTo(expected);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "() => 1",
                    "function f() {} f",
                    "class C {} C",
                    "Math.max",
                    "async () => 1"
                })
        void isAGuestFunctionForWhatCanBeCalled(String text) {
            assertThat(value(text)).isInstanceOf(GuestFunction.class);
        }

        @Test
        void keepsTheOrderOfKeys() {
            assertThat(((Map<?, ?>) value("({ c: 1, a: 2, b: 3 })")).keySet().toArray())
                    .containsExactly("c", "a", "b");
        }

        @Test
        void doesNotFollowWhatTheBlockDoesLater() {
            Frame frame = frame();
            BlockResult result = engine.capture("o = { a: [1] }", frame).evaluate();

            engine.capture("o.a.push(2); o.b = 3", frame).evaluate();

            assertThat(result.bindings()).isEqualTo(map("o", map("a", List.of(1))));
        }

        @Test
        void isAStringOfTheClassString() {
            Map<?, ?> result = (Map<?, ?>) value("({ k: 'a' + s, eq: s === 'b' })", "s", "b");

            assertThat(result.get("k")).isExactlyInstanceOf(String.class).isEqualTo("ab");
            assertThat(result.get("eq")).isEqualTo(true);
        }

        private static Map<Object, Object> mapOf(Object... keysAndValues) {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < keysAndValues.length; i += 2) {
                map.put(keysAndValues[i], keysAndValues[i + 1]);
            }
            return map;
        }
    }

    @Nested
    class Shape {
        @Test
        void aCycleOfObjectsStaysACycle() {
            Map<?, ?> result = (Map<?, ?>) value("const a = { n: 1 }; a.self = a; a");

            assertThat(result.get("self")).isSameAs(result);
            assertThat(result.get("n")).isEqualTo(1);
        }

        @Test
        void aCycleOfArraysStaysACycle() {
            List<?> result = (List<?>) value("const a = []; a.push({ a }); a");

            assertThat(((Map<?, ?>) result.getFirst()).get("a")).isSameAs(result);
        }

        @Test
        void aCycleThroughMapAndSetStaysACycle() {
            Map<?, ?> result = (Map<?, ?>) value("const m = new Map(); m.set('m', [m]); m");

            assertThat(((List<?>) result.get("m")).getFirst()).isSameAs(result);
        }

        @Test
        void aSharedReferenceStaysShared() {
            Map<?, ?> result = (Map<?, ?>) value("const s = [1]; ({ a: s, b: [s] })");

            assertThat(result.get("a")).isSameAs(((List<?>) result.get("b")).getFirst());
        }

        @Test
        void nestingIsKept() {
            Object result = value("let v = 1; for (let i = 0; i < 500; i++) v = [v]; v");
            for (int i = 0; i < 500; i++) {
                result = ((List<?>) result).getFirst();
            }

            assertThat(result).isEqualTo(1);
        }

        @Test
        void aLargeArrayComesOut() {
            assertThat((List<?>) value("Array.from({ length: 50000 }, (_, i) => i)"))
                    .hasSize(50_000);
        }
    }

    @Nested
    class Promises {
        @ParameterizedTest
        @CsvSource({
            "Promise.resolve(7)",
            "(async () => { await null; return 7 })()",
            "new (class extends Promise {})(resolve => resolve(7))",
            "new Promise(resolve => resolve(Promise.resolve(7)))"
        })
        void areTheirValueOnceTheyAreSettled(String text) {
            BlockResult result = engine.capture("v = " + text + "; [v]", blank()).evaluate();

            assertThat(result.value()).isEqualTo(List.of(7));
            assertThat(result.bindings().get("v")).isEqualTo(7);
            assertThat(((GuestFunction) value("() => (" + text + ")")).call()).isEqualTo(7);
        }

        @Test
        void thatHaveNoValueAreTheirText() {
            assertThat(value("[new Promise(() => {})]")).asString().contains("Promise");
            assertThat(value("p = Promise.reject(new Error('no')); p.catch(() => {}); [p]"))
                    .asString()
                    .contains("Promise");
        }

        @Test
        void thatAreRejectedWhereNobodyCaresAreErrorsWithTheReason() {
            assertThat(failure("Promise.reject(new Error('no'))").getMessage()).contains("no");
        }

        @Test
        void areNotKnownWhileTheBlockRuns() {
            List<Object> taken = new ArrayList<>();
            Consumer<List<Object>> take = taken::addAll;

            value("1;\ntake([Promise.resolve(7)])", "take", take);

            assertThat(taken).singleElement().asString().contains("Promise");
        }
    }

    @Nested
    class Unreadable {
        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '`',
                textBlock =
                        """
                        [new Proxy({}, { ownKeys() { throw new Error('oh') } })]     :: "[0]" :: oh
                        ({ rows: [0, { get a() { throw new Error('oh') } }] })       :: "rows[1].a" of the result :: oh
                        x = { a: { get b() { throw new Error('oh') } } }; 0          :: "x.a.b" :: oh
                        const y = [{ get b() { throw new Error('oh') } }]; 0         :: "y[0].b" :: oh
                        ({ m: new Map([['k', { get b() { throw new Error('oh') } }]]) }) :: "m.get(k).b" of the result :: oh
                        [new Map([[{}, 1], [{}, 2]])]                                :: "[0]" :: keys are equal
                        [(() => { const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy })()] :: "[0]" :: revoked
                        [(() => { const p = Proxy.revocable([], {}); p.revoke(); return p.proxy })()] :: "[0]" :: revoked
                        """)
        void isAnErrorThatNamesThePath(String text, String path, String reason) {
            assertThat(failure("1;\n" + text).getMessage()).contains(path).contains(reason);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "new WeakMap()",
                    "new WeakSet()",
                    "new WeakRef({})",
                    "new Proxy(new Map([[1, 2]]), {})",
                    "new Proxy(new Date(0), {})"
                })
        void isShownAsTextWhereItCannotBeListed(String text) {
            assertThat(value("[" + text + "]"))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .singleElement()
                    .isInstanceOf(String.class);
        }

        @Test
        void isNullWhereADateIsNone() {
            assertThat(value("[new Date(NaN)]")).isEqualTo(Arrays.asList((Object) null));
        }

        @Test
        void isNoneForASiblingThatUsesItInItsRealm() {
            Frame frame = frame();
            engine.capture(
                            "{ globalThis.next = (cache => x => cache.has(x))(new WeakMap()) }",
                            frame)
                    .run();

            assertThat(engine.capture("next({})", frame).run().value()).isEqualTo(false);
        }

        @Test
        void leavesTheFrameAsItWas() {
            Map<String, Object> locals = map("a", 1);
            Block block =
                    engine.capture(
                            "a = 2; b = { get c() { throw new Error('no') } }; 0",
                            Frame.of(locals));

            assertThat(catchThrowableOfType(BlockException.class, block::run)).isNotNull();
            assertThat(locals).isEqualTo(map("a", 1));
        }

        @Test
        void isARevokedProxy() {
            String text = "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); [proxy]";

            assertThat(failure(text).kind()).isEqualTo(BlockException.Kind.RUNTIME);
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
    }

    @Nested
    class In {
        @SuppressWarnings("JavaUtilDate") // hosts still have them
        static Stream<Arguments> table() {
            return Stream.of(
                    arguments(null, "v === null", true),
                    arguments(true, "v === true", true),
                    arguments(5, "v === 5", true),
                    arguments(5L, "v === 5 && Number.isInteger(v)", true),
                    arguments((byte) 5, "v === 5", true),
                    arguments((short) 5, "v === 5", true),
                    arguments(0.5f, "v === 0.5", true),
                    arguments(0.1, "v + 0.2", 0.1 + 0.2),
                    arguments(Double.NaN, "v !== v", true),
                    arguments(-0.0, "Object.is(v, -0)", true),
                    arguments(1_710_000_000_000L, "v + 1", 1_710_000_000_001L),
                    arguments(9007199254740993L, "v", 9007199254740993L),
                    arguments(5L, "JSON.stringify({ v })", "{\"v\":5}"),
                    arguments("b", "v === 'b' && typeof v === 'string'", true),
                    arguments('c', "v === 'c'", true),
                    arguments(new BigDecimal("2.50"), "v * 2", 5),
                    arguments(new BigDecimal("0.1"), "v + 1", 1.1),
                    arguments(BigDecimal.ZERO, "v == 0", true),
                    arguments(BigInteger.ONE, "v + 1", 2),
                    arguments(
                            new Date(1000), "[v instanceof Date, v.getTime()].join()", "true,1000"),
                    arguments(Instant.EPOCH.atZone(ZoneOffset.UTC), "v instanceof Date", true),
                    arguments(
                            OffsetDateTime.parse("1970-01-01T00:00:01Z"),
                            "v instanceof Date && v.getTime()",
                            1000),
                    arguments(
                            List.of(1, 2),
                            "[v.length, v[1], Array.isArray(v), v.map(x => x * 2).join('/')].join()",
                            "2,2,true,2/4"),
                    arguments(
                            List.of(1, 2),
                            "[...v, v.at(-1), v.includes(2), v.indexOf(1)].join()",
                            "1,2,2,true,0"),
                    arguments(List.of(1, List.of(2)), "JSON.stringify(v)", "[1,[2]]"),
                    arguments(List.of(), "v.length", 0),
                    arguments(Arrays.asList(1, null), "v[1] === null", true),
                    arguments(
                            map("id", 7, "size", 99, "clear", "no"),
                            "[v.id, v.size, v.clear, Object.keys(v).join('/'), 'id' in v, v.none].join()",
                            "7,99,no,id/size/clear,true,"),
                    arguments(map("id", 7), "JSON.stringify(v)", "{\"id\":7}"),
                    arguments(map("id", 7), "JSON.stringify({ ...v, a: 1 })", "{\"id\":7,\"a\":1}"),
                    arguments(
                            map("a", 1, "b", 2),
                            "const k = []; for (const n in v) k.push(n); k.join()",
                            "a,b"),
                    arguments(map("a", 1), "const { a, b = 2 } = v; a + b", 3),
                    arguments(map("a", 1), "Object.entries(v).join()", "a,1"),
                    arguments(map("a", null), "[v.a === null, 'a' in v].join()", "true,true"),
                    arguments(map("a", map("b", List.of(1))), "v.a.b[0]", 1),
                    arguments(Map.of(), "Object.keys(v).length", 0),
                    arguments(Set.of(1), "[...v].join()", "1"),
                    arguments(
                            new int[] {1, 2},
                            "[v.length, v[1], [...v].join('/')].join()",
                            "2,2,1/2"),
                    arguments(new int[][] {{1}, {2, 3}}, "v[1][1]", 3),
                    arguments(new String[] {"a", null}, "v[0] + v[1]", "anull"),
                    arguments(new Object[] {map("a", 1)}, "v[0].a", 1),
                    arguments(new double[] {0.5}, "v[0]", 0.5),
                    arguments(new byte[] {(byte) 223}, "new Uint8Array(v)[0]", 223),
                    arguments(
                            new Point(1, 2),
                            "[v.x, v.y, Object.keys(v).join('/'), 'x' in v].join()",
                            "1,2,x/y,true"),
                    arguments(
                            new Line(new Point(1, 2), List.of(new Point(3, 4))),
                            "v.through[0].y + v.from.x",
                            5),
                    arguments(Color.RED, "v === 'RED'", true),
                    arguments(Optional.of(5), "v === 5", true),
                    arguments(Optional.empty(), "v === null", true),
                    arguments(Long.MIN_VALUE, "v", Long.MIN_VALUE),
                    arguments(1L << 60, "v", 1L << 60),
                    arguments(
                            Instant.ofEpochMilli(1000),
                            "[v instanceof Date, v.getTime()].join()",
                            "true,1000"),
                    arguments(List.of(1), "typeof v[5]", "undefined"),
                    arguments(new int[] {1}, "typeof v[5]", "undefined"),
                    arguments(Map.of(1, "a"), "[v[1], Object.keys(v).join()].join()", "a,1"),
                    arguments(BigInteger.TWO.pow(64), "v", BigInteger.TWO.pow(64)),
                    arguments(BigInteger.ONE, "BigInt(v) + 1n", BigInteger.TWO),
                    arguments(new Date(1000), "JSON.stringify(v)", "\"1970-01-01T00:00:01.000Z\""),
                    arguments(Optional.of(Optional.of(List.of(1))), "v[0]", 1),
                    arguments(
                            new Counter(),
                            "[v.count, Object.keys(v).includes('count'), 'hidden' in v].join()",
                            "1,true,false"),
                    arguments(new Counter(), "v.points()[0].y", 2));
        }

        @ParameterizedTest
        @MethodSource("table")
        void isSeenAsData(@Nullable Object given, String text, Object expected) {
            assertThat(value(text, "v", given)).isEqualTo(expected);
        }

        @ParameterizedTest
        @MethodSource("table")
        void isSeenAsDataWhereverItComesFrom(@Nullable Object given, String text, Object expected) {
            Supplier<Object> returned = () -> given;
            GuestFunction function = (GuestFunction) value("v => eval(" + quoted(text) + ")");
            Block block = engine.capture(text, blank());

            GLOBALS.put("v", given);
            assertThat(block.evaluate().value()).as("globals").isEqualTo(expected);
            SharedLocals.of(FRAME).put("v", (@Nullable Object) given);
            GLOBALS.put("v", "hidden");
            assertThat(block.evaluate().value()).as("shared").isEqualTo(expected);
            assertThat(value("{ let v = f();" + text + "}", "f", returned))
                    .as("returned")
                    .isEqualTo(expected);
            assertThat(value("{ let v = o[0].in;" + text + "}", "o", List.of(map("in", given))))
                    .as("nested")
                    .isEqualTo(expected);
            assertThat(function.call(given)).as("argument").isEqualTo(expected);
        }

        private static String quoted(String text) {
            return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
        }

        @Test
        void comesBackAsTheVeryObject() {
            for (Object given :
                    List.of(
                            new ArrayList<>(List.of(1)),
                            map("a", 1),
                            new Point(1, 2),
                            new int[] {1},
                            new Object(),
                            new Bean(),
                            new Counter(),
                            UUID.randomUUID(),
                            Instant.EPOCH,
                            OffsetDateTime.parse("1970-01-01T00:00:01Z"),
                            LocalDate.EPOCH,
                            LocalTime.NOON,
                            LocalDateTime.MIN,
                            new IllegalStateException(),
                            String.class,
                            (Runnable) () -> {},
                            Set.of(1))) {
                assertThat(value("v", "v", given)).isSameAs(given);
                assertThat(((List<?>) value("[v]", "v", given)).getFirst()).isSameAs(given);
                assertThat(((Map<?, ?>) value("({ v })", "v", given)).get("v")).isSameAs(given);
            }
        }

        @Test
        void isTheSameObjectForTheBlockEachTime() {
            assertThat(value("v === w", "v", "a", "w", "a")).isEqualTo(true);
            assertThat(value("v === v && v[0] === v[0]", "v", List.of("x"))).isEqualTo(true);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "rows[0] === rows[0]",
                    "rows[0] === same[0]",
                    "rows[0] === best",
                    "rows.indexOf(best) === 0",
                    "rows.includes(best)",
                    "new Set([...rows, best]).size === 1",
                    "new Map([[best, 7]]).get(rows[0]) === 7",
                    "((a, b) => a === b)(rows[0], best)",
                    "best.tags === rows[0].tags",
                    "best.point === rows[0].point",
                    "best.bytes === rows[0].bytes",
                    "rows !== best"
                })
        void isOneObjectForTheBlockHoweverItGetsIt(String text) {
            Map<String, Object> best =
                    map("tags", List.of("a"), "point", new Point(1, 2), "bytes", new byte[1]);
            List<Object> rows = List.of(best);

            assertThat(value(text, "rows", rows, "same", rows, "best", best)).isEqualTo(true);
        }

        @Test
        void isNoInstanceOfAClassOfTheHost() {
            assertThat(
                            value(
                                    "[bean instanceof Type, text instanceof Type, typeof Type].join()",
                                    "bean",
                                    new Bean(),
                                    "text",
                                    "a",
                                    "Type",
                                    Bean.class))
                    .isEqualTo("false,false,object");
        }

        @Test
        void isTheVeryObjectWhereverTheHostReceivesIt() {
            Bean bean = new Bean();
            List<Object> seen = new ArrayList<>();
            Consumer<Bean> take = seen::add;

            assertThat(
                            value(
                                    "take(bean); [list[0] === bean, new Set([bean, list[0]]).size, counter.isSame(bean, list[0])].join()",
                                    "take",
                                    take,
                                    "bean",
                                    bean,
                                    "list",
                                    List.of(bean),
                                    "counter",
                                    new Counter()))
                    .isEqualTo("true,1,true");
            assertThat(seen).singleElement().isSameAs(bean);
        }

        static Stream<Arguments> conditions() {
            return Stream.of(
                    arguments(false, false),
                    arguments(0L, false),
                    arguments(0.0, false),
                    arguments(BigDecimal.ZERO, false),
                    arguments(BigInteger.ZERO, false),
                    arguments("", false),
                    arguments(null, false),
                    arguments(Optional.empty(), false),
                    arguments(Optional.of(false), false),
                    arguments(Optional.of(1), true),
                    arguments(true, true),
                    arguments(0.2, true),
                    arguments(List.of(), true),
                    arguments(Map.of(), true),
                    arguments(new Bean(), true));
        }

        @ParameterizedTest
        @MethodSource("conditions")
        void isARealValueInACondition(@Nullable Object given, boolean expected) {
            assertThat(value("v ? true : false", "v", given)).isEqualTo(expected);
        }

        @Test
        void neverTurnsMoneyIntoText() {
            BigDecimal price = new BigDecimal("0.12345678901234567890123456789");
            Block block = engine.capture("price + 1", frame("price", price));

            try {
                assertThat(block.run().value()).isInstanceOf(Number.class);
            } catch (BlockException e) {
                assertThat(e.traceback().innermost().line()).isEqualTo(1);
            }
            assertThat(value("price", "price", price)).isEqualTo(price);
        }

        @Test
        void hidesTheClassesOfTheHost() {
            String text =
                    """
                    [typeof v.getClass, typeof l.getClass, typeof f.getClass, typeof r.getClass,
                     typeof Java, typeof Packages, typeof Polyglot].join()
                    """;

            assertThat(
                            value(
                                    text,
                                    "v",
                                    new Object(),
                                    "l",
                                    List.of(),
                                    "f",
                                    (Runnable) () -> {},
                                    "r",
                                    new Point(1, 2)))
                    .isEqualTo(
                            "undefined,undefined,undefined,undefined,undefined,undefined,undefined");
        }
    }

    @Nested
    class Functions {
        @Test
        void ofTheHostAreCalledAsFunctions() {
            Function<Object, Object> twice = x -> (int) x * 2;
            BiFunction<String, Object, String> join = (a, b) -> a + b;
            Predicate<Object> even = x -> (int) x % 2 == 0;
            IntBinaryOperator plus = (a, b) -> a + b;

            assertThat(
                            value(
                                    "[twice(2), join('a', 1), even(3), plus(1, 2), typeof twice].join()",
                                    "twice",
                                    twice,
                                    "join",
                                    join,
                                    "even",
                                    even,
                                    "plus",
                                    plus))
                    .isEqualTo("4,a1,false,3,function");
        }

        @Test
        void ofTheHostCanBePassedToBuiltins() {
            Function<Object, Object> twice = x -> (int) x * 2;

            assertThat(value("[1, 2].map(x => twice(x)).join()", "twice", twice)).isEqualTo("2,4");
            assertThat(value("[1, 2].map(twice).join()", "twice", twice)).isEqualTo("2,4");
        }

        @Test
        void ofTheHostMissNoArgument() {
            BiFunction<Object, Object, String> show = (a, b) -> a + "/" + b;

            assertThat(value("[show(), show(1), show(1, 2, 3)].join()", "show", show))
                    .isEqualTo("null/null,1/null,1/2");
        }

        @Test
        void ofTheHostRefuseWhatDoesNotFit() {
            IntBinaryOperator plus = (a, b) -> a + b;

            assertThat(failure("1;\nplus(1, 2.5)", "plus", plus).traceback().innermost().line())
                    .isEqualTo(2);
            assertThat(failure("plus(1)", "plus", plus).getMessage()).contains("missing");
            assertThat(failure("plus(1, 'a')", "plus", plus).getMessage()).contains("int");
        }

        @Test
        void ofTheHostTakeArgumentsAsPropertiesTakeValues() {
            Sum sum =
                    (numbers, color) ->
                            Arrays.stream(numbers).sum() + (color == Color.GREEN ? 1 : 0);

            assertThat(value("sum([1, 2], 'GREEN')", "sum", sum)).isEqualTo(4);
            assertThat(value("sum(new Int32Array([1, 2]), 'RED')", "sum", sum)).isEqualTo(3);
            assertThat(failure("sum([1, 2.5], 'RED')", "sum", sum)).hasMessageContaining("2.5");
            assertThat(failure("sum([1], 'BLUE')", "sum", sum)).hasMessageContaining("GREEN");
        }

        @Test
        void thatAreExportedThrowWhatTheyThrow() {
            assertThat(failure("1;\nv.fail()", "v", new Counter()).getCause())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("refused");
        }

        @Test
        void ofTheHostMayReturnNothing() {
            assertThat(value("typeof run()", "run", (Runnable) () -> {}))
                    .isIn("undefined", "object");
        }
    }

    @Nested
    class Writes {
        @Test
        void reachTheObjectOfTheHost() {
            List<Object> list = new ArrayList<>(List.of(1, 2));
            Map<String, Object> row = map("a", 1);
            int[] ints = {1, 2};
            Object[] objects = {1};

            value(
                    "list[0] = 'x'; list.push(3); row.a = 2; row['b c'] = null; ints[1] = 9; objects[0] = 'o'",
                    "list",
                    list,
                    "row",
                    row,
                    "ints",
                    ints,
                    "objects",
                    objects);

            assertThat(list).isEqualTo(List.of("x", 2, 3));
            assertThat(row).isEqualTo(map("a", 2, "b c", null));
            assertThat(ints).containsExactly(1, 9);
            assertThat(objects).containsExactly("o");
        }

        @Test
        void mayRemove() {
            Map<String, Object> row = map("a", 1, "b", 2);

            value("delete row.a", "row", row);

            assertThat(row).isEqualTo(map("b", 2));
        }

        @Test
        void ofGuestObjectsArriveAsPlainJava() {
            Map<String, Object> row = map();

            value("row.k = { a: [1] }; row.k.a", "row", row);

            assertThat(row).isEqualTo(map("k", Map.of("a", List.of(1))));
        }

        @SuppressWarnings("JavaUtilDate") // hosts still have them
        static Stream<Arguments> lost() {
            return Stream.of(
                    arguments("v[0] = 2.5", new int[] {1}),
                    arguments("v[0] = 'a'", new int[] {1}),
                    arguments("v[0] = null", new int[] {1}),
                    arguments("v[0] = 2 ** 40", new int[] {1}),
                    arguments("v[5] = 1", new int[] {1}),
                    arguments("v[0] = 223", new byte[] {1}),
                    arguments("v[0] = 1", new String[] {"a"}),
                    arguments("v.push(2)", new int[] {1}),
                    arguments("v[5] = 1", new ArrayList<>(List.of(1))),
                    arguments("v[0] = 1", List.of(0)),
                    arguments("v.push(1)", List.of(0)),
                    arguments("v.x = 9", new Point(1, 2)),
                    arguments("v.z = 9", new Point(1, 2)),
                    arguments("v.a = 2", Map.of("a", 1)),
                    arguments("v.a = 2", Collections.unmodifiableMap(map("a", 1))),
                    arguments("Object.defineProperty(v, 'a', { value: 5 })", Map.of("a", 1)),
                    arguments("v.length = 0", List.of(0)),
                    arguments("delete v.x", new Point(1, 2)),
                    arguments("delete v.a", Map.of("a", 1)),
                    arguments("v.x = 9", new int[] {1}),
                    arguments("v.x = 9", new ArrayList<>()),
                    arguments("v.size = 9", Set.of(1)),
                    arguments("v[0] = 9", new ArrayDeque<>(List.of(1))),
                    arguments("v.x = 9", (Runnable) () -> {}),
                    arguments("v.x = 9", Instant.EPOCH),
                    arguments("v.x = 9", new Date(0)),
                    arguments("v.x = 9", LocalDate.EPOCH),
                    arguments("v.x = 9", UUID.randomUUID()),
                    arguments("v.x = 9", new Bean()),
                    arguments("v.x += 1", new Bean()),
                    arguments("Object.assign(v, { x: 9 })", new Bean()),
                    arguments("v.setX(9)", new Bean()),
                    arguments("v.x = 9", Optional.of(new Bean())),
                    arguments("v[0] = 9", Optional.of(List.of(1))),
                    arguments("v.hidden = 9", new Counter()),
                    arguments("v.fail = 9", new Counter()),
                    arguments("v.count = 'a'", new Counter()),
                    arguments("v.count = 2.5", new Counter()),
                    arguments("delete v.count", new Counter()));
        }

        @Test
        void reachWhatAClassExports() {
            Counter counter = new Counter();

            assertThat(value("v.count += 2; v.count", "v", counter)).isEqualTo(3);
            assertThat(counter.count).isEqualTo(3);
        }

        @Test
        void thatAClassDoesNotExportSayWhatToDo() {
            Bean bean = new Bean();

            assertThat(failure("v.x = 9", "v", bean))
                    .hasMessageContaining("\"x\"")
                    .hasMessageContaining(Bean.class.getName())
                    .hasMessageContaining("@HostAccess.Export")
                    .hasMessageContaining("Frame.ofBean");
            assertThat(bean.getX()).isEqualTo(1);
        }

        @Test
        void thatDoNotFitSayWhy() {
            assertThat(failure("v[0] = 2.5", "v", new int[] {1}))
                    .hasMessageContaining("int[]")
                    .hasMessageContaining("2.5");
            assertThat(failure("v[0] = 223", "v", new byte[] {1})).hasMessageContaining("byte");
            assertThat(failure("v[5] = 1", "v", new int[] {1})).hasMessageContaining("length is 1");
        }

        @ParameterizedTest
        @MethodSource("lost")
        void thatWouldBeLostAreErrors(String text, Object given) {
            BlockException e = failure("1;\n" + text, "v", given);

            assertThat(e.kind()).isEqualTo(BlockException.Kind.RUNTIME);
            assertThat(e.traceback().innermost().line()).isEqualTo(2);
            assertThat(e.getMessage()).isNotBlank();
        }
    }
}
