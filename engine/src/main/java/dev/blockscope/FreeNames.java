package dev.blockscope;

import dev.blockscope.truffle.Harvest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * Looks a text's free names up before a run: what siblings, a frame's globals and the language bind
 * becomes a parameter, which costs the block nothing to read. A name that a sibling's functions may
 * move does not, and neither does one of a text that could tell; but a variable of the block's own
 * begins as its sibling's.
 */
final class FreeNames {
    private final Home home;

    /** The names that hold what siblings have bound, and which of their bindings. */
    private List<String> ofSiblings = List.of();

    private long seen;

    FreeNames(Home home) {
        this.home = home;
    }

    /** Returns what the free names of a block mean, as far as that is settled before it runs. */
    Map<String, @Nullable Object> resolve(Block block) {
        Map<String, @Nullable Object> resolved = new LinkedHashMap<>();
        SharedLocals shared = home.scope().shared();
        seen = shared.version();
        for (String name : block.unresolved()) {
            try {
                resolve(name, shared, block, resolved);
            } catch (LostRealmException e) {
                // Told when the block reads the name, and then it has a line.
                resolved.remove(name);
            }
        }
        return resolved;
    }

    private void resolve(
            String name, SharedLocals shared, Block block, Map<String, @Nullable Object> resolved) {
        Slot sibling = shared.slot(name);
        if (block.frame().isLive(block.analysis(), name)) {
            if (sibling == null) {
                resolveBuiltin(name, block, resolved);
            }
            return;
        }
        boolean declared = block.analysis().declaresVariable(name);
        if (sibling != null && !(declared && sibling.isOf(block.source()))) {
            resolveSibling(name, sibling, declared, block, resolved);
            return;
        }
        try {
            resolveBehindShared(name, resolved);
        } catch (RuntimeException e) {
            // The globals failed. They are asked again when the block reads the name, and then
            // the failure has a line.
            resolved.remove(name);
        }
    }

    private void resolveSibling(
            String name,
            Slot sibling,
            boolean declared,
            Block block,
            Map<String, @Nullable Object> resolved) {
        if (declared) {
            resolved.put(name, sibling.guest(home.realm()));
        } else if (!block.analysis().tellsParameters() && !sibling.moves()) {
            resolved.put(name, sibling.guest(home.realm()));
            if (ofSiblings.isEmpty()) {
                ofSiblings = new ArrayList<>();
            }
            ofSiblings.add(name);
        }
    }

    /** The language's own names are the same whenever they are asked for, unless assigned. */
    private void resolveBuiltin(String name, Block block, Map<String, @Nullable Object> resolved) {
        Value builtin = home.realm().builtin(name);
        if (builtin != null
                && !block.analysis().mayTouch(name)
                && home.scope().globals().find(name).isEmpty()) {
            resolved.put(name, builtin);
        }
    }

    private void resolveBehindShared(String name, Map<String, @Nullable Object> resolved) {
        Optional<Binding> global = GuestGlobals.forGuest(home.scope().globals(), name);
        if (global.isPresent()) {
            resolved.put(name, global.get().value());
            return;
        }
        Value builtin = home.realm().builtin(name);
        if (builtin != null) {
            resolved.put(name, builtin);
        }
    }

    /**
     * Lets a run see what siblings have bound meanwhile, now that it goes on after host code. What
     * the run has assigned itself stays its own.
     */
    void renew(Harvest run) {
        SharedLocals shared = home.scope().shared();
        if (ofSiblings.isEmpty() || shared.version() == seen) {
            return;
        }
        seen = shared.version();
        Value variables = home.realm().asValue(run.scope());
        for (String name : ofSiblings) {
            Slot now = shared.slot(name);
            if (now != null && run.isAsGiven(name)) {
                variables.putMember(name, now.guest(home.realm()));
                run.takeAsGiven(name);
            }
        }
    }
}
