package dev.blockscope.truffle;

import com.oracle.truffle.api.instrumentation.InstrumentableNode;
import com.oracle.truffle.api.instrumentation.Instrumenter;
import com.oracle.truffle.api.instrumentation.LoadSourceSectionEvent;
import com.oracle.truffle.api.instrumentation.LoadSourceSectionListener;
import com.oracle.truffle.api.instrumentation.StandardTags;
import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.nodes.BlockNode;
import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.nodes.RootNode;
import com.oracle.truffle.api.source.SourceSection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the names of one text from the tags its nodes carry.
 *
 * <p>GraalJS keeps its tag classes to itself; their simple names and the nodes' public descriptor
 * objects say enough.
 */
final class NameFinder implements LoadSourceSectionListener {
    /**
     * Nodes whose children run one after the other, whatever the values, besides Truffle's own
     * {@link BlockNode}, whose class differs from one runtime to the other. Any other class of the
     * language's, known or not, counts as a place that control may pass by.
     */
    private static final Set<String> SEQUENCES =
            Set.of(
                    "DiscardResultNode",
                    "DualNode",
                    "ExprBlockNode",
                    "FrameBlockScopeNode",
                    "FunctionBodyNode",
                    "FunctionRootNode",
                    "JSWriteCurrentFrameSlotNodeGen",
                    "JSWriteScopeFrameSlotNodeGen",
                    "JavaScriptNodeWrapper",
                    "MaterializedFrameBlockScopeNode",
                    "MaterializedFunctionBodyNode",
                    "TerminalPositionReturnNode",
                    "VoidBlockNode",
                    "WritePropertyNode");

    /** Nodes between the body and what stands in it outside of braces. */
    private static final Set<String> PLAIN_STATEMENTS =
            Set.of(
                    "DiscardResultNode",
                    "DualNode",
                    "ExprBlockNode",
                    "JSWriteCurrentFrameSlotNodeGen",
                    "JSWriteScopeFrameSlotNodeGen",
                    "JavaScriptNodeWrapper",
                    "VoidBlockNode");

    /** The tags that tell of names. */
    static final Set<String> TAGS =
            Set.of(
                    "DeclareTag",
                    "EvalCallTag",
                    "FunctionCallTag",
                    "LiteralTag",
                    "ObjectAllocationTag",
                    "ReadElementTag",
                    "ReadPropertyTag",
                    "ReadVariableTag",
                    "RootTag",
                    "StatementTag",
                    "UnaryOperationTag",
                    "WriteElementTag",
                    "WritePropertyTag",
                    "WriteVariableTag");

    private final Instrumenter instrumenter;
    private final LanguageTags tags;

    /** Is none of the text's names. */
    private final String parameter;

    private final NameTally tally = new NameTally();

    NameFinder(Instrumenter instrumenter, LanguageTags tags, String parameter) {
        this.instrumenter = instrumenter;
        this.tags = tags;
        this.parameter = parameter;
    }

    TextNames names() {
        return tally.names();
    }

    @Override
    public void onLoad(LoadSourceSectionEvent event) {
        Node node = event.getNode();
        tags.forEachOf(
                node,
                tag -> {
                    switch (tag) {
                        case "DeclareTag" -> declared(node);
                        case "ReadPropertyTag" -> propertyRead(node, event.getSourceSection());
                        case "ReadVariableTag" -> variableRead(node, event.getSourceSection());
                        case "WritePropertyTag" -> written(node, event.getSourceSection());
                        case "WriteVariableTag" -> variableWritten(node, event.getSourceSection());
                        case "StatementTag" -> statement(node, event.getSourceSection());
                        case "EvalCallTag" -> tally.directEval();
                        case "FunctionCallTag", "ObjectAllocationTag" -> tally.call();
                        case "RootTag" -> {
                            if (isInFunction(node)) {
                                tally.closure();
                            }
                        }
                        case "ReadElementTag", "WriteElementTag" -> tally.mutation();
                        default -> {}
                    }
                });
    }

    /** Which branch the top level takes is not known, so what stands in one does not count. */
    private void statement(Node node, SourceSection section) {
        if (!isInFunction(node) && !isInBraces(node)) {
            tally.statement(fromEnd(section));
        }
    }

    private void declared(Node node) {
        String name = describe(node, "declarationName");
        String literal = describe(node, "literalType");
        if ("FunctionLiteral".equals(literal)) {
            tally.hasFunctionDeclaration();
        }
        if (name == null || name.equals(parameter) || isInFunction(node)) {
            return;
        }
        boolean variable = "var".equals(describe(node, "declarationType"));
        if (literal == null) {
            tally.declares(name, variable);
        } else {
            tally.declaresFunction(name, variable, isInBraces(node));
        }
    }

    /** Whether code is a function's, and not the text's own body. */
    private static boolean isInFunction(Node node) {
        return !BlockInstrument.isProgram(node.getRootNode());
    }

    /** Whether something of the body stands in braces, a branch or a case. */
    private boolean isInBraces(Node node) {
        Node parent = node.getParent();
        while (parent != null
                && !instrumenter.queryTags(parent).contains(StandardTags.RootBodyTag.class)) {
            if (!(parent instanceof BlockNode<?>)
                    && !PLAIN_STATEMENTS.contains(parent.getClass().getSimpleName())) {
                return true;
            }
            parent = parent.getParent();
        }
        return false;
    }

    /** A free name is read as a property whose whole text is the key. */
    private void propertyRead(Node node, SourceSection section) {
        String key = describe(node, "key");
        if (key != null && isAllOf(section.getCharacters(), key) && !isOfPattern(node)) {
            tally.reads(key, section.getCharIndex(), true, isInFunction(node));
        }
    }

    /** Whether it is what a pattern takes out of an object, as in {@code const { x } = object}. */
    private static boolean isOfPattern(Node node) {
        Node parent = node.getParent();
        // The operand of typeof is such a node too, whatever it is.
        return node.getClass().getSimpleName().equals("PropertyNode")
                && !(parent != null && parent.getClass().getSimpleName().startsWith("TypeOf"));
    }

    /** Whether a text is nothing but a name, be that in parentheses. */
    private static boolean isAllOf(CharSequence text, String name) {
        return name.contentEquals(text)
                || (text.charAt(0) == '('
                        && name.equals(text.toString().replaceAll("[()\\s]", "")));
    }

    private void variableRead(Node node, SourceSection section) {
        String name = describe(node, "readVariableName");
        if (name != null) {
            tally.reads(name, section.getCharIndex(), false, isInFunction(node));
        }
    }

    /** A free name is assigned as a property whose text goes on with an operator after the key. */
    private void written(Node node, SourceSection section) {
        String key = describe(node, "key");
        // An expression in parentheses begins with them, and so may what ++ stands in front of.
        String text =
                section.getCharacters()
                        .toString()
                        .replaceFirst("^[(\\s]*(?:(?:\\+\\+|--)[(\\s]*)?", "");
        if (key != null && text.startsWith(key) && !goesOn(text, key.length())) {
            assigned(key, node, section, true);
            if (isInFunction(node) && isWholeText(node.getRootNode()) && isOnTheWay(node, true)) {
                tally.assignsSurelyIfCalled(key);
            }
            return;
        }
        tally.mutation();
        if (key != null) {
            // Whatever its form: o.n = 1 does not begin with the name.
            tally.touches(key, isInFunction(node));
        }
    }

    /** A place that stays what it is if white space is put before the text. */
    static int fromEnd(SourceSection section) {
        return section.getSource().getLength() - section.getCharIndex();
    }

    private void variableWritten(Node node, SourceSection section) {
        String name = describe(node, "writeVariableName");
        if (name != null) {
            assigned(name, node, section, false);
        }
    }

    private void assigned(String name, Node node, SourceSection section, boolean free) {
        tally.assigns(name, fromEnd(section), free, isInFunction(node));
        if (isReached(node, false)) {
            tally.assignsOnItsWay(name, section.getCharEndIndex());
        }
        if (isReached(node, true)) {
            tally.assignsSurely(name);
        }
    }

    /** Whether a function is all there is of its text, but for white space and parentheses. */
    private static boolean isWholeText(@Nullable RootNode function) {
        SourceSection section = function == null ? null : function.getSourceSection();
        if (section == null || !section.isAvailable()) {
            return false;
        }
        String text = section.getSource().getCharacters().toString();
        return isEmpty(text.substring(0, section.getCharIndex()))
                && isEmpty(text.substring(section.getCharEndIndex()));
    }

    private static boolean isEmpty(String text) {
        return text.chars().allMatch(c -> Character.isWhitespace(c) || c == '(' || c == ')');
    }

    /**
     * Whether the top level comes by a node on its way down.
     *
     * @param orFails whether it counts too if it is reached or the whole text fails, as in a {@code
     *     try} with a {@code finally}: code in the latter may still see it not reached
     */
    private static boolean isReached(Node node, boolean orFails) {
        return isOnTheWay(node, orFails) && !isInFunction(node);
    }

    private static boolean isOnTheWay(Node node, boolean orFails) {
        for (Node parent = node.getParent(); parent != null; parent = parent.getParent()) {
            String type = parent.getClass().getSimpleName();
            if (!(parent instanceof BlockNode<?>)
                    && !SEQUENCES.contains(type)
                    && !(orFails && type.equals("TryFinallyNode"))) {
                return false;
            }
        }
        return true;
    }

    /** Whether what begins with a name is more than the name, be that in parentheses. */
    private static boolean goesOn(String text, int end) {
        if (end < text.length()
                && (Character.isUnicodeIdentifierPart(text.charAt(end))
                        || text.charAt(end) == '$')) {
            return true;
        }
        int next = end;
        while (next < text.length()
                && (Character.isWhitespace(text.charAt(next)) || text.charAt(next) == ')')) {
            next++;
        }
        return next < text.length()
                && ".[(?`".indexOf(text.charAt(next)) >= 0
                && !text.startsWith("??=", next);
    }

    /** Returns what a node tells of itself under a name, or null. */
    static @Nullable String describe(Node node, String member) {
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
