package dev.blockscope;

import dev.blockscope.BlockEvent.Kind;
import jdk.jfr.Category;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A {@link BlockEvent} as the Flight Recorder has it; off unless a recording asks for it. */
@Category("Blockscope")
@StackTrace(false)
@Enabled(false)
abstract class RecordedEvent extends Event {
    @Label("Block")
    String block = "";

    @Label("What")
    String what = "";

    static RecordedEvent of(Kind kind) {
        return switch (kind) {
            case CAPTURE -> new Capture();
            case RUN -> new Run();
            case WAIT -> new Wait();
            case VISIT -> new Visit();
            case PUSH -> new Push();
            case ERROR -> new Failure();
        };
    }

    @Name("dev.blockscope.Capture")
    @Label("Block Captured")
    static final class Capture extends RecordedEvent {}

    @Name("dev.blockscope.Run")
    @Label("Block Ran")
    static final class Run extends RecordedEvent {}

    @Name("dev.blockscope.Wait")
    @Label("Block Waited")
    static final class Wait extends RecordedEvent {}

    @Name("dev.blockscope.Visit")
    @Label("Point Visited")
    static final class Visit extends RecordedEvent {}

    @Name("dev.blockscope.Push")
    @Label("Names Pushed")
    static final class Push extends RecordedEvent {}

    @Name("dev.blockscope.Error")
    @Label("Block Failed")
    static final class Failure extends RecordedEvent {}
}
