package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.BlockException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that come to a promise, and what they wait for. */
@Timeout(30)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PromiseTest {
    private final BlockEngine engine = BlockEngine.create();

    @AfterAll
    void close() {
        engine.close();
    }

    private @Nullable Object value(String text, @Nullable Object... namesAndValues) {
        return engine.capture(text, frame(namesAndValues)).run().value();
    }

    private BlockException failure(String text, @Nullable Object... namesAndValues) {
        Block block = engine.capture(text, frame(namesAndValues));
        return catchThrowableOfType(BlockException.class, block::run);
    }

    private static int lineOf(BlockException e) {
        return e.traceback().entries().getFirst().line();
    }

    @Nested
    class ABlock {
        /** Only errors of the language keep their place when a promise is rejected with them. */
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "1\\nPromise.reject(5) | 2",
                    "1\\nnew Promise((_, no) => setTimeout(() => no(5), 1)) | 2",
                    "const f = async () => {\\n  throw 5 }\\n\\nf() | 4",
                    "1\\nawait 1\\nthrow 5 | 3",
                    "1\\nif (true) {\\n  await 1\\n  throw 5 } | 4",
                    "await 1\\nawait Promise.reject(5)\\n3 | 2",
                    "const f = async () => { throw 5 }\\nawait f()\\n3 | 2",
                    "try {\\n  await Promise.reject(5)\\n} catch (e) {\\n  throw e } | 4",
                    "for (let i = 0; i < 2; i++) { if (i) break }\\nawait 1\\nthrow 5 | 3"
                })
        void thatIsRejectedWithNoErrorSaysItsLine(String text, int line) {
            BlockException e = failure(text.replace("\\n", "\n"));

            assertThat(e).hasMessage("5");
            assertThat(lineOf(e)).isEqualTo(line);
        }

        @Test
        @Tag("path-shapes")
        void hasTheValueThatItsPromiseComesTo() {
            assertThat(value("(async () => 'hello')()")).isEqualTo("hello");
            assertThat(value("Promise.resolve({ a: [1n] })"))
                    .isEqualTo(Map.of("a", List.of(java.math.BigInteger.ONE)));
            assertThat(value("class P extends Promise {}; P.resolve(3)")).isEqualTo(3);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "(async () => {\n throw new Error('lost') })()",
                    "(async () => {\n await null; throw new Error('lost') })()",
                    "\nPromise.reject(new Error('lost'))",
                    "(async () => { await new Promise(r => setTimeout(r, 5));\n throw new Error('lost') })()",
                    "new Promise((_, reject) =>\n reject(new Error('lost')))"
                })
        void failsWithWhatItsPromiseIsRejectedWith(String text) {
            BlockException e = failure(text);

            assertThat(e).hasMessage("Error: lost");
            assertThat(lineOf(e)).isEqualTo(2);
            assertThat(e.kind()).isEqualTo(Kind.RUNTIME);
        }

        @Test
        void failsWithARejectionThatIsNoError() {
            assertThat(failure("Promise.reject(42)")).hasMessage("42");
            assertThat(failure("Promise.reject(undefined)")).hasMessage("undefined");
        }

        @Test
        void failsWithARejectionThatNobodyAsksAbout() {
            assertThat(failure("Promise.reject(new Error('nobody')); 5"))
                    .hasMessage("Error: nobody");
        }

        @Test
        void failsWithTheVeryExceptionOfTheHost() {
            IOException disk = new IOException("disk");
            Supplier<?> io =
                    () -> {
                        throw new IllegalStateException(disk);
                    };

            BlockException e = failure("(async () => {\n await null;\n io() })()", "io", io);

            assertThat(e.getCause()).isInstanceOf(IllegalStateException.class).hasCause(disk);
            assertThat(lineOf(e)).isEqualTo(3);
        }

        @Test
        void pushesWhatItsPromiseAssigned() {
            Map<String, @Nullable Object> locals = map("n", 0);

            engine.capture(
                            "const sleep = ms => new Promise(r => setTimeout(r, ms));\n(async () => { await sleep(10); n = 1; late = 2 })()",
                            Frame.of(locals))
                    .run();

            assertThat(locals).containsEntry("n", 1).containsEntry("late", 2);
        }

        @Test
        void pushesNothingIfItsPromiseIsRejected() {
            Map<String, @Nullable Object> locals = map("n", 0);
            Block block =
                    engine.capture(
                            "n = 1; (async () => { await null; n = 2; throw 1 })()",
                            Frame.of(locals));

            BlockException e = catchThrowableOfType(BlockException.class, block::run);

            assertThat(locals).containsExactly(Map.entry("n", 0));
            assertThat(e.bindings()).extracting(BoundName::name).contains("n");
        }

        @Test
        void thatCanNeverGoOnSaysSo() {
            BlockException e = failure("new Promise(() => {})");

            assertThat(e)
                    .hasMessageStartingWith("the block's promise never settled")
                    .hasMessageContaining("CompletableFuture");
            assertThat(lineOf(e)).isOne();
        }

        @Test
        void callsAFunctionOfTheHostGivenToThen() {
            List<Object> got = new ArrayList<>();
            Consumer<Object> done = got::add;

            value("Promise.resolve('ready').then(done)", "done", done);

            assertThat(got).containsExactly("ready");
        }

        @Test
        void runsAgainFromItsSnapshot() {
            Block block =
                    engine.capture("(async () => { await null; return ++n })()", frame("n", 1));

            assertThat(block.evaluate().value()).isEqualTo(2);
            assertThat(block.evaluate().value()).isEqualTo(2);
        }

        @Test
        void insideOfAnotherOfItsFrameCannotWait() {
            Map<String, @Nullable Object> locals = map();
            Frame frame = Frame.of(locals);
            Block inner = engine.capture("(async () => { await null; return 1 })()", frame);
            locals.put("inner", (Supplier<?>) () -> inner.evaluate().value());
            Block outer = engine.capture("1;\ninner()", frame);

            BlockException e = catchThrowableOfType(BlockException.class, outer::run);

            assertThat(e).hasMessageContaining("run this one in a frame of its own");
        }
    }

    @Nested
    class AFutureOfTheHost {
        @Test
        void canBeAwaited() {
            CompletableFuture<Integer> cf = CompletableFuture.supplyAsync(() -> 7);

            assertThat(value("(async () => (await cf) + 1)()", "cf", cf)).isEqualTo(8);
        }

        @Test
        void isThenable() {
            CompletableFuture<String> cf = new CompletableFuture<>();
            cf.completeOnTimeout("late", 20, TimeUnit.MILLISECONDS);

            assertThat(
                            value(
                                    "Promise.all([cf, cf.then(x => x + 1), cf.finally(() => 1)])",
                                    "cf",
                                    cf))
                    .isEqualTo(List.of("late", "late1", "late"));
        }

        @Test
        void comesBackAsItself() {
            CompletableFuture<Integer> cf = new CompletableFuture<>();

            assertThat(value("[cf]", "cf", cf)).isEqualTo(List.of(cf));
        }

        @Test
        void thatFailsThrowsItsExceptionWhereItIsAwaited() {
            IOException disk = new IOException("disk");
            CompletableFuture<Integer> cf =
                    CompletableFuture.supplyAsync(() -> 1)
                            .thenCompose(_ -> CompletableFuture.failedFuture(disk));

            assertThat(failure("(async () => {\n await cf })()", "cf", cf)).hasCause(disk);
            assertThat(
                            value(
                                    "(async () => { try { await cf } catch (e) { return String(e) } })()",
                                    "cf",
                                    cf))
                    .isEqualTo("java.io.IOException: disk");
        }

        @Test
        void resumesTheBlockInItsOwnThread() {
            CompletableFuture<Integer> cf = new CompletableFuture<>();
            cf.completeOnTimeout(1, 20, TimeUnit.MILLISECONDS);
            List<Thread> threads = new ArrayList<>();

            value(
                    "(async () => { await cf; note() })()",
                    "cf",
                    cf,
                    "note",
                    (Runnable) () -> threads.add(Thread.currentThread()));

            assertThat(threads).containsExactly(Thread.currentThread());
        }

        @Test
        void letsSiblingsRunMeanwhile() throws Exception {
            CompletableFuture<Integer> cf = new CompletableFuture<>();
            Frame frame = Frame.of(map("cf", cf, "go", null));
            Block waits = engine.capture("before = 1; (async () => (await cf) + after)()", frame);
            Block sibling = engine.capture("after = before + 1", frame);
            CompletableFuture<BlockResult> running = waits.runAsync();
            while (SharedLocals.of(frame).find("before").isEmpty()) {
                Thread.sleep(1);
            }

            sibling.run();
            cf.complete(40);

            assertThat(running.get(10, TimeUnit.SECONDS).value()).isEqualTo(42);
        }
    }

    @Nested
    class Timers {
        @Test
        void fireInTheOrderOfTheirTimes() {
            assertThat(
                            value(
                                    """
                                    const order = [];
                                    setTimeout(() => order.push('c'), 500);
                                    setTimeout(x => order.push(x), 1, 'a');
                                    queueMicrotask(() => order.push('m'));
                                    setTimeout(() => order.push('b'), 1);
                                    new Promise(r => setTimeout(r, 501)).then(() => order.join(''))
                                    """))
                    .isEqualTo("mabc");
        }

        @Test
        void canRepeatAndBeCleared() {
            assertThat(
                            value(
                                    """
                                    let n = 0;
                                    const never = setTimeout(() => { n = 100 }, 1);
                                    clearTimeout(never);
                                    clearTimeout(undefined);
                                    new Promise(done => {
                                      const id = setInterval(() => { if (++n === 3) { clearInterval(id); done(n) } }, 1);
                                    })
                                    """))
                    .isEqualTo(3);
        }

        @Test
        void areNotWaitedForByABlockWithoutAPromise() {
            BlockResult result =
                    engine.capture(
                                    "n = 1;\nsetTimeout(() => { n = 2 }, 1);\nsetInterval(() => {}, 1); 5",
                                    frame())
                            .evaluate();

            assertThat(result.value()).isEqualTo(5);
            assertThat(result.bindings()).containsEntry("n", 1);
            assertThat(result.pending())
                    .containsExactly(
                            new Pending("setTimeout", "block.js", 2),
                            new Pending("setInterval", "block.js", 3))
                    .extracting(Pending::toString)
                    .first()
                    .isEqualTo("setTimeout of block.js:2");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "setTimeout(() => {}, 1e6);\nnull.x",
                    "setTimeout(() => {}, 1e6);\nfor (;;);",
                    "setTimeout(() => {}, 1e6);\nawait new Promise(() => {})",
                })
        void areToldIfTheBlockFailed(String text) {
            Block block =
                    engine.capture(text, frame())
                            .within(
                                    Limits.builder()
                                            .statements(10_000)
                                            .time(Duration.ofMillis(500))
                                            .build());

            BlockException e = catchThrowableOfType(BlockException.class, block::run);

            assertThat(e.pending()).containsExactly(new Pending("setTimeout", "block.js", 1));
        }

        @Test
        void thatThrowFailTheBlock() {
            BlockException e =
                    failure(
                            "new Promise(() => {\n setTimeout(() => {\n throw new Error('tick') }, 1) })");

            assertThat(e).hasMessage("Error: tick");
            assertThat(lineOf(e)).isEqualTo(3);
        }

        @Test
        void needAFunction() {
            assertThat(failure("setTimeout('x = 1', 1)"))
                    .hasMessage("TypeError: setTimeout needs a function");
        }

        @Test
        void leaveNothingInTheContext() {
            try (BlockEngine fresh = BlockEngine.create()) {
                for (int i = 0; i < 5; i++) {
                    fresh.capture("setTimeout(() => {}, 1); i", frame("i", i)).run();
                }

                assertThat(fresh.openContexts()).isOne();
            }
        }
    }

    @Nested
    class AWait {
        private static final String FOR_EVER = "new Promise(r => setTimeout(r, 1e9))";

        @Test
        void endsWhenTheBlockIsStopped() throws Exception {
            StopSignal signal = new StopSignal();
            Block block = engine.capture("k = 1; " + FOR_EVER, frame());
            CompletableFuture<BlockException> failed =
                    CompletableFuture.supplyAsync(() ->
                            catchThrowableOfType(
                                    BlockException.class, () -> block.evaluate(signal)));
            Thread.sleep(50);

            signal.stop("enough");

            BlockException e = failed.get(10, TimeUnit.SECONDS);
            assertThat(e).hasMessage("enough");
            assertThat(e.kind()).isEqualTo(Kind.CANCELLED);
            assertThat(e.bindings()).extracting(BoundName::name).containsExactly("k");
        }

        @Test
        void endsWhenTheThreadIsInterrupted() throws Exception {
            BlockException[] failed = new BlockException[1];
            boolean[] flag = new boolean[1];
            Thread thread =
                    Thread.ofPlatform()
                            .start(() -> {
                                failed[0] = failure(FOR_EVER);
                                flag[0] = Thread.currentThread().isInterrupted();
                            });
            Thread.sleep(100);

            thread.interrupt();
            thread.join(Duration.ofSeconds(10));

            assertThat(failed[0].kind()).isEqualTo(Kind.CANCELLED);
            assertThat(flag[0]).isTrue();
        }

        @Test
        void endsWhenTheEngineCloses() throws Exception {
            BlockEngine closing = BlockEngine.create();
            CountDownLatch begun = new CountDownLatch(1);
            Block block =
                    closing.capture(
                            "begun(); " + FOR_EVER, frame("begun", (Runnable) begun::countDown));
            CompletableFuture<BlockResult> running = block.runAsync();
            begun.await();
            Thread.sleep(50);

            closing.close();

            Throwable e =
                    catchThrowableOfType(Exception.class, () -> running.get(10, TimeUnit.SECONDS));
            assertThat(e.getCause()).isInstanceOf(BlockException.class);
            assertThat(((BlockException) e.getCause()).kind()).isEqualTo(Kind.CANCELLED);
        }
    }

    @Nested
    class RunAsync {
        @Test
        void givesTheResultAndPushes() throws Exception {
            Map<String, @Nullable Object> locals = map("n", 1);
            Block block = engine.capture("n = 2; Promise.resolve(n + 1)", Frame.of(locals));

            BlockResult result = block.runAsync().get(10, TimeUnit.SECONDS);

            assertThat(result.value()).isEqualTo(3);
            assertThat(locals).containsEntry("n", 2);
        }

        @Test
        void failsWithTheBlocksError() {
            Throwable e =
                    catchThrowableOfType(
                            Exception.class,
                            () ->
                                    engine.capture("nope", frame())
                                            .runAsync()
                                            .get(10, TimeUnit.SECONDS));

            assertThat(e.getCause())
                    .isInstanceOf(BlockException.class)
                    .hasMessage("ReferenceError: nope is not defined");
        }

        @Test
        void canBeCancelled() throws Exception {
            CountDownLatch begun = new CountDownLatch(1);
            Map<String, @Nullable Object> locals =
                    map("n", 1, "begun", (Runnable) begun::countDown);
            Frame frame = Frame.of(locals);
            Block block = engine.capture("n = 2; begun(); for (;;);", frame);

            CompletableFuture<BlockResult> running = block.runAsync();
            begun.await();
            running.cancel(true);

            assertThat(running).isCancelled();
            // It waits for the turn of the block that was cancelled.
            assertThat(engine.capture("n", frame).run().value()).isEqualTo(1);
        }
    }

    @Nested
    class AFunctionOfABlock {
        @Test
        void isWaitedForByItsCaller() {
            GuestFunction function =
                    (GuestFunction)
                            value(
                                    "async x => { await new Promise(r => setTimeout(r, 5)); return x + 1 }");

            assertThat(function.call(1)).isEqualTo(2);
        }

        @Test
        void failsItsCallerWithItsLine() {
            GuestFunction function =
                    (GuestFunction) value("async () => { await null;\n throw new Error('no') }");

            BlockException e = catchThrowableOfType(BlockException.class, function::call);

            assertThat(e).hasMessage("Error: no");
            assertThat(lineOf(e)).isEqualTo(2);
        }
    }
}
