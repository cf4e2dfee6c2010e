package dev.blockscope.truffle;

import com.oracle.truffle.api.RootCallTarget;
import com.oracle.truffle.api.Truffle;
import com.oracle.truffle.api.frame.FrameInstance;
import com.oracle.truffle.api.frame.FrameInstance.FrameAccess;
import com.oracle.truffle.api.frame.MaterializedFrame;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.interop.UnsupportedMessageException;
import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.source.SourceSection;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The variables that are visible where guest code calls the host: those of the braces around the
 * call, of its function, and of the functions around that. It stays live when the function has
 * returned.
 *
 * <p>The guest's scope object must be made while the call is under way: made later it silently
 * misses every name that a closure captured.
 *
 * <p>Values are raw guest objects. The context must be entered on the calling thread.
 */
public final class LiveScope {
    private final List<Layer> layers;
    private final Object activation;
    private final Place place;

    /**
     * Where a call stands.
     *
     * @param file the name of the source
     * @param line the line, 1-based
     * @param root the name of the function, as the language has it
     */
    public record Place(String file, int line, String root) {}

    /** A scope object and, unless it counts for all its names, those that it counts for. */
    private record Layer(Object scope, @Nullable Set<String> only) {}

    private LiveScope(List<Layer> layers, Object activation, Place place) {
        this.layers = layers;
        this.activation = activation;
        this.place = place;
    }

    /**
     * Returns the scope of the innermost call of this thread that is in a user's text and wanted.
     */
    static @Nullable LiveScope ofCall(BiPredicate<Node, SourceSection> wanted) {
        return Truffle.getRuntime()
                .<@Nullable LiveScope>iterateFrames(instance -> {
                    SourceSection section = userCodeOf(instance);
                    return section != null && wanted.test(instance.getCallNode(), section)
                            ? of(instance, section)
                            : null;
                });
    }

    /** Returns the place of a frame's call if it is in a user's text, and not in a builtin. */
    private static @Nullable SourceSection userCodeOf(FrameInstance instance) {
        Node call = instance.getCallNode();
        SourceSection section = call == null ? null : call.getEncapsulatingSourceSection();
        boolean ofUser =
                section != null
                        && section.isAvailable()
                        && !section.getSource().isInternal()
                        && section.getSource().hasCharacters()
                        && instance.getCallTarget() instanceof RootCallTarget target
                        && !target.getRootNode().isInternal();
        return ofUser ? section : null;
    }

    private static @Nullable LiveScope of(FrameInstance instance, SourceSection section) {
        MaterializedFrame frame = instance.getFrame(FrameAccess.MATERIALIZE).materialize();
        MaterializedFrame variables = variablesOf(frame);
        Node call = instance.getCallNode();
        Object scope = null;
        while (scope == null && call != null) {
            scope = BlockScopes.of(call, frame, variables, 0);
            call = scope == null ? call.getParent() : call;
        }
        if (scope == null || call == null) {
            return null;
        }
        List<Layer> layers = layers(call, scope, frame, variables);
        String root = String.valueOf(call.getRootNode().getName());
        return new LiveScope(
                layers,
                variables,
                new Place(section.getSource().getName(), section.getStartLine(), root));
    }

    /**
     * Returns the scopes to ask for a name, one after the other. The braces of a {@code catch}
     * clause stand beside the code in them and not above it, so what is made for that code knows
     * neither of the clause's variables nor the way to those around it.
     */
    private static List<Layer> layers(
            Node call, Object ofCall, MaterializedFrame frame, MaterializedFrame variables) {
        List<Layer> layers = new ArrayList<>();
        Object scope = ofCall;
        int blocks = 0;
        int frames = 0;
        for (Node node = call; node != null; node = node.getParent()) {
            if (BlockScopes.isBlock(node)) {
                blocks++;
                frames += BlockScopes.hasFrame(node) ? 1 : 0;
            }
            Node braces = bracesOfCatch(node);
            if (braces != null) {
                layers.add(new Layer(scope, inner(scope, blocks)));
                boolean captured = BlockScopes.hasFrame(braces);
                CatchScope caught =
                        CatchScope.of(
                                node.getParent(),
                                captured ? BlockScopes.frame(variables, frames) : variables);
                layers.add(new Layer(caught, caught.names()));
                frames += captured ? 1 : 0;
                blocks = 0;
                Object around = BlockScopes.of(node.getParent(), frame, variables, frames);
                if (around == null) {
                    return layers;
                }
                scope = around;
            }
        }
        layers.add(new Layer(scope, null));
        return layers;
    }

    /** Returns the braces of the catch clause whose body a node is, or null. */
    @SuppressWarnings("ReferenceEquality") // a node is itself and no other
    private static @Nullable Node bracesOfCatch(Node node) {
        Node parent = node.getParent();
        if (parent == null || !parent.getClass().getSimpleName().equals("TryCatchNode")) {
            return null;
        }
        boolean tried = true;
        Node braces = null;
        for (Node child : parent.getChildren()) {
            if (tried && child == node) {
                return null;
            }
            tried = false;
            if (child != node && BlockScopes.isBlock(child)) {
                braces = child;
            }
        }
        return braces;
    }

    /** Returns the names of the innermost levels of a scope. */
    private static Set<String> inner(Object scope, int levels) {
        InteropLibrary interop = InteropLibrary.getUncached();
        List<String> names = Harvest.namesIn(scope);
        Object outer = scope;
        try {
            for (int i = 0; i < levels; i++) {
                if (!interop.hasScopeParent(outer)) {
                    return new LinkedHashSet<>(names);
                }
                outer = interop.getScopeParent(outer);
            }
        } catch (UnsupportedMessageException e) {
            throw new AssertionError("a scope that has a parent refused to give it", e);
        }
        int behind = Harvest.namesIn(outer).size();
        return new LinkedHashSet<>(names.subList(0, names.size() - behind));
    }

    /** A generator runs on in another frame each time; the one that it keeps is an argument. */
    private static MaterializedFrame variablesOf(MaterializedFrame frame) {
        for (Object argument : frame.getArguments()) {
            if (argument instanceof MaterializedFrame kept) {
                return kept;
            }
        }
        return frame;
    }

    /** Returns what stands for the activation of the function: the same for each of its calls. */
    public Object activation() {
        return activation;
    }

    /** Returns where the call stands. */
    public Place place() {
        return place;
    }

    /** Returns the names of the variables, without those that the language keeps to itself. */
    public List<String> names() {
        Set<String> names = new LinkedHashSet<>();
        for (Layer layer : layers) {
            names.addAll(layer.only() == null ? Harvest.namesIn(layer.scope()) : layer.only());
        }
        names.removeIf(name -> name.startsWith("#"));
        return new ArrayList<>(names);
    }

    /** Whether there is a variable of this name, be it in its dead zone. */
    public boolean declares(String name) {
        Object scope = scopeOf(name);
        return scope != null && Variable.read(scope, name) != Unset.UNSET;
    }

    /** Whether the variable of this name has got a value. */
    public boolean binds(String name) {
        Object value = read(name);
        return value != null && !Variable.isUnset(value);
    }

    /** Returns the value of a variable, or null if there is none or it is in its dead zone. */
    public @Nullable Object read(String name) {
        Object scope = scopeOf(name);
        Object value = scope == null ? null : Variable.read(scope, name);
        return value == null || value == Unset.UNSET ? null : Variable.plain(value);
    }

    /** Whether {@code this} is something there, and neither undefined nor the global object. */
    public boolean hasReceiver() {
        Object scope = layers.getLast().scope();
        Object receiver = Variable.read(scope, "this");
        return receiver != null
                && !InteropLibrary.getUncached().isNull(receiver)
                && !receiver.getClass().getSimpleName().equals("JSGlobalObject");
    }

    /** Returns the live scope object that has the variable of this name, or null if none has. */
    public @Nullable Object scopeOf(String name) {
        for (Layer layer : layers) {
            if ((layer.only() == null || layer.only().contains(name))
                    && InteropLibrary.getUncached().isMemberReadable(layer.scope(), name)) {
                return layer.scope();
            }
        }
        return null;
    }

    /** Whether a variable of a scope object cannot be assigned. */
    public static boolean isConstant(Object scope, String name) {
        InteropLibrary interop = InteropLibrary.getUncached();
        return interop.isMemberReadable(scope, name) && !interop.isMemberModifiable(scope, name);
    }

    /** Whether a variable of a scope object is before its declaration, where it has no value. */
    public static boolean isUninitialized(Object scope, String name) {
        return InteropLibrary.getUncached().isMemberReadable(scope, name)
                && Variable.read(scope, name) == null;
    }
}
