package dev.blockscope.truffle;

import com.oracle.truffle.api.instrumentation.InstrumentableNode;
import com.oracle.truffle.api.instrumentation.Instrumenter;
import com.oracle.truffle.api.instrumentation.LoadSourceSectionEvent;
import com.oracle.truffle.api.instrumentation.LoadSourceSectionListener;
import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.source.SourceSection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the names of one text from the tags its nodes carry.
 *
 * <p>GraalJS keeps its tag classes to itself; their simple names and the nodes' public descriptor
 * objects say enough.
 */
final class NameFinder implements LoadSourceSectionListener {
    private final Instrumenter instrumenter;
    private final Set<String> lexical = new HashSet<>();
    private final Set<String> variables = new HashSet<>();
    private final Set<String> read = new HashSet<>();
    private final Set<String> written = new HashSet<>();
    private boolean directEval;

    NameFinder(Instrumenter instrumenter) {
        this.instrumenter = instrumenter;
    }

    TextNames names() {
        return new TextNames(lexical, variables, read, written, directEval);
    }

    @Override
    public void onLoad(LoadSourceSectionEvent event) {
        Node node = event.getNode();
        for (Class<?> tag : instrumenter.queryTags(node)) {
            switch (tag.getSimpleName()) {
                case "DeclareTag" -> declared(node);
                case "ReadPropertyTag" -> read(node, event.getSourceSection());
                case "WritePropertyTag" -> written(node, event.getSourceSection());
                case "EvalCallTag" -> directEval = true;
                default -> {}
            }
        }
    }

    private void declared(Node node) {
        String name = describe(node, "declarationName");
        if (name == null || !BlockInstrument.isProgram(node.getRootNode())) {
            return;
        }
        ("var".equals(describe(node, "declarationType")) ? variables : lexical).add(name);
    }

    /** A free name is read as a property whose whole text is the key. */
    private void read(Node node, SourceSection section) {
        String key = describe(node, "key");
        if (key != null && key.contentEquals(section.getCharacters())) {
            read.add(key);
        }
    }

    /** A free name is assigned as a property whose text goes on with an operator after the key. */
    private void written(Node node, SourceSection section) {
        String key = describe(node, "key");
        String text = section.getCharacters().toString();
        if (key != null && text.startsWith(key) && !goesOn(text, key.length())) {
            written.add(key);
        }
    }

    private static boolean goesOn(String text, int end) {
        return end < text.length()
                && (Character.isUnicodeIdentifierPart(text.charAt(end))
                        || text.charAt(end) == '$'
                        || text.charAt(end) == '.'
                        || text.charAt(end) == '[');
    }

    private static @Nullable String describe(Node node, String member) {
        if (!(node instanceof InstrumentableNode instrumentable)) {
            return null;
        }
        Object descriptor = instrumentable.getNodeObject();
        InteropLibrary interop = InteropLibrary.getUncached();
        try {
            return descriptor != null && interop.isMemberReadable(descriptor, member)
                    ? interop.asString(interop.readMember(descriptor, member))
                    : null;
        } catch (InteropException e) {
            throw new AssertionError("a readable descriptor member could not be read", e);
        }
    }
}
