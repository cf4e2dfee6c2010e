package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives;
import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.nodes.RootNode;
import com.oracle.truffle.api.source.SourceSection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts what guest code does on one thread, and ends it when that is too much. It also knows where
 * the code is, so that another thread can tell.
 */
public final class Meter {
    /** What there was too much of. */
    public enum Excess {
        /** Statements. */
        STATEMENTS,
        /** Calls within calls. */
        RECURSION
    }

    private long statements;
    private long depth;

    /** Written by one thread and read by others, who may see an older one. */
    private @Nullable Node place;

    private volatile @Nullable Excess excess;
    private List<StoppedAt> exceededAt = List.of();

    /**
     * Creates a meter.
     *
     * @param statements the most statements and function bodies to execute
     * @param depth the most functions to be in at once
     */
    Meter(long statements, long depth) {
        this.statements = statements;
        // The text's own body is no call.
        this.depth = depth == Long.MAX_VALUE ? depth : depth + 1;
    }

    /** Returns what there was too much of, or null if there was not. */
    public @Nullable Excess excess() {
        return excess;
    }

    /** Returns where it was too much, the innermost frame first. */
    public List<StoppedAt> exceededAt() {
        return exceededAt;
    }

    /** Returns the statement or call that was begun last, or nothing if none was. */
    public List<StoppedAt> lastSeenAt() {
        Node latest = place;
        return latest == null ? List.of() : StoppedAt.of(latest);
    }

    /**
     * Returns where a thread is that was found at a node. What is the language's own, or no more
     * than a whole function, as one that goes on after a wait may be, tells less than what the
     * user's code has begun last.
     */
    @Nullable Node exactly(@Nullable Node found) {
        return found == null || place == null || isExact(found) ? found : place;
    }

    private static boolean isExact(Node node) {
        SourceSection section = node.getEncapsulatingSourceSection();
        RootNode root = node.getRootNode();
        return section != null
                && section.isAvailable()
                && !section.getSource().isInternal()
                && (root == null || !section.equals(root.getSourceSection()));
    }

    void at(Node node) {
        place = node;
    }

    void executes(Node statement) {
        place = statement;
        if (--statements < 0) {
            CompilerDirectives.transferToInterpreter();
            throw exceeded(Excess.STATEMENTS, statement);
        }
    }

    void enters(Node function) {
        // Counted before anything is thrown, for the way out is counted in any case.
        boolean tooDeep = --depth < 0;
        executes(function);
        if (tooDeep) {
            CompilerDirectives.transferToInterpreter();
            // Code that goes on all the same, as a host that swallows this lets it, stops there.
            statements = 0;
            throw exceeded(Excess.RECURSION, function);
        }
    }

    void resumes() {
        depth--;
    }

    void leaves() {
        depth++;
    }

    private RunStopped exceeded(Excess what, Node node) {
        if (excess == null) {
            exceededAt = StoppedAt.here(node);
            excess = what;
        }
        return new RunStopped();
    }
}
