package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of an engine. */
@Timeout(20)
class BlockEngineTest {
    @Test
    @Tag("path-shapes")
    void capturesABlockAndPushesWhatItAssigned() {
        Map<String, Object> locals = map("price", 3, "quantity", 4);
        try (BlockEngine engine = BlockEngine.create()) {
            engine.capture("total = price * quantity", Frame.of(locals)).run();
        }

        assertThat(locals).isEqualTo(map("price", 3, "quantity", 4, "total", 12));
    }

    @Test
    @Tag("path-shapes")
    void reportsAnErrorWithItsPlace() {
        try (BlockEngine engine = BlockEngine.create()) {
            Block block = engine.capture("1;\n  nope", frame());

            BlockException e = catchThrowableOfType(BlockException.class, block::run);

            assertThat(e.traceback().render()).startsWith("block.js:2:3: ReferenceError");
        }
    }

    @Nested
    class Closing {
        @Test
        void twiceDoesNothing() {
            BlockEngine engine = BlockEngine.create();

            engine.close();
            engine.close();

            assertThat(engine.runtime()).isNotBlank();
        }

        /** Whatever the host may hold of a block: it works, or says that its engine is closed. */
        @Test
        void leavesEveryValueUsableOrSaysSo() throws Exception {
            Map<String, Object> locals = new LinkedHashMap<>();
            Frame frame = Frame.of(locals);
            Map<String, Object> variables = new LinkedHashMap<>();
            Frame namespace = Frame.ofNamespace(variables, Globals.none());
            BlockEngine engine = BlockEngine.create();
            engine.capture(
                            "o = { n: 1, get x() { return 2 } }; list = [o]; date = new Date(0); bytes = new Uint8Array([1]); k = 1",
                            frame)
                    .run();
            engine.capture("var o = { m() { return 1 } }", namespace).run();
            Map<?, ?> object = (Map<?, ?>) variables.get("o");
            GuestFunction method = (GuestFunction) object.get("m");

            engine.close();

            assertThat(locals)
                    .containsEntry("o", Map.of("n", 1, "x", 2))
                    .containsEntry("list", List.of(Map.of("n", 1, "x", 2)))
                    .containsEntry("date", java.time.Instant.EPOCH)
                    .containsEntry("bytes", new byte[] {1});
            assertThat(SharedLocals.of(frame).find("k").get().value()).isEqualTo(1);
            assertThatIllegalStateException()
                    .isThrownBy(() -> SharedLocals.of(frame).find("o"))
                    .withMessageContaining("the engine that it was made with is closed");
            assertThatIllegalStateException()
                    .isThrownBy(() -> engine.invoke(object, "m"))
                    .withMessageContaining("its engine is closed");
            assertThatIllegalStateException()
                    .isThrownBy(method::call)
                    .withMessageContaining("its engine is closed");
            for (Object value : List.of(object, method, locals, frame, namespace)) {
                assertThat(value.toString()).isNotBlank();
                assertThat(new HashSet<>(List.of(value))).contains(value);
            }
        }

        @Test
        void makesCaptureAnError() {
            BlockEngine engine = BlockEngine.create();
            engine.close();

            assertThatIllegalStateException()
                    .isThrownBy(() -> engine.capture("1", frame()))
                    .withMessageContaining("closed");
        }

        @Test
        void makesRunsAnError() {
            BlockEngine engine = BlockEngine.create();
            Frame frame = frame();
            Block ran = engine.capture("1", frame);
            Block fresh = engine.capture("2", frame());
            ran.run();
            engine.close();

            assertThatIllegalStateException().isThrownBy(ran::run).withMessageContaining("closed");
            assertThatIllegalStateException()
                    .isThrownBy(fresh::run)
                    .withMessageContaining("closed");
        }

        @Test
        void leavesResultsAsTheyAre() {
            BlockEngine engine = BlockEngine.create();
            BlockResult result =
                    engine.capture("x = { a: { b: [1, 'two', 3n] } }", frame()).evaluate();

            engine.close();

            assertThat(result.value())
                    .isEqualTo(
                            Map.of(
                                    "a",
                                    Map.of(
                                            "b",
                                            List.of(1, "two", java.math.BigInteger.valueOf(3)))));
            assertThat(result.bindings()).containsOnlyKeys("x");
            result.push();
        }

        static Stream<Arguments> usedAfterwards() {
            return Stream.of(
                    arguments("a run", use(u -> u.block().run())),
                    arguments("an evaluation", use(u -> u.block().evaluate())),
                    arguments("a run within limits", use(u -> u.limited().run())),
                    arguments("a run on another thread", use(u -> u.block().runAsync().join())),
                    arguments("a function", use(u -> u.function().call(1))),
                    arguments("an interface", use(u -> u.function().as(Supplier.class).get())),
                    arguments("a shared object", use(u -> u.shared().find("o"))),
                    arguments("a shared function", use(u -> u.shared().find("f"))),
                    arguments("a method", use(u -> u.engine().invoke(u.function(), "call"))),
                    arguments("a lease", use(u -> u.engine().lease(1))));
        }

        private static UseOf use(UseOf action) {
            return action;
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("usedAfterwards")
        void makesAnErrorThatSaysSoOfWhatIsUsedAfterwards(String name, UseOf action) {
            Used used;
            try (BlockEngine engine = BlockEngine.create()) {
                Frame frame = frame();
                Block block = engine.capture("o = { a: 1 }; f = x => x; f", frame);
                GuestFunction function = (GuestFunction) block.evaluate().value();
                used = new Used(engine, block, function, SharedLocals.of(frame));
            }

            assertThatIllegalStateException()
                    .isThrownBy(() -> action.of(used))
                    .withMessageMatching(".*engine( .*)? is closed; (create|take|bind) .*")
                    .withNoCause();
        }

        @Test
        void rejectsTasks() {
            BlockEngine engine = BlockEngine.create();
            engine.close();

            assertThatExceptionOfType(RejectedExecutionException.class)
                    .isThrownBy(() -> engine.threads().execute(() -> {}))
                    .withMessageContaining("closed");
        }

        @Test
        void losesSharedObjectsForBlocksOfOtherEnginesUntilTheyAreBoundAnew() {
            Frame frame = frame();
            try (BlockEngine first = BlockEngine.create()) {
                first.capture("o = { a: 1 }; n = 2", frame).evaluate();
            }
            try (BlockEngine second = BlockEngine.create()) {
                Block reads = second.capture("n;\n  o.a", frame);

                BlockException e = catchThrowableOfType(BlockException.class, reads::run);
                assertThat(e).hasMessageContaining("the engine that it was made with is closed");
                assertThat(e.traceback().innermost().line()).isEqualTo(2);
                assertThat(second.capture("n", frame).run().value()).isEqualTo(2);
                second.capture("o = { a: 3 }", frame).run();
                assertThat(reads.run().value()).isEqualTo(3);
            }
        }

        @Test
        void leavesSharedPlainNamesReadable() {
            Frame frame = frame();
            try (BlockEngine engine = BlockEngine.create()) {
                engine.capture("x = [1]; let y = 2", frame).evaluate();
            }

            assertThat(SharedLocals.of(frame).names()).containsExactlyInAnyOrder("x", "y");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "for (;;);",
                    "for (;;) { try { for (;;); } catch (e) {} }",
                    "try { for (;;); } finally { for (;;); }",
                    "while (true) [1, 2, 3].sort(() => 0)",
                    "(function f() { for (;;) Math.max(1, 2) })()"
                })
        void cancelsABlockThatLoopsOnAnotherThread(String text) throws Exception {
            BlockEngine engine = BlockEngine.create();
            Map<String, Object> locals = map();
            CountDownLatch started = new CountDownLatch(1);
            locals.put("started", (Runnable) started::countDown);
            Block block = engine.capture("x = 1; started();\n" + text, Frame.of(locals));
            CompletableFuture<BlockException> failure =
                    OtherThread.supply(
                            () -> catchThrowableOfType(BlockException.class, block::run));
            started.await();

            engine.close();

            BlockException e = failure.get(10, TimeUnit.SECONDS);
            assertThat(e.kind()).isEqualTo(BlockException.Kind.CANCELLED);
            assertThat(locals).doesNotContainKey("x");
        }

        @Test
        void mayBeDoneByABlockItself() {
            BlockEngine engine = BlockEngine.create();
            Block block = engine.capture("close(); 1", frame("close", (Runnable) engine::close));

            RuntimeException e = catchThrowableOfType(RuntimeException.class, block::run);

            assertThat(e).isInstanceOfAny(BlockException.class, IllegalStateException.class);
            assertThatIllegalStateException().isThrownBy(block::run);
        }

        @Test
        void endsEvenWhileABlockIsInsideAHostCall() throws Exception {
            BlockEngine engine = BlockEngine.create();
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            Runnable host =
                    () -> {
                        inside.countDown();
                        awaitQuietly(release);
                    };
            Block block = engine.capture("host(); 'woke'", frame("host", host));
            try (ExecutorService threads = Executors.newCachedThreadPool()) {
                var run = threads.submit(() -> block.run().value());
                inside.await();

                var closing = threads.submit(engine::close);
                try {
                    closing.get(5, TimeUnit.SECONDS);
                } finally {
                    release.countDown();
                }

                ExecutionException e = catchThrowableOfType(ExecutionException.class, run::get);
                assertThat(e.getCause())
                        .isInstanceOfSatisfying(
                                BlockException.class,
                                failed ->
                                        assertThat(failed.kind())
                                                .isEqualTo(BlockException.Kind.CANCELLED));
            }
        }
    }

    @Nested
    class RuntimeText {
        @Test
        @Tag("compiled")
        void withTheGraalCompilerIsCompiledAndWithoutItSaysHowToGetThere() {
            try (BlockEngine engine = BlockEngine.create()) {
                // Resolved only if Java was started with JVMCI, which the compiler needs.
                boolean compiler = ModuleLayer.boot().findModule("jdk.internal.vm.ci").isPresent();

                assertThat(engine.isCompiled()).isEqualTo(compiler);
                if (!compiler) {
                    assertThat(engine.runtime()).contains("upgrade module path");
                }
            }
        }

        @Test
        void isOneLineThatNamesTheVersionAndWhetherCodeIsCompiled() {
            try (BlockEngine engine = BlockEngine.create()) {
                assertThat(engine.runtime())
                        .contains("25.")
                        .contains(engine.isCompiled() ? "compiled" : "interpreted")
                        .doesNotContain("\n");
            }
        }
    }

    /** Engines of a JVM of their own, whose standard error is looked at. */
    @Nested
    class TheLog {
        @Test
        void tellsTheRuntimeOnceAndNothingElseIsSaid() throws Exception {
            List<String> said = OwnJvm.run(TwoEngines.class);

            assertThat(said)
                    .singleElement()
                    .asString()
                    .contains("INFO dev.blockscope.runtime - GraalVM 25.", "is interpreted");
        }
    }

    /** A program that uses two engines and says nothing itself. */
    static final class TwoEngines {
        public static void main(String[] arguments) {
            for (int i = 0; i < 2; i++) {
                try (BlockEngine engine = BlockEngine.create()) {
                    engine.capture("1 + 1", Frame.empty()).run();
                }
            }
        }
    }

    @Nested
    class SeveralEngines {
        @Test
        void onOneFrameShareItsPlainNames() {
            Frame frame = frame();
            try (BlockEngine one = BlockEngine.create();
                    BlockEngine other = BlockEngine.create()) {
                one.capture("x = { a: [1, 2] }; f = v => v + 1", frame).evaluate();

                assertThat(other.capture("x.a[1]", frame).evaluate().value()).isEqualTo(2);
                assertThat(other.capture("f(1)", frame).evaluate().value()).isEqualTo(2);
            }
        }

        @Test
        void doNotEndEachOther() {
            Frame frame = frame();
            BlockEngine one = BlockEngine.create();
            try (BlockEngine other = BlockEngine.create()) {
                one.capture("x = 1", frame).evaluate();
                Block block = other.capture("2", frame);

                one.close();

                assertThat(block.run().value()).isEqualTo(2);
            }
        }

        @Test
        void mayCloseInAnyOrder() {
            BlockEngine one = BlockEngine.create();
            BlockEngine other = BlockEngine.create();
            one.capture("1", frame()).run();
            other.capture("1", frame()).run();

            one.close();

            assertThat(other.capture("1 + 1", frame()).run().value()).isEqualTo(2);
            other.close();
        }
    }

    @Test
    void needsASourceAndAFrame() {
        try (BlockEngine engine = BlockEngine.create()) {
            assertThatNullPointerException()
                    .isThrownBy(() -> engine.capture((BlockSource) null, frame()));
            assertThatNullPointerException().isThrownBy(() -> engine.capture("1", null));
            assertThatNullPointerException()
                    .isThrownBy(() -> engine.capture((String) null, frame()));
        }
    }

    @Test
    void leavesNoThreadBehind() throws Exception {
        int before = Thread.activeCount();
        for (int i = 0; i < 3; i++) {
            try (BlockEngine engine = BlockEngine.create()) {
                engine.capture("1 + 1", frame()).run();
            }
        }
        for (int i = 0; i < 50 && Thread.activeCount() > before; i++) {
            Thread.sleep(10);
        }

        assertThat(Thread.activeCount()).isLessThanOrEqualTo(before);
    }

    /** What callers may still hold when an engine is closed. */
    record Used(BlockEngine engine, Block block, GuestFunction function, SharedLocals shared) {
        Block limited() {
            return block.within(Limits.UNTRUSTED);
        }
    }

    /** Something that is done with it. */
    interface UseOf {
        @Nullable Object of(Used used) throws Exception;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
