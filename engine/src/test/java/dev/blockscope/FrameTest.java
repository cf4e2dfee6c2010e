package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

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
                    .matches(e -> e.getSuppressed().length == 0);
            assertThat(locals).isEqualTo(map("a", 1, "n", null));
        }

        @Test
        void thatCannotBeRestoredSaysSo() {
            IllegalStateException stuck = new IllegalStateException("stuck");
            Map<String, Object> locals =
                    new LinkedHashMap<>() {
                        private static final long serialVersionUID = 1L;
                        private int puts;

                        @Override
                        public @Nullable Object put(String name, @Nullable Object value) {
                            if (++puts > 1) {
                                throw stuck;
                            }
                            return super.put(name, value);
                        }

                        @Override
                        public @Nullable Object remove(Object name) {
                            throw stuck;
                        }
                    };

            assertThatExceptionOfType(PushException.class)
                    .isThrownBy(() -> Frame.of(locals).push(map("a", 1, "b", 2)))
                    .matches(e -> e.name().equals("b"))
                    .satisfies(e -> assertThat(e.getSuppressed()).containsExactly(stuck));
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
