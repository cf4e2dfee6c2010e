package dev.blockscope.interleave;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** One part of the hook points' paths, with what continues it. */
final class HookNode {
    private final String path;
    private final Map<String, HookNode> children = new LinkedHashMap<>();
    private boolean point;

    private HookNode(String path) {
        this.path = path;
    }

    static HookNode treeOf(Collection<String> paths) {
        HookNode root = new HookNode("");
        for (String path : paths) {
            HookNode node = root;
            for (String part : path.split("\\.", -1)) {
                String parent = node.path;
                node =
                        node.children.computeIfAbsent(
                                part,
                                key -> new HookNode(parent.isEmpty() ? key : parent + "." + key));
            }
            node.point = true;
        }
        return root;
    }

    String path() {
        return path;
    }

    boolean isPoint() {
        return point;
    }

    Map<String, HookNode> children() {
        return children;
    }

    /** Whether the children are positions 0, 1, 2… among others. */
    boolean isList() {
        return children.containsKey("0");
    }

    /** Returns the number of positions without a gap, from 0. */
    int length() {
        int length = 0;
        while (children.containsKey(Integer.toString(length))) {
            length++;
        }
        return length;
    }
}
