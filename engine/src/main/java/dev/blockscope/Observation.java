package dev.blockscope;

import dev.blockscope.BlockEvent.Kind;
import java.time.Duration;
import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Something that is being done with a block while somebody watches: a listener, the Flight
 * Recorder, or both. For the engine and for what brings it together with other worlds.
 *
 * @since 0.1
 */
public final class Observation {
    private final @Nullable Consumer<? super BlockEvent> listener;
    private final Kind kind;
    private final RecordedEvent recorded;
    private final long began = System.nanoTime();

    private Observation(
            @Nullable Consumer<? super BlockEvent> listener, Kind kind, RecordedEvent recorded) {
        this.listener = listener;
        this.kind = kind;
        this.recorded = recorded;
        recorded.begin();
    }

    /**
     * Begins to observe something; returns null, which costs next to nothing, if nobody watches.
     */
    static @Nullable Observation of(@Nullable Consumer<? super BlockEvent> listener, Kind kind) {
        if (!mayBe(listener)) {
            return null;
        }
        RecordedEvent recorded = RecordedEvent.of(kind);
        return listener == null && !recorded.isEnabled()
                ? null
                : new Observation(listener, kind, recorded);
    }

    /** Whether somebody may watch: a listener, or the Flight Recorder. */
    static boolean mayBe(@Nullable Consumer<? super BlockEvent> listener) {
        return listener != null || FlightRecorder.isInitialized();
    }

    /** Tells that it is done. */
    public void end(BlockSource block, String what) {
        recorded.end();
        if (recorded.shouldCommit()) {
            recorded.block = block.toString();
            recorded.what = what;
            recorded.commit();
        }
        if (listener != null) {
            listener.accept(
                    new BlockEvent(kind, block, what, Duration.ofNanos(System.nanoTime() - began)));
        }
    }
}
