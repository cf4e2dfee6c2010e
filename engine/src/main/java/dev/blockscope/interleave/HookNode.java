package dev.blockscope.interleave;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One part of the hook points' paths, with what continues it. */
final class HookNode {
    /** What a module's first input is called; it is no point of its own. */
    static final String INPUT = "input";

    static final String INPUTS = "inputs";
    static final String OUTPUT = "output";
    static final String OUTPUTS = "outputs";

    private final @Nullable HookNode parent;
    private final String name;
    private final String path;
    private final Map<String, HookNode> children = new LinkedHashMap<>();
    private final Map<String, HookNode> aliases = new LinkedHashMap<>();
    private final Map<String, String> absences = new LinkedHashMap<>();
    private @Nullable HookPoint<?> point;
    private @Nullable HookModule<?> module;

    private HookNode(@Nullable HookNode parent, String name) {
        this.parent = parent;
        this.name = name;
        this.path = parent == null || parent.path.isEmpty() ? name : parent.path + "." + name;
    }

    static HookNode root() {
        return new HookNode(null, "");
    }

    /** Returns a part of any name, which is no child. */
    HookNode aside(String label) {
        return new HookNode(this, label);
    }

    /** Returns the part at a path below this one, which is made if it is not there. */
    HookNode make(String below) {
        HookNode node = this;
        for (String part : below.split("\\.", -1)) {
            HookNode parent = node;
            node = node.children.computeIfAbsent(part, key -> new HookNode(parent, key));
        }
        return node;
    }

    /** Returns the part at a path below this one, or null. */
    @Nullable HookNode find(String below) {
        HookNode node = this;
        for (String part : below.split("\\.", -1)) {
            node = node.child(part);
            if (node == null) {
                return null;
            }
        }
        return node;
    }

    /** Returns a child by its name or an alias, or null. */
    @Nullable HookNode child(String key) {
        HookNode child = children.get(key);
        return child == null ? aliases.get(key) : child;
    }

    /** Whether it is no child of what it belongs to. */
    boolean isAside() {
        return parent != null && parent.children.get(name) != this;
    }

    /** Says why there is no child of a name. */
    void absent(String child, String why) {
        absences.put(child, why);
    }

    /** Returns why there is no child of a name, or null if nothing is said of it. */
    @Nullable String whyAbsent(String child) {
        return absences.get(child);
    }

    void alias(String alias, HookNode target) {
        aliases.put(alias, target);
    }

    void point(HookPoint<?> here) {
        this.point = here;
    }

    void module(HookModule<?> here) {
        this.module = here;
    }

    String name() {
        return name;
    }

    String path() {
        return path;
    }

    String parentPath() {
        return parent == null ? "" : parent.path;
    }

    /** Returns the point that the path names, or null if it names none. */
    @Nullable HookPoint<?> point() {
        return point;
    }

    /** Returns the module that the path names, or null if it names none. */
    @Nullable HookModule<?> module() {
        return module;
    }

    /** Whether this is the first of a module's inputs. */
    boolean isFirstInput() {
        return point == null && parent != null && parent.module != null && name.equals(INPUT);
    }

    /** Whether a value can be read here. */
    boolean hasValue() {
        return point != null || isFirstInput();
    }

    /** Whether a point is this one or below it. */
    boolean covers(HookPoint<?> other) {
        for (HookNode node = other.node(); node != null; node = node.parent) {
            if (node == this) {
                return true;
            }
        }
        return false;
    }

    Map<String, HookNode> children() {
        return Collections.unmodifiableMap(children);
    }

    Map<String, HookNode> aliases() {
        return Collections.unmodifiableMap(aliases);
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
