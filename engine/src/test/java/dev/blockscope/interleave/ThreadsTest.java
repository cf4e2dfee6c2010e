package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import dev.blockscope.StopSignal;
import dev.blockscope.ThreadContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads that blocks in step have, and what of the caller's is there. */
@Timeout(60)
final class ThreadsTest {
    private static final HookPoints POINTS = HookPoints.of(List.of("a"));
    private static final ScopedValue<String> REGION = ScopedValue.newInstance();

    private final ThreadLocal<String> user = new ThreadLocal<>();
    private final Map<String, Object> locals = new HashMap<>(Map.of("it", Envoy.of(POINTS)));
    private final Frame frame = Frame.of(locals);

    private static Object onePoint(Visits visits) {
        return visits.visit("a", 1);
    }

    private static Trace<Object> trace(List<Block> blocks) {
        return Interleaver.of(POINTS).run(blocks, ThreadsTest::onePoint);
    }

    @Test
    void whatBelongsToTheCallersThreadIsThere() {
        locals.put("user", (Supplier<String>) user::get);
        locals.put("region", (Supplier<String>) () -> REGION.orElse("none"));
        ThreadContext context =
                ThreadContext.mdc().and(ThreadContext.of(user)).and(ThreadContext.of(REGION));
        user.set("ada");
        try (BlockEngine engine = BlockEngine.builder().threadContext(context).build()) {
            Block block = engine.capture("it.a; seen = [user(), region()].join()", frame);
            ScopedValue.where(REGION, "eu").run(() -> trace(List.of(block)));
            assertThat(locals).containsEntry("seen", "ada,eu");

            user.remove();
            trace(List.of(block));
            assertThat(locals).containsEntry("seen", ",none");
        }
    }

    @Test
    void moreBlocksThanThreadsIsAnErrorBeforeAnyRuns() {
        try (BlockEngine engine = BlockEngine.builder().threads(3).build()) {
            Block block = engine.capture("x = 1", frame);
            assertThatIllegalStateException()
                    .isThrownBy(() -> trace(Collections.nCopies(4, block)))
                    .withMessage(
                            "4 blocks are to wait at once, which takes as many threads; the engine may use 3. Raise it with BlockEngine.builder().threads(4)");
            assertThat(locals).doesNotContainKey("x");
            assertThat(engine.leasedThreads()).isZero();
            assertThat(trace(Collections.nCopies(3, block)).result()).isEqualTo(1);
        }
    }

    @Test
    void aTraceWaitsForThreadsThatOthersHold() throws InterruptedException {
        try (BlockEngine engine = BlockEngine.builder().threads(2).build()) {
            List<Thread> hosts = new ArrayList<>();
            Map<Integer, Object> results = new ConcurrentHashMap<>();
            for (int i = 0; i < 8; i++) {
                int number = i;
                Map<String, Object> own = new HashMap<>(Map.of("it", Envoy.of(POINTS), "i", i));
                Frame ofHost = Frame.of(own);
                List<Block> blocks =
                        List.of(
                                engine.capture("it.a = i", ofHost),
                                engine.capture("seen = it.a", ofHost));
                hosts.add(
                        Thread.ofPlatform()
                                .start(() -> {
                                    trace(blocks);
                                    results.put(number, own.get("seen"));
                                }));
            }
            for (Thread host : hosts) {
                assertThat(host.join(Duration.ofSeconds(40))).isTrue();
            }
            assertThat(results).hasSize(8).allSatisfy((i, seen) -> assertThat(seen).isEqualTo(i));
            assertThat(engine.leasedThreads()).isZero();
        }
    }

    @Test
    void aTraceOfABlockFailsWhereItsWaitForThreadsMightNotEnd() {
        try (BlockEngine engine = BlockEngine.builder().threads(1).build()) {
            Block inner = engine.capture("1", Frame.of(new HashMap<>()));
            locals.put("nested", (Runnable) () -> trace(List.of(inner)));
            assertThatThrownBy(() -> trace(List.of(engine.capture("it.a;\nnested()", frame))))
                    .isInstanceOf(BlockException.class)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(
                            "needs 1 more threads and could wait for them for ever; 1 of the engine's 1 are in use");
            assertThat(engine.leasedThreads()).isZero();
        }
    }

    @Test
    void anEngineHasAThreadAtLeast() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockEngine.builder().threads(0))
                .withMessage("the engine may use 0 threads, expected at least 1");
    }

    @Test
    void aTurnThatIsNotTakenIsAnErrorAndNotAHang() {
        Handover handover = new Handover(Duration.ofMillis(100), true);
        handover.toBlock();
        assertThatIllegalStateException()
                .isThrownBy(() -> handover.awaitHost(() -> {}))
                .withMessageContaining("a fault of Blockscope, please report it");
    }

    @Test
    void aTurnGoesToAndFro() throws InterruptedException {
        Handover handover = new Handover(Duration.ofSeconds(30), true);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        handover.toBlock();
        Thread block =
                Thread.ofPlatform()
                        .start(() -> {
                            handover.begin();
                            order.add("block 1");
                            handover.await(new StopSignal());
                            order.add("block 2");
                            handover.end();
                        });
        handover.awaitHost(() -> {});
        order.add("host");
        handover.toBlock();
        handover.awaitHost(() -> {});
        block.join();
        assertThat(order).containsExactly("block 1", "host", "block 2");
    }
}
