package dev.blockscope;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Frames and maps written as a list of names and values. */
final class Frames {
    private Frames() {}

    /** Returns a frame over a new map of the names and values, which alternate. */
    static Frame frame(@Nullable Object... namesAndValues) {
        return Frame.of(map(namesAndValues));
    }

    /** Returns a frame without locals that falls back to a map of the names and values. */
    static Frame frameOverGlobals(@Nullable Object... namesAndValues) {
        return Frame.of(new LinkedHashMap<>(), Globals.of(map(namesAndValues)));
    }

    /** Returns a new mutable map of the names and values, in their order. */
    static Map<String, @Nullable Object> map(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }
}
