package dev.blockscope.interleave;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.blockscope.Conversion;
import dev.blockscope.HostPart;
import dev.blockscope.NearestNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * What a block holds in its hand for a computation: its hook points as a tree. Reading a point
 * waits until the computation is there and gives its value; assigning to it replaces the value.
 *
 * <pre>{@code
 * hidden = model.encoder.layer[3].output
 * model.encoder.layer[3].output = hidden.mul(2)
 * }</pre>
 *
 * <p>Every part has the {@linkplain EnvoyCall calls} too: {@code skip(value)}, {@code iter(from,
 * to)}, {@code stop()} and so on. A point or a part that is called like one of them hides it; with
 * a dollar sign in front, {@code $skip(value)}, the call is meant.
 *
 * @since 0.1
 */
public sealed class Envoy implements ProxyObject, HostPart {
    /** Names that the guest language itself asks of any object; they are no misspelt points. */
    private static final Set<String> PROTOCOL =
            Set.of("then", "toJSON", "toString", "valueOf", "constructor", "length", "inspect");

    private final HookPoints points;
    private final HookNode node;
    private final int visit;

    private Envoy(HookPoints points, HookNode node, int visit) {
        this.points = points;
        this.node = node;
        this.visit = visit;
    }

    /** Returns the envoy of a computation's whole tree. */
    public static Envoy of(HookPoints points) {
        return of(points, points.root(), 0);
    }

    static Envoy of(HookPoints points, HookNode node, int visit) {
        return node.isList() ? new OfList(points, node, visit) : new Envoy(points, node, visit);
    }

    HookPoints points() {
        return points;
    }

    HookNode node() {
        return node;
    }

    /** Returns which visit of its points is meant. */
    int visit() {
        return visit;
    }

    /** Returns the same part at another visit. */
    Envoy at(int otherVisit) {
        return of(points, node, otherVisit);
    }

    /** Returns the points, which all envoys of a computation have in common. */
    @Override
    public Object whole() {
        return points;
    }

    /** Returns the part's path and which visit is meant, the first being 0. */
    @Override
    public Object place() {
        return List.of(node.path(), visit);
    }

    @Override
    public HostPart partAt(Object place) {
        if (place instanceof List<?> row
                && row.size() == 2
                && row.get(0) instanceof String path
                && row.get(1) instanceof Integer visited
                && visited >= 0) {
            HookNode part = path.isEmpty() ? points.root() : points.part(path);
            if (part != null) {
                return of(points, part, visited);
            }
        }
        throw new IllegalArgumentException("the computation has no part at %s".formatted(place));
    }

    @Override
    public @Nullable Object getMember(String name) {
        HookNode child = find(name);
        if (child != null) {
            return child.hasValue() ? read(child) : of(points, child, visit);
        }
        if (name.equals("toString")) {
            return (ProxyExecutable) arguments -> toString();
        }
        if (isCallForName(name)) {
            return (ProxyExecutable) this::named;
        }
        EnvoyCall call = EnvoyCall.named(name);
        if (call == null) {
            throw unknown(name);
        }
        return call.of(this);
    }

    private boolean isWhole() {
        return node == points.root();
    }

    private boolean isCallForName(String member) {
        NamedPoints named = points.named();
        return named != null && isWhole() && named.isCall(member);
    }

    /** Returns the part of the name that guest code asks for. */
    private Object named(Value... arguments) {
        NamedPoints named = requireNonNull(points.named());
        checkArgument(
                arguments.length == 1 && arguments[0].isString(),
                "%s(name) takes a name, given %s",
                named.call(),
                arguments.length == 0 ? "nothing" : List.of(arguments));
        String name = arguments[0].asString();
        HookNode part = named.find(name);
        if (part == null) {
            throw HookException.absent(named.path(name), visit, named.whyNot(name));
        }
        return of(points, part, visit);
    }

    private @Nullable Object read(HookNode place) {
        if (place.isFirstInput()) {
            HookModule<?> module = moduleOf(place);
            return Conversion.toGuest(inputs(module).getFirst());
        }
        HookPoint<?> point = pointOf(place);
        return Conversion.toGuest(mediator(point.path()).read(point, visit));
    }

    @Override
    public void putMember(String name, Value value) {
        HookNode child = find(name);
        if (child == null || !child.hasValue()) {
            throw unknown(name);
        }
        Object assigned = Conversion.toHost(value);
        if (child.isFirstInput()) {
            HookModule<?> module = moduleOf(child);
            List<@Nullable Object> inputs = new ArrayList<>(inputs(module));
            inputs.set(0, assigned);
            mediator(module.path()).replace(module.inputs(), visit, inputs);
            return;
        }
        HookPoint<?> point = pointOf(child);
        mediator(point.path()).replace(point, visit, assigned);
    }

    private List<?> inputs(HookModule<?> module) {
        Object inputs = mediator(module.path()).read(module.inputs(), visit);
        if (!(inputs instanceof List<?> list) || list.isEmpty()) {
            throw HookException.noInput(module.path());
        }
        return list;
    }

    @Override
    public boolean hasMember(String name) {
        // True for a misspelt name too: reading it then says so, where undefined would not.
        return node.child(name) != null || name.equals("toString") || !PROTOCOL.contains(name);
    }

    @Override
    public Object getMemberKeys() {
        return ProxyArray.fromList(new ArrayList<>(node.children().keySet()));
    }

    /** Returns the tree as text, an indented line for each part. */
    @Override
    public String toString() {
        return isWhole() ? HookTree.of(points) : HookTree.of(node);
    }

    /** Looks up a child, a path of children, or with a dollar sign a point of a module. */
    private @Nullable HookNode find(String name) {
        HookNode child = node.child(name);
        if (child == null && (name.indexOf('.') > 0 || isWhole())) {
            child = isWhole() ? points.part(name) : node.find(name);
        }
        if (child == null
                && name.startsWith("$")
                && EnvoyCall.named(name) == null
                && !isCallForName(name)) {
            HookNode meant = node.child(name.substring(1));
            child = meant != null && meant.hasValue() ? meant : null;
        }
        return child;
    }

    private HookException unknown(String name) {
        String asked = node.path().isEmpty() ? name : node.path() + "." + name;
        HookNode found = find(name);
        String why = whyAbsent(name);
        if (why != null) {
            return HookException.absent(asked, visit, why);
        }
        List<String> candidates =
                found == null
                        ? node.children().values().stream().map(HookNode::path).toList()
                        : List.copyOf(points.paths());
        return HookException.unknown(asked, NearestNames.of(asked, candidates));
    }

    /** Returns what is known of a name that is none of the tree, or null. */
    private @Nullable String whyAbsent(String name) {
        NamedPoints named = isWhole() ? points.named() : null;
        if (named != null && named.contains(name)) {
            return "\"%s\" is no part of the tree; ask for it by its name, as %s"
                    .formatted(name, named.path(name));
        }
        if (named != null && points.paths().isEmpty()) {
            return "there is no hook point \"%s\": nothing here is part of a tree, ask for values by their names, as %s"
                    .formatted(name, String.join(", ", named.nearest(name)));
        }
        return node.whyAbsent(name);
    }

    private static HookPoint<?> pointOf(HookNode place) {
        HookPoint<?> point = place.point();
        if (point == null) {
            throw new AssertionError("\"%s\" is no point".formatted(place.path()));
        }
        return point;
    }

    private HookModule<?> moduleOf(HookNode firstInput) {
        HookNode parent = points.root().find(firstInput.parentPath());
        HookModule<?> module = parent == null ? null : parent.module();
        if (module == null) {
            throw new AssertionError("\"%s\" is no input".formatted(firstInput.path()));
        }
        return module;
    }

    /** Returns the mediator of the block that runs with this computation on this thread. */
    Mediator mediator(String asked) {
        Mediator mediator = Mediator.current(points);
        if (mediator == null) {
            throw HookException.notRunning(asked);
        }
        return mediator;
    }

    /** An envoy whose children have positions. */
    private static final class OfList extends Envoy implements ProxyArray {
        OfList(HookPoints points, HookNode node, int visit) {
            super(points, node, visit);
        }

        /** Other names than positions and children are those that the guest gives to any list. */
        @Override
        public boolean hasMember(String name) {
            return node().child(name) != null
                    || (!name.isEmpty() && name.chars().allMatch(Character::isDigit))
                    || EnvoyCall.named(name) != null;
        }

        @Override
        public @Nullable Object get(long index) {
            return getMember(Long.toString(index));
        }

        @Override
        public void set(long index, Value value) {
            putMember(Long.toString(index), value);
        }

        @Override
        public long getSize() {
            return node().length();
        }
    }
}
