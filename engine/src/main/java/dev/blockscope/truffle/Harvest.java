package dev.blockscope.truffle;

import com.oracle.truffle.api.TruffleContext;
import com.oracle.truffle.api.frame.MaterializedFrame;
import com.oracle.truffle.api.interop.NodeLibrary;
import com.oracle.truffle.api.interop.UnsupportedMessageException;
import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.source.Source;
import org.jspecify.annotations.Nullable;

/**
 * The top-level names of one run of a text, as the guest's own live scope object.
 *
 * <p>The scope must be made inside the event that ends the body: made later it silently misses
 * every name that a closure captured. It stays live, so its values are read when they are wanted.
 */
public final class Harvest {
    private final Source source;
    private @Nullable Node body;
    private @Nullable MaterializedFrame frame;
    private @Nullable Object scope;
    private volatile @Nullable Place place;

    /** Prepares to follow the next run of {@code text}. */
    public Harvest(ParsedText text) {
        this.source = text.source();
    }

    /**
     * Returns the live scope object of the run: the final one if the body has ended, else one that
     * shows the names bound so far. Null if the body was never entered.
     */
    public @Nullable Object scope() {
        return scope == null && body != null && frame != null ? scopeAt(body, frame, true) : scope;
    }

    boolean isOf(Source candidate) {
        return source.equals(candidate);
    }

    /** Returns where the run's body is being executed, or null if it is not. */
    @Nullable Place place() {
        return place;
    }

    void entered(Node node, MaterializedFrame bodyFrame, TruffleContext context) {
        body = node;
        frame = bodyFrame;
        place = new Place(context, Thread.currentThread());
    }

    void ended(Node node, MaterializedFrame bodyFrame) {
        scope = scopeAt(node, bodyFrame, false);
        place = null;
    }

    /** A thread in a context. */
    record Place(TruffleContext context, Thread thread) {}

    private static @Nullable Object scopeAt(Node node, MaterializedFrame frame, boolean entered) {
        NodeLibrary nodes = NodeLibrary.getUncached();
        try {
            return nodes.hasScope(node, frame) ? nodes.getScope(node, frame, entered) : null;
        } catch (UnsupportedMessageException e) {
            throw new AssertionError("a node that has a scope refused to give it", e);
        }
    }
}
