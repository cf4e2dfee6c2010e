package dev.blockscope.truffle;

import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.nodes.RootNode;
import com.oracle.truffle.api.source.SourceSection;

/**
 * A function as it is written in a text.
 *
 * @param file the name of the text's source
 * @param start the position of its first character
 * @param text its own text
 */
record WrittenFunction(String file, int start, String text) {
    /**
     * Whether it is written in a call, and not inside another function there.
     *
     * @param call the call's node
     * @param section the call's text
     */
    boolean isIn(Node call, SourceSection section) {
        boolean around =
                section.getSource().getName().equals(file)
                        && section.getCharIndex() <= start
                        && section.getCharEndIndex() >= start + text.length();
        return around && isMadeBy(call.getRootNode());
    }

    /** Functions inside a function have roots of their own, so a visit does not get to them. */
    private boolean isMadeBy(RootNode function) {
        boolean[] found = {false};
        function.accept(node -> {
            SourceSection section = node.getSourceSection();
            found[0] |=
                    section != null
                            && section.isAvailable()
                            && section.getCharIndex() == start
                            && text.contentEquals(section.getCharacters());
            return !found[0];
        });
        return found[0];
    }
}
