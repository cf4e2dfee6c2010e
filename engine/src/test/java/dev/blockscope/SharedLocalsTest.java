package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The store that the blocks of one frame share, and how long it lives. */
class SharedLocalsTest {
    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    @Test
    void aFrameHasOneStoreForEver() {
        Frame frame = frame();
        SharedLocals before = SharedLocals.of(frame);
        engine.capture("x = 1", frame).run();

        assertThat(SharedLocals.of(frame)).isSameAs(before);
    }

    @Test
    void framesAreToldApartByIdentity() {
        Map<String, Object> locals = new HashMap<>();
        FrameCode code = new FrameCode("rules.js", 1, "rules");

        assertThat(SharedLocals.of(Frame.of(locals)))
                .isNotSameAs(SharedLocals.of(Frame.of(locals)));
        assertThat(SharedLocals.of(SerializedFrame.of(code)))
                .isNotSameAs(SharedLocals.of(SerializedFrame.of(code)));
    }

    @Test
    void itHoldsWhatABlockBound() {
        Frame frame = frame();
        engine.capture("b = [1]; let a = null", frame).evaluate();

        assertThat(SharedLocals.of(frame).names()).containsExactlyInAnyOrder("a", "b");
        assertThat(SharedLocals.of(frame).find("b")).contains(new Binding(List.of(1)));
        assertThat(SharedLocals.of(frame).find("a")).contains(new Binding(null));
    }

    @Test
    void itDoesNotHoldASnapshot() {
        Frame frame = frame("x", 1);
        engine.capture("x", frame).evaluate();

        assertThat(SharedLocals.of(frame).names()).isEmpty();
        assertThat(SharedLocals.of(frame).find("x")).isEmpty();
    }

    @Test
    void itIsEmptiedByClear() {
        Frame frame = frame();
        engine.capture("x = 1", frame).evaluate();

        SharedLocals.of(frame).clear();

        assertThat(SharedLocals.of(frame).names()).isEmpty();
        assertThat(engine.capture("typeof x", frame).evaluate().value()).isEqualTo("undefined");
    }

    @Test
    void namesAreACopy() {
        SharedLocals shared = new SharedLocals();
        shared.put("x", 1);
        var names = shared.names();

        shared.put("y", 2);

        assertThat(names).containsExactly("x");
    }

    @Test
    void aNameKeepsItsPlaceWhenItIsBoundAgain() {
        SharedLocals shared = new SharedLocals();
        shared.put("a", 1);
        shared.put("b", 2);
        shared.put("a", 3);

        assertThat(shared.names()).containsExactly("a", "b");
        assertThat(shared.find("a")).contains(new Binding(3));
    }

    @Test
    void itGoesWithItsFrameWhileTheEngineStays() throws Exception {
        List<WeakReference<?>> gone = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Frame frame = frame("list", new ArrayList<>());
            engine.capture("x = { a: 1 }; f = () => x; list.push(1)", frame).run();
            gone.add(new WeakReference<>(frame));
            gone.add(new WeakReference<>(SharedLocals.of(frame)));
        }

        assertCollected(gone);
    }

    @Test
    void itGoesWithItsFrameEvenIfTheBlockFailed() throws Exception {
        List<WeakReference<?>> gone = new ArrayList<>();
        Frame frame = frame();
        try {
            engine.capture("x = 1; throw x", frame).run();
        } catch (BlockException expected) {
            gone.add(new WeakReference<>(frame));
        }
        frame = null;

        assertCollected(gone);
    }

    @Test
    void aResultKeepsItsValuesWhenTheFrameIsForgotten() {
        Map<String, Object> bindings =
                engine.capture("x = { a: [1] }", frame()).evaluate().bindings();

        System.gc();

        assertThat(bindings).isEqualTo(map("x", Map.of("a", List.of(1))));
    }

    @Test
    void itMayBeUsedFromManyThreads() throws Exception {
        SharedLocals shared = new SharedLocals();
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> done = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int thread = t;
                done.add(
                        threads.submit(() -> {
                            start.await();
                            for (int i = 0; i < 1_000; i++) {
                                shared.put("t" + thread + "n" + i, i);
                                shared.names();
                                assertThat(shared.find("t" + thread + "n" + i))
                                        .contains(new Binding(i));
                            }
                            return null;
                        }));
            }
            start.countDown();
            for (Future<?> each : done) {
                each.get(30, TimeUnit.SECONDS);
            }
        }

        assertThat(shared.names()).hasSize(4_000);
    }

    private static void assertCollected(List<WeakReference<?>> references) throws Exception {
        for (int i = 0; i < 100 && references.stream().anyMatch(r -> r.get() != null); i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(references).extracting(WeakReference::get).containsOnlyNulls();
    }
}
