package dev.blockscope.truffle;

import com.oracle.truffle.api.ContextThreadLocal;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.instrumentation.EventContext;
import com.oracle.truffle.api.instrumentation.ExecutionEventNode;
import com.oracle.truffle.api.instrumentation.Instrumenter;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.api.source.Source;
import com.oracle.truffle.api.source.SourceSection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Notes that a run has come to assign a name, which the value alone does not tell if it is the one
 * that the name had. The tag does not tell whose variable it is, the place in the text does.
 */
final class WriteFollower extends ExecutionEventNode {
    private final ContextThreadLocal<CurrentRun> current;
    private final Watch watch;
    private final int name;

    private WriteFollower(ContextThreadLocal<CurrentRun> current, Watch watch, int name) {
        this.current = current;
        this.watch = watch;
        this.name = name;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a text has one watch
    protected void onReturnValue(VirtualFrame frame, @Nullable Object result) {
        Harvest run = current.get().run;
        // A function that was called by a run of another text moves nothing of that run.
        if (run != null && run.text().watch() == watch) {
            run.assigned(name);
        }
    }

    /**
     * What is watched in one text.
     *
     * @param names the names, each once
     * @param places the places of their assignments, from the text's end
     */
    record Watch(List<String> names, Map<Integer, String> places) {
        static final Watch NOTHING = new Watch(List.of(), Map.of());

        private static Watch of(Map<Integer, String> places) {
            return new Watch(places.values().stream().distinct().sorted().toList(), places);
        }
    }

    /** What is watched in the texts of one engine. */
    static final class Watches {
        private final ContextThreadLocal<CurrentRun> current;
        private final Map<Source, Watch> bySource =
                Collections.synchronizedMap(new WeakHashMap<>());

        private final Instrumenter instrumenter;
        private final AtomicBoolean attached = new AtomicBoolean();

        Watches(Instrumenter instrumenter, ContextThreadLocal<CurrentRun> current) {
            this.instrumenter = instrumenter;
            this.current = current;
        }

        /** Has the assignments at some places of a text followed, once it is parsed. */
        Watch watch(Source source, Map<Integer, String> places) {
            if (places.isEmpty()) {
                return Watch.NOTHING;
            }
            Watch watch = bySource.computeIfAbsent(source, key -> Watch.of(places));
            if (attached.compareAndSet(false, true)) {
                attach();
            }
            return watch;
        }

        private void attach() {
            SourceSectionFilter writes =
                    SourceSectionFilter.newBuilder()
                            .tagIs(StandardTags.WriteVariableTag.class)
                            .sourceIs(bySource::containsKey)
                            .build();
            instrumenter.attachExecutionEventFactory(writes, this::follow);
        }

        private @Nullable ExecutionEventNode follow(EventContext context) {
            SourceSection section = context.getInstrumentedSourceSection();
            Watch watch = bySource.getOrDefault(section.getSource(), Watch.NOTHING);
            String name = watch.places().get(NameFinder.fromEnd(section));
            String written =
                    NameFinder.describe(context.getInstrumentedNode(), "writeVariableName");
            return name != null && name.equals(written)
                    ? new WriteFollower(current, watch, watch.names().indexOf(name))
                    : null;
        }
    }
}
