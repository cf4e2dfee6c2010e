package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static org.assertj.core.api.Assertions.assertThat;

import com.oracle.truffle.api.debug.Breakpoint;
import com.oracle.truffle.api.debug.Debugger;
import com.oracle.truffle.api.debug.DebuggerSession;
import com.oracle.truffle.api.debug.SuspendedEvent;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.tools.profiler.CPUTracer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the platform's tools see of a block: its own text, at its own lines. */
class ToolsTest {
    private BlockEngine engine;

    /** Where the engine is a module, nobody has told it of the tool that this test drives. */
    @BeforeAll
    static void readTheTool() {
        ModuleLayer.boot()
                .findModule("com.oracle.truffle.tools.profiler")
                .ifPresent(tool -> ToolsTest.class.getModule().addReads(tool));
    }

    @BeforeEach
    void open() {
        engine = BlockEngine.create();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private Object run() {
        return engine.capture(InspectedBlock.SOURCE, frame("price", 3, "count", 4)).run().value();
    }

    private static String placeOf(SuspendedEvent event) {
        return event.getSourceSection().getSource().getName()
                + ":"
                + event.getSourceSection().getStartLine();
    }

    @Test
    void aDebuggerStepsThroughTheLinesOfABlock() {
        List<String> places = new ArrayList<>();
        try (DebuggerSession session =
                Debugger.find(engine.polyglot())
                        .startSession(event -> {
                            places.add(placeOf(event));
                            event.prepareStepOver(1);
                        })) {
            session.suspendNextExecution();

            assertThat(run()).isEqualTo(12);
        }

        assertThat(places)
                .containsExactly("rules.js:41", "rules.js:42", "rules.js:45", "rules.js:47");
    }

    @Test
    void aDebuggerStopsAtABreakpointAndShowsTheNamesOfTheBlock() {
        List<String> seen = new ArrayList<>();
        try (DebuggerSession session =
                Debugger.find(engine.polyglot())
                        .startSession(event -> {
                            if (event.getBreakpoints().isEmpty()) {
                                event.getSession()
                                        .install(
                                                Breakpoint.newBuilder(
                                                                event.getSourceSection()
                                                                        .getSource())
                                                        .lineIs(47)
                                                        .build());
                            } else {
                                seen.add(placeOf(event));
                                for (String name : List.of("total", "price", "discount")) {
                                    seen.add(
                                            name
                                                    + " "
                                                    + event.getTopStackFrame()
                                                            .eval(name)
                                                            .toDisplayString());
                                }
                            }
                            event.prepareContinue();
                        })) {
            session.suspendNextExecution();

            assertThat(run()).isEqualTo(12);
        }

        assertThat(seen).containsExactly("rules.js:47", "total 12", "price 3", "discount 0");
    }

    @Test
    void coverageCountsTheLinesThatRan() {
        CPUTracer tracer = CPUTracer.find(engine.polyglot());
        tracer.setFilter(
                SourceSectionFilter.newBuilder()
                        .tagIs(StandardTags.StatementTag.class)
                        .sourceIs(source -> source.getName().equals("rules.js"))
                        .build());
        tracer.setCollecting(true);

        run();
        run();

        tracer.setCollecting(false);
        assertThat(tracer.getPayloads())
                .allMatch(payload -> payload.getCount() == 2)
                .extracting(payload -> payload.getSourceSection().getStartLine())
                .contains(41, 42, 45, 47)
                .doesNotContain(43);
        tracer.close();
    }
}
