package dev.blockscope.interleave;

import dev.blockscope.Conversion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
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
 * @since 0.1
 */
public sealed class Envoy implements ProxyObject {
    /** Names that the guest language itself asks of any object; they are no misspelt points. */
    private static final Set<String> PROTOCOL =
            Set.of("then", "toJSON", "toString", "valueOf", "constructor", "length", "inspect");

    private final HookPoints points;
    final HookNode node;

    private Envoy(HookPoints points, HookNode node) {
        this.points = points;
        this.node = node;
    }

    /** Returns the envoy of a computation's whole tree. */
    public static Envoy of(HookPoints points) {
        return of(points, points.root());
    }

    private static Envoy of(HookPoints points, HookNode node) {
        return node.isList() ? new OfList(points, node) : new Envoy(points, node);
    }

    @Override
    public @Nullable Object getMember(String name) {
        if (name.equals("toString")) {
            return (org.graalvm.polyglot.proxy.ProxyExecutable) arguments -> toString();
        }
        HookNode child = known(name);
        return child.isPoint()
                ? Conversion.toGuest(mediator(child).read(child.path()))
                : of(points, child);
    }

    @Override
    public void putMember(String name, Value value) {
        HookNode child = known(name);
        if (!child.isPoint()) {
            throw HookException.unknown(
                    child.path(), HookPoints.nearest(child.path(), points.paths()));
        }
        mediator(child).replace(child.path(), Conversion.toHost(value));
    }

    @Override
    public boolean hasMember(String name) {
        // True for a misspelt name too: reading it then says so, where undefined would not.
        return node.children().containsKey(name)
                || name.equals("toString")
                || !PROTOCOL.contains(name);
    }

    @Override
    public Object getMemberKeys() {
        return ProxyArray.fromList(new ArrayList<>(node.children().keySet()));
    }

    /** Returns the tree as text, an indented line for each part. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        append(node, 0, text);
        return text.toString().stripTrailing();
    }

    private static void append(HookNode node, int depth, StringBuilder text) {
        node.children()
                .forEach((name, child) -> {
                    text.append("  ".repeat(depth)).append(name).append('\n');
                    append(child, depth + 1, text);
                });
    }

    private HookNode known(String name) {
        HookNode child = node.children().get(name);
        if (child == null) {
            String asked = node.path().isEmpty() ? name : node.path() + "." + name;
            List<String> siblings = node.children().values().stream().map(HookNode::path).toList();
            throw HookException.unknown(asked, HookPoints.nearest(asked, siblings));
        }
        return child;
    }

    private Mediator mediator(HookNode point) {
        Mediator mediator = Mediator.current();
        if (mediator == null || !mediator.serves(points)) {
            throw HookException.notRunning(point.path());
        }
        return mediator;
    }

    /** An envoy whose children have positions. */
    private static final class OfList extends Envoy implements ProxyArray {
        OfList(HookPoints points, HookNode node) {
            super(points, node);
        }

        /** Other names than positions and children are those that the guest gives to any list. */
        @Override
        public boolean hasMember(String name) {
            return node.children().containsKey(name)
                    || (!name.isEmpty() && name.chars().allMatch(Character::isDigit));
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
            return node.length();
        }
    }
}
