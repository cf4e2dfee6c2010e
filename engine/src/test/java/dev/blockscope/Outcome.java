package dev.blockscope;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What running a text came to, in a form that does not tell how it was run.
 *
 * @param value the rendered completion value, or an empty text if it failed
 * @param error the error's message, which begins with its class, or an empty text
 * @param places where the error came from, the innermost first
 * @param bindings the rendered values of the names that the text bound at its top level
 * @param undefined names that are bound to {@code undefined}, which counts as not bound (S2)
 */
record Outcome(
        String value,
        String error,
        List<Place> places,
        SortedMap<String, String> bindings,
        Set<String> undefined) {

    /** One line of a stack trace. */
    record Place(String file, int line, int column, String function) {
        Place shifted(String shiftedFile, int lines, int columns) {
            return file.equals(shiftedFile)
                    ? new Place(file, line + lines, line == 1 ? column + columns : column, function)
                    : this;
        }

        @Override
        public String toString() {
            return "%s %s:%d:%d".formatted(function, file, line, column);
        }
    }

    /** Returns whether a block's outcome is that of the same text as a plain script. */
    boolean isThatOf(Outcome block) {
        return value.equals(block.value)
                && error.equals(block.error)
                && (places.isEmpty() || places.equals(block.places))
                && bindings.equals(without(undefined, block.bindings));
    }

    /** Returns the outcome of the same text, written further down in its file. */
    Outcome shifted(String file, int lines, int columns) {
        List<Place> moved =
                places.stream().map(place -> place.shifted(file, lines, columns)).toList();
        return new Outcome(value, error, moved, bindings, undefined);
    }

    /** Returns the outcome as it is if some bindings do not count. */
    Outcome without(Set<String> names) {
        return new Outcome(value, error, places, without(names, bindings), undefined);
    }

    private static SortedMap<String, String> without(
            Set<String> names, Map<String, String> bindings) {
        SortedMap<String, String> rest = new TreeMap<>(bindings);
        rest.keySet().removeAll(names);
        return rest;
    }

    @Override
    public String toString() {
        String end = error.isEmpty() ? value : error + " at " + places;
        return end + " with " + bindings + (undefined.isEmpty() ? "" : ", undefined " + undefined);
    }
}
