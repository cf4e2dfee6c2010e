package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a block was written, and how what it assigned gets back there. */
class FrameTest {
    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    /** A map that refuses some names, as a host's own map may. */
    private static final class PickyMap extends LinkedHashMap<String, @Nullable Object> {
        private static final long serialVersionUID = 1L;
        private final transient Set<String> refused;

        PickyMap(String... refused) {
            this.refused = Set.of(refused);
        }

        @Override
        public @Nullable Object put(String name, @Nullable Object value) {
            if (refused.contains(name)) {
                throw new IllegalStateException("no " + name);
            }
            return super.put(name, value);
        }
    }

    @Nested
    class Snapshot {
        @Test
        void isACopyInTheOrderOfTheLocals() {
            Map<String, Object> locals = map("b", 1, "a", null);
            Frame frame = Frame.of(locals);

            Map<String, Object> snapshot = frame.snapshot();
            locals.put("c", 2);

            assertThat(snapshot).isEqualTo(map("b", 1, "a", null));
            assertThat(snapshot.keySet()).containsExactly("b", "a");
        }

        @Test
        void canBeChangedWithoutChangingTheFrame() {
            Frame frame = frame("a", 1);

            frame.snapshot().put("a", 2);

            assertThat(frame.snapshot()).isEqualTo(map("a", 1));
        }

        @Test
        void ofAnEmptyFrameIsEmpty() {
            assertThat(Frame.empty().snapshot()).isEmpty();
        }

        @Test
        void ofAFrameOverAnImmutableMapIsFine() {
            Frame frame = Frame.of(Map.of("x", 20));

            assertThat(engine.capture("x + 1", frame).run().value()).isEqualTo(21);
        }
    }

    @Nested
    class Push {
        @Test
        void writesEveryNameInOrder() {
            Map<String, Object> locals = map("old", 0);

            Frame.of(locals).push(map("b", 1, "a", null, "old", 2));

            assertThat(locals).isEqualTo(map("old", 2, "b", 1, "a", null));
            assertThat(locals.keySet()).containsExactly("old", "b", "a");
        }

        @Test
        void ofNothingWritesNothing() {
            Frame frame = Frame.of(Map.of("x", 1));

            frame.push(Map.of());

            assertThat(frame.snapshot()).isEqualTo(map("x", 1));
        }

        @Test
        void canBeReadBackFromAnEmptyFrame() {
            Frame frame = Frame.empty();

            engine.capture("x = 1; y = null", frame).run();

            assertThat(frame.snapshot()).isEqualTo(map("x", 1, "y", null));
        }

        @Test
        void reachesTheNextCapture() {
            Frame frame = Frame.empty();
            engine.capture("x = 1", frame).run();

            assertThat(engine.capture("x + 1", frame).run().value()).isEqualTo(2);
        }

        @Test
        void isSeenByTheBlocksThatWereCapturedBeforeAsASharedNameOnly() {
            Frame frame = frame("x", 1);
            Block before = engine.capture("x", frame);

            engine.capture("x = 2", frame).run();

            assertThat(before.run().value()).isEqualTo(1);
        }

        @Test
        void intoAReadOnlyMapIsRefusedAndNamesTheName() {
            Frame frame = Frame.of(Collections.unmodifiableMap(map("x", 1)));

            PushException e =
                    catchThrowableOfType(PushException.class, engine.capture("x = 2", frame)::run);

            assertThat(e.name()).isEqualTo("x");
            assertThat(e)
                    .hasMessageContaining("\"x\"")
                    .hasCauseInstanceOf(UnsupportedOperationException.class);
        }

        @Test
        void ofNullIntoAMapThatHoldsNoneIsRefused() {
            Map<String, Object> locals = new ConcurrentHashMap<>(Map.of("a", 1));
            Block block = engine.capture("a = 2; b = null", Frame.of(locals));

            PushException e = catchThrowableOfType(PushException.class, block::run);

            assertThat(e.name()).isEqualTo("b");
            assertThat(locals).isEqualTo(Map.of("a", 1));
        }

        @Test
        void thatIsRefusedMidwayRestoresWhatWasWritten() {
            Map<String, Object> locals = new PickyMap("c");
            locals.put("a", 1);
            locals.put("n", null);

            assertThatExceptionOfType(PushException.class)
                    .isThrownBy(() ->
                            Frame.of(locals).push(map("a", 2, "b", 3, "n", 4, "c", 5, "d", 6)))
                    .matches(e -> e.name().equals("c"))
                    .withCauseInstanceOf(IllegalStateException.class)
                    .matches(e -> e.getSuppressed().length == 0 && e.notRestored().isEmpty());
            assertThat(locals).isEqualTo(map("a", 1, "n", null));
        }

        @Test
        void thatIsRefusedMidwayRestoresTheLastWrittenFirst() {
            List<String> writes = new ArrayList<>();
            Map<String, Object> locals =
                    new LinkedHashMap<>(map("a", 1, "b", null)) {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public @Nullable Object put(String name, @Nullable Object value) {
                            if (name.equals("d")) {
                                throw new IllegalStateException("no d");
                            }
                            writes.add(name + "=" + value);
                            return super.put(name, value);
                        }

                        @Override
                        public @Nullable Object remove(Object name) {
                            writes.add("-" + name);
                            return super.remove(name);
                        }
                    };

            assertThatExceptionOfType(PushException.class)
                    .isThrownBy(() -> Frame.of(locals).push(map("a", 2, "b", 3, "c", 4, "d", 5)))
                    .satisfies(e -> assertThat(e.notRestored()).isEmpty());
            assertThat(writes).containsExactly("a=2", "b=3", "c=4", "-c", "b=null", "a=1");
            assertThat(locals).isEqualTo(map("a", 1, "b", null));
        }

        @Test
        void thatCannotBeRestoredSaysWhatAndWhy() {
            IllegalStateException stuck = new IllegalStateException("stuck");
            Map<String, Object> locals =
                    new LinkedHashMap<>(map("c", 0)) {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public @Nullable Object put(String name, @Nullable Object value) {
                            if (name.equals("d")) {
                                throw new IllegalStateException("no d");
                            }
                            return super.put(name, value);
                        }

                        @Override
                        public @Nullable Object remove(Object name) {
                            throw stuck;
                        }
                    };

            assertThatExceptionOfType(PushException.class)
                    .isThrownBy(() -> Frame.of(locals).push(map("a", 1, "b", 2, "c", 3, "d", 4)))
                    .withMessageContaining("could not be restored: \"b\", \"a\"")
                    .matches(e -> e.name().equals("d"))
                    .satisfies(e ->
                            assertThat(e.notRestored())
                                    .containsExactly(Map.entry("b", stuck), Map.entry("a", stuck)))
                    .satisfies(e -> assertThat(e.getSuppressed()).containsOnly(stuck));
            assertThat(locals).isEqualTo(map("a", 1, "b", 2, "c", 0));
        }

        @Test
        void thatEndsInAnErrorRestoresToo() {
            Map<String, Object> locals =
                    new LinkedHashMap<>() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public @Nullable Object put(String name, @Nullable Object value) {
                            if (name.equals("b")) {
                                throw new AssertionError("out of order");
                            }
                            return super.put(name, value);
                        }
                    };

            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> Frame.of(locals).push(map("a", 1, "b", 2)))
                    .withMessage("out of order");
            assertThat(locals).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"get", "containsKey"})
        void intoAMapThatCannotBeReadWritesNothing(String broken) {
            Map<String, Object> locals =
                    new LinkedHashMap<>() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public @Nullable Object get(Object name) {
                            return checked("get", name, super.get(name));
                        }

                        @Override
                        public boolean containsKey(Object name) {
                            return checked("containsKey", name, super.containsKey(name));
                        }

                        private <T> T checked(String method, Object name, T answer) {
                            if (method.equals(broken) && name.equals("b")) {
                                throw new IllegalStateException("no connection");
                            }
                            return answer;
                        }
                    };
            Block block = engine.capture("a = 1; b = 2", Frame.of(locals));

            PushException e = catchThrowableOfType(PushException.class, block::run);

            assertThat(e.name()).isEqualTo("b");
            assertThat(e).hasMessageContaining("no connection");
            assertThat(locals).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"a = 1; b = () => 1; c = 3", "a = 1; b = [() => 1]; c = 3"})
        void ofAFunctionPushesItsHandle(String text) {
            Map<String, Object> locals = map();

            engine.capture(text, Frame.of(locals)).run();

            assertThat(locals.keySet()).containsExactly("a", "b", "c");
            assertThat(locals.get("b").toString()).contains("function of block");
        }

        @Test
        void ofAValueThatCannotCrossNeverBegins() {
            Map<String, Object> locals = map("a", 0);
            String text = "a = 1; b = { deep: { get bad() { throw new Error('no') } } }; 0";

            BlockException e =
                    catchThrowableOfType(
                            BlockException.class, engine.capture(text, Frame.of(locals))::run);

            assertThat(e).hasMessageContaining("\"b.deep.bad\"").hasMessageContaining("no");
            assertThat(locals).isEqualTo(map("a", 0));
        }

        @Test
        void ofTenThousandNamesIsAllOrNothingToo() {
            Map<String, Object> locals = new PickyMap("n9999");
            locals.put("n0", "old");
            String text = "for (let i = 0; i < 10000; i++) globalThis['n' + i] = i";
            BlockResult result = engine.capture(text, Frame.of(locals)).evaluate();

            PushException e = catchThrowableOfType(PushException.class, result::push);

            assertThat(e.name()).isEqualTo("n9999");
            assertThat(result.bindings()).hasSize(10_000);
            assertThat(locals).isEqualTo(map("n0", "old"));
        }

        @Test
        void ofNoNameIsRefused() {
            Map<String, Object> locals = map();

            assertThatNullPointerException()
                    .isThrownBy(() -> Frame.of(locals).push(map("a", 1, null, 2)));
            assertThatNullPointerException().isThrownBy(() -> Frame.of(locals).push(map(null, 2)));
            assertThat(locals).isEmpty();
        }

        /** A snapshot is taken, the host goes on, and only what the block changed comes back. */
        @Test
        void leavesWhatTheHostChangedMeanwhile() {
            Map<String, Object> locals = map("a", 1, "b", 1);
            locals.put("host", (Runnable) () -> locals.put("b", 5));

            engine.capture("a = b + 1; host()", Frame.of(locals)).run();

            assertThat(locals).containsEntry("a", 2).containsEntry("b", 5);
        }

        @Test
        void thatIsRefusedLeavesTheResultUsable() {
            Map<String, Object> locals = new PickyMap("x");
            BlockResult result = engine.capture("x = 1; 'done'", Frame.of(locals)).evaluate();

            assertThatExceptionOfType(PushException.class).isThrownBy(result::push);

            assertThat(result.value()).isEqualTo("done");
            assertThat(result.bindings()).isEqualTo(map("x", 1));
            assertThat(locals).isEmpty();
        }

        @Test
        void mayHappenAgain() {
            Map<String, Object> locals = map();
            BlockResult result = engine.capture("x = 1", Frame.of(locals)).evaluate();
            result.push();
            locals.put("x", 5);

            result.push();

            assertThat(locals).isEqualTo(map("x", 1));
        }

        @Test
        void doesNotHappenByEvaluating() {
            Map<String, Object> locals = map();

            engine.capture("x = 1", Frame.of(locals)).evaluate();

            assertThat(locals).isEmpty();
        }

        @Test
        void keepsTheOrderOfASortedMap() {
            Map<String, Object> locals = new TreeMap<>();

            engine.capture("b = 1; a = 2", Frame.of(locals)).run();

            assertThat(locals.keySet()).containsExactly("a", "b");
        }
    }

    @Nested
    class BrokenMaps {
        @Test
        void thatThrowWhenReadFailTheCapture() {
            Map<String, Object> broken =
                    new AbstractMap<>() {
                        @Override
                        public Set<Entry<String, Object>> entrySet() {
                            throw new IllegalStateException("no connection");
                        }
                    };
            Frame frame = Frame.of(broken);

            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> engine.capture("x", frame))
                    .withMessage("no connection");
        }

        @Test
        void thatChangeWhileASnapshotIsTakenAreAClearError() {
            Map<String, Object> changing =
                    new LinkedHashMap<>(map("a", 1, "b", 2)) {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public Set<Map.Entry<String, @Nullable Object>> entrySet() {
                            Set<Map.Entry<String, @Nullable Object>> entries = super.entrySet();
                            return new AbstractSet<>() {
                                @Override
                                public Iterator<Map.Entry<String, @Nullable Object>> iterator() {
                                    var all = entries.iterator();
                                    put("another thread", 3);
                                    return all;
                                }

                                @Override
                                public int size() {
                                    return entries.size();
                                }
                            };
                        }
                    };
            Frame frame = Frame.of(changing);

            assertThatExceptionOfType(ConcurrentModificationException.class)
                    .isThrownBy(() -> engine.capture("a", frame))
                    .withMessageContaining("changed while a snapshot")
                    .withMessageContaining("concurrent map");
        }

        @Test
        void thatAreMadeForManyThreadsMayChangeWhileBlocksAreCaptured() throws Exception {
            Map<String, Object> locals = new ConcurrentHashMap<>(Map.of("a", 1));
            Frame frame = Frame.of(locals);
            AtomicBoolean done = new AtomicBoolean();
            Thread host =
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; !done.get(); i = (i + 1) % 1_000) {
                                    locals.put("n" + i, i);
                                    locals.remove("n" + (i + 500) % 1_000);
                                }
                            });
            try {
                for (int i = 0; i < 200; i++) {
                    assertThat(engine.capture("a + 1", frame).evaluate().value()).isEqualTo(2);
                }
            } finally {
                done.set(true);
                host.join();
            }
        }

        @Test
        void thatHaveANullNameAreAClearError() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> engine.capture("1", frame("a", 1, null, 2)))
                    .withMessageContaining("null name");
        }

        @ParameterizedTest
        @ValueSource(strings = {"rate", "typeof rate", "globalThis.rate", "globalThis['rate']"})
        void behindAFrameFailTheBlockThatReadsThem(String reading) {
            Map<String, Object> broken =
                    new LinkedHashMap<>() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public boolean containsKey(Object name) {
                            if (name.equals("rate")) {
                                throw new IllegalStateException("no connection for " + name);
                            }
                            return super.containsKey(name);
                        }
                    };
            Map<String, Object> locals = map();
            Frame frame = Frame.of(locals, Globals.of(broken));

            BlockException e =
                    catchThrowableOfType(
                            BlockException.class,
                            engine.capture("out = 1;\nout = " + reading, frame)::run);

            assertThat(e).hasMessageContaining("no connection for rate");
            assertThat(e.traceback().innermost().line()).isEqualTo(2);
            assertThat(locals).isEmpty();
        }
    }

    @Nested
    class GlobalsOfAFrame {
        @Test
        void areALiveViewOfTheirMap() {
            Map<String, Object> globals = map("rate", 1);
            Frame frame = Frame.of(map(), Globals.of(globals));
            Block block = engine.capture("rate", frame);

            globals.put("rate", 2);

            assertThat(block.run().value()).isEqualTo(2);
        }

        @Test
        void mayBeAFunction() {
            Globals lengths =
                    name ->
                            name.startsWith("$")
                                    ? Optional.of(new Binding(name.length()))
                                    : Optional.empty();

            assertThat(engine.capture("$abc + $", Frame.of(map(), lengths)).run().value())
                    .isEqualTo(5);
        }

        @Test
        void ofAMapKnowNullFromAbsence() {
            Globals globals = Globals.of(map("x", null));

            assertThat(globals.find("x")).contains(new Binding(null));
            assertThat(globals.find("y")).isEmpty();
        }

        @Test
        void mayBindNothing() {
            assertThat(Globals.none().find("x")).isEmpty();
            assertThat(Frame.empty().globals().find("x")).isEmpty();
        }
    }

    @Nested
    class Code {
        @Test
        void saysWhereTheFrameStands() {
            FrameCode code = new FrameCode("steer.js", 40, "steer");

            assertThat(Frame.of(map(), Globals.none(), code).code()).isEqualTo(code);
        }

        @Test
        void startsAtLineOneAtTheEarliest() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new FrameCode("steer.js", 0, "steer"))
                    .withMessageContaining("0");
        }

        @Test
        void needsAFileAndAName() {
            assertThatNullPointerException().isThrownBy(() -> new FrameCode(null, 1, ""));
            assertThatNullPointerException().isThrownBy(() -> new FrameCode("a.js", 1, null));
        }
    }

    @Test
    void twoFramesOverOneMapAreNotEqual() {
        Map<String, Object> locals = map("x", 1);

        assertThat(Frame.of(locals)).isNotEqualTo(Frame.of(locals));
    }

    @Test
    void itsPartsAreNeeded() {
        assertThatNullPointerException().isThrownBy(() -> Frame.of(null));
        assertThatNullPointerException().isThrownBy(() -> Frame.of(map(), null));
        assertThatNullPointerException().isThrownBy(() -> Frame.of(map(), Globals.none(), null));
        assertThatNullPointerException().isThrownBy(() -> Globals.of(null));
    }
}
