package dev.blockscope.interleave;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The named places of a computation at which blocks can wait. A name is a dotted path such as
 * {@code encoder.layer.3.output}; a numeric part is a position in a list.
 *
 * @since 0.1
 */
public final class HookPoints {
    private static final int NEAREST = 3;

    private final ImmutableSet<String> paths;
    private final HookNode root;

    private HookPoints(Collection<String> paths) {
        this.paths = ImmutableSet.copyOf(paths);
        this.root = HookNode.treeOf(this.paths);
    }

    /**
     * Returns the points of these paths; their order is the order in which children are listed.
     *
     * @throws IllegalArgumentException if a path is empty or has an empty part
     */
    public static HookPoints of(Collection<String> paths) {
        for (String path : paths) {
            checkArgument(
                    !path.isEmpty() && !("." + path + ".").contains(".."),
                    "hook point \"%s\" has an empty part; write a path such as encoder.layer.3",
                    path);
        }
        return new HookPoints(paths);
    }

    /** Returns all paths in their order. */
    public Set<String> paths() {
        return paths;
    }

    /** Returns whether a path names a point. */
    public boolean contains(String path) {
        return paths.contains(path);
    }

    /** Returns the few points whose names are nearest to {@code path}, the nearest first. */
    public List<String> nearest(String path) {
        return nearest(path, paths);
    }

    HookNode root() {
        return root;
    }

    static List<String> nearest(String name, Collection<String> candidates) {
        return candidates.stream()
                .sorted(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .limit(NEAREST)
                .toList();
    }

    /** The least number of letters to insert, delete or replace: the Levenshtein distance. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
