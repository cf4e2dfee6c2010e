package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.BlockEngine;
import dev.blockscope.BlockEvent;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an engine tells of captures, runs, waits, visits, pushes and errors. */
@Timeout(60)
final class ObservationTest {
    private static final HookPoints POINTS = HookPoints.of(List.of("a", "b"));

    @TempDir private Path folder;
    private final List<BlockEvent> told = new CopyOnWriteArrayList<>();

    private static void trace(BlockEngine engine, String text) {
        Frame frame = Frame.of(new HashMap<>(Map.of("it", Envoy.of(POINTS))));
        Interleaver.of(POINTS)
                .run(
                        List.of(engine.capture(text, frame)),
                        visits -> {
                            visits.visit("b", 0);
                            return visits.visit("a", 1);
                        });
    }

    @Test
    void aListenerIsToldOfEachWithItsDuration() {
        try (BlockEngine engine = BlockEngine.builder().onEvent(told::add).build()) {
            trace(engine, "x = it.a; y = 1");
        }
        assertThat(told)
                .extracting(event -> event.kind() + " " + event.what())
                .containsExactlyInAnyOrder(
                        "CAPTURE ", "WAIT a, visit 0", "RUN ", "VISIT a, visit 0", "PUSH x, y");
        assertThat(told).allMatch(event -> event.block().file().equals("block.js"));
        assertThat(told).allMatch(event -> event.duration().compareTo(Duration.ZERO) > 0);
        assertThat(told.getFirst().toString()).matches("CAPTURE block.js:1:1 \\(\\d+ µs\\)");
    }

    @Test
    void anErrorIsToldInsteadOfARun() {
        try (BlockEngine engine = BlockEngine.builder().onEvent(told::add).build()) {
            assertThatThrownBy(() -> trace(engine, "throw new Error('boom')"))
                    .isInstanceOf(BlockException.class);
        }
        assertThat(told)
                .extracting(event -> event.kind() + " " + event.what())
                .containsExactly("CAPTURE ", "ERROR Error: boom");
    }

    @Test
    void theFlightRecorderHasThemAll() throws IOException {
        Path file = folder.resolve("blocks.jfr");
        try (BlockEngine engine = BlockEngine.create();
                Recording recording = new Recording()) {
            for (BlockEvent.Kind kind : BlockEvent.Kind.values()) {
                recording.enable(nameOf(kind)).withoutThreshold();
            }
            recording.start();
            trace(engine, "x = it.a");
            assertThatThrownBy(() -> trace(engine, "null.x")).isInstanceOf(BlockException.class);
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> recorded = RecordingFile.readAllEvents(file);
        for (BlockEvent.Kind kind : BlockEvent.Kind.values()) {
            assertThat(recorded)
                    .filteredOn(event -> event.getEventType().getName().equals(nameOf(kind)))
                    .isNotEmpty()
                    .allMatch(event -> event.getString("block").equals("block.js:1:1"));
        }
    }

    private static String nameOf(BlockEvent.Kind kind) {
        String name = kind.name();
        return "dev.blockscope."
                + name.charAt(0)
                + name.substring(1).toLowerCase(java.util.Locale.ROOT);
    }
}
