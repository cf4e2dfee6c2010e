package dev.blockscope;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The names that somebody may have meant, for errors about one that is not there.
 *
 * @since 0.1
 */
public final class NearestNames {
    private static final int MOST = 3;

    private NearestNames() {}

    /** Returns the up to three candidates that are nearest to {@code name}, the nearest first. */
    public static List<String> of(String name, Collection<String> candidates) {
        return candidates.stream()
                .sorted(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .limit(MOST)
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
