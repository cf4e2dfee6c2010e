package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One engine and its blocks on many threads. */
@Timeout(60)
class ConcurrencyTest {
    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    /** Runs {@code task} for 0, 1, … on as many threads at once; returns what they returned. */
    private static <T> List<T> atOnce(int threads, IntFunction<Callable<T>> task) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            return collect(pool, threads, task);
        }
    }

    private static <T> List<T> collect(
            ExecutorService pool, int count, IntFunction<Callable<T>> task) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<T>> futures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Callable<T> each = task.apply(i);
            futures.add(
                    pool.submit(() -> {
                        start.await();
                        return each.call();
                    }));
        }
        start.countDown();
        List<T> results = new ArrayList<>();
        for (Future<T> future : futures) {
            results.add(future.get(60, TimeUnit.SECONDS));
        }
        return results;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void oneTextInSeparateFramesGivesEachItsOwnValues(int threads) throws Exception {
        String text = "const twice = x => x * 2; let y = twice(v); out = y + 1; out";

        List<String> wrong =
                atOnce(
                                threads,
                                i ->
                                        () -> {
                                            for (int run = 0; run < 30; run++) {
                                                int v = i * 1_000 + run;
                                                Map<String, Object> locals = map("v", v);
                                                Object value =
                                                        engine.capture(text, Frame.of(locals))
                                                                .run()
                                                                .value();
                                                if (!value.equals(2 * v + 1)
                                                        || !locals.get("out").equals(2 * v + 1)) {
                                                    return v + " gave " + value + " " + locals;
                                                }
                                            }
                                            return "";
                                        })
                        .stream()
                        .filter(result -> !result.isEmpty())
                        .toList();

        assertThat(wrong).isEmpty();
    }

    @Test
    void oneBlockOnManyThreadsTakesTurns() throws Exception {
        Block block =
                engine.capture("let n = x; for (let i = 0; i < 100; i++) n++; n", frame("x", 1));

        List<Object> values = atOnce(8, i -> () -> block.evaluate().value());

        assertThat(values).hasSize(8).containsOnly(101);
    }

    @Test
    void siblingsOnManyThreadsUseAFunctionOfTheirFrame() throws Exception {
        Frame frame = frame("k", 2);
        engine.capture("function twice(x) { return x * k }", frame).run();
        List<Block> siblings = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            siblings.add(engine.capture("twice(%d)".formatted(i), frame));
        }

        List<Object> values = atOnce(8, i -> () -> siblings.get(i).evaluate().value());

        assertThat(values).containsExactly(0, 2, 4, 6, 8, 10, 12, 14);
    }

    @Test
    void siblingsNeverRunInTheMiddleOfEachOther() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Runnable enter = () -> most.accumulateAndGet(inside.incrementAndGet(), Math::max);
        Runnable leave = inside::decrementAndGet;
        Frame frame = frame("enter", enter, "leave", leave);
        Block block = engine.capture("enter(); for (let i = 0; i < 1000; i++); leave()", frame);

        atOnce(4, i -> () -> block.evaluate());

        assertThat(most).hasValue(1);
    }

    @Test
    void blocksOfDifferentFramesDoRunAtTheSameTime() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        Callable<Boolean> meet =
                () -> {
                    both.countDown();
                    return both.await(20, TimeUnit.SECONDS);
                };

        List<Object> met =
                atOnce(2, i -> () -> engine.capture("meet()", frame("meet", meet)).run().value());

        assertThat(met).containsOnly(true);
    }

    @Test
    void noIncrementOfASharedCounterIsLost() throws Exception {
        Frame frame = frame();
        engine.capture("counter = { n: 0 }; function step() { return ++counter.n }", frame)
                .evaluate();
        Block block = engine.capture("for (let i = 0; i < 100; i++) step()", frame);

        atOnce(
                4,
                i ->
                        () -> {
                            for (int run = 0; run < 5; run++) {
                                block.evaluate();
                            }
                            return null;
                        });

        assertThat(engine.capture("counter.n", frame).evaluate().value()).isEqualTo(2_000);
    }

    @Test
    void everyNameASiblingBindsArrives() throws Exception {
        Frame frame = frame();
        List<Block> siblings = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            siblings.add(engine.capture("n%d = %d; let l%d = %d".formatted(i, i, i, i), frame));
        }

        atOnce(8, i -> () -> siblings.get(i).evaluate());

        assertThat(engine.capture("n0 + n7 + l3 + l4", frame).evaluate().value()).isEqualTo(14);
        assertThat(SharedLocals.of(frame).names()).hasSize(16);
    }

    @Test
    void sharedNamesCanBeReadByTheHostWhileBlocksRun() throws Exception {
        Frame frame = frame();
        engine.capture("let n = 0; step = () => ++n", frame).evaluate();
        Block block = engine.capture("for (let i = 0; i < 50; i++) step(); 0", frame);

        List<Object> seen =
                atOnce(
                        4,
                        i ->
                                () ->
                                        i % 2 == 0
                                                ? block.evaluate().value()
                                                : SharedLocals.of(frame).find("n").get().value());

        assertThat(seen).doesNotContainNull();
        assertThat(engine.capture("n", frame).evaluate().value()).isEqualTo(100);
    }

    @Test
    void capturesOfOneTextOnManyThreadsAgree() throws Exception {
        String text =
                "let fresh%d = x; fresh%d".formatted(System.nanoTime(), 0).replace("fresh0", "x");

        List<Object> values =
                atOnce(8, i -> () -> engine.capture(text, frame("x", i)).run().value());

        assertThat(values).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void failuresOnManyThreadsAreEachTheirOwn() throws Exception {
        List<String> messages =
                atOnce(
                        8,
                        i ->
                                () -> {
                                    Block block =
                                            engine.capture(
                                                    "throw new Error('e' + i)", frame("i", i));
                                    try {
                                        block.run();
                                        return "none";
                                    } catch (BlockException e) {
                                        return e.getMessage();
                                    }
                                });

        assertThat(messages).contains("Error: e0", "Error: e7").hasSize(8).doesNotHaveDuplicates();
    }

    @Test
    void virtualThreadsRunBlocksThatWaitInTheHost() throws Exception {
        int count = 1_000;
        Callable<Object> nap =
                () -> {
                    Thread.sleep(1);
                    return null;
                };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Object> values =
                    collect(
                            threads,
                            count,
                            i ->
                                    () ->
                                            engine.capture(
                                                            "let v = i; nap(); v + 1",
                                                            frame("i", i, "nap", nap))
                                                    .run()
                                                    .value());

            Set<Object> expected = new HashSet<>();
            for (int i = 0; i < count; i++) {
                expected.add(i + 1);
            }
            assertThat(new HashSet<>(values)).isEqualTo(expected);
        }
    }

    /** Case E8. */
    @Test
    void fourThreadsThatCountInOneFrameLoseNothing() throws Exception {
        AtomicInteger total = new AtomicInteger();
        Frame frame = frame("total", (Callable<Object>) total::incrementAndGet);
        engine.capture("count = { n: 0 }", frame).run();
        Block block =
                engine.capture("for (let i = 0; i < 100; i++) { total(); count.n++ } 0", frame);

        List<Object> values =
                atOnce(
                        4,
                        i ->
                                () -> {
                                    for (int run = 0; run < 25; run++) {
                                        block.run();
                                    }
                                    return 0;
                                });

        assertThat(values).hasSize(4);
        assertThat(total).hasValue(10_000);
        assertThat(engine.capture("count.n", frame).run().value()).isEqualTo(10_000);
    }

    @Test
    void virtualThreadsTakeTurnsInOneFrame() throws Exception {
        Frame frame = frame();
        engine.capture("let n = 0; step = () => ++n", frame).evaluate();
        Block block = engine.capture("step()", frame);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Object> values = collect(threads, 50, i -> () -> block.evaluate().value());

            assertThat(new HashSet<>(values)).hasSize(50);
        }
    }
}
