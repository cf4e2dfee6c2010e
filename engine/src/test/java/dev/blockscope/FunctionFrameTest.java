package dev.blockscope;

import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A frame whose locals are read by one function of the host and written by another. */
class FunctionFrameTest {
    private static BlockEngine engine;

    private final Map<String, @Nullable Object> form = map("net", 100, "note", null);
    private final List<String> writes = new ArrayList<>();
    private final Frame frame = Frame.of(() -> form, this::write);

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private void write(String name, @Nullable Object value) {
        if (name.equals("locked")) {
            throw new IllegalStateException("the form is locked");
        }
        writes.add(name + "=" + value);
        form.put(name, value);
    }

    @Test
    void aBlockSeesWhatTheGetterReturnsAtItsCapture() {
        Block block = engine.capture("[net, note].join()", frame);

        form.put("net", 200);

        assertThat(block.run().value()).isEqualTo("100,");
        assertThat(frame.snapshot()).isEqualTo(map("net", 200, "note", null));
    }

    @Test
    void onlyAssignedNamesReachTheSetterInOrder() {
        engine.capture("total = net * 2; note = null", frame).run();

        assertThat(writes).containsExactly("total=200", "note=null");
    }

    @Test
    void aNameTheSetterRefusesRefusesAllAndTheLastWrittenIsRestoredFirst() {
        Block block = engine.capture("net = 1; note = 2; locked = 3; more = 4", frame);

        PushException e = catchThrowableOfType(PushException.class, block::run);

        assertThat(e.name()).isEqualTo("locked");
        assertThat(e).hasMessageContaining("\"locked\"").hasMessageContaining("form is locked");
        assertThat(e.notRestored()).isEmpty();
        assertThat(writes).containsExactly("net=1", "note=2", "note=null", "net=100");
    }

    @Test
    void aNewNameCannotBeTakenBackAndIsListed() {
        PushException e =
                catchThrowableOfType(
                        PushException.class,
                        () -> frame.push(map("net", 1, "fresh", 2, "locked", 3)));

        assertThat(e.notRestored()).containsOnlyKeys("fresh");
        assertThat(e).hasMessageContaining("could not be restored: \"fresh\"");
        assertThat(form).isEqualTo(map("net", 100, "note", null, "fresh", null));
    }

    @Test
    void aNewNameThatNullRemovesIsRestored() {
        Frame removing =
                Frame.of(
                        () -> form,
                        (name, value) -> {
                            if (value == null) {
                                form.remove(name);
                            } else {
                                write(name, value);
                            }
                        });

        PushException e =
                catchThrowableOfType(
                        PushException.class, () -> removing.push(map("fresh", 2, "locked", 3)));

        assertThat(e.notRestored()).isEmpty();
        assertThat(form).isEqualTo(map("net", 100, "note", null));
    }

    @Test
    void aGetterThatFailsBeforeAPushLetsNothingBeWritten() {
        AtomicInteger reads = new AtomicInteger();
        Frame failing =
                Frame.of(
                        () -> {
                            if (reads.incrementAndGet() > 1) {
                                throw new IllegalStateException("closed");
                            }
                            return form;
                        },
                        this::write);
        Block block = engine.capture("a = 1; b = 2", failing);

        PushException e = catchThrowableOfType(PushException.class, block::run);

        assertThat(e.name()).isEqualTo("a");
        assertThat(e).hasMessageContaining("closed");
        assertThat(writes).isEmpty();
    }

    @Test
    void aGetterThatFailsFailsTheCapture() {
        Frame failing =
                Frame.of(
                        () -> {
                            throw new IllegalStateException("no connection");
                        },
                        this::write);

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> engine.capture("x", failing))
                .withMessage("no connection");
    }

    @Test
    void theGetterMayReturnACopyEachTime() {
        Frame copying = Frame.of(() -> Map.copyOf(map("net", form.get("net"))), this::write);

        engine.capture("net = net + 1", copying).run();

        assertThat(form).containsEntry("net", 101);
    }

    @Test
    void itHasGlobalsAndAPlace() {
        FrameCode code = new FrameCode("form.js", 7, "form");
        Frame placed = Frame.of(() -> form, this::write, Globals.of(Map.of("rate", 2)), code);

        assertThat(engine.capture("net * rate", placed).run().value()).isEqualTo(200);
        assertThat(placed.code()).isEqualTo(code);
        assertThat(placed).hasToString("Frame[form.js]");
    }

    @Test
    void itsPartsAreNeeded() {
        Frame empty = Frame.of(() -> null, this::write);

        assertThatNullPointerException().isThrownBy(() -> Frame.of(null, this::write));
        assertThatNullPointerException().isThrownBy(() -> Frame.of(() -> form, null));
        assertThatNullPointerException()
                .isThrownBy(empty::snapshot)
                .withMessageContaining("getter of the frame's locals returned null");
    }
}
