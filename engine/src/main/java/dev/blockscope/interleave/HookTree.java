package dev.blockscope.interleave;

import java.util.ArrayList;
import java.util.List;

/**
 * Prints hook points as a tree, an indented line for each part. Positions of a list whose parts are
 * alike take one line.
 */
final class HookTree {
    private HookTree() {}

    static String of(HookNode node) {
        return String.join("\n", linesOf(node));
    }

    /** Prints the whole tree, and how what is not in it is reached. */
    static String of(HookPoints points) {
        List<String> lines = linesOf(points.root());
        NamedPoints named = points.named();
        if (named != null) {
            lines.add(named.toString());
        }
        return String.join("\n", lines);
    }

    private static List<String> linesOf(HookNode node) {
        List<String> lines = new ArrayList<>();
        List<HookNode> children = childrenOf(node);
        for (int first = 0; first < children.size(); ) {
            HookNode child = children.get(first);
            List<String> below = linesOf(child);
            int last = lastAlike(children, first, below);
            String label =
                    last == first ? label(child) : child.name() + "…" + label(children.get(last));
            add(label, below, lines);
            first = last + 1;
        }
        node.aliases().forEach((alias, target) -> lines.add(alias + " → " + target.path()));
        return lines;
    }

    /** The points of a module are part of its line. */
    private static List<HookNode> childrenOf(HookNode node) {
        return node.children().values().stream()
                .filter(child ->
                        node.module() == null
                                || !isOfModule(child.name())
                                || !child.children().isEmpty())
                .toList();
    }

    private static boolean isOfModule(String name) {
        return name.equals(HookNode.INPUT)
                || name.equals(HookNode.INPUTS)
                || name.equals(HookNode.OUTPUT)
                || name.equals(HookNode.OUTPUTS);
    }

    private static int lastAlike(List<HookNode> children, int first, List<String> below) {
        int last = first;
        while (isPosition(children.get(first).name())
                && last + 1 < children.size()
                && isAlike(children.get(first), below, children.get(last + 1), last + 1 - first)) {
            last++;
        }
        return last;
    }

    private static boolean isAlike(HookNode one, List<String> below, HookNode other, int distance) {
        return other.name().equals(Integer.toString(Integer.parseInt(one.name()) + distance))
                && suffix(one).equals(suffix(other))
                && linesOf(other).equals(below);
    }

    private static boolean isPosition(String name) {
        return name.length() < 9 && name.chars().allMatch(Character::isDigit);
    }

    private static String label(HookNode node) {
        return node.name() + suffix(node);
    }

    private static String suffix(HookNode node) {
        HookModule<?> module = node.module();
        if (module != null) {
            return "()" + type(module.output());
        }
        HookPoint<?> point = node.point();
        return point == null ? "" : type(point);
    }

    private static String type(HookPoint<?> point) {
        return point.type() == Object.class ? "" : "  " + point.type().getSimpleName();
    }

    /** A list of which all parts are alike stands on the line of what holds it. */
    private static void add(String label, List<String> below, List<String> lines) {
        boolean joined = !below.isEmpty() && isOneRange(below);
        lines.add(joined ? label + "  " + below.getFirst() : label);
        below.stream()
                .skip(joined ? 1 : 0)
                .map(line -> joined ? line : "  " + line)
                .forEach(lines::add);
    }

    private static boolean isOneRange(List<String> lines) {
        return lines.getFirst().matches("\\d+…\\d+.*")
                && lines.stream().skip(1).allMatch(line -> line.startsWith("  "));
    }
}
