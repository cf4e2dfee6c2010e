package dev.blockscope.truffle;

import com.oracle.truffle.api.Truffle;
import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.source.SourceSection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A guest frame of a run at one moment, such as that in which it was stopped.
 *
 * @param root the name of the function, as the language has it
 * @param file the name of the source
 * @param line the line, 1-based
 * @param column the column, 1-based
 * @param sourceLine the whole line
 */
public record StoppedAt(String root, String file, int line, int column, String sourceLine) {
    private static final int MOST = 50;

    /** Returns the innermost guest frames of this thread, the innermost first. */
    static List<StoppedAt> here(@Nullable Node innermost) {
        return here(innermost, MOST);
    }

    /**
     * Returns no more than {@code most} of them.
     *
     * @param innermost where the thread is, or null if it is in a call of the host
     */
    static List<StoppedAt> here(@Nullable Node innermost, int most) {
        List<StoppedAt> places = new ArrayList<>();
        add(innermost, places);
        boolean[] first = {true};
        Truffle.getRuntime()
                .<@Nullable Object>iterateFrames(frame -> {
                    // The innermost frame is where the thread was found, not a call.
                    if (!first[0] || innermost == null) {
                        add(frame.getCallNode(), places);
                    }
                    first[0] = false;
                    return places.size() < most ? null : places;
                });
        return places;
    }

    /** Returns the place of a node, or nothing if it is none of the user's. */
    static List<StoppedAt> of(Node node) {
        List<StoppedAt> places = new ArrayList<>();
        add(node, places);
        return places;
    }

    /**
     * Whether a place is a text that waits as a whole, around the function that its code goes on
     * in.
     */
    private static boolean isShell(SourceSection section, StoppedAt inner) {
        return section.getCharLength() == section.getSource().getLength()
                && inner.root().equals(AwaitingText.ARROW);
    }

    private static void add(@Nullable Node node, List<StoppedAt> places) {
        SourceSection section = node == null ? null : node.getEncapsulatingSourceSection();
        if (node == null
                || section == null
                || !section.isAvailable()
                || section.getSource().isInternal()) {
            return;
        }
        if (!places.isEmpty() && isShell(section, places.getLast())) {
            return;
        }
        String root =
                node.getRootNode() == null ? "" : String.valueOf(node.getRootNode().getName());
        StoppedAt found =
                new StoppedAt(
                        root,
                        section.getSource().getPath() == null
                                ? section.getSource().getName()
                                : section.getSource().getPath(),
                        section.getStartLine(),
                        section.getStartColumn(),
                        section.getSource().getCharacters(section.getStartLine()).toString());
        // A call that the language does on its way, of a builtin for one, is no place of its own.
        if (places.size() != 1 || !places.getFirst().equals(found)) {
            places.add(found);
        }
    }
}
