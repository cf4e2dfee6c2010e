package dev.blockscope;

import dev.blockscope.truffle.Harvest;
import dev.blockscope.truffle.Variable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the own names of one run hide of its siblings', for an engine that wants to know. */
final class ShadowWatch {
    private final Shadowing shadowing;
    private final Block block;
    private final long began;
    private List<ShadowedBinding> hidden;

    private ShadowWatch(Shadowing shadowing, Block block) {
        this.shadowing = shadowing;
        this.block = block;
        this.began = block.frame().shared().watch();
        this.hidden = shadowing.find(block, block.guestSnapshot()::containsKey, block.captured());
        shadowing.tell(hidden);
    }

    /**
     * Tells what the snapshot hides of what siblings have bound since, and watches from now on.
     * Returns null if nobody wants to know.
     */
    static @Nullable ShadowWatch of(Block block) {
        Shadowing shadowing = block.engine().shadowing();
        return shadowing == null ? null : new ShadowWatch(shadowing, block);
    }

    /** Returns what the run's own names hide of what siblings bound while it waited. */
    List<ShadowedBinding> late(Scope scope, Harvest run) {
        Set<String> own = new HashSet<>(block.guestSnapshot().keySet());
        own.addAll(scope.assigned());
        for (int i = 0; i < run.size(); i++) {
            if (run.variable(i).state() != Variable.State.UNDEFINED) {
                own.add(run.variable(i).name());
            }
        }
        List<ShadowedBinding> late = shadowing.find(block, own::contains, began);
        hidden = Stream.concat(hidden.stream(), late.stream()).toList();
        return late;
    }

    /** Tells what was found. */
    void tell(List<ShadowedBinding> late) {
        shadowing.tell(late);
    }

    /** Returns all that was found. */
    List<ShadowedBinding> hidden() {
        return hidden;
    }
}
