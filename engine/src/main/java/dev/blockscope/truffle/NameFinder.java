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
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
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

    private final Set<String> lexical = new HashSet<>();
    private final Set<String> variables = new HashSet<>();
    private final Set<String> written = new HashSet<>();

    /** Names that stand in the list of declarations, as opposed to being a function's own name. */
    private final Set<String> listedVariables = new HashSet<>();

    private final Set<String> functionsInBraces = new HashSet<>();
    private final Set<String> functionsOfTop = new HashSet<>();

    /** For each name read, free or declared, the position of its first read. */
    private final Map<String, Integer> read = new HashMap<>();

    private final Set<String> readFree = new HashSet<>();

    /** For each name that a statement of the top level assigns, the first such statement's end. */
    private final Map<String, Integer> assigned = new HashMap<>();

    /** Names that the top level assigns whenever it runs to its end. */
    private final Set<String> sure = new HashSet<>();

    /** The same of the function that is the whole text, if the text is one. */
    private final Set<String> sureIfCalled = new HashSet<>();

    /** Where free names are assigned, from the text's end. */
    private final Map<Integer, String> freeAssignments = new HashMap<>();

    /** Where the body assigns variables, its own or those of its braces. */
    private final Map<Integer, String> variableAssignments = new HashMap<>();

    /** Where each name is assigned last, from the text's end. */
    private final Map<String, Integer> lastAssignments = new HashMap<>();

    private int lastStatement = Integer.MAX_VALUE;

    private final Set<String> readInFunctions = new HashSet<>();
    private final Set<String> writtenInFunctions = new HashSet<>();
    private final Set<String> touched = new HashSet<>();
    private final Set<String> capturedFree = new HashSet<>();
    private boolean hasFunctionDeclaration;
    private boolean closures;
    private boolean calls;
    private boolean mutation;
    private boolean directEval;

    NameFinder(Instrumenter instrumenter, LanguageTags tags, String parameter) {
        this.instrumenter = instrumenter;
        this.tags = tags;
        this.parameter = parameter;
    }

    TextNames names() {
        Set<String> settled = new HashSet<>(written);
        settled.removeIf(name -> readFree.contains(name) && !isAssignedBeforeRead(name));
        return new TextNames(
                lexical,
                variables,
                functionsOfTop,
                hoisted(),
                inherited(),
                readFree,
                written,
                settled,
                sure,
                writtenInFunctions,
                sureIfCalled,
                unsure(),
                lastAssignments,
                lastStatement,
                touched,
                captured(),
                closures,
                calls,
                mutation,
                directEval,
                false);
    }

    /** Of a variable whose name braces declare too, the tags do not tell which one is meant. */
    private Map<Integer, String> unsure() {
        Map<Integer, String> unsure = new HashMap<>(variableAssignments);
        unsure.values().removeIf(lexical::contains);
        unsure.putAll(freeAssignments);
        unsure.values().removeIf(sure::contains);
        return unsure;
    }

    /** Of a name that the body declares too, the tags do not tell which variable is meant. */
    private Set<String> captured() {
        Set<String> captured = new HashSet<>(readInFunctions);
        captured.addAll(writtenInFunctions);
        captured.removeIf(name -> !variables.contains(name) && !lexical.contains(name));
        captured.addAll(capturedFree);
        return captured;
    }

    private Set<String> inherited() {
        Set<String> inherited = new HashSet<>(variables);
        inherited.removeAll(functionsOfTop);
        if (!directEval) {
            inherited.removeIf(name -> !read.containsKey(name) || isAssignedBeforeRead(name));
        }
        return inherited;
    }

    private Set<String> hoisted() {
        Set<String> hoisted = new HashSet<>(listedVariables);
        hoisted.retainAll(lexical);
        hoisted.retainAll(functionsInBraces);
        hoisted.removeAll(functionsOfTop);
        return hoisted;
    }

    /**
     * Whether the first thing the text does with a name is to assign it, on its way down the top
     * level. A declared function can be called above the line it stands on, other code cannot.
     */
    private boolean isAssignedBeforeRead(String name) {
        Integer assignment = assigned.get(name);
        return assignment != null
                && assignment <= read.getOrDefault(name, Integer.MAX_VALUE)
                && !(hasFunctionDeclaration && readInFunctions.contains(name));
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
                        case "EvalCallTag" -> directEval = true;
                        case "FunctionCallTag", "ObjectAllocationTag" -> calls = true;
                        case "RootTag" ->
                                closures |= !BlockInstrument.isProgram(node.getRootNode());
                        case "ReadElementTag", "WriteElementTag" -> mutation = true;
                        default -> {}
                    }
                });
    }

    /** Which branch the top level takes is not known, so what stands in one does not count. */
    private void statement(Node node, SourceSection section) {
        if (BlockInstrument.isProgram(node.getRootNode()) && !isInBraces(node)) {
            lastStatement = Math.min(lastStatement, fromEnd(section));
        }
    }

    private void declared(Node node) {
        String name = describe(node, "declarationName");
        hasFunctionDeclaration |= "FunctionLiteral".equals(describe(node, "literalType"));
        if (name == null
                || name.equals(parameter)
                || !BlockInstrument.isProgram(node.getRootNode())) {
            return;
        }
        boolean variable = "var".equals(describe(node, "declarationType"));
        (variable ? variables : lexical).add(name);
        if (describe(node, "literalType") != null) {
            (isInBraces(node) ? functionsInBraces : functionsOfTop).add(name);
        } else if (variable) {
            listedVariables.add(name);
        }
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
            readFree.add(key);
            read(key, node, section);
            capturedBy(node, key);
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
            read(name, node, section);
        }
    }

    private void read(String name, Node node, SourceSection section) {
        read.merge(name, section.getCharIndex(), Math::min);
        if (!BlockInstrument.isProgram(node.getRootNode())) {
            readInFunctions.add(name);
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
        if (key != null) {
            // Whatever its form: o.n = 1 does not begin with the name.
            writtenBy(key, node);
        }
        if (key == null || !text.startsWith(key) || goesOn(text, key.length())) {
            mutation = true;
            return;
        }
        written.add(key);
        capturedBy(node, key);
        freeAssignments.put(fromEnd(section), key);
        lastAssignments.merge(key, fromEnd(section), Math::min);
        if (isReached(node, false)) {
            assigned.merge(key, section.getCharEndIndex(), Math::min);
        }
        if (isReached(node, true)) {
            sure.add(key);
        } else if (isWholeText(node.getRootNode()) && isOnTheWay(node, true)) {
            sureIfCalled.add(key);
        }
    }

    /** A place that stays what it is if white space is put before the text. */
    static int fromEnd(SourceSection section) {
        return section.getSource().getLength() - section.getCharIndex();
    }

    private void variableWritten(Node node, SourceSection section) {
        String name = describe(node, "writeVariableName");
        if (name == null) {
            return;
        }
        writtenBy(name, node);
        lastAssignments.merge(name, fromEnd(section), Math::min);
        if (BlockInstrument.isProgram(node.getRootNode())) {
            variableAssignments.put(fromEnd(section), name);
        }
        if (isReached(node, false)) {
            assigned.merge(name, section.getCharEndIndex(), Math::min);
        }
        if (isReached(node, true)) {
            sure.add(name);
        }
    }

    private void capturedBy(Node node, String name) {
        if (!BlockInstrument.isProgram(node.getRootNode())) {
            capturedFree.add(name);
        }
    }

    private void writtenBy(String name, Node node) {
        touched.add(name);
        if (!BlockInstrument.isProgram(node.getRootNode())) {
            writtenInFunctions.add(name);
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
        return isOnTheWay(node, orFails) && BlockInstrument.isProgram(node.getRootNode());
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
