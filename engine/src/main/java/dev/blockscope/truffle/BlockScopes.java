package dev.blockscope.truffle;

import com.oracle.truffle.api.frame.Frame;
import com.oracle.truffle.api.frame.MaterializedFrame;
import com.oracle.truffle.api.interop.NodeLibrary;
import com.oracle.truffle.api.interop.UnsupportedMessageException;
import com.oracle.truffle.api.nodes.Node;
import org.jspecify.annotations.Nullable;

/**
 * Makes scope objects of nodes whose braces are not the innermost ones that run.
 *
 * <p>Variables that closures capture live in a frame of their own for each pair of braces; these
 * frames are chained, and the function's frame holds the innermost. The language takes that one for
 * the frame of whatever braces it is asked about, and for others it silently finds nothing that was
 * captured. So the right frame is put there while the scope object is made, which keeps it.
 */
final class BlockScopes {
    private BlockScopes() {}

    /** Whether a node is a pair of braces that has variables. */
    static boolean isBlock(Node node) {
        return node.getClass().getSimpleName().endsWith("BlockScopeNode");
    }

    /** Whether a pair of braces has a frame of its own. */
    static boolean hasFrame(Node block) {
        return block.getClass().getSimpleName().endsWith("FrameBlockScopeNode");
    }

    /** Returns the scope of a node at the top of a function, however deep in braces it is. */
    static @Nullable Object ofTop(Node node, MaterializedFrame function) {
        return of(node, function, function, Integer.MAX_VALUE);
    }

    /**
     * Returns the scope of a node, or null if it has none.
     *
     * @param frame the function's frame
     * @param variables the frame that holds its variables: another one if it is a generator
     * @param outwards how many frames of braces to leave behind, from the innermost
     */
    static @Nullable Object of(
            Node node, MaterializedFrame frame, MaterializedFrame variables, int outwards) {
        NodeLibrary nodes = NodeLibrary.getUncached();
        if (!nodes.hasScope(node, frame)) {
            return null;
        }
        int slot = slotOfFrame(variables);
        Object innermost = slot < 0 ? null : variables.getObject(slot);
        try {
            if (innermost != null) {
                variables.setObject(slot, outer((Frame) innermost, outwards));
            }
            return nodes.getScope(node, frame, true);
        } catch (UnsupportedMessageException e) {
            throw new AssertionError("a node that has a scope refused to give it", e);
        } finally {
            if (innermost != null) {
                variables.setObject(slot, innermost);
            }
        }
    }

    /** Returns the frame of a function's braces, some levels out from the innermost. */
    static Frame frame(MaterializedFrame variables, int outwards) {
        int slot = slotOfFrame(variables);
        return slot < 0 ? variables : outer((Frame) variables.getObject(slot), outwards);
    }

    private static Frame outer(Frame innermost, int outwards) {
        Frame frame = innermost;
        for (int i = 0; i < outwards; i++) {
            int slot = slotOfFrame(frame);
            if (slot < 0) {
                break;
            }
            frame = (Frame) frame.getObject(slot);
        }
        return frame;
    }

    /** Returns the slot in which a frame holds another one, or -1. */
    private static int slotOfFrame(Frame frame) {
        int slots = frame.getFrameDescriptor().getNumberOfSlots();
        for (int slot = 0; slot < slots; slot++) {
            if (frame.isObject(slot) && frame.getObject(slot) instanceof Frame) {
                return slot;
            }
        }
        return -1;
    }
}
