package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames borrow a realm for a run, and keep it only if something lives on in it. */
class RealmsTest {
    private final BlockEngine engine = BlockEngine.create();

    @AfterEach
    void close() {
        engine.close();
        assertThat(engine.openContexts()).as("realms left open").isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x = 1",
                "let total = price * 2; total",
                "name = 'a' + price; ok = price > 1",
                "[1, 2].map(v => v * price).join()",
                "const row = { a: price }; total = row.a; undefined; void 0; ({}).toString()"
            })
    void framesWhoseValuesArePrimitiveShareOneRealm(String text) {
        List<Frame> alive = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Frame frame = frame("price", i);
            alive.add(frame);
            if (!text.contains("row")) {
                engine.capture(text, frame).run();
            } else {
                engine.capture("{ " + text + " }", frame).run();
            }
        }
        assertThat(engine.openContexts()).isOne();
        assertThat(alive).hasSize(50);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x = {}",
                "x = [1]",
                "function f() {}",
                "() => 1",
                "x = 5n",
                "let n = 1; inc = () => ++n",
                "Array.prototype.extra = 1",
                "Array.prototype[3] = 1",
                "Object.freeze(Set.prototype)",
                "Object.getOwnPropertyDescriptor(Map.prototype, 'size').get.extra = 1",
                "Object.getPrototypeOf(function* () {}).extra = 1",
                "globalThis.constructor.prototype.extra = 1"
            })
    void aFrameKeepsTheRealmInWhichSomethingLivesOn(String text) {
        Frame first = frame();
        Frame second = frame();
        engine.capture(text, first).run();
        engine.capture("y = 1", second).run();
        assertThat(engine.openContexts()).isEqualTo(2);
        engine.capture("y = 1", first).run();
        assertThat(engine.openContexts()).isEqualTo(2);
    }

    @Test
    void whatOneFrameLeavesInTheLanguageNoOtherSees() {
        Frame first = frame();
        engine.capture("Array.prototype.evil = 1", first).run();
        assertThat(engine.capture("typeof [].evil", frame()).run().value()).isEqualTo("undefined");
        assertThat(engine.capture("typeof [].evil", first).run().value()).isEqualTo("number");
    }

    /** Texts that reach the language's own objects in ways that no word gives away. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "let { ['con' + 'structor']: A } = [], { ['ass' + 'ign']: f } = {}['con' + 'structor'];"
                        + " let { ['proto' + 'type']: p } = A; f(p, { evil: 1 }); 0",
                "let { ['map']: m } = []; let { ['con' + 'structor']: F } = m;"
                        + " F('Array.prototype.evil = 1')(); 0",
                "for (let d of Object.values(Object['getOwnPropertyDescrip' + 'tors'](Object)))"
                        + " try { d.value([]['__pro' + 'to__'], { evil: 1 }) } catch {} 0"
            })
    void notEvenByComputedNames(String text) {
        try {
            engine.capture(text, frame()).run();
        } catch (BlockException e) {
            assertThat(e.kind()).isEqualTo(BlockException.Kind.RUNTIME);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(engine.capture("typeof [].evil", frame()).run().value())
                    .isEqualTo("undefined");
        }
    }

    /** Objects of the language's own that no property leads to. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[].values()",
                "new Map().entries()",
                "new Set().values()",
                "''[Symbol.iterator]()",
                "''.matchAll(/a/g)",
                "[].values().map(x => x)",
                "Iterator.from({ next() {} })",
                "(function* () {})()",
                "(async function* () {})()",
                "new Intl.Segmenter().segment('a')",
                "new Intl.Segmenter().segment('a')[Symbol.iterator]()",
                "list",
                "map",
                "text",
                "f",
                "set",
                "iterator",
                "error",
                "instant",
                "date",
                "time",
                "type",
                "bytes",
                "array",
                "row",
                "future",
                "map[1] = new Map()"
            })
    void notEvenOnPrototypesWithoutAName(String object) {
        String proto = "Object.getPrototypeOf(" + object + ")";

        engine.capture(proto + ".evil = 1; 0", frameOfTheHost()).run();

        for (int i = 0; i < 3; i++) {
            assertThat(engine.capture("typeof " + proto + ".evil", frameOfTheHost()).run().value())
                    .isEqualTo("undefined");
        }
    }

    private static Frame frameOfTheHost() {
        Function<Object, Object> f = it -> it;
        Map<String, Object> locals = map("list", List.of(1), "map", new HashMap<>(Map.of(1, 2)));
        locals.putAll(map("text", new Random(), "f", f, "set", Set.of(1)));
        locals.putAll(map("iterator", List.of(1).iterator(), "error", new IOException("x")));
        locals.putAll(map("instant", Instant.EPOCH, "date", LocalDate.EPOCH));
        locals.putAll(map("time", LocalTime.NOON, "type", String.class));
        locals.putAll(map("bytes", ByteBuffer.allocate(1), "array", new int[] {1}));
        locals.putAll(map("row", new Row(1), "future", new CompletableFuture<Object>()));
        return Frame.of(locals);
    }

    private record Row(int id) {}

    @Test
    void symbolsAreRegisteredInTheirContext() {
        String text =
                "const s = Symbol.for('a'); [s === Symbol.for('a'), Symbol.keyFor(s), s.description,"
                        + " typeof Symbol.keyFor(Symbol('a')), Symbol.for.name].join()";
        assertThat(engine.capture(text, frame()).run().value()).isEqualTo("true,a,a,undefined,for");
    }

    /** The context goes back when the frame is gone, long after the block was looked at. */
    @Test
    void whatAFunctionThatTheHostCallsLaterChangesStaysInItsFrame() {
        String text = "() => { Object.prototype.evil = typeof unknown }";
        for (int i = 0; i < 5; i++) {
            ((GuestFunction) engine.capture(text, frame()).run().value()).call();
            System.gc();
            for (int next = 0; next < 10; next++) {
                assertThat(engine.capture("typeof ({}).evil", frame()).run().value())
                        .isEqualTo("undefined");
            }
        }
    }

    @Test
    void theLastMatchOfARegularExpressionStaysInItsFrame() {
        engine.capture("/(s.*t)/.test('a secret'); 0", frame()).run();
        assertThat(engine.capture("RegExp.$1", frame()).run().value()).isEqualTo("");
    }

    @Test
    void whatAFailedBlockDefinedPastTheScopeIsSeenByNobody() {
        Block block =
                engine.capture(
                        "Object.defineProperty(globalThis, 'leak', { value: 1, configurable: true });"
                                + " throw new Error('late')",
                        frame());
        assertThatThrownBy(block::run)
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("late");
        assertThat(engine.capture("typeof leak", frame()).run().value()).isEqualTo("undefined");
    }

    @Test
    void siblingsShareValuesThatNeedNoRealmAcrossRealms() {
        Frame frame = frame();
        engine.capture("a = 1.5; b = 'text'; c = -0; d = 2 ** 40; e = true; f = null", frame).run();
        // Another frame has the realm meanwhile, so that the sibling runs elsewhere.
        Runnable inner =
                () ->
                        assertThat(
                                        engine.capture(
                                                        "[a, b, Object.is(c, -0), d, e, f].join()",
                                                        frame)
                                                .run()
                                                .value())
                                .isEqualTo("1.5,text,true,1099511627776,true,");
        engine.capture("inner()", frame("inner", inner)).run();
        assertThat(engine.openContexts()).isEqualTo(2);
    }

    @Test
    void aRealmGoesBackWhenTheFrameThatKeptItIsGone() throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            engine.capture("x = {}", frame()).run();
        }
        int most = 4 * Runtime.getRuntime().availableProcessors() + 1;
        for (int i = 0; engine.openContexts() > most; i++) {
            assertThat(i).as("collections").isLessThan(100);
            System.gc();
            Thread.sleep(10);
            engine.capture("y = 1", frame()).run();
        }
    }

    @Test
    void noMoreRealmsAreOpenThanRunsAtOnce() throws Exception {
        int threads = 3;
        CountDownLatch all = new CountDownLatch(threads);
        Runnable meet =
                () -> {
                    all.countDown();
                    try {
                        all.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                };
        List<CompletableFuture<@Nullable Object>> results =
                IntStream.range(0, threads)
                        .mapToObj(i ->
                                OtherThread.<@Nullable Object>supply(() -> {
                                    engine.capture("meet()", frame("meet", meet)).run();
                                    Object sum = null;
                                    for (int k = 0; k < 100; k++) {
                                        sum =
                                                engine.capture("sum = i + k", frame("i", i, "k", k))
                                                        .run()
                                                        .value();
                                    }
                                    return sum;
                                }))
                        .toList();
        for (int i = 0; i < threads; i++) {
            assertThat(results.get(i).get()).isEqualTo(i + 99);
        }
        assertThat(engine.openContexts()).isEqualTo(threads);
    }

    @Test
    void runsOfOneFrameThatOverlapAreInOneRealm() {
        Frame frame = frame("x", 1);
        Runnable inner = () -> engine.capture("y = x + 1", frame).run();
        SharedLocals.of(frame).put("inner", inner);
        assertThat(engine.capture("inner(); y", frame).run().value()).isEqualTo(2);
        assertThat(engine.openContexts()).isOne();
    }
}
